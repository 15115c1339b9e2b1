// Hybrid dynamics: its two ends are forward and inverse dynamics, both routes agree, and what they
// return satisfies the equations of motion of the plain reference.
#include <limber/dynamics/hybrid_dynamics.hpp>

#include <Eigen/Cholesky>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Flags = std::vector<Known>;

Flags all(const Robot& r, Known known) {
  return Flags(static_cast<std::size_t>(r.model.nv), known);
}

Flags random_flags(const Robot& r, Random& random) {
  Flags flags = all(r, Known::force);
  for (Known& flag : flags)
    if (random.uniform(0, 1) < 0.5) flag = Known::acceleration;
  return flags;
}

struct Answer {
  VectorXd a, tau;
};
template <class Result>  // Hybrid or FloatingBaseForces
Answer copy(const Result& result) {
  return {matrix(result.a), matrix(result.tau)};
}

Answer articulated(Robot& r, const Flags& known, const VectorXd& given) {
  return copy(hybrid_dynamics<double>(r.model, in(r.q), in(r.v), known, in(given), r.ws));
}
Answer by_mass_matrix(Robot& r, const Flags& known, const VectorXd& given) {
  return copy(
      hybrid_dynamics_by_mass_matrix<double>(r.model, in(r.q), in(r.v), known, in(given), r.ws));
}

// what is known of an (a, tau) that belong together
VectorXd known_part(const Flags& known, const VectorXd& a, const VectorXd& tau) {
  VectorXd given = tau;
  for (int k = 0; k < given.size(); ++k)
    if (known[static_cast<std::size_t>(k)] == Known::acceleration) given[k] = a[k];
  return given;
}

TEST(HybridDynamics, AllForcesKnownIsForwardDynamics) {
  for_random_robots(200, [](Robot& r) {
    const VectorXd a = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
    const Answer found = articulated(r, all(r, Known::force), r.tau);
    EXPECT_TRUE(near(found.a, a, 1e-13));
    EXPECT_EQ(found.tau, r.tau);
    const VectorXd b =
        matrix(forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
    EXPECT_TRUE(near(by_mass_matrix(r, all(r, Known::force), r.tau).a, b, 1e-13));
  });
}

TEST(HybridDynamics, AllAccelerationsKnownIsInverseDynamics) {
  for_random_robots(200, [](Robot& r) {
    r.move_plain();
    for (const auto& route : {articulated, by_mass_matrix}) {
      const Answer found = route(r, all(r, Known::acceleration), r.a);
      EXPECT_TRUE(near(found.tau, r.plain.tau(), 1e-10));
      EXPECT_EQ(found.a, r.a);
    }
  });
}

// a and tau of the plain reference belong together: half of them given, the other half comes back
TEST(HybridDynamics, RandomFlagsGiveBackThePlainReference) {
  for_random_robots(200, [](Robot& r) {
    Random random(static_cast<std::uint64_t>(r.model.nv));
    r.move_plain();
    const VectorXd tau = r.plain.tau();
    // a force that depends on a computed acceleration has its error, times the inertia
    const double tolerance = solve_tolerance(r, tau);
    const MatrixXd M = r.plain.mass_matrix();
    const double force_tolerance =
        std::max(1e-10, tolerance * (M.size() ? M.cwiseAbs().rowwise().sum().maxCoeff() : 0) /
                            std::max(1.0, tau.cwiseAbs().maxCoeff()));
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Flags known = random_flags(r, random);
      const VectorXd given = known_part(known, r.a, tau);
      for (const auto& route : {articulated, by_mass_matrix}) {
        const Answer found = route(r, known, given);
        EXPECT_TRUE(near(found.a, r.a, tolerance));
        EXPECT_TRUE(near(found.tau, tau, force_tolerance));
      }
    }
  });
}

// whatever is given, what comes out obeys the equations of motion
TEST(HybridDynamics, ObeysThePlainEquationsOfMotion) {
  for_random_robots(200, [](Robot& r) {
    Random random(7 * static_cast<std::uint64_t>(r.model.nv) + 1);
    const Flags known = random_flags(r, random);
    for (const auto& route : {articulated, by_mass_matrix}) {
      const Answer found = route(r, known, known_part(known, r.a, r.tau));
      r.plain.move(r.q, r.v, found.a);
      EXPECT_TRUE(near(found.tau, r.plain.tau(), 1e-9));
    }
  });
}

// --- floating base ---

