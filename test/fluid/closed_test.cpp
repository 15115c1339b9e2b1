// Closed mechanisms under water: water comes in by the same loads, and loops stay workless.
#include <limber/constraint/closed_derivatives.hpp>
#include <limber/constraint/closed_method.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/fluid/water_loads.hpp>
#include <limber/model/joint_space.hpp>

#include "support/random_mechanisms.hpp"
#include "support/water_robots.hpp"

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

// differences of fourth order; drag has a corner where a velocity passes zero, so they are short
TEST(ClosedUnderWater, DerivativesAreThoseOfForwardDynamics) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("closed robot " + std::to_string(seed));
    ClosedRobot c(seed);
    const Robot& r = c.robot;
    const int nv = r.model.nv;
    if (nv == 0 || nv > 30 || c.closed->solver.rank < c.mechanism->rows) continue;
    const FluidLoad<double> fluid = in_stream(r, links_with_cylinders(r.spec, seed));
    Loads<double> loads;
    loads.fluid = &fluid;
    const ClosedDerivatives d = closed_forward_dynamics_derivatives(
        *c.mechanism, 0, in(r.q), in(r.v), in(r.tau), *c.closed, loads);
    const auto accelerate = [&](const VectorXd& q, const VectorXd& v) {
      return VectorXd(matrix(closed_forward_dynamics<double>(*c.mechanism, 0, in(q), in(v),
                                                             in(r.tau), *c.closed, loads)));
    };
    const auto slope = [](auto&& f) {
      const double h = 1e-5;
      return VectorXd((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
    };
    MatrixXd a_q(nv, nv), a_v(nv, nv), with_q(nv, nv), with_v(nv, nv);
    for (int k = 0; k < nv; ++k) {
      const VectorXd unit = VectorXd::Unit(nv, k);
      with_q.col(k) = slope([&](double h) {
        VectorXd q = r.q;
        integrate<double>(r.model, in(r.q), in(unit), h,
                          {q.data(), static_cast<std::size_t>(q.size())});
        return accelerate(q, r.v);
      });
      with_v.col(k) = slope([&](double h) { return accelerate(r.q, r.v + unit * h); });
      for (int i = 0; i < nv; ++i) a_q(i, k) = d.a_q(i, k), a_v(i, k) = d.a_v(i, k);
    }
    EXPECT_TRUE(near(a_q, with_q, 1e-7));
    EXPECT_TRUE(near(a_v, with_v, 1e-7));
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
