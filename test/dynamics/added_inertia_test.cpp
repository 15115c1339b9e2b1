// Inertia that loads add to bodies and freedoms: against a robot that has it in its model, against
// Jacobians, and against the rate of the momentum.
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/joint_space.hpp>

#include "support/frames.hpp"
#include "support/message.hpp"
#include "support/random_inertia.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct Added {
  std::vector<ArticulatedInertia<double>> bodies;
  std::vector<double> joints;
  Loads<double> loads;
  Added(const Robot& r, Random random) {
    for (int i = 0; i < r.model.bodies(); ++i) bodies.push_back(random_inertia(random));
    for (int k = 0; k < r.model.nv; ++k) joints.push_back(random.uniform(0, 2));
    loads.body_inertia = bodies;
    loads.joint_inertia = joints;
  }
};

// M + Σ Jᵀ B J + joint inertia, from Jacobians of the bodies' own frames
MatrixXd expected_matrix(Robot& r, const Added& added) {
  MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
  for (int i = 1; i < r.model.bodies(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    if (r.model.is_rotor[b]) continue;
    const int frame = r.model.frame(r.model.body_name[b]);
    const MatrixXd J = matrix(jacobian(r.model, in(r.q), frame, Reference::body, r.ws));
    const ArticulatedInertia<double>& B = added.bodies[b];
    MatrixXd six(6, 6);
    for (int k = 0; k < 6; ++k) {
      Motion<double> unit;
      (k < 3 ? unit.angular : unit.linear)[k % 3] = 1;
      const Force<double> f = B * unit;
      for (int row = 0; row < 3; ++row)
        six(row, k) = f.angular[row], six(row + 3, k) = f.linear[row];
    }
    M += J.transpose() * six * J;
  }
  for (int k = 0; k < r.model.nv; ++k) M(k, k) += added.joints[static_cast<std::size_t>(k)];
  return M;
}

// rotors have no frame to take a Jacobian of
void leave_rotors_out(const Robot& r, Added& added) {
  for (std::size_t i = 0; i < added.bodies.size(); ++i)
    if (r.model.is_rotor[i]) added.bodies[i] = {};
}

TEST(AddedInertia, MatrixIsThatOfTheJacobians) {
  for_random_robots(60, [](Robot& r) {
    Added added(r, Random(3));
    leave_rotors_out(r, added);
    const MatrixXd expected = expected_matrix(r, added);
    EXPECT_TRUE(near(matrix(mass_matrix(r.model, in(r.q), r.ws, added.loads)), expected, 1e-10));
    EXPECT_TRUE(near(kinetic_energy(r.model, in(r.q), in(r.v), r.ws, added.loads),
                     0.5 * r.v.dot(expected * r.v), 1e-10));
    const VectorXd tau =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, added.loads));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, added.loads));
    EXPECT_TRUE(near(tau - bias, expected * r.a, 1e-9));
  });
}

TEST(AddedInertia, ForwardAndHybridDynamicsInvertInverseDynamics) {
  for_random_robots(100, [](Robot& r) {
    const Added added(r, Random(4));
    const VectorXd tau =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, added.loads));
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, added.loads));
    if (M.size() == 0) return;
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, added.loads));
    const auto expect = [&](const VectorXd& a) {  // as forces: accelerations may be ill conditioned
      const double scale = tau.cwiseAbs().maxCoeff() + bias.cwiseAbs().maxCoeff();
      EXPECT_LT((M * a + bias - tau).cwiseAbs().maxCoeff(), 1e-9 * scale);
    };
    expect(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws, added.loads)));
    expect(matrix(
        forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(tau), r.ws, added.loads)));
    std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
    VectorXd given = tau;
    for (int k = 0; k < r.model.nv; k += 2) {
      known[static_cast<std::size_t>(k)] = Known::acceleration;
      given[k] = r.a[k];
    }
    const Hybrid<double> hybrid =
        hybrid_dynamics(r.model, in(r.q), in(r.v), known, in(given), r.ws, added.loads);
    expect(matrix(hybrid.a));
    EXPECT_TRUE(near(matrix(hybrid.tau), tau, 1e-8));
  });
}

