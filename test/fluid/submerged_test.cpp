// A fluid as a constant load: all algorithms against WaterLoads, which hands over forces and
// inertia apart and has tests of its own; drag against another form; what is refused.
#include <limber/fluid/submerged.hpp>

#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/star_dynamics.hpp>

#include "support/message.hpp"
#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double density = 1000;

bool is_star(const Model& m) {
  int roots = 0;
  for (int i = 1; i < m.bodies(); ++i) roots += m.parent[i] == 0 ? 1 : 0;
  return roots == 1 && m.kind[1] == JointKind::free && !m.has_mimic();
}

TEST(Submerged, AnyTreeMovesAsInWater) {
  int stars = 0;
  for_random_robots(share_of(120), [&](Robot& r) {
    const auto links = links_with_all_drag(r.spec, 5);
    WaterLoads water_loads(r.model, links);
    const Loads<double> wet = loads_of(r, water_loads, uniform_stream());
    const FluidLoad<double> fluid = in_stream(r, links);
    Loads<double> loads;
    loads.fluid = &fluid;
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, wet));
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)), tau,
                     1e-12));
    if (r.model.nv == 0) return;
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, wet));
    EXPECT_TRUE(near(matrix(mass_matrix(r.model, in(r.q), r.ws, loads)), M, 1e-12));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, wet));
    const double scale = tau.cwiseAbs().maxCoeff() + bias.cwiseAbs().maxCoeff();
    const auto expect = [&](const VectorXd& a) {
      EXPECT_LT((M * a + bias - tau).cwiseAbs().maxCoeff(), 1e-9 * scale);
    };
    expect(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws, loads)));
    expect(
        matrix(forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(tau), r.ws, loads)));
    std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
    VectorXd given = tau;
    for (int k = 0; k < r.model.nv; k += 2) {
      known[static_cast<std::size_t>(k)] = Known::acceleration;
      given[k] = r.a[k];
    }
    expect(matrix(hybrid_dynamics(r.model, in(r.q), in(r.v), known, in(given), r.ws, loads).a));
    if (!is_star(r.model)) return;
    ++stars;
    Star star(r.model);
    for (const StarMethod method : {StarMethod::composite_bodies, StarMethod::articulated_bodies})
      expect(matrix(
          star_dynamics<double>(r.model, in(r.q), in(r.v), in(tau), method, r.ws, star, loads)));
  });
  if (!takes_fewer_robots()) EXPECT_GE(stars, 5);
}

// the numbers of a cylinder against its drag as hydrodynamics.hpp has it, in another form
TEST(Submerged, StripsAreTheDragOfTheCylinder) {
  Random random(9);
  for (int k = 0; k < 50; ++k) {
    const CylinderDrag cylinder{random.vec3(1),       random.vec3(1),       random.uniform(0.01, 1),
                                random.uniform(0, 2), random.uniform(0, 2), random.uniform(0, 0.1)};
    const Motion<double> v = random.motion();
    const Force<double> found = drag_force(strip_drag(cylinder, density), v),
                        expected = drag_force(cylinder, v, density);
    const double size = norm(expected.linear) + norm(expected.angular);
    EXPECT_LT(norm(found.linear - expected.linear), 1e-13 * size);
    EXPECT_LT(norm(found.angular - expected.angular), 1e-13 * size);
  }
}

// accelerations themselves, of robots whose mass matrix is well conditioned: a hull with legs
TEST(Submerged, StarsAccelerateAlike) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("star " + std::to_string(seed));
    Random random(seed);
    Spec spec;
    spec.gravity = random.vec3(10);
    spec.add_body("hull", 0).inertia = random.inertia();
    spec.add_joint("float", JointKind::free, "", "hull");
    const int legs = random.integer(1, 4), joints = random.integer(1, 5);
    for (int k = 0; k < legs; ++k) {
      std::string parent = "hull";
      for (int i = 0; i < joints; ++i) {
        const std::string name = std::to_string(k) + "_" + std::to_string(i);
        spec.add_body(name, 0).inertia = random.inertia();
        spec.add_joint("j" + name, i % 3 == 2 ? JointKind::prismatic : JointKind::revolute, parent,
                       name, random.direction(), random.transform());
        parent = name;
      }
    }
    Robot r(spec, seed);
    const auto links =
        seed % 2 == 0 ? links_with_cylinders(spec, seed) : links_with_all_drag(spec, seed);
    WaterLoads water_loads(r.model, links);
    const VectorXd expected = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws,
                                                      loads_of(r, water_loads, uniform_stream())));
    const FluidLoad<double> fluid = in_stream(r, links);
    Loads<double> loads;
    loads.fluid = &fluid;
    Star star(r.model);
    EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws, loads)),
                     expected, 1e-10));
    for (const StarMethod method : {StarMethod::composite_bodies, StarMethod::articulated_bodies})
      EXPECT_TRUE(near(matrix(star_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), method,
                                                    r.ws, star, loads)),
                       expected, 1e-10));
    const VectorXd base = expected.head<6>(), joint_a = expected.tail(r.model.nv - 6);
    const Force<double> thrust{{r.tau[0], r.tau[1], r.tau[2]}, {r.tau[3], r.tau[4], r.tau[5]}};
    EXPECT_TRUE(near(matrix(floating_base_inverse_dynamics<double>(r.model, in(r.q), in(r.v),
                                                                   in(joint_a), thrust, r.ws, loads)
                                .a)
                         .head<6>(),
                     base, 1e-9));
  }
}

TEST(Submerged, SaysWhatItDoesNotTake) {
  Robot r(one_body(1, Sym3<double>::diagonal(1, 1, 1)), 1);
  const auto message = [&](const Hydrodynamics& body) {
    return message_of([&] { submerged(r.model, std::vector<LinkHydrodynamics>{{"hull", body}}); });
  };
  Hydrodynamics body;
  body.cylinders.push_back({{}, {1, 0, 0}, 0.1});
  body.cylinders[0].rule = StripRule::adaptive;
  EXPECT_TRUE(
      mentions(message(body), {"link 'hull'", "adaptive strips", "StripRule::four_points"}));
  EXPECT_NE(message_of([&] { submerged(r.model, {}, 0); }).find("density"), std::string::npos);
  // and not beside inertia
  const FluidLoad<double> fluid = submerged(r.model, {});
  const std::vector<ArticulatedInertia<double>> inertia(2);
  Loads<double> loads;
  loads.fluid = &fluid;
  loads.body_inertia = inertia;
  EXPECT_NE(message_of([&] {
              forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws, loads);
            }).find("body_inertia and a fluid"),
            std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
