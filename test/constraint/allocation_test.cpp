// After set-up no call of this room allocates.
#include <gtest/gtest.h>

#include <limber/constraint/arm_rivals.hpp>
#include <limber/constraint/articulated_loops.hpp>
#include <limber/constraint/contact_phases.hpp>
#include <limber/limber.hpp>

#include "constraint/arm_case.hpp"
#include "support/counting_new.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(ArmTeam, NoCallAllocates) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    TeamCase t = random_team(seed);
    const ArmTeam team = t.team();
    TeamMotion motion(team);
    const auto states = t.states();
    std::vector<Force<double>> forces(t.arms());
    EXPECT_EQ(allocations_in([&] { team_dynamics<double>(team, states, t.object, motion); }), 0);
    if (motion.object.indeterminate() > 0) {
      EXPECT_EQ(allocations_in([&] { null_forces<double>(motion, 0, forces); }), 0);
    }
    if (seed % 3 != 0) {
      auto call = [&] { articulated_team_dynamics<double>(team, states, t.object, motion); };
      EXPECT_EQ(allocations_in(call), 0);
    }
  }
}

TEST(ArticulatedLoops, NothingIsAllocated) {
  ClosedRobot c(4);
  ArticulatedLoops d(*c.mechanism);
  if (!d.plan.reason.empty()) GTEST_SKIP();
  VectorXd a(c.robot.model.nv);
  const auto run = [&] {
    closed_articulated_bodies<double>(*c.mechanism, 0, in(c.robot.q), in(c.robot.v),
                                      in(c.robot.tau), c.closed->wanted, c.robot.ws, d,
                                      {a.data(), static_cast<std::size_t>(a.size())});
    closed_forward_dynamics<double>(*c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau),
                                    *c.closed);
  };
  run();
  EXPECT_EQ(allocations_in(run), 0);
}

TEST(ContactPhases, NoCallAllocates) {
  const Model m = load("puma560");
  const std::vector<double> q{0.3, 0.9, 2.6, 0.2, -0.6, 0.2}, v(6, 0.1), tau(6, 1.0);
  ContactPhases phases(m, {"tool", "", Transform<double>::translation({0.4, 0.1, 0.2})});
  const auto run = [&] {
    phases.impact(0, q, v);
    phases.constrained_motion(0, q, v, tau);
    phases.impact_on_base({2, 100, 1}, 0.1, 0, q, v);
    phases.motion_on_base({2, 100, 1}, 0, q, v, tau);
  };
  run();
  EXPECT_EQ(allocations_in(run), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