// a rigid inertia in the loads, with its weight as a force, is a heavier body
TEST(AddedInertia, RigidInertiaWithItsWeightIsAHeavierBody) {
  for_random_robots(60, [](Robot& r) {
    Random random(5);
    std::vector<ArticulatedInertia<double>> bodies(r.model.inertia.size());
    std::vector<Force<double>> forces(r.model.inertia.size());
    Model heavier = r.model;
    const Poses& placed = forward_kinematics(r.model, in(r.q), r.ws);
    for (int i = 1; i < r.model.bodies(); ++i) {
      const auto b = static_cast<std::size_t>(i);
      if (r.model.is_rotor[b]) continue;
      const Inertia<double> block = Inertia<double>::from_com(
          random.uniform(0.1, 2), {random.uniform(-1, 1), random.uniform(-1, 1), 0.2},
          {0.3, 0.3, 0.3, 0, 0, 0});
      bodies[b] = ArticulatedInertia<double>(block);
      heavier.inertia[b] += r.model.body_placement[b] * block;
      const Vec3<double> g =
          transpose_times(body_pose(r.model, placed, i).R, r.model.gravity);  // in body axes
      forces[b] = {cross(block.h, g), g * block.m};
    }
    Loads<double> loads;
    loads.body_inertia = bodies;
    loads.body_forces = forces;
    Workspace other(heavier);
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     matrix(inverse_dynamics(heavier, in(r.q), in(r.v), in(r.a), other)), 1e-10));
    const Force<double> p = momentum(r.model, in(r.q), in(r.v), r.ws, loads),
                        h = momentum(heavier, in(r.q), in(r.v), other);
    EXPECT_LT(norm(p.angular - h.angular) + norm(p.linear - h.linear),
              1e-10 * (norm(h.angular) + norm(h.linear) + 1));
    loads.base_velocity = random.motion(), loads.base_acceleration = random.motion();
    Loads<double> moved;
    moved.base_velocity = loads.base_velocity, moved.base_acceleration = loads.base_acceleration;
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     matrix(inverse_dynamics(heavier, in(r.q), in(r.v), in(r.a), other, moved)),
                     1e-9));
  });
}

// the force on a lone body with any added inertia is the rate of its momentum: B a + v ×* B v
TEST(AddedInertia, ForceIsTheRateOfMomentum) {
  Spec spec;
  spec.add_body("body", 0.7, {0.1, 0.2, -0.3}, {0.5, 0.6, 0.7, 0.01, 0.02, 0.03});
  spec.add_joint("base", JointKind::free, "", "body");
  spec.gravity = {};
  Robot r(spec, 7);
  Added added(r, Random(8));
  added.loads.joint_inertia = {};
  const VectorXd tau =
      matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, added.loads));
  const auto momentum_at = [&](double t) {
    VectorXd q(r.model.nq), step = r.v * t + r.a * (t * t / 2);
    const VectorXd v = r.v + r.a * t;
    integrate(r.model, in(r.q), in(step), 1, {q.data(), static_cast<std::size_t>(q.size())});
    return momentum(r.model, in(q), in(v), r.ws, added.loads);
  };
  const double h = 1e-4;
  const Force<double> before = momentum_at(-h), after = momentum_at(h);
  const Poses& bodies = forward_kinematics(r.model, in(r.q), r.ws);
  const Force<double> found = body_pose(r.model, bodies, 1) *
                              Force<double>{{tau[0], tau[1], tau[2]}, {tau[3], tau[4], tau[5]}};
  // second order in h
  EXPECT_LT(norm(found.angular - (after.angular - before.angular) / (2 * h)), 1e-5);
  EXPECT_LT(norm(found.linear - (after.linear - before.linear) / (2 * h)), 1e-5);
}

TEST(AddedInertia, WrongSizesAreNamed) {
  Robot r(random_spec(2), 2);
  Loads<double> loads;
  const std::vector<double> two(2, 1.0);
  loads.joint_inertia = two;
  EXPECT_TRUE(mentions(
      message_of([&] { inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads); }),
      {"loads.joint_inertia has 2"}));
  MatrixWorkspace mw(r.model);
  EXPECT_TRUE(mentions(message_of([&] {
                         inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a),
                                                              r.ws, mw, loads);
                       }),
                       {"inverse_dynamics_tangent_derivatives", "loads.joint_inertia has 2"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
