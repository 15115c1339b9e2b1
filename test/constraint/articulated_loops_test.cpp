// Articulated bodies with loops against the factor of the whole mass matrix.
#include <limber/constraint/articulated_loops.hpp>

#include <gtest/gtest.h>

#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

/// Both ways at the robot's state; false: the clusters have asked for more care.
bool both_agree(ClosedRobot& c, ArticulatedLoops& d, const Loads<double>& loads, double tolerance) {
  VectorXd a(c.robot.model.nv);
  const bool done = closed_articulated_bodies<double>(
      *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), c.closed->wanted, c.robot.ws,
      d, {a.data(), static_cast<std::size_t>(a.size())}, loads);
  const VectorXd expected = matrix(closed_forward_dynamics<double>(
      *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), *c.closed, loads));
  if (!done) return false;
  EXPECT_TRUE(near(a, expected, tolerance));
  EXPECT_EQ(d.rank, c.closed->solver.rank);
  EXPECT_TRUE(near(matrix(d.force), matrix(c.closed->solver.force), tolerance));
  for (int row = 0; row < c.mechanism->rows; ++row)
    EXPECT_EQ(d.is_determinate[row], c.closed->solver.is_determinate[row])
        << c.mechanism->row_name(row);
  return true;
}

TEST(ArticulatedLoops, AgreeWithTheFactorOfTheWholeTree) {
  int compared = 0, careful = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    Random random(seed);
    for (int k = 0; k < c.robot.model.nv; ++k) {  // what some acceleration gives
      const double x = random.uniform();
      for (int row = 0; row < c.mechanism->rows; ++row)
        c.closed->wanted[row] += c.closed->rows.jt(k, row) * x;
    }
    ArticulatedLoops d(*c.mechanism);
    EXPECT_EQ(d.plan.reason.empty(), !c.robot.model.has_mimic());
    if (!d.plan.reason.empty()) continue;
    Loads<double> loads;
    loads.passive = seed % 2 == 0 ? Passive::included : Passive::left_out;
    loads.base_velocity = {random.vec3(), random.vec3()};
    loads.base_acceleration = {random.vec3(), random.vec3()};
    (both_agree(c, d, loads, 1e-8) ? compared : careful)++;
    if (HasFailure()) return;
  }
  // random loops reach far and share joints; those of them that depend on each other ask for care
  EXPECT_GT(compared, 150);
  EXPECT_LT(careful, compared / 2);
}

// the same loop twice: forces of both are not unique, and shared evenly
TEST(ArticulatedLoops, RedundantLoopsShareTheirForces) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    if (c.robot.model.has_mimic()) continue;
    LoopSpec again = c.loops[0];
    again.name += " again";
    c.add_loops({again});
    ArticulatedLoops d(*c.mechanism);
    if (!both_agree(c, d, {}, 1e-7)) continue;
    const int first = c.mechanism->closures[0].first_row, rows = c.mechanism->closures[0].rows;
    const int second = c.mechanism->closures.back().first_row;
    for (int r = 0; r < rows; ++r) {
      EXPECT_EQ(d.is_determinate[first + r], 0);
      EXPECT_TRUE(near(d.force[first + r], d.force[second + r],
                       1e-7 * (1 + matrix(d.force).lpNorm<Eigen::Infinity>())));
    }
    if (HasFailure()) return;
  }
}

TEST(ArticulatedLoops, LoadsWithInertia) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    if (c.robot.model.has_mimic()) continue;
    Random random(seed);
    std::vector<ArticulatedInertia<double>> body(static_cast<std::size_t>(c.robot.model.bodies()));
    for (auto& B : body)
      B = {Sym3<double>::diagonal(random.uniform(0, 1), 0.5, 0.2),
           {},
           Sym3<double>::diagonal(1, 2, 0.5)};
    std::vector<double> joint(static_cast<std::size_t>(c.robot.model.nv));
    for (double& x : joint) x = random.uniform(0, 0.3);
    std::vector<Force<double>> forces(body.size());
    for (auto& f : forces) f = {random.vec3(), random.vec3()};
    Loads<double> loads;
    loads.body_inertia = body;
    loads.joint_inertia = joint;
    loads.body_forces = forces;
    ArticulatedLoops d(*c.mechanism);
    both_agree(c, d, loads, 1e-8);
    if (HasFailure()) return;
  }
}

// where loops are eliminated, and which are coupled
TEST(ArticulatedLoops, ArePlannedOnce) {
  Spec spec;
  spec.name = "ladder";
  const auto link = [&](const char* name, const char* parent) {
    spec.add_body(name, 1, {0.1, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0});
    spec.add_joint(std::string("joint ") + name, JointKind::revolute, parent, name, {0, 0, 1});
  };
  link("trunk", "");
  link("a", "trunk"), link("b", "a"), link("c", "trunk");  // loop b – c
  link("hand", "b");                                       // carried by the first loop
  link("d", "hand"), link("e", "hand");                    // loop d – e
  const auto loop = [&](const char* name, const char* a, const char* b) {
    LoopSpec one;
    one.name = name, one.body_a = a, one.body_b = b;
    spec.loops.push_back(one);
  };
  loop("first", "b", "c"), loop("second", "d", "e");
  const Model model = build(spec);
  const LoopPlan plan{Mechanism(model)};
  EXPECT_EQ(plan.loops[0].carrier, model.body("trunk"));
  EXPECT_EQ(plan.loops[1].carrier, model.body("hand"));
  EXPECT_EQ(plan.pairs.size(), 0u);
  EXPECT_EQ(plan.ends.size(), 4u);
  spec.loops[1].body_a = "c";  // c – e: both loops pass the joint of c
  const LoopPlan shared{Mechanism(build(spec))};
  EXPECT_EQ(shared.pairs.size(), 1u);
  EXPECT_EQ(shared.loops[1].carrier, model.body("trunk"));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
