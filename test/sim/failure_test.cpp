// Parts that throw, at any call and whatever they throw: the run ends with part, time and reason,
// and what was recorded is kept.
#include <limber/sim/simulation.hpp>

#include <functional>

#include <gtest/gtest.h>

#include <limber/limber.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::vector<double> still = {0};

enum class Call {
  attach,
  initialize,
  update,
  prescribe,
  apply,
  settled,
  derivative,
  event_values,
  on_event,
  record,
  clone
};

using Fault = std::function<void()>;

// is asked for everything, and throws at one call from t = 0.5 s on
class Faulty final : public Part {
 public:
  Faulty(Call call, Fault fault) : Part("faulty"), call_(call), fault_(std::move(fault)) {}
  std::unique_ptr<Part> clone() const override {
    if (call_ == Call::clone) fault_();
    return std::make_unique<Faulty>(*this);
  }
  Role role() const override { return Role::world; }
  void attach(Model&) override { fail(Call::attach, 1); }
  int continuous_states() const override { return 1; }
  int discrete_states() const override { return 1; }
  std::span<const int> prescribed() const override {
    static constexpr int second[] = {1};
    return call_ == Call::prescribe ? std::span<const int>(second) : std::span<const int>();
  }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override {
    fail(Call::prescribe, at.t);
    motion.q[1] = motion.v[1] = motion.given[1] = 0;
    motion.known[1] = Known::acceleration;
  }
  void initialize(Evaluation&, std::span<double>, std::span<double>) override {
    fail(Call::initialize, 1);
  }
  double sample_time() const override { return 0.1; }
  void update(Evaluation& at, std::span<double>) override { fail(Call::update, at.t); }
  void apply(Evaluation& at) override { fail(Call::apply, at.t); }
  bool depends_on_acceleration() const override { return true; }
  bool settled(Evaluation& at) override {
    fail(Call::settled, at.t);
    return true;
  }
  void derivative(Evaluation& at, std::span<double> z_dot) override {
    fail(Call::derivative, at.t);
    z_dot[0] = 0;
  }
  std::vector<EventSpec> events() const override {
    return {{"half time", EventSpec::Crossing::rising, EventSpec::Kind::act}};
  }
  void event_values(Evaluation& at, std::span<double> values) override {
    fail(Call::event_values, at.t);
    values[0] = at.t - 0.5;
  }
  EventOutcome on_event(int, Evaluation& at, EventState) override {
    fail(Call::on_event, at.t + 1e-6);
    return EventOutcome::unlisted;
  }
  std::vector<Column> columns() const override { return {{"faulty.value", "", ""}}; }
  void record(Evaluation& at, std::span<double> values) override {
    fail(Call::record, at.t);
    values[0] = at.t;
  }

 private:
  void fail(Call call, double t) const {
    if (call == call_ && t > 0.5 - 1e-9) fault_();
  }
  Call call_;
  Fault fault_;
};

struct Thrown {
  Fault fault;
  std::string words;
};
const std::vector<Thrown> thrown = {
    {[] { throw 42; }, "no std::exception"},
    {[] { throw std::out_of_range("index 7"); }, "index 7"},
    {[] { throw Error("no command can be given"); }, "no command can be given"},
    {[] { throw std::bad_alloc(); }, "bad_alloc"}};

class AnyMethod : public testing::TestWithParam<std::string> {};
std::vector<std::string> any_methods() {
  std::vector<std::string> names;
  for (const IntegratorMethod& method : integrator_methods()) names.emplace_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, AnyMethod, testing::ValuesIn(any_methods()),
                         [](const auto& test) { return test.param; });

TEST_P(AnyMethod, WhateverAPartThrowsEndsTheRunWithPartTimeAndReason) {
  for (const Thrown& one : thrown)
    for (const Call call : {Call::update, Call::prescribe, Call::apply, Call::settled,
                            Call::derivative, Call::event_values, Call::on_event, Call::record}) {
      System system(load("double_pendulum"));
      system.add(std::make_unique<Faulty>(call, one.fault));
      SimulationSettings settings;
      settings.integrator.method = GetParam();
      settings.integrator.step = 0.01;
      if (GetParam() == "pece_b3") settings.integrator.threads = 3;
      Simulation run(system, settings, std::vector<double>{1, 0}, std::vector<double>{0, 0});
      std::vector<double> values(1), times;
      run.on_record = [&](const System& now, double t, std::span<const double> x) {
        now.record(x, values);
        times.push_back(t);
      };
      const std::string where = GetParam() + " call " + std::to_string(static_cast<int>(call));
      EXPECT_EQ(run.run(), RunStatus::failed) << where << ": " << run.message();
      EXPECT_TRUE(mentions(run.message(), {"'faulty'", "t = 0.", one.words})) << where;
      EXPECT_NEAR(run.t(), 0.5, 0.11) << where;
      ASSERT_FALSE(times.empty()) << where;
      EXPECT_NEAR(times.back(), 0.5, 0.11) << where;
      EXPECT_EQ(run.advance(2), RunStatus::failed);
    }
}

