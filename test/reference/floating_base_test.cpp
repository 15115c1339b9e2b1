// Robots with a floating base, the base as link 0, against limber/dynamics.
#include <limber/reference/floating_base.hpp>

#include <limber/dynamics/inverse_dynamics.hpp>

#include "reference/support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using reference::Gravity;

Spec floating_tree(int n, std::uint64_t seed, double mimic = 0) {
  RandomTreeOptions options;
  options.floating_base = true;
  options.mimic = mimic;
  Spec spec = generate_tree(n, seed, options);
  for (std::size_t j = 1; j < spec.joints.size(); ++j)  // nothing beside the base
    if (spec.joints[j].parent.empty()) spec.joints[j].parent = spec.joints[0].child;
  return spec;
}

// trees of 1 to 40 bodies and every joint kind on one free body
template <class F>
void for_floating_robots(double mimic, F&& f) {
  for (int i = 1; i <= 80; ++i) {
    SCOPED_TRACE("floating robot " + std::to_string(i));
    const auto seed = static_cast<std::uint64_t>(i);
    Spec spec = floating_tree(1 + (i * 7) % 40, seed, mimic);
    spec.gravity = Random(seed).vec3(10);
    Robot r(spec, seed);
    f(r);
    if (testing::Test::HasFailure()) return;
  }
}

VectorXd forces(Robot& r, const Loads<double>& loads = {}) {
  return matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
}

TEST(FloatingBase, ArticulatedBodiesInvertInverseDynamics) {
  for_floating_robots(0, [](Robot& r) {
    const VectorXd tau = forces(r);
    for (const Gravity gravity : {Gravity::acceleration, Gravity::force})
      EXPECT_TRUE(
          near(matrix(reference::floating_articulated_bodies(tree(r, {}, gravity), in(tau))), r.a,
               solve_tolerance(r, tau)));
  });
}

TEST(FloatingBase, BorderedSystemInvertsInverseDynamics) {
  for (const double mimic : {0.0, 0.4})
    for_floating_robots(mimic, [](Robot& r) {
      const RandomLoads random(r, Random(9));
      const VectorXd tau = forces(r, random.loads);
      EXPECT_TRUE(near(matrix(reference::floating_bordered_system(tree(r, random.loads), in(tau))),
                       r.a, solve_tolerance(r, tau)));
    });
}

TEST(FloatingBase, InverseDynamicsFindsTheBasesAcceleration) {
  for (const double mimic : {0.0, 0.4})
    for_floating_robots(mimic, [](Robot& r) {
      const VectorXd tau = forces(r);
      const int joints = r.model.nv - 6;
      const VectorXd a = r.a.tail(joints), force = tau.head(6);
      const auto found = reference::floating_inverse_dynamics(tree(r), in(a), in(force));
      const double tolerance = solve_tolerance(r, tau);
      EXPECT_TRUE(near(matrix(found.base_acceleration), r.a.head(6), tolerance));
      EXPECT_TRUE(near(matrix(found.tau), tau.tail(joints), 1e-9));
    });
}

// [RDA] fig. 3-2: a sphere and a shaft in it, both centres at the origin, a cylindric joint along
// y: across the shaft both masses move, along it only the sphere's
TEST(FloatingBase, SphereWithShaft) {
  const double m1 = 2, m2 = 3;
  Spec spec;
  spec.gravity = {};
  spec.add_body("sphere", m1, {}, Sym3<double>::diagonal(0.5, 0.5, 0.5));
  spec.add_body("shaft", m2, {}, Sym3<double>::diagonal(0.2, 0.05, 0.2));
  spec.add_joint("bore", JointKind::cylindrical, "sphere", "shaft", {0, 1, 0});
  float_base(spec);
  Robot r(spec);
  r.q << 0, 0, 0, 0, 0, 0, 1, 0, 0;
  r.v.setZero();
  const double expected[] = {1 / 0.7, 1 / 0.5, 1 / 0.7, 1 / (m1 + m2), 1 / m1, 1 / (m1 + m2)};
  for (int k = 0; k < 6; ++k) {
    VectorXd tau = r.zero();
    tau[k] = 1;
    const VectorXd a = matrix(reference::floating_articulated_bodies(tree(r), in(tau)));
    for (int l = 0; l < 6; ++l) EXPECT_NEAR(a[l], l == k ? expected[k] : 0, 1e-14) << k << ' ' << l;
  }
}

TEST(FloatingBase, RefusesOtherRobots) {
  auto message = [](const Spec& spec) {
    Robot r(spec);
    return message_of([&] { reference::floating_bordered_system(tree(r), in(r.tau)); });
  };
  EXPECT_TRUE(mentions(message(generate_chain(3)), {"free joint", "float_base()"}));
  Spec two = floating_tree(3, 1);
  two.add_body("other", 1, {}, Sym3<double>::identity());
  two.add_joint("beside", JointKind::revolute, "", "other");
  EXPECT_TRUE(mentions(message(two), {"'beside'", "world"}));
  Spec geared = floating_tree(3, 1);
  for (JointSpec& joint : geared.joints)
    if (joint.kind == JointKind::free) joint.dof().rotor_inertia = 1;
  EXPECT_TRUE(mentions(message(geared), {"rotors"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
