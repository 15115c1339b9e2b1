// Closed mechanisms under water: water comes in by the same loads, and loops stay workless.
#include <limber/constraint/closed_method.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/fluid/water_loads.hpp>

#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(ClosedUnderWater, LoopsHoldAndDoNoWork) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    Robot& r = c.robot;
    if (r.model.nv == 0) continue;
    Random random(seed);
    std::vector<LinkHydrodynamics> links;
    for (const BodySpec& body : r.spec.bodies) {
      Hydrodynamics water;
      water.added_mass = random.articulated();
      water.displacement = {random.uniform(0, 1e-2), random.vec3(0.3)};
      for (std::size_t k = 0; k < 6; ++k) water.quadratic_damping[k][k] = 2;
      links.push_back({body.name, water});
    }
    WaterLoads water_loads(r.model, links);
    Water water;
    water.current = [](double) { return Flow{{0.3, 0.1, 0}, {0.5, 0, 0.2}}; };
    const Loads<double> wet =
        water_loads.update(r.model, forward_kinematics(r.model, in(r.q), in(r.v), r.ws), water, 0);
    const auto accelerate = [&](ClosedMethod method, const Loads<double>& loads) {
      ClosedMethodSettings settings;
      settings.method = method;
      return matrix(closed_forward_dynamics(*c.mechanism, 0, in(r.q), in(r.v), in(r.tau), settings,
                                            *c.closed, loads));
    };
    const VectorXd a = accelerate(ClosedMethod::rows, wet),
                   dense = accelerate(ClosedMethod::dense, wet),
                   dry = accelerate(ClosedMethod::rows, {});
    const double size = a.cwiseAbs().maxCoeff() + dry.cwiseAbs().maxCoeff() + 1;
    if (size > 1e6) continue;  // next to a dead point
    EXPECT_LT((a - dense).cwiseAbs().maxCoeff(), 1e-6 * size);
    // what water changes is a motion that the loops allow
    const VectorXd change = a - dry;
    EXPECT_LT(
        (matrix(closed_velocity<double>(*c.mechanism, 0, in(r.q), in(change), *c.closed)) - change)
            .cwiseAbs()
            .maxCoeff(),
        1e-6 * size);
    // the forces of the loops have no power on such motions
    const VectorXd force = matrix(mass_matrix(r.model, in(r.q), r.ws, wet)) * a +
                           matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, wet)) - r.tau;
    EXPECT_LT(std::abs(force.dot(r.v)), 1e-6 * (force.norm() * r.v.norm() + 1));
    EXPECT_LT(std::abs(force.dot(change)), 1e-6 * (force.norm() * change.norm() + 1));
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