TEST(Failure, BeforeTheRunItIsAnErrorThatNamesThePart) {
  for (const Thrown& one : thrown) {
    System system(build(slider()));
    EXPECT_TRUE(
        mentions(message_of([&] { system.add(std::make_unique<Faulty>(Call::attach, one.fault)); }),
                 {"'faulty'", one.words}));
    system.add(std::make_unique<Faulty>(Call::initialize, one.fault));
    EXPECT_TRUE(mentions(message_of([&] { Simulation(system, {}, still, still); }),
                         {"'faulty'", one.words}));
    System copied(build(slider()));
    copied.add(std::make_unique<Faulty>(Call::clone, one.fault));
    EXPECT_TRUE(mentions(message_of([&] { System copy(copied); }), {"'faulty'", one.words}));
  }
}

TEST(Failure, WhatTheCallersHooksThrowIsTheirs) {
  System system(build(slider()));
  Simulation run(system, {}, still, still);
  run.on_record = [](const System&, double t, std::span<const double>) {
    if (t > 0.3) throw std::runtime_error("the disk is full");
  };
  EXPECT_THROW(run.run(), std::runtime_error);
  EXPECT_EQ(run.status(), RunStatus::running);
  Simulation other(system, {}, still, still);
  other.go_on = [](double) -> bool { throw 1; };
  EXPECT_THROW(other.run(), int);
}

// a sampled part, an event or a force that is no number: the part is named
TEST(Failure, APartThatGivesNoNumberIsNamed) {
  for (const std::string method : {"rk4", "dopri5", "pece_b2", "cvode_adams"}) {
    System system(load("double_pendulum"));
    system.add(std::make_unique<FunctionPart>("honest", Role::world,
                                              [](Evaluation& at) { at.tau[0] += 0.1; }));
    system.add(std::make_unique<FunctionPart>(
        "broken", Role::world, [](Evaluation& at) { at.tau[1] += std::sqrt(0.3 - at.t); }));
    SimulationSettings settings;
    settings.integrator.method = method;
    if (method == "pece_b2") settings.integrator.threads = 2;
    Simulation run(system, settings, std::vector<double>{1, 0}, std::vector<double>{0, 0});
    EXPECT_EQ(run.run(), RunStatus::diverged);
    EXPECT_TRUE(mentions(run.message(), {"'broken'", "not a finite number", "t = 0."})) << method;
    EXPECT_EQ(run.message().find("honest"), std::string::npos);
  }
}

class BadState final : public Part {
 public:
  explicit BadState(int states, double value) : Part("bad"), states_(states), value_(value) {}
  std::unique_ptr<Part> clone() const override { return nullptr; }
  Role role() const override { return Role::control; }
  int discrete_states() const override { return states_; }
  double sample_time() const override { return 0.25; }
  void update(Evaluation& at, std::span<double> d) override { d[0] = at.t < 0.4 ? 0 : value_; }

 private:
  int states_;
  double value_;
};

TEST(Failure, StatesOfPartsAreChecked) {
  System system(build(slider()));
  system.add(std::make_unique<BadState>(1, NAN));
  EXPECT_TRUE(mentions(message_of([&] { System copy(system); }), {"'bad'", "clone"}));
  Simulation run(std::move(system), {}, still, still);
  EXPECT_EQ(run.run(), RunStatus::failed);
  EXPECT_TRUE(mentions(run.message(), {"'bad'", "t = 0.5", "not a number"}));
  for (const int states : {-1, 2'000'000'000}) {
    System other(build(slider()));
    EXPECT_TRUE(mentions(message_of([&] { other.add(std::make_unique<BadState>(states, 0)); }),
                         {"'bad'", "discrete states", std::to_string(states)}));
  }
  EXPECT_TRUE(mentions(message_of([&] { System(build(slider())).add(nullptr); }), {"null"}));
}

// an Ode of the user's own that throws on a thread of its own
class ThrowingOde final : public Ode {
 public:
  explicit ThrowingOde(bool in_project) : in_project_(in_project) {}
  int size() const override { return 1; }
  Evaluated derivative(double t, std::span<const double>, std::span<double> x_dot) override {
    if (!in_project_ && t > 0.5) throw 7;
    x_dot[0] = 1;
    return Evaluated::ok;
  }
  void project(double t, std::span<double>) override {
    if (in_project_ && t > 0.5) throw 7;
  }
  std::unique_ptr<Ode> clone() const override { return std::make_unique<ThrowingOde>(*this); }

 private:
  bool in_project_;
};

TEST(Failure, ExceptionsComeBackFromOtherThreadsAndThroughSundials) {
  for (const bool in_project : {false, true})
    for (const std::string method : {"rk4", "dopri5", "pece_b1", "pece_b4", "cvode_bdf"}) {
      ThrowingOde ode(in_project);
      IntegratorSettings settings;
      settings.method = method;
      settings.step = 0.01;
      if (method == "pece_b4") settings.threads = 4;
      const auto integrator = make_integrator(settings);
      integrator->start(ode, 0, still);
      const auto go = [&] {
        while (integrator->t() < 1)
          if (integrator->step(1) != StepStatus::ok) return;
      };
      EXPECT_THROW(go(), int) << method;
      EXPECT_NEAR(integrator->t(), 0.5, 0.06) << method;
      EXPECT_THROW(go(), int) << method;  // and is as usable as before
    }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
