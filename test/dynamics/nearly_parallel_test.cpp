// Axes that are parallel, coincident, or nearly so: where common normals run away to infinity.
#include <numbers>

#include <limber/dynamics/forward_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double tilts[] = {0,    1e-16, 1e-15, 1e-14,  1e-13, 1e-12,  1e-9,
                            1e-6, 1e-3,  0.05,  0.0999, 0.1,   0.1001, 0.2};

// how the next joint's origin lies to the axis of the one before
enum class Layout { apart, on_axis, coincident };

// a small tree whose consecutive axes are tilted by `tilt` (or π − tilt) about a random normal
Spec tilted_tree(JointKind kind, double tilt, Layout layout, std::uint64_t seed) {
  Random random(seed);
  RandomTreeOptions options;
  options.kinds = {kind};
  options.branching = 0.4;
  options.rotor = 0;
  Spec spec = generate_tree(6, seed, options);
  for (JointSpec& joint : spec.joints) {
    const double turn = random.angle();
    joint.axis = {0, 0, 1};
    joint.placement.R = rotation<double>({std::cos(turn), std::sin(turn), 0}, tilt) *
                        rotation<double>({0, 0, 1}, random.angle());
    if (layout == Layout::on_axis) joint.placement.p = {0, 0, random.uniform()};
    if (layout == Layout::coincident) joint.placement.p = {};
  }
  return spec;
}

void expect_equal_to_plain(const Spec& spec, std::uint64_t seed) {
  Robot r(spec, seed);
  r.move_plain();
  EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)),
                   r.plain.tau(), 1e-10));
  EXPECT_TRUE(near(matrix(mass_matrix(r.model, in(r.q), r.ws)), r.plain.mass_matrix(), 1e-10));
  // forces with the exact acceleration: as near as the conditioning of M lets it be
  const VectorXd a = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
  r.plain.move(r.q, r.v, a);
  EXPECT_TRUE(near(r.plain.tau(), r.tau, 1e-10 * (1 + a.cwiseAbs().maxCoeff())));
}

class NearlyParallel : public testing::TestWithParam<JointKind> {};

TEST_P(NearlyParallel, EqualsPlainReference) {
  for (const double tilt : tilts)
    for (const Layout layout : {Layout::apart, Layout::on_axis, Layout::coincident})
      for (const bool reversed : {false, true}) {
        SCOPED_TRACE(testing::Message() << "tilt " << tilt << " layout " << static_cast<int>(layout)
                                        << " reversed " << reversed);
        const double angle = reversed ? std::numbers::pi - tilt : tilt;
        // parallel slides and turns about one line move nothing relative to each other: fewer
        // bodies would be degenerate, rotors keep the mass matrix regular
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          Spec spec = tilted_tree(GetParam(), angle, layout, seed);
          for (JointSpec& joint : spec.joints) joint.dof().rotor_inertia = 0.1;
          expect_equal_to_plain(spec, seed);
        }
        if (HasFailure()) return;
      }
}

INSTANTIATE_TEST_SUITE_P(Kinds, NearlyParallel,
                         testing::Values(JointKind::revolute, JointKind::prismatic,
                                         JointKind::helical, JointKind::cylindrical),
                         [](const auto& kind) { return name(kind.param); });

// without rotors: every body has an inertia of its own, so nothing is singular
TEST(NearlyParallelArm, ForwardDynamicsEqualsPlainReference) {
  for (const double tilt : tilts) {
    SCOPED_TRACE(tilt);
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      expect_equal_to_plain(tilted_tree(JointKind::revolute, tilt, Layout::apart, seed), seed);
  }
}

// joint origins far along their axes: the foot of the normal must not carry that distance into
// errors
TEST(NearlyParallelArm, FarOriginsAreHarmless) {
  for (const double tilt : tilts) {
    SCOPED_TRACE(tilt);
    Spec spec = tilted_tree(JointKind::revolute, tilt, Layout::apart, 4);
    for (JointSpec& joint : spec.joints) {
      joint.placement = joint.placement * Transform<double>::translation({0, 0, 5});
      joint.child_placement = Transform<double>::translation({0, 0, -5});
    }
    Robot r(spec);
    r.move_plain();
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)),
                     r.plain.tau(), 1e-10));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
