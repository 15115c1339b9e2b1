// Closed mechanisms in a System: against closed forms, other cuts of the same mechanism, and
// conservation laws; drift, starts, copies.
#include <limber/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include "sim/parts.hpp"
#include "support/four_bar.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Cut = MovingFourBar::Cut;
const MovingFourBar bars;
constexpr double theta0 = 0.7, rate0 = 3;

SimulationSettings settings_of(const std::string& method, Drift drift, double duration) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.record_interval = 0.05;
  settings.integrator.method = method;
  settings.loops.drift = drift;
  return settings;
}

Simulation four_bar(const SimulationSettings& settings, Cut cut = Cut::tip,
                    LoopSpec::Kind kind = LoopSpec::Kind::joint) {
  return {System(build(bars.spec(cut, kind))), settings, bars.q(cut, theta0),
          bars.v(cut, theta0, rate0)};
}

double largest_gap(Simulation& run) {
  double most = 0;
  run.on_record = [&most](const System& now, double, std::span<const double>) {
    most = std::max(most, now.loop_gap());
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return most;
}

double energy_error(const Simulation& run) {
  System system(run.system());
  const std::vector<double> x(run.x().begin(), run.x().end());
  EXPECT_EQ(system.evaluate(run.t(), x), Evaluated::ok);
  return system.energy(x).error();
}

TEST(ClosedMechanism, FourBarMovesAsItsClosedForm) {
  const double time = 1.5;
  const MovingFourBar::State expected = bars.moved({theta0, rate0}, time, 15000);
  struct Case {
    const char* method;
    Drift drift;
    double tolerance, gap;
  };
  for (const Case& one :
       {Case{"rk4", Drift::project, 1e-8, 1e-11}, Case{"rk4", Drift::baumgarte, 1e-6, 1e-7},
        Case{"rk4", Drift::independent, 1e-8, 1e-11}, Case{"dopri5", Drift::project, 1e-6, 1e-11},
        Case{"dopri5", Drift::baumgarte, 1e-6, 1e-6},
        Case{"dopri5", Drift::independent, 1e-6, 1e-11},
        Case{"cvode_adams", Drift::project, 1e-5, 1e-11},
        Case{"cvode_bdf", Drift::project, 1e-4, 1e-11},
        Case{"pece_b4", Drift::project, 1e-7, 1e-11}, Case{"pece_b4", Drift::baumgarte, 2e-5, 1e-6},
        Case{"midpoint", Drift::project, 5e-4, 1e-11}}) {
    SCOPED_TRACE(one.method + std::to_string(static_cast<int>(one.drift)));
    for (const Cut cut : {Cut::tip, Cut::rocker_hinge}) {
      Simulation run = four_bar(settings_of(one.method, one.drift, time), cut);
      EXPECT_TRUE(run.system().notices().empty());
      EXPECT_LT(largest_gap(run), one.gap);
      EXPECT_NEAR(run.x()[0], expected.theta, one.tolerance);
      EXPECT_NEAR(run.x()[3], expected.rate, 10 * one.tolerance);
      EXPECT_LT(std::abs(energy_error(run)), 100 * one.tolerance);
    }
  }
}

TEST(ClosedMechanism, MidpointIsOfSecondOrder) {
  const double time = 0.5;
  const MovingFourBar::State expected = bars.moved({theta0, rate0}, time, 15000);
  std::vector<double> errors;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    SimulationSettings settings = settings_of("midpoint", Drift::project, time);
    settings.integrator.step = step;
    Simulation run = four_bar(settings);
    largest_gap(run);
    errors.push_back(std::abs(run.x()[0] - expected.theta));
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.6);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.6);
}

// five rows of rank two, and three of rank two
TEST(ClosedMechanism, RedundantFourBarKeepsItsEnergyForTenSeconds) {
  for (const auto kind : {LoopSpec::Kind::joint, LoopSpec::Kind::connect}) {
    Simulation run = four_bar(settings_of("rk4", Drift::project, 10), Cut::tip, kind);
    EXPECT_LT(largest_gap(run), 1e-10);
    EXPECT_LT(std::abs(energy_error(run)), 1e-8);
    EXPECT_EQ(run.system().loops()->rank(), 2);
  }
}