Spec floating_spec(std::uint64_t seed) {
  Random random(seed);
  RandomTreeOptions options;
  options.floating_base = true;
  options.branching = seed % 3 == 0 ? 0 : 0.4;
  options.mimic = seed % 4 == 0 ? 0.5 : 0;
  Spec spec = generate_tree(1 + static_cast<int>(seed % 20), seed, options);
  for (JointSpec& joint : spec.joints)  // one root only
    if (joint.parent.empty() && joint.kind != JointKind::free) joint.parent = "body1";
  for (std::size_t j = 1; j < spec.joints.size(); ++j)
    if (spec.joints[j].parent.empty()) spec.joints[j].parent = "body1";
  if (seed % 2 == 0) spec.joints[0].child_placement = random.transform();
  if (seed % 5 == 0) spec.joints[0].dofs = {{.rotor_inertia = 0.3}};
  if (seed % 3 == 1) mount_some_rotors(spec, random);
  spec.gravity = random.vec3(10);
  return spec;
}

TEST(FloatingBase, EqualsHybridDynamics) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Robot r(floating_spec(seed), seed);
    Random random(seed);
    std::vector<Force<double>> forces(static_cast<std::size_t>(r.model.bodies()));
    for (Force<double>& f : forces) f = random.force();
    const Loads<double> loads{forces, random.motion(), random.motion(), Passive::included};
    Flags known = all(r, Known::acceleration);
    std::fill(known.begin(), known.begin() + 6, Known::force);
    const Force<double> push = random.force();
    VectorXd given = r.a;
    given.head<6>() = plain(push);
    const Answer expected =
        copy(hybrid_dynamics<double>(r.model, in(r.q), in(r.v), known, in(given), r.ws, loads));
    const VectorXd joint_a = r.a.tail(r.model.nv - 6);
    const Answer found = copy(floating_base_inverse_dynamics<double>(
        r.model, in(r.q), in(r.v), in(joint_a), push, r.ws, loads));
    EXPECT_TRUE(near(found.a, expected.a, 1e-10));
    EXPECT_TRUE(near(found.tau, expected.tau, 1e-10));
    if (HasFailure()) return;
  }
}

// the forces through the joints are those of inverse dynamics with the base's true acceleration
TEST(FloatingBase, LeavesTheReactions) {
  Robot r(floating_spec(7), 7);
  const VectorXd joint_a = r.a.tail(r.model.nv - 6);
  const auto found =
      floating_base_inverse_dynamics<double>(r.model, in(r.q), in(r.v), in(joint_a), {}, r.ws);
  r.plain.move(r.q, r.v, matrix(found.a));
  for (const int i : moving_bodies(r.model))
    EXPECT_TRUE(near(plain(joint_reaction(r.model, found.tau, i)),
                     r.plain.reaction(r.model.body_name[static_cast<std::size_t>(i)]), 1e-10));
}

TEST(FloatingBase, OtherRobotsAreRefused) {
  Robot fixed(generate_chain(3));
  const VectorXd none = VectorXd::Zero(0);
  EXPECT_TRUE(mentions(message_of([&] {
                         floating_base_inverse_dynamics<double>(
                             fixed.model, in(fixed.q), in(fixed.v), in(none), {}, fixed.ws);
                       }),
                       {"does not float", "revolute", "hybrid_dynamics"}));
  Spec two = floating_spec(3);
  two.add_body("other", 1, {}, Sym3<double>::identity());
  two.add_joint("second", JointKind::free, "", "other");
  Robot r(two);
  EXPECT_TRUE(mentions(message_of([&] {
                         floating_base_inverse_dynamics<double>(r.model, in(r.q), in(r.v), in(r.a),
                                                                {}, r.ws);
                       }),
                       {"2 joints hang from the world"}));
}

// a rotor that a freedom of the base drives has no known acceleration
TEST(FloatingBase, RotorsOfTheBaseAreRefused) {
  Spec spec = floating_spec(2);
  spec.joints[0].dofs = {{.rotor_inertia = 1e-5, .rotor_mount = "body2"}};
  Robot r(spec);
  EXPECT_TRUE(mentions(message_of([&] {
                         floating_base_inverse_dynamics<double>(r.model, in(r.q), in(r.v), in(r.a),
                                                                {}, r.ws);
                       }),
                       {"joint1 rotor", "follows the base", "hybrid_dynamics"}));
}

