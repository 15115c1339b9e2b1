// External forces, a moving base, and gravity as an acceleration of the base.
#include <limber/dynamics/loads.hpp>

#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>

#include "support/frames.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::vector<Force<double>> random_forces(const Robot& r, Random& random) {
  std::vector<Force<double>> forces;
  for (int i = 0; i < r.model.bodies(); ++i) {
    forces.push_back(random.force());
    if (r.model.is_rotor[static_cast<std::size_t>(i)]) forces.back() = {};
  }
  return forces;
}

// random loads, the same for the library and for the plain reference
struct RandomLoads {
  std::vector<Force<double>> forces;
  Loads<double> loads;
  RandomLoads(Robot& r, Random random) : forces(random_forces(r, random)) {
    loads = {forces, random.motion(), random.motion()};
    r.plain.base_velocity = plain(loads.base_velocity);
    r.plain.base_acceleration = plain(loads.base_acceleration);
    for (const int i : moving_bodies(r.model)) {
      const auto b = static_cast<std::size_t>(i);
      r.plain.forces[r.model.body_name[b]] = plain(forces[b]);
    }
  }
};

TEST(Loads, InverseDynamicsEqualsPlainReference) {
  for_random_robots(200, [](Robot& r) {
    const RandomLoads random(r, Random(5));
    r.move_plain();
    const VectorXd tau =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, random.loads));
    EXPECT_TRUE(near(tau, r.plain.tau(), 1e-10));
  });
}

TEST(Loads, BiasEqualsPlainReference) {
  for_random_robots(60, [](Robot& r) {
    const RandomLoads random(r, Random(5));
    r.plain.move(r.q, r.v, r.zero());
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, random.loads));
    EXPECT_TRUE(near(bias, r.plain.tau(), 1e-10));
  });
}

TEST(Loads, ForwardDynamicsInvertsInverseDynamics) {
  for_random_robots(200, [](Robot& r) {
    const RandomLoads random(r, Random(6));
    r.move_plain();
    const VectorXd tau = r.plain.tau();
    EXPECT_TRUE(
        near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws, random.loads)), r.a,
             solve_tolerance(r, tau)));
    EXPECT_TRUE(near(matrix(forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(tau),
                                                            r.ws, random.loads)),
                     r.a, solve_tolerance(r, tau)));
  });
}

// every other acceleration is known; what comes out obeys the plain equations of motion
TEST(Loads, HybridDynamicsObeysThePlainReference) {
  for_random_robots(100, [](Robot& r) {
    const RandomLoads random(r, Random(9));
    std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
    for (std::size_t k = 0; k < known.size(); k += 2) known[k] = Known::acceleration;
    using Route = Hybrid<double> (*)(const Model&, In<double>, In<double>, std::span<const Known>,
                                     In<double>, Workspace&, const Loads<double>&);
    const Route routes[] = {&hybrid_dynamics<double>, &hybrid_dynamics_by_mass_matrix<double>};
    for (const Route route : routes) {
      const Hybrid<double> found =
          route(r.model, in(r.q), in(r.v), known, in(r.tau), r.ws, random.loads);
      r.plain.move(r.q, r.v, matrix(found.a));
      EXPECT_TRUE(near(matrix(found.tau), r.plain.tau(), 1e-9));
    }
  });
}

TEST(Loads, ForcesLowerTauByTheirJacobians) {
  for_random_robots(60, [](Robot& r) {
    Random random(7);
    const std::vector<Force<double>> forces = random_forces(r, random);
    VectorXd expected = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    for (const int i : moving_bodies(r.model)) {
      const auto b = static_cast<std::size_t>(i);
      const int frame = r.model.frame(r.model.body_name[b]);
      const MatrixXd J = matrix(jacobian(r.model, in(r.q), frame, Reference::body, r.ws));
      expected -= J.transpose() * plain(forces[b]);
    }
    const Loads<double> loads{forces, {}, {}};
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     expected, 1e-10));
  });
}