// Bricard's mechanism: rods along the edges of a cube, six hinges; five rows of rank four, which
// becomes five where the loop is open. Problem A04 of the IFToMM library, the angle at t = 10 s.
TEST(ClosedMechanism, BricardsMechanismMovesAsPublished) {
  Spec spec;
  spec.name = "bricard";
  spec.gravity = {0, -9.81, 0};
  const Vec3<double> rods[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
  const Vec3<double> axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::string parent;
  Vec3<double> place;
  for (int k = 0; k < 5; ++k) {
    BodySpec body;
    body.name = "rod" + std::to_string(k + 1);
    const auto across = [&](double x) { return x != 0 ? 0.02 / 12 : 1.01 / 12; };
    const Vec3<double>& rod = rods[k];
    body.inertia =
        Inertia<double>::from_com(1, rod * 0.5, {across(rod.x), across(rod.y), across(rod.z)});
    spec.bodies.push_back(body);
    JointSpec& joint = spec.add_joint("q" + std::to_string(k + 1), JointKind::revolute, parent,
                                      body.name, axes[k]);
    joint.placement.p = place;
    parent = body.name;
    place = rod;
  }
  LoopSpec loop;
  loop.name = "q6";
  loop.kind = LoopSpec::Kind::joint;
  loop.joint_kind = JointKind::revolute;
  loop.axis = {1, 0, 0};
  loop.placement_a.p = {0, 0, 1};
  loop.body_b = "rod5";
  loop.placement_b.p = {0, 1, 0};
  spec.loops.push_back(loop);
  const std::vector<double> zero(5, 0.0);
  for (const Drift drift : {Drift::project, Drift::independent}) {
    SimulationSettings settings = settings_of("rk4", drift, 10);
    Simulation run(System(build(spec)), settings, zero, zero);
    EXPECT_LT(largest_gap(run), 1e-11);
    EXPECT_EQ(run.system().loops()->rank(), 4);
    EXPECT_NEAR(run.x()[0], 0.000269049, 2e-9);
    EXPECT_NEAR(run.x()[5], 0.032462012, 2e-8);
    EXPECT_LT(std::abs(energy_error(run)), 1e-8);
    settings.integrator.step = 1e-2;  // far open within each step
    settings.duration = 3;
    Simulation coarse(System(build(spec)), settings, zero, zero);
    EXPECT_LT(largest_gap(coarse), 1e-11);
    EXPECT_LT(std::abs(energy_error(coarse)), 1e-4);
  }
}

TEST(ClosedMechanism, ReactionsAndForcesOfLoopsAreThoseOfAnotherCut) {
  RecordChoice choice;
  choice.reactions = {"all"};
  std::vector<Recording> found;
  for (const Cut cut : {Cut::tip, Cut::rocker_hinge}) {
    System system(build(bars.spec(cut)));
    Recorder recorder(system, choice);
    const std::vector<double> x =
        system.initial_state(bars.q(cut, theta0), bars.v(cut, theta0, rate0));
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
    const std::span<const double> row = recorder.row(system, 0, x);
    found.push_back({recorder.columns(), {row.begin(), row.end()}});
  }
  const auto value = [&](std::size_t k, const char* name) { return found[k].series(name)[0]; };
  for (const char* name : {"crank_hinge.reaction.fx", "crank_hinge.reaction.fz",
                           "coupler_hinge.reaction.fx", "coupler_hinge.reaction.fz"})
    EXPECT_NEAR(value(0, name), value(1, name), 1e-9) << name;
  // on the rocker at its tip: as a loop in axes of the coupler, as a joint in those of the rocker
  const auto size = [](double x, double z) { return std::hypot(x, z); };
  double by_loop = 0;
  for (const char* name : {"tip.force.x", "tip.force.y", "tip.force.z"})
    by_loop = std::hypot(by_loop, value(0, name));
  EXPECT_NEAR(by_loop, size(value(1, "tip.reaction.fx"), value(1, "tip.reaction.fz")), 1e-9);
  EXPECT_LT(value(0, "loop_gap"), 1e-12);
}

// holds a freedom at θ0 + ω t
class Turns final : public Part {
 public:
  explicit Turns(double rate) : Part("turns"), rate_(rate) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Turns>(*this); }
  Role role() const override { return Role::world; }
  std::span<const int> prescribed() const override { return freedoms_; }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override {
    motion.q[0] = theta0 + rate_ * at.t;
    motion.v[0] = rate_;
    motion.given[0] = 0;
    motion.known[0] = Known::acceleration;
  }

 private:
  double rate_;
  std::vector<int> freedoms_{0};
};

