// Random robots through trace() and evaluate(), every function against the interpreted library.
#include <limber/compile/program.hpp>

#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/jacobian.hpp>

#include "support/message.hpp"
#include "support/passive_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Calls f(robot) for the first 100 random robots with at most `most` variables, with springs and
/// friction in their joints. Some programs grow with the square of the variables.
/// f(robot, passive): every other robot is asked for with its springs and friction.
template <class F>
void for_traced_robots(int most, F&& f) {
  int count = 0;
  for (std::uint64_t seed = 1; count < share_of(100); ++seed) {
    SCOPED_TRACE("random robot " + std::to_string(seed));
    const Spec spec = with_passive_joints(random_spec(seed));
    if (const Model model = build(spec); model.nv == 0 || model.nv > most) continue;
    ++count;
    const auto robot = std::make_unique<Robot>(spec, seed);
    f(*robot, count % 2 == 0 ? Passive::included : Passive::left_out);
    if (testing::Test::HasFailure()) return;
  }
}

FunctionOptions with(Passive passive) {
  FunctionOptions options;
  options.passive = passive;
  return options;
}

TEST(Program, Kinematics) {
  for_traced_robots(40, [](Robot& r, Passive) {
    const std::vector<VectorXd> found = run(trace(r.model, RobotFunction::kinematics), {r.q});
    const Poses& bodies = forward_kinematics(r.model, in(r.q), r.ws);
    ASSERT_EQ(found.size(), r.model.frames.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Transform<double> X = frame_pose(r.model, bodies, static_cast<int>(i));
      const Pose pose = plain(X);
      EXPECT_TRUE(near(as_matrix(found[i].head(9), 3), pose.linear(), 1e-12));
      EXPECT_TRUE(near(found[i].tail(3), pose.translation(), 1e-12));
    }
  });
}

TEST(Program, Jacobians) {
  for_traced_robots(40, [](Robot& r, Passive) {
    if (r.model.frames.empty()) return;
    FunctionOptions options;
    options.frames = {r.model.frames.back().name, r.model.frames.front().name};
    const std::vector<VectorXd> found =
        run(trace(r.model, RobotFunction::jacobians, options), {r.q});
    ASSERT_EQ(found.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      const MatrixXd expected = matrix(jacobian(r.model, in(r.q), r.model.frame(options.frames[i]),
                                                Reference::world_aligned, r.ws));
      EXPECT_TRUE(near(as_matrix(found[i], r.model.nv), expected, 1e-12));
    }
  });
}

TEST(Program, InverseDynamics) {
  for_traced_robots(40, [](Robot& r, Passive passive) {
    Loads<double> loads;
    loads.passive = passive;
    const VectorXd tau =
        run(trace(r.model, RobotFunction::inverse_dynamics, with(passive)), {r.q, r.v, r.a})[0];
    EXPECT_TRUE(near(tau, matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     1e-12));
    const VectorXd bias =
        run(trace(r.model, RobotFunction::bias_forces, with(passive)), {r.q, r.v})[0];
    EXPECT_TRUE(near(bias, matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, loads)), 1e-12));
  });
}

TEST(Program, MassMatrixAndItsFactor) {
  for_traced_robots(20, [](Robot& r, Passive) {
    const int n = r.model.nv;
    const MatrixXd expected = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const Program program = trace(r.model, RobotFunction::mass_matrix);
    EXPECT_TRUE(near(as_matrix(run(program, {r.q})[0], n), expected, 1e-12));
    if (!r.model.singular_reason.empty()) return;
    const std::vector<VectorXd> factor =
        run(trace(r.model, RobotFunction::mass_matrix_factor), {r.q});
    const MatrixXd L = as_matrix(factor[0], n);
    const MatrixXd product = L.transpose() * factor[1].asDiagonal() * L;
    EXPECT_TRUE(near(product, expected, 1e-12));
    EXPECT_TRUE(MatrixXd(L.triangularView<Eigen::StrictlyUpper>()).isZero(0));
    EXPECT_TRUE(L.diagonal() == VectorXd::Ones(n));
  });
}

/// Largest entry of M X − Y against the size of the terms that cancel in it.
double residual(const MatrixXd& M, const MatrixXd& X, const MatrixXd& Y, double other_terms = 0) {
  const MatrixXd size = M.cwiseAbs() * X.cwiseAbs() + Y.cwiseAbs();
  return (M * X - Y).cwiseAbs().maxCoeff() / std::max({1.0, size.maxCoeff(), other_terms});
}

// a solution is as uncertain as M is ill-conditioned, and light bodies far out make random robots
// so; the equation of motion is sharp
TEST(Program, ForwardDynamicsObeyTheEquationOfMotion) {
  int solved = 0;
  for_traced_robots(20, [&](Robot& r, Passive passive) {
    if (!r.model.singular_reason.empty()) {
      EXPECT_THROW(trace(r.model, RobotFunction::forward_dynamics), Error);
      return;
    }
    ++solved;
    Loads<double> loads;
    loads.passive = passive;
    const VectorXd a =
        run(trace(r.model, RobotFunction::forward_dynamics, with(passive)), {r.q, r.v, r.tau})[0];
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, loads));
    EXPECT_LT(residual(M, a, r.tau - bias, bias.cwiseAbs().maxCoeff()), 1e-12);
  });
  EXPECT_GT(solved, share_of(80));
}

