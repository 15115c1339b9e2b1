// limber/eigen.hpp: conversions entry by entry, and every overload against the call without Eigen.
#include <gtest/gtest.h>

#include <random>

#include <limber/eigen.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

std::mt19937 generator(7);
double any() { return std::uniform_real_distribution<double>(-2, 2)(generator); }
Vec3<double> any_vec3() { return {any(), any(), any()}; }

TEST(Eigen, SmallTypesKeepTheirEntries) {
  const Mat3<double> A{1, 2, 3, 4, 5, 6, 7, 8, 9};
  Eigen::Matrix3d expected;
  expected << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  EXPECT_EQ(to_eigen(A), expected);
  const Mat3<double> back = to_mat3(expected);
  EXPECT_EQ(to_eigen(back), expected);

  const Sym3<double> S{1, 2, 3, 4, 5, 6};
  expected << 1, 4, 5, 4, 2, 6, 5, 6, 3;
  EXPECT_EQ(to_eigen(S), expected);

  EXPECT_EQ(to_eigen(Vec3<double>{1, 2, 3}), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(to_vec3(Eigen::Vector3d(1, 2, 3)).z, 3);

  EigenVector6 six;
  six << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(to_eigen(Motion<double>{{1, 2, 3}, {4, 5, 6}}), six);
  EXPECT_EQ(to_eigen(Force<double>{{1, 2, 3}, {4, 5, 6}}), six);
  EXPECT_EQ(to_eigen(to_motion(six)), six);
  EXPECT_EQ(to_eigen(to_force(six)), six);
}

TEST(Eigen, TransformIsHomogeneousMatrix) {
  const Transform<double> X{rotation_from_rpy(any(), any(), any()), any_vec3()};
  const Vec3<double> r = any_vec3();
  const Eigen::Vector4d moved = to_eigen(X) * Eigen::Vector4d(r.x, r.y, r.z, 1);
  EXPECT_LT((moved.head<3>() - to_eigen(transform_point(X, r))).norm(), 1e-14);
  EXPECT_EQ(moved[3], 1);
}

TEST(Eigen, InertiaTimesMotion) {
  const auto I = Inertia<double>::from_com(2.5, any_vec3(), {1.2, 1.5, 1.9, 0.1, -0.2, 0.15});
  const Motion<double> v{any_vec3(), any_vec3()};
  EXPECT_LT((to_eigen(I) * to_eigen(v) - to_eigen(I * v)).norm(), 1e-13);
  EXPECT_EQ(to_eigen(I), EigenMatrix6(to_eigen(I).transpose()));
  const ArticulatedInertia<double> IA({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9},
                                      {9, 8, 7, 6, 5, 4});
  EXPECT_LT((to_eigen(IA) * to_eigen(v) - to_eigen(IA * v)).norm(), 1e-12);
}

// a floating tree with its random state, as Eigen vectors and as they came
struct Case {
  Model model = build(generate_tree(9, 4, {.kinds = {}, .floating_base = true}));
  Workspace ws{model}, other{model};
  RandomState s = generate_state(model, 11);
  Eigen::VectorXd q = to_eigen(s.q), v = to_eigen(s.v), a = to_eigen(s.a), tau = to_eigen(s.tau);
  int frame = model.frame(model.body_name.back());
};

TEST(Eigen, ForcesAndAccelerationsEqualTheCallsWithoutEigen) {
  Case c;
  EXPECT_EQ(inverse_dynamics(c.model, c.q, c.v, c.a, c.ws),
            to_eigen(inverse_dynamics(c.model, c.s.q, c.s.v, c.s.a, c.other)));
  EXPECT_EQ(bias_forces(c.model, c.q, c.v, c.ws),
            to_eigen(bias_forces(c.model, c.s.q, c.s.v, c.other)));
  EXPECT_EQ(gravity_forces(c.model, c.q, c.ws), to_eigen(gravity_forces(c.model, c.s.q, c.other)));
  EXPECT_EQ(forward_dynamics(c.model, c.q, c.v, c.tau, c.ws),
            to_eigen(forward_dynamics(c.model, c.s.q, c.s.v, c.s.tau, c.other)));
  EXPECT_EQ(forward_dynamics_by_mass_matrix(c.model, c.q, c.v, c.tau, c.ws),
            to_eigen(forward_dynamics_by_mass_matrix(c.model, c.s.q, c.s.v, c.s.tau, c.other)));
  std::vector<Known> known(c.s.v.size(), Known::force);
  known[2] = known[7] = Known::acceleration;
  const Hybrid<double> plain = hybrid_dynamics(c.model, c.s.q, c.s.v, known, c.s.tau, c.other);
  const EigenHybrid hybrid = hybrid_dynamics(c.model, c.q, c.v, known, c.tau, c.ws);
  EXPECT_EQ(hybrid.a, to_eigen(plain.a));
  EXPECT_EQ(hybrid.tau, to_eigen(plain.tau));
  std::vector<double> passive(c.s.v.size());
  passive_forces(c.model, c.s.q, c.s.v, passive);
  EXPECT_EQ(passive_forces(c.model, c.q, c.v), to_eigen(passive));
}

TEST(Eigen, LegByLegEqualsTheCallWithoutEigen) {
  Spec spec = generate_chain(4);
  spec.joints.front().kind = JointKind::free;
  const Model m = build(spec);
  const RandomState s = generate_state(m, 11);
  Workspace ws(m), other(m);
  Star star(m);
  const Eigen::VectorXd a = star_dynamics(m, to_eigen(s.q), to_eigen(s.v), to_eigen(s.tau),
                                          StarMethod::articulated_bodies, ws, star);
  EXPECT_EQ(a, to_eigen(star_dynamics<double>(m, s.q, s.v, s.tau, StarMethod::articulated_bodies,
                                              other, star)));
}

TEST(Eigen, TakesExpressions) {
  Case c;
  const Eigen::VectorXd once = inverse_dynamics(c.model, c.q, c.v + c.v, 0.5 * c.a, c.ws);
  const Eigen::VectorXd v2 = 2 * c.v, a2 = c.a / 2;
  EXPECT_LT((once - inverse_dynamics(c.model, c.q, v2, a2, c.ws)).norm(), 1e-12 * once.norm());
}

TEST(Eigen, MatricesEqualTheCallsWithoutEigen) {
  Case c;
  const Eigen::MatrixXd M = mass_matrix(c.model, c.q, c.ws);
  const TreeMatrixView<double> plain = mass_matrix(c.model, c.s.q, c.other);
  EXPECT_EQ(M, M.transpose());
  for (int i = 0; i < c.model.nv; ++i)
    for (int j = 0; j < c.model.nv; ++j) EXPECT_EQ(M(i, j), plain(i, j));
  const Eigen::VectorXd product = to_eigen(plain) * c.v;
  EXPECT_LT((product - M * c.v).norm(), 1e-12 * product.norm());

  for (Reference reference : {Reference::body, Reference::world, Reference::world_aligned}) {
    const Eigen::MatrixXd J = jacobian(c.model, c.q, c.frame, reference, c.ws);
    EXPECT_EQ(J, to_eigen(jacobian(c.model, c.s.q, c.frame, reference, c.other)));
    const Velocities& bodies = forward_kinematics(c.model, c.q, c.v, c.ws);
    const EigenVector6 velocity = to_eigen(frame_velocity(c.model, bodies, c.frame, reference));
    EXPECT_LT((J * c.v - velocity).norm(), 1e-12 * velocity.norm());
    EXPECT_EQ(jacobian_dot_times_v(c.model, c.q, c.v, c.frame, reference, c.ws),
              to_eigen(jacobian_dot_times_v(c.model, c.s.q, c.s.v, c.frame, reference, c.other)));
  }
}

TEST(Eigen, EnergyAndMomentumEqualTheCallsWithoutEigen) {
  Case c;
  EXPECT_EQ(kinetic_energy(c.model, c.q, c.v, c.ws),
            kinetic_energy(c.model, c.s.q, c.s.v, c.other));
  EXPECT_EQ(potential_energy(c.model, c.q, c.ws), potential_energy(c.model, c.s.q, c.other));
  EXPECT_EQ(momentum(c.model, c.q, c.v, c.ws), to_eigen(momentum(c.model, c.s.q, c.s.v, c.other)));
  EXPECT_EQ(center_of_mass(c.model, c.q, c.ws), to_eigen(center_of_mass(c.model, c.s.q, c.other)));
  EXPECT_EQ(center_of_mass_velocity(c.model, c.q, c.v, c.ws),
            to_eigen(center_of_mass_velocity(c.model, c.s.q, c.s.v, c.other)));
}

TEST(Eigen, IntegrateAndDifferenceAreInverse) {
  Case c;
  const Eigen::VectorXd moved = integrate(c.model, c.q, c.v, 0.1);
  EXPECT_LT((difference(c.model, c.q, moved) - 0.1 * c.v).norm(), 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