TEST(ClosedMechanism, APrescribedCrankNeedsTheTorqueOfTheClosedForm) {
  for (const Drift drift : {Drift::project, Drift::independent}) {
    System system(build(bars.spec(Cut::tip)));
    system.add(std::make_unique<Turns>(5));
    Simulation run(std::move(system), settings_of("rk4", drift, 1.0), bars.q(Cut::tip, theta0),
                   bars.v(Cut::tip, theta0, 5));
    double most = 0;
    run.on_record = [&](const System& now, double t, std::span<const double>) {
      const double expected = bars.torque(theta0 + 5 * t, 5, 0);
      most = std::max(most, std::abs(now.joint_forces()[0] - expected));
      EXPECT_LT(now.loop_gap(), 1e-11);
    };
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    EXPECT_LT(most, 1e-8);
    EXPECT_LT(std::abs(energy_error(run)), 1e-7);
  }
}

TEST(ClosedMechanism, AMotionThatContradictsTheLoopIsNamed) {
  MovingFourBar short_rocker = bars;
  short_rocker.rocker = 0.35;  // the crank cannot turn round
  const double theta = 1.0;
  System system(build(short_rocker.spec(Cut::tip)));
  class Jumps final : public Part {
   public:
    Jumps() : Part("jumps") {}
    std::unique_ptr<Part> clone() const override { return std::make_unique<Jumps>(*this); }
    Role role() const override { return Role::world; }
    std::span<const int> prescribed() const override { return freedoms_; }
    void prescribe(const PartInstant& at, const GivenMotion& motion) override {
      motion.q[0] = 1.0 + 2 * at.t;
      motion.v[0] = 2;
      motion.given[0] = 0;
      motion.known[0] = Known::acceleration;
    }

   private:
    std::vector<int> freedoms_{0};
  };
  system.add(std::make_unique<Jumps>());
  Simulation run(std::move(system), settings_of("rk4", Drift::project, 2),
                 short_rocker.q(Cut::tip, theta), short_rocker.v(Cut::tip, theta, 2));
  EXPECT_NE(run.run(), RunStatus::finished);
  EXPECT_NE(run.message().find("loop 'tip'"), std::string::npos) << run.message();
}

TEST(ClosedMechanism, SmallGapsAreClosedAndLargeOnesRefused) {
  System system(build(bars.spec(Cut::tip)));
  LoopSettings as_given;
  as_given.start = LoopStart::as_given;
  system.keep_loops(as_given);
  std::vector<double> q = bars.q(Cut::tip, theta0), v = bars.v(Cut::tip, theta0, rate0);
  q[1] += 2e-4;
  v[2] += 0.1;
  const std::vector<double> x = system.initial_state(q, v);
  ASSERT_EQ(system.notices().size(), 2u);
  EXPECT_NE(system.notices()[0].find("loop 'tip' is open by"), std::string::npos);
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  EXPECT_LT(system.loop_gap(), 1e-12);
  const std::vector<double> expected = bars.v(Cut::tip, x[0], x[3]);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[3 + k], expected[k], 1e-10);
  q[1] += 0.3;
  const std::string message = message_of([&] { system.initial_state(q, v); });
  EXPECT_NE(message.find("loop 'tip' is open by"), std::string::npos) << message;
  EXPECT_NE(message.find("largest_gap"), std::string::npos) << message;
}

// a start that is far from closed, with the joints that somebody has chosen
std::vector<double> assembled(System& system, const std::vector<double>& q,
                              const std::vector<std::string>& positions,
                              const std::vector<double>& v = {0, 0, 0},
                              const std::vector<std::string>& velocities = {}) {
  LoopSettings settings;
  settings.chosen_positions = positions;
  settings.chosen_velocities = velocities;
  system.keep_loops(settings);
  std::vector<double> x = system.initial_state(q, v);
  EXPECT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
  EXPECT_LT(system.loop_gap(), 1e-12);
  return x;
}