TEST(Program, ForwardDynamicsOfWellConditionedRobots) {
  int compared = 0;
  for_traced_robots(12, [&](Robot& r, Passive) {
    if (!r.model.singular_reason.empty()) return;
    const double tolerance = solve_tolerance(r, r.tau);
    if (tolerance > 1e-10) return;
    ++compared;
    const Program program = trace(r.model, RobotFunction::forward_dynamics);
    const VectorXd expected = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
    EXPECT_TRUE(near(run(program, {r.q, r.v, r.tau})[0], expected, 1e-11));
  });
  EXPECT_GT(compared, share_of(50));
}

/// Robots with such joints are refused by name: their positions move by functions of numbers.
bool has_own_integration(const Model& model) {
  return std::any_of(model.custom.begin(), model.custom.end(),
                     [](const CustomJoint& joint) { return bool(joint.integrate); });
}

TEST(Program, InverseDynamicsDerivatives) {
  int refused = 0, custom = 0;
  for_traced_robots(12, [&](Robot& r, Passive passive) {
    if (has_own_integration(r.model)) {
      ++refused;
      EXPECT_TRUE(
          mentions(message_of([&] { trace(r.model, RobotFunction::inverse_dynamics_derivatives); }),
                   {"custom joint", "cannot be differentiated"}));
      return;
    }
    custom += r.model.custom.empty() ? 0 : 1;
    MatrixWorkspace mw(r.model);
    Loads<double> loads;
    loads.passive = passive;
    const std::vector<VectorXd> found =
        run(trace(r.model, RobotFunction::inverse_dynamics_derivatives, with(passive)),
            {r.q, r.v, r.a});
    const auto expected =
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, mw, loads);
    EXPECT_TRUE(near(as_matrix(found[0], r.model.nv), matrix(expected.tau_q), 1e-12));
    EXPECT_TRUE(near(as_matrix(found[1], r.model.nv), matrix(expected.tau_v), 1e-12));
    EXPECT_TRUE(near(as_matrix(found[2], r.model.nv), matrix(expected.tau_a), 1e-12));
  });
  EXPECT_GE(refused, share_of(1));
  EXPECT_GT(custom, share_of(3));
}

// M ∂a/∂q + ∂tau/∂q = 0 and so on, at the acceleration that the program gives
TEST(Program, ForwardDynamicsDerivatives) {
  for_traced_robots(12, [](Robot& r, Passive passive) {
    if (!r.model.singular_reason.empty() || has_own_integration(r.model)) return;
    MatrixWorkspace mw(r.model);
    const int n = r.model.nv;
    Loads<double> loads;
    loads.passive = passive;
    const std::vector<VectorXd> found =
        run(trace(r.model, RobotFunction::forward_dynamics_derivatives, with(passive)),
            {r.q, r.v, r.tau});
    const VectorXd& a = found[0];
    const auto tau =
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(a), r.ws, mw, loads);
    const MatrixXd M = matrix(tau.tau_a), tau_q = matrix(tau.tau_q), tau_v = matrix(tau.tau_v);
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, loads));
    EXPECT_LT(residual(M, a, r.tau - bias, bias.cwiseAbs().maxCoeff()), 1e-12);
    EXPECT_LT(residual(M, as_matrix(found[1], n), -tau_q), 1e-12);
    EXPECT_LT(residual(M, as_matrix(found[2], n), -tau_v), 1e-12);
    EXPECT_LT(residual(M, as_matrix(found[3], n), MatrixXd::Identity(n, n)), 1e-12);
  });
}

TEST(Program, EveryFunctionHasAName) {
  for (const RobotFunction function : robot_functions())
    EXPECT_EQ(robot_function(name(function)), function);
  EXPECT_TRUE(mentions(message_of([] { robot_function("inverse_dynamic"); }),
                       {"inverse_dynamic'", "inverse_dynamics", "step"}));
}

TEST(Program, UnknownFramesAreRefused) {
  const Model model = build(generate_chain(2));
  FunctionOptions options;
  options.frames = {"no such frame"};
  EXPECT_TRUE(mentions(message_of([&] { trace(model, RobotFunction::kinematics, options); }),
                       {"no such frame"}));
}

// a frame's name need not be an identifier of a language
TEST(Program, OutputsAreNamedAfterFrames) {
  Spec spec = generate_chain(1);
  spec.frames.push_back({"7 of 9/tool", spec.bodies[0].name, {}, {}});
  FunctionOptions options;
  options.frames = {"7 of 9/tool"};
  const FunctionShape shape = shape_of(RobotFunction::kinematics, build(spec), options);
  EXPECT_EQ(shape.outputs.at(0).name, "r_7_of_9_tool_pose");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
