// Derivatives in a fluid against Dual run through the recursions, in currents that accelerate;
// closed forms where drag has a kink; at rest; in single precision.
#include <limber/dynamics/linearization.hpp>

#include "support/dual_robots.hpp"
#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// The same fluid, base motion and joint inertia for double and Dual.
struct WetLoads {
  FluidLoad<double> fluid;
  FluidLoad<Dual> dual_fluid;
  std::vector<double> joints;
  std::vector<Dual> dual_joints;
  std::vector<Force<double>> forces;
  std::vector<Force<Dual>> dual_forces;
  Loads<double> loads;
  Loads<Dual> dual_loads;

  explicit WetLoads(const Robot& r, std::uint64_t seed = 5)
      : fluid(in_stream(r, links_with_all_drag(r.spec, seed))), dual_fluid(cast<Dual>(fluid)) {
    loads.fluid = &fluid;
    dual_loads.fluid = &dual_fluid;
  }
  WetLoads(const WetLoads&) = delete;
  WetLoads& operator=(const WetLoads&) = delete;
  void add_others(const Model& m, Random& random) {
    for (int k = 0; k < m.nv; ++k) joints.push_back(random.uniform(0, 2));
    dual_joints.assign(joints.begin(), joints.end());
    for (int i = 0; i < m.bodies(); ++i) {
      const Force<double> force = random.force();
      forces.push_back(m.is_rotor[i] ? Force<double>{} : force);
      dual_forces.push_back(cast<Dual>(forces.back()));
    }
    loads.joint_inertia = joints, dual_loads.joint_inertia = dual_joints;
    loads.body_forces = forces, dual_loads.body_forces = dual_forces;
    loads.base_velocity = random.motion(), loads.base_acceleration = random.motion();
    dual_loads.base_velocity = cast<Dual>(loads.base_velocity);
    dual_loads.base_acceleration = cast<Dual>(loads.base_acceleration);
    loads.passive = dual_loads.passive = Passive::included;
  }
};

ByDual inverse_by_dual(Robot& r, const VectorXd& a, const Loads<Dual>& loads) {
  return by_dual(r, a, [&](auto& model, auto q, auto v, auto rate, auto& ws) {
    return inverse_dynamics(model, q, v, rate, ws, loads);
  });
}

TEST(FluidDerivatives, InverseDynamicsByDual) {
  Random random(4);
  for_random_robots(share_of(120), [&](Robot& r) {
    MatrixWorkspace mw(r.model);
    for (const bool has_others : {false, true}) {
      WetLoads wet(r);
      if (has_others) wet.add_others(r.model, random);
      const auto found = inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a),
                                                              r.ws, mw, wet.loads);
      const ByDual expected = inverse_by_dual(r, r.a, wet.dual_loads);
      EXPECT_TRUE(near(matrix(found.tau_q), expected.q, 1e-9));
      EXPECT_TRUE(near(matrix(found.tau_v), expected.v, 1e-10));
      EXPECT_TRUE(near(matrix(found.tau_a), expected.third, 1e-10));
    }
  });
}

// M a_q + ∂tau/∂q = 0 with both matrices by Dual: sharp whatever the condition of M
TEST(FluidDerivatives, ForwardDynamicsObeyTheEquationOfMotion) {
  for_random_robots(share_of(120), [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    MatrixWorkspace mw(r.model);
    const WetLoads wet(r);
    const auto found = forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau),
                                                            r.ws, mw, wet.loads);
    const VectorXd a = matrix(found.a);
    const ByDual tau = inverse_by_dual(r, a, wet.dual_loads);
    EXPECT_LT(residual(tau.third, matrix(found.a_q), tau.q), 1e-12);
    EXPECT_LT(residual(tau.third, matrix(found.a_v), tau.v), 1e-12);
    EXPECT_LT(residual(tau.third, matrix(found.a_tau), -MatrixXd::Identity(r.model.nv, r.model.nv)),
              1e-12);
  });
}

TEST(FluidDerivatives, ForwardDynamicsAndLinearizeByDual) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  int compared = 0;
  for_random_robots(share_of(120), [&](Robot& r) {
    const WetLoads wet(r);
    if (!r.model.singular_reason.empty()) return;
    // derivatives of a solution lose the condition of M twice
    if (condition(matrix(mass_matrix(r.model, in(r.q), r.ws, wet.loads))) > 1e5) return;
    ++compared;
    MatrixWorkspace mw(r.model);
    const int n = r.model.nv;
    RowMajor A(2 * n, 2 * n), B(2 * n, n);
    const auto numbers = [](RowMajor& X) {
      return std::span<double>(X.data(), static_cast<std::size_t>(X.size()));
    };
    linearize(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw, numbers(A), numbers(B), wet.loads);
    const ByDual expected = by_dual(r, r.tau, [&](auto& model, auto q, auto v, auto tau, auto& ws) {
      return forward_dynamics(model, q, v, tau, ws, wet.dual_loads);
    });
    EXPECT_TRUE(near(A.bottomLeftCorner(n, n), expected.q, 1e-9));
    EXPECT_TRUE(near(A.bottomRightCorner(n, n), expected.v, 1e-9));
    EXPECT_TRUE(near(B.bottomRows(n), expected.third, 1e-9));
  });
  if (!takes_fewer_robots()) EXPECT_GT(compared, 50);
}