TEST(Loads, ForceOnTheWorldDoesNothing) {
  Robot r(random_spec(4), 4);
  std::vector<Force<double>> forces(static_cast<std::size_t>(r.model.bodies()));
  const VectorXd expected = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
  forces[0] = {{1, 2, 3}, {4, 5, 6}};
  const Loads<double> loads{forces, {}, {}};
  EXPECT_EQ(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)), expected);
}

// the same robot on a platform that a free joint moves; the platform is the world of the first
TEST(Loads, MovingBaseEqualsFreeJointBelow) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Spec carried = generate_tree(1 + static_cast<int>(seed % 12), seed);
    Spec platform = carried;
    for (JointSpec& joint : platform.joints)
      if (joint.parent.empty()) joint.parent = "platform";
    platform.add_body("platform", 0).inertia = random.inertia();
    platform.add_joint("mover", JointKind::free, "", "platform");
    const Quat<double> turn = random.quat();
    const Vector3d g(1, 2, -9);
    const Vector3d g_platform = Eigen::Quaterniond(turn.w, turn.x, turn.y, turn.z).conjugate() * g;
    platform.gravity = {g.x(), g.y(), g.z()};
    carried.gravity = {g_platform.x(), g_platform.y(), g_platform.z()};

    Robot r(carried, seed), p(platform, seed);
    const Loads<double> loads{{}, random.motion(), random.motion()};
    p.q << 0.3, -0.2, 0.9, turn.x, turn.y, turn.z, turn.w, r.q;
    p.v << plain(loads.base_velocity), r.v;
    p.a << plain(loads.base_acceleration), r.a;
    const VectorXd expected = matrix(inverse_dynamics(p.model, in(p.q), in(p.v), in(p.a), p.ws));
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     expected.tail(r.model.nv), 1e-10));
  }
}

TEST(Loads, GravityIsAnUpwardAccelerationOfTheBase) {
  for_random_robots(60, [](Robot& r) {
    Spec weightless = r.spec;
    weightless.gravity = {};
    Robot w(weightless);
    const Vec3<double> g = r.spec.gravity;
    const Loads<double> lift{{}, {}, {{}, {-g.x, -g.y, -g.z}}};
    EXPECT_TRUE(near(matrix(inverse_dynamics(w.model, in(r.q), in(r.v), in(r.a), w.ws, lift)),
                     matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), 1e-12));
    EXPECT_TRUE(near(matrix(forward_dynamics(w.model, in(r.q), in(r.v), in(r.tau), w.ws, lift)),
                     matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws)), 1e-9));
  });
}

// --- joint reactions ---

TEST(JointReaction, EqualsPlainReference) {
  for_random_robots(200, [](Robot& r) {
    const RandomLoads random(r, Random(8));
    r.move_plain();
    const auto tau = inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, random.loads);
    for (const int i : moving_bodies(r.model))
      EXPECT_TRUE(near(plain(joint_reaction(r.model, tau, i)),
                       r.plain.reaction(r.model.body_name[static_cast<std::size_t>(i)]), 1e-9));
  });
}

// the columns of a joint feel its drive: Sᵀ f = tau less what the rotor takes
TEST(JointReaction, ComponentAlongTheJointIsTau) {
  for_random_robots(100, [](Robot& r) {
    if (r.model.has_mimic()) return;
    r.move_plain();
    const auto tau = inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws);
    for (int i = 1; i < r.model.bodies(); ++i) {
      const auto b = static_cast<std::size_t>(i);
      const PlainLink& link = r.plain.link(r.model.body_name[b]);
      const MatrixXd S = motion_matrix(link.pose.inverse()) * link.S;
      const VectorXd found = S.transpose() * plain(joint_reaction(r.model, tau, i));
      VectorXd expected = matrix(tau).segment(r.model.v_index[b], r.model.v_count[b]);
      for (int k = 0; k < expected.size(); ++k) {
        const int column = r.model.v_index[b] + k;
        expected[k] -= r.model.armature[static_cast<std::size_t>(column)] * r.a[column];
      }
      EXPECT_TRUE(near(found, expected, 1e-9));
    }
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