TEST(FloatingBase, RefusesWithReasons) {
  Spec nothing;
  nothing.add_body("dust", 0);
  nothing.add_joint("root", JointKind::free, "", "dust");
  Robot dust(nothing);
  const VectorXd none = VectorXd::Zero(0);
  auto ask = [](Robot& r, const VectorXd& joint_a) {
    return message_of([&] {
      floating_base_inverse_dynamics<double>(r.model, in(r.q), in(r.v), in(joint_a), {}, r.ws);
    });
  };
  EXPECT_TRUE(mentions(ask(dust, none), {"no inertia", "check the inertias"}));
  Robot r(floating_spec(7), 7);
  VectorXd joint_a = r.a.tail(r.model.nv - 6);
  joint_a[1] = NAN;
  EXPECT_TRUE(mentions(ask(r, joint_a), {"not finite", "joint_a"}));
  joint_a[1] = 0;
  r.v[2] = NAN;
  EXPECT_TRUE(mentions(ask(r, joint_a), {"v[2]", r.model.joint_name[1]}));
}

// --- what is refused, and what is not ---

Spec with_massless_leaf() {
  Spec spec = generate_chain(2);
  spec.add_body("ghost", 0);
  spec.add_joint("loose", JointKind::revolute, "body2", "ghost");
  return spec;
}

TEST(HybridDynamics, MasslessLeafNeedsAKnownAcceleration) {
  Robot r(with_massless_leaf());
  Flags known{Known::force, Known::force, Known::acceleration};
  r.move_plain();
  const VectorXd tau = r.plain.tau(), given = known_part(known, r.a, tau);
  for (const auto& route : {articulated, by_mass_matrix}) {
    const Answer found = route(r, known, given);
    EXPECT_TRUE(near(found.a, r.a, 1e-10));
    EXPECT_TRUE(near(found.tau, tau, 1e-10));
    EXPECT_TRUE(
        mentions(message_of([&] { route(r, all(r, Known::force), tau); }), {"hybrid", "'loose'"}));
  }
}

TEST(HybridDynamics, FlagsThatAreNeitherAreRefused) {
  Robot r(generate_chain(3));
  Flags known = all(r, Known::force);
  known[1] = static_cast<Known>(7);
  for (const auto& route : {articulated, by_mass_matrix})
    EXPECT_TRUE(mentions(message_of([&] { route(r, known, r.tau); }),
                         {"known[1]", "'joint2'", "7", "Known::acceleration"}));
}

TEST(HybridDynamics, WrongSizesAreNamed) {
  Robot r(generate_chain(3));
  const VectorXd good = VectorXd::Zero(3), bad = VectorXd::Zero(4);
  const Flags known = all(r, Known::force), short_known(2, Known::force);
  using Route = Hybrid<double> (*)(const Model&, In<double>, In<double>, std::span<const Known>,
                                   In<double>, Workspace&, const Loads<double>&);
  const Route routes[] = {&hybrid_dynamics<double>, &hybrid_dynamics_by_mass_matrix<double>};
  for (const Route route : routes) {
    auto message = [&](const VectorXd& q, const VectorXd& v, const Flags& k, const VectorXd& g) {
      return message_of([&] { route(r.model, in(q), in(v), k, in(g), r.ws, {}); });
    };
    EXPECT_TRUE(mentions(message(bad, good, known, good), {"hybrid_dynamics", " q has 4", "3"}));
    EXPECT_TRUE(mentions(message(good, bad, known, good), {"hybrid_dynamics", " v has 4", "3"}));
    EXPECT_TRUE(mentions(message(good, good, short_known, good), {" known has 2", "3"}));
    EXPECT_TRUE(mentions(message(good, good, known, bad), {" given has 4", "3"}));
  }
  EXPECT_TRUE(mentions(message_of([&] {
                         Robot f(floating_spec(2));
                         floating_base_inverse_dynamics<double>(f.model, in(f.q), in(f.v), in(f.a),
                                                                {}, f.ws);
                       }),
                       {"joint_a has"}));
}

TEST(HybridDynamics, InputsThatAreNoNumbersAreNamed) {
  for (const std::uint64_t seed : {4u, 7u, 9u, 15u}) {
    Robot r(random_spec(seed), seed);
    Random random(seed);
    const Flags known = random_flags(r, random);
    const VectorXd given = known_part(known, r.a, r.tau);
    for (int k = 0; k < r.model.nv; ++k)
      for (const double bad : {static_cast<double>(NAN), HUGE_VAL})
        for (const auto& route : {articulated, by_mass_matrix}) {
          VectorXd wrong = given;
          wrong[k] = bad;
          EXPECT_TRUE(mentions(message_of([&] { route(r, known, wrong); }),
                               {"given[" + std::to_string(k) + "]"}));
          Robot moved(r.spec, seed);
          moved.v[k] = bad;
          VectorXd a;
          const std::string message = message_of([&] { a = route(moved, known, given).a; });
          if (message == no_error) EXPECT_TRUE(a.allFinite());
          else EXPECT_TRUE(mentions(message, {"v[" + std::to_string(k) + "]"}));
        }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