TEST(ClosedMechanism, AStartThatIsFarOpenIsAssembled) {
  System system(build(bars.spec(Cut::tip)));
  const std::vector<double> closed = bars.q(Cut::tip, theta0);
  std::vector<double> open = closed;
  open[1] += 0.3;
  open[2] -= 0.2;
  const std::vector<double> x =
      assembled(system, open, {"crank_hinge"}, {rate0, 0, 0}, {"crank_hinge"});
  EXPECT_EQ(x[0], theta0);
  EXPECT_NEAR(x[3], rate0, 1e-14);
  const std::vector<double> v = bars.v(Cut::tip, theta0, rate0);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(x[k], closed[k], 1e-10);
    EXPECT_NEAR(x[3 + k], v[k], 1e-9);
  }
  ASSERT_TRUE(system.start_assembly());
  EXPECT_TRUE(system.start_assembly()->freed.empty());
  ASSERT_EQ(system.notices().size(), 2u);
  EXPECT_TRUE(mentions(system.notices()[0], {"loop 'tip' is open by", "coupler_hinge by -0.3 rad",
                                             "rocker_hinge by 0.2 "
                                             "rad"}));
  // the copy of a system says the same
  EXPECT_EQ(System(system).start_assembly()->moved.size(), 2u);
}

// chosen positions that do not close: the first ones stay
TEST(ClosedMechanism, ChosenJointsThatCannotStayAreFreedAndNamed) {
  System system(build(bars.spec(Cut::tip)));
  std::vector<double> open = bars.q(Cut::tip, theta0);
  open[1] += 0.3;
  const std::vector<double> x =
      assembled(system, open, {"crank_hinge", "coupler_hinge", "rocker_hinge"});
  EXPECT_EQ(x[0], theta0);
  EXPECT_NEAR(x[1], bars.q(Cut::tip, theta0)[1], 1e-10);
  EXPECT_EQ(system.start_assembly()->freed, std::vector<std::string>{"coupler_hinge"});
  EXPECT_TRUE(mentions(system.notices()[0], {"given positions of coupler_hinge"}));
  const std::vector<double> other = assembled(system, open, {"coupler_hinge", "crank_hinge"});
  EXPECT_EQ(other[1], open[1]);
  EXPECT_EQ(system.start_assembly()->freed, std::vector<std::string>{"crank_hinge"});
}

TEST(ClosedMechanism, AClosedStartKeepsItsBits) {
  System system(build(bars.spec(Cut::tip)));
  const std::vector<double> closed = bars.q(Cut::tip, theta0);
  const std::vector<double> x = assembled(system, closed, {"coupler_hinge"});
  EXPECT_EQ(std::vector<double>(x.begin(), x.begin() + 3), closed);
  EXPECT_FALSE(system.start_assembly());
  EXPECT_TRUE(system.notices().empty());
}

TEST(ClosedMechanism, LoopsThatNoPositionClosesAreNamed) {
  MovingFourBar apart = bars;
  apart.ground = 3;
  System system(build(apart.spec(Cut::tip)));
  const std::vector<double> zero(3, 0.0);
  const std::string message = message_of([&] { system.initial_state(zero, zero); });
  EXPECT_TRUE(mentions(message, {"loop 'tip' is open by", "no position", "loop 'tip', force"}))
      << message;
}

TEST(ClosedMechanism, WhatDoesNotGoTogetherIsRefusedByName) {
  for (const Drift drift : {Drift::baumgarte, Drift::independent}) {
    const std::string message = message_of([&] { four_bar(settings_of("midpoint", drift, 1)); });
    EXPECT_NE(message.find("midpoint"), std::string::npos) << message;
  }
  SimulationSettings stiff = settings_of("rk4", Drift::baumgarte, 1);
  stiff.loops.rate = 5e3;
  EXPECT_NE(message_of([&] { four_bar(stiff); }).find("rate"), std::string::npos);
}

class ClosedRuns : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ClosedRuns,
                         testing::Values("rk4", "dopri5", "cvode_adams", "pece_b2", "midpoint"),
                         [](const auto& test) { return test.param; });

TEST_P(ClosedRuns, CopiesAndSavedRunsGoOnWithTheSameBits) {
  for (const Drift drift : {Drift::project, Drift::baumgarte, Drift::independent}) {
    if (GetParam() == "midpoint" && drift != Drift::project) continue;
    const SimulationSettings settings = settings_of(GetParam(), drift, 0.6);
    Simulation whole = four_bar(settings), half = four_bar(settings);
    ASSERT_EQ(whole.run(), RunStatus::finished) << whole.message();
    half.advance(0.3);
    Simulation copy = half;
    const SavedRun saved = half.save();
    Simulation resumed(System(build(bars.spec(Cut::tip))), settings, saved);
    for (Simulation* run : {&half, &copy, &resumed}) {
      ASSERT_EQ(run->run(), RunStatus::finished) << run->message();
      EXPECT_EQ(std::vector<double>(run->x().begin(), run->x().end()),
                std::vector<double>(whole.x().begin(), whole.x().end()));
    }
  }
}