// a box that moves along x, and so along four of its faces: with half edges a, b, c the moment
// about z of the front changes with v_y by −½ρC 4abc v_x, that of the sides by as much the other
// way
TEST(FluidDerivatives, WhereAFaceMovesAlongItself) {
  Robot r(one_body(3, Sym3<double>::diagonal(1, 2, 3)), 1);
  ShapeSpec box;
  box.kind = ShapeSpec::Kind::box;
  box.size = {1.2, 0.5, 0.3};
  Hydrodynamics body;
  body.surfaces.push_back(surface_drag_of(box));
  const FluidLoad<double> fluid =
      submerged(r.model, std::vector<LinkHydrodynamics>{{"hull", body}}, 1000);
  Loads<double> loads;
  loads.fluid = &fluid;
  r.q = matrix(neutral_position(r.model));  // no rounding: the fluid flows along exactly
  r.v = r.zero(), r.a = r.zero();
  r.v[3] = 1.5;
  MatrixWorkspace mw(r.model);
  const auto dry = matrix(
      inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, mw).tau_v);
  const MatrixXd D = matrix(inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a),
                                                                 r.ws, mw, loads)
                                .tau_v) -
                     dry;
  const double half = 0.5 * 1000, area = 0.5 * 0.3;
  EXPECT_NEAR(D(3, 3), half * area * 2 * 1.5, 1e-9);
  EXPECT_NEAR(D(4, 4), half * area * 1.5, 1e-9);  // the front is dragged along
  EXPECT_NEAR(D(2, 4), 0, 1e-9);
}

// at rest drag has no slope but that of linear damping, and weight less buoyancy turns the body
TEST(FluidDerivatives, AtRest) {
  for_random_robots(share_of(30), [&](Robot& r) {
    r.v = r.zero();
    const auto links = links_with_all_drag(r.spec, 7);
    std::vector<LinkHydrodynamics> linear = links;
    for (LinkHydrodynamics& link : linear) {
      link.hydrodynamics.cylinders.clear();
      link.hydrodynamics.surfaces.clear();
      link.hydrodynamics.foils.clear();
      link.hydrodynamics.quadratic_damping = {};
    }
    const FluidLoad<double> whole = submerged(r.model, links), plain = submerged(r.model, linear);
    Loads<double> loads, simple;
    loads.fluid = &whole, simple.fluid = &plain;
    MatrixWorkspace mw(r.model), other(r.model);
    const auto found =
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, mw, loads);
    const auto expected = inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a),
                                                               r.ws, other, simple);
    EXPECT_TRUE(near(matrix(found.tau_q), matrix(expected.tau_q), 1e-12));
    EXPECT_TRUE(near(matrix(found.tau_v), matrix(expected.tau_v), 1e-12));
  });
}

TEST(FluidDerivatives, FloatAgreesWithDouble) {
  for_random_robots(20, [&](Robot& r) {
    const BasicModel<float> model = cast<float>(r.model);
    BasicWorkspace<float> ws(model);
    BasicMatrixWorkspace<float> mw(model);
    const WetLoads wet(r);
    const FluidLoad<float> fluid = cast<float>(wet.fluid);
    Loads<float> loads;
    loads.fluid = &fluid;
    const auto narrow = [](const VectorXd& x) {
      return std::vector<float>(x.data(), x.data() + x.size());
    };
    const auto found = inverse_dynamics_tangent_derivatives<float>(model, narrow(r.q), narrow(r.v),
                                                                   narrow(r.a), ws, mw, loads);
    MatrixWorkspace wide(r.model);
    const MatrixXd expected = matrix(inverse_dynamics_tangent_derivatives(
                                         r.model, in(r.q), in(r.v), in(r.a), r.ws, wide, wet.loads)
                                         .tau_v);
    const double size = std::max(1.0, expected.size() ? expected.cwiseAbs().maxCoeff() : 0);
    for (int i = 0; i < r.model.nv; ++i)
      for (int j = 0; j < r.model.nv; ++j)
        EXPECT_NEAR(found.tau_v(i, j), expected(i, j), 1e-3 * size);
  });
}

// and nothing of a fluid stays for the next call
TEST(FluidDerivatives, LeaveNothingBehind) {
  for_random_robots(20, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    MatrixWorkspace used(r.model), fresh(r.model);
    const WetLoads wet(r);
    const auto wet_matrix = [&] {
      return forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, used,
                                                  wet.loads);
    };
    const MatrixXd first = matrix(wet_matrix().a_q);
    const MatrixXd dry = matrix(
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, used).a_q);
    EXPECT_EQ(dry, matrix(forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau),
                                                               r.ws, fresh)
                              .a_q));
    EXPECT_EQ(first, matrix(wet_matrix().a_q));
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
