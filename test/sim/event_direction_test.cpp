// Directions of events: a value that swings through its threshold, and joints that reach limits.
#include <cmath>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/simulation.hpp>
#include <limber/sim/value_event.hpp>

#include "sim/parts.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Crossing = EventSpec::Crossing;

// x = cos 2πt on a spring
Spec swinging_mass() {
  Spec spec = slider(2);
  spec.gravity = {};
  spec.joints[0].dof().stiffness = 2 * 4 * M_PI * M_PI;
  return spec;
}

std::vector<double> instants(const std::string& method, std::unique_ptr<Part> part,
                             const Spec& spec, double duration) {
  System system(build(spec));
  system.add(std::move(part));
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = method;
  const std::vector<double> q = {1}, v = {0};
  Simulation run(system, settings, q, v);
  run.run();
  std::vector<double> times;
  for (const Event& event : run.events()) times.push_back(event.t);
  return times;
}

void expect_instants(const std::vector<double>& found, const std::vector<double>& expected,
                     const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-5) << what;
}

// cvode looks for roots itself
TEST(EventDirection, IsKept) {
  for (const std::string method : {"rk4", "dopri5", "cvode_adams"}) {
    const auto seen = [&](Crossing crossing, Then then) {
      const Model model = build(swinging_mass());
      return instants(method,
                      std::make_unique<ValueEvent>("zero", named_value(model, "slide.position"), 0,
                                                   crossing, then),
                      swinging_mass(), 2.1);
    };
    expect_instants(seen(Crossing::falling, Then::watch), {0.25, 1.25}, method + ", falling");
    expect_instants(seen(Crossing::rising, Then::watch), {0.75, 1.75}, method + ", rising");
    expect_instants(seen(Crossing::both, Then::watch), {0.25, 0.75, 1.25, 1.75}, method + ", both");
    expect_instants(seen(Crossing::falling, Then::stop), {0.25}, method + ", stopped falling");
    expect_instants(seen(Crossing::rising, Then::stop), {0.75}, method + ", stopped rising");
  }
}

// x = 0.5 is passed downward at 1/6 s, x = −0.5 at 1/3 s, and back; leaving a range counts
TEST(EventDirection, OfLimitsIsOutward) {
  Spec spec = swinging_mass();
  spec.joints[0].dof().lower = -0.5;
  spec.joints[0].dof().upper = 1.5;
  const auto limits = [](AtLimit what) {
    return std::make_unique<JointLimits>(JointLimitSettings{what, 1e4, 1e2});
  };
  expect_instants(instants("rk4", limits(AtLimit::watch), spec, 2.1), {1.0 / 3, 4.0 / 3}, "watch");
  expect_instants(instants("rk4", limits(AtLimit::stop), spec, 2.1), {1.0 / 3}, "stop");
}

// the way to the instant of an event takes several steps of its own
TEST(EventRecords, BeforeAnEventAreThoseOfTheMotion) {
  for (const std::string method : {"rk4", "dopri5", "cvode_adams"}) {
    const Model model = build(swinging_mass());
    System system(model);
    system.add(std::make_unique<ValueEvent>("zero", named_value(model, "slide.position"), 0,
                                            Crossing::falling, Then::stop));
    SimulationSettings settings;
    settings.duration = 1;
    settings.record_interval = 1e-3;
    settings.integrator.method = method;
    const std::vector<double> q = {1}, v = {0};
    Simulation run(system, settings, q, v);
    int records = 0;
    run.on_record = [&](const System&, double t, std::span<const double> state) {
      ++records;
      EXPECT_NEAR(state[0], std::cos(2 * M_PI * t), 1e-5) << method << " at " << t;
    };
    EXPECT_EQ(run.run(), RunStatus::stopped) << run.message();
    EXPECT_GE(records, 250) << method;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