// a floating four-bar without gravity
TEST(ClosedMechanism, AFreeMechanismKeepsItsMomentum) {
  Spec spec = bars.spec(Cut::tip);
  spec.gravity = {};
  BodySpec frame;
  frame.name = "frame";
  frame.inertia = Inertia<double>::from_com(3, {0.5, 0.1, 0}, {0.1, 0.3, 0.25});
  spec.bodies.push_back(frame);
  for (JointSpec& joint : spec.joints)
    if (joint.parent.empty()) joint.parent = "frame";
  spec.add_joint("root", JointKind::free, "", "frame");
  spec.loops[0].kind = LoopSpec::Kind::joint;
  const Model model = build(spec);
  std::vector<double> q = neutral_position(model), v(static_cast<std::size_t>(model.nv), 0.0);
  const std::vector<double> inner = bars.q(Cut::tip, theta0), rates = bars.v(Cut::tip, theta0, 4);
  for (std::size_t k = 0; k < 3; ++k) {
    const char* names[] = {"crank_hinge", "coupler_hinge", "rocker_hinge"};
    q[static_cast<std::size_t>(
        model.q_index[static_cast<std::size_t>(model.body_of_joint(names[k]))])] = inner[k];
    v[static_cast<std::size_t>(
        model.v_index[static_cast<std::size_t>(model.body_of_joint(names[k]))])] = rates[k];
  }
  const std::size_t root = static_cast<std::size_t>(
      model.v_index[static_cast<std::size_t>(model.body_of_joint("root"))]);
  for (std::size_t k = 0; k < 6; ++k) v[root + k] = 0.3 * static_cast<double>(k) - 0.7;
  Simulation run(System(model), settings_of("rk4", Drift::project, 2), q, v);
  EXPECT_TRUE(run.system().notices().empty());
  RecordChoice choice;
  choice.momentum = true;
  Recorder recorder(run.system(), choice);
  Recording table{recorder.columns(), {}};
  run.on_record = [&](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    table.values.insert(table.values.end(), row.begin(), row.end());
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  for (const char* name : {"linear_momentum.x", "linear_momentum.y", "linear_momentum.z",
                           "angular_momentum.x", "angular_momentum.y", "angular_momentum.z"}) {
    const std::vector<double> values = table.series(name);
    for (const double value : values) EXPECT_NEAR(value, values[0], 1e-7) << name;
  }
  for (const double error : table.series("energy_error")) EXPECT_LT(std::abs(error), 1e-7);
}

// a pendulum whose rod is pulled in: work of the target
TEST(ClosedMechanism, TargetsThatMoveDoWork) {
  Spec spec;
  spec.name = "bob";
  BodySpec body;
  body.name = "bob";
  body.inertia = Inertia<double>::from_com(2, {0, 0, 0}, {0.01, 0.01, 0.01});
  spec.bodies.push_back(body);
  spec.add_joint("root", JointKind::translation, "", "bob");
  LoopSpec rod;
  rod.name = "rod";
  rod.kind = LoopSpec::Kind::distance;
  rod.body_b = "bob";
  rod.distance = 1;
  spec.loops.push_back(rod);
  Mechanism mechanism(build(spec));
  mechanism.add({0, [](double t, std::span<double> out) {
                   out[0] = -0.2 * std::sin(t);
                   out[1] = -0.2 * std::cos(t);
                   out[2] = 0.2 * std::sin(t);
                 }});
  const std::vector<double> q{0.6, 0, -0.8}, v{0.8 * 1.5 - 0.6 * 0.2, 0, 0.6 * 1.5 + 0.8 * 0.2};
  Simulation run(System(mechanism), settings_of("rk4", Drift::project, 3), q, v);
  EXPECT_TRUE(run.system().notices().empty());
  EXPECT_LT(largest_gap(run), 1e-11);
  EXPECT_LT(std::abs(energy_error(run)), 1e-8);
  // angular momentum about the pivot changes by gravity alone; the length is the prescribed one
  EXPECT_NEAR(std::hypot(run.x()[0], run.x()[2]), 1 - 0.2 * std::sin(3.0), 1e-11);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
