// Compiled integration steps: semi-implicit Euler against the library's own functions, the
// classical Runge-Kutta method against one written out here, and the order of both.
#include <limber/compile/program.hpp>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/model/joint_space.hpp>

#include "support/custom_joints.hpp"
#include "support/dual_robots.hpp"
#include "support/message.hpp"
#include "support/passive_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Inputs of a step besides the state.
struct Control {
  VectorXd tau, target, kp, kd;
  Control(const Model& model, Random& random)
      : tau(model.nv), target(model.nv), kp(model.nv), kd(model.nv) {
    for (Eigen::Index k = 0; k < tau.size(); ++k) {
      tau[k] = random.uniform(), target[k] = random.uniform();
      kp[k] = random.uniform(0, 5), kd[k] = random.uniform(0, 2);
    }
  }
  /// What the joints supply: only freedoms with a position of their own have a spring.
  VectorXd force(const Model& model, const VectorXd& q, const VectorXd& v) const {
    VectorXd f = tau - kd.cwiseProduct(v);
    for (Eigen::Index k = 0; k < f.size(); ++k)
      if (const int place = model.dof_q[static_cast<std::size_t>(k)]; place >= 0)
        f[k] += kp[k] * (target[k] - q[place]);
    return f;
  }
};

struct State {
  VectorXd q, v;
};

State compiled_step(const Program& program, const State& at, const Control& c, double h) {
  const std::vector<VectorXd> next =
      run(program, {at.q, at.v, c.tau, c.target, c.kp, c.kd, VectorXd::Constant(1, h)});
  return {next[0], next[1]};
}

FunctionOptions with(StepMethod method) {
  FunctionOptions options;
  options.method = method;
  return options;
}

Loads<double> with_passive() {
  Loads<double> loads;
  loads.passive = Passive::included;
  return loads;
}

bool has_own_integration(const Model& model) {
  return std::any_of(model.custom.begin(), model.custom.end(),
                     [](const CustomJoint& joint) { return bool(joint.integrate); });
}

/// Calls f(robot, control) for random robots whose steps can be compiled.
template <class F>
void for_stepped_robots(int most, F&& f) {
  int count = 0;
  for (std::uint64_t seed = 1; count < share_of(100); ++seed) {
    SCOPED_TRACE("random robot " + std::to_string(seed));
    const Spec spec = with_passive_joints(random_spec(seed));
    const Model model = build(spec);
    if (model.nv == 0 || model.nv > most || !model.singular_reason.empty()) continue;
    if (has_own_integration(model)) continue;
    ++count;
    Robot r(spec, seed);
    Random random(seed);
    f(r, Control(r.model, random));
    if (testing::Test::HasFailure()) return;
  }
}

// a step of one second: velocities in fixed axes grow by their rate, from which the acceleration is
// found that must obey the equation of motion
TEST(Step, SemiImplicitEuler) {
  for_stepped_robots(15, [](Robot& r, const Control& control) {
    const State next = compiled_step(trace(r.model, RobotFunction::step), {r.q, r.v}, control, 1);
    const auto numbers = [](VectorXd& x) {
      return std::span<double>(x.data(), static_cast<std::size_t>(x.size()));
    };
    VectorXd w(r.model.nv), w_next(r.model.nv), at_rest(r.model.nv), a(r.model.nv),
        still = VectorXd::Zero(r.model.nv);
    to_fixed_axes(r.model, in(r.q), in(r.v), numbers(w));
    to_fixed_axes(r.model, in(next.q), in(next.v), numbers(w_next));
    fixed_axes_rate(r.model, in(r.q), in(r.v), in(still), numbers(at_rest));
    const VectorXd w_dot = w_next - w - at_rest;
    from_fixed_axes(r.model, in(r.q), in(w_dot), numbers(a));
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, with_passive()));
    const VectorXd force = control.force(r.model, r.q, r.v);
    // a turn of many radians has lost as many digits
    const VectorXd terms =
        M.cwiseAbs() * (a.cwiseAbs() + r.v.cwiseAbs() + at_rest.cwiseAbs()) + bias.cwiseAbs();
    EXPECT_LT((M * a + bias - force).cwiseAbs().maxCoeff(),
              1e-12 * std::max(1.0, terms.maxCoeff()) * std::max(1.0, next.v.norm()));
    // and q moves with the new velocity
    VectorXd q(r.model.nq);
    integrate_fixed_axes(r.model, in(r.q), in(w_next), 1, numbers(q));
    EXPECT_TRUE(near(next.q, q, 1e-14 * std::max(100.0, next.v.norm())));
  });
}

// small turns go by series: no digit may be lost where they begin
TEST(Step, SmallTurns) {
  Spec spec;
  spec.add_body("ball", 1, {0.1, 0.2, 0.3}, {1, 2, 3, 0, 0, 0});
  spec.add_joint("root", JointKind::free, "", "ball");
  spec.gravity = {};
  Robot r(spec, 3);
  Random random(3);
  Control still(r.model, random);
  still.tau.setZero(), still.kp.setZero(), still.kd.setZero();
  const Program program = trace(r.model, RobotFunction::step);
  for (double h = 1e-9; h < 2; h *= 1.3) {
    const State next = compiled_step(program, {r.q, r.v}, still, h);
    VectorXd q(7), w(6);
    to_fixed_axes(r.model, in(next.q), in(next.v), {w.data(), 6});
    integrate_fixed_axes(r.model, in(r.q), in(w), h, {q.data(), 7});
    EXPECT_TRUE(near(next.q, q, 1e-15 * 8)) << h;
    EXPECT_NEAR(next.q.tail(4).norm(), 1, 1e-15);
  }
  // none at all
  r.v.setZero();
  const State next = compiled_step(program, {r.q, r.v}, still, 0.1);
  EXPECT_TRUE(near(next.q, r.q, 1e-15));
  EXPECT_TRUE(next.v.isZero(0));
}

VectorXd acceleration(Robot& r, const Control& control, const State& at) {
  const VectorXd force = control.force(r.model, at.q, at.v);
  return matrix(forward_dynamics(r.model, in(at.q), in(at.v), in(force), r.ws, with_passive()));
}

State rk4_step(Robot& r, const Control& control, const State& at, double h) {
  struct Slope {
    VectorXd q, v;
  };
  const auto slope = [&](const State& there) {
    State placed = there;  // as in the simulator, dynamics see unit quaternions
    normalize(r.model, {placed.q.data(), static_cast<std::size_t>(placed.q.size())});
    VectorXd rate(r.model.nq);
    position_rate(r.model, in(there.q), in(there.v),
                  {rate.data(), static_cast<std::size_t>(rate.size())});
    return Slope{rate, acceleration(r, control, placed)};
  };
  const auto along = [&](const Slope& s, double t) {
    return State{at.q + t * s.q, at.v + t * s.v};
  };
  const Slope k1 = slope(at), k2 = slope(along(k1, h / 2)), k3 = slope(along(k2, h / 2)),
              k4 = slope(along(k3, h));
  State next{at.q + h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q),
             at.v + h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v)};
  normalize(r.model, {next.q.data(), static_cast<std::size_t>(next.q.size())});
  return next;
}

TEST(Step, RungeKutta) {
  int compared = 0;
  for_stepped_robots(8, [&](Robot& r, const Control& control) {
    // accelerations of ill-conditioned robots are uncertain, and so is where the steps go then
    if (condition(matrix(mass_matrix(r.model, in(r.q), r.ws))) > 1e3) return;
    ++compared;
    const Program program = trace(r.model, RobotFunction::step, with(StepMethod::rk4));
    const State next = compiled_step(program, {r.q, r.v}, control, 0.01);
    const State expected = rk4_step(r, control, {r.q, r.v}, 0.01);
    EXPECT_TRUE(near(next.q, expected.q, 1e-12));
    EXPECT_TRUE(near(next.v, expected.v, 1e-12));
  });
  EXPECT_GT(compared, share_of(30));
}

/// A body that floats and carries another one by a ball joint.
Spec floating_pair() {
  Spec spec;
  spec.add_body("base", 2, {0.1, 0, 0}, {0.2, 0.3, 0.4, 0, 0, 0});
  spec.add_body("ball", 1, {0, 0, -0.4}, {0.1, 0.12, 0.05, 0, 0, 0});
  spec.add_joint("root", JointKind::free, "", "base");
  spec.add_joint("shoulder", JointKind::spherical, "base", "ball", {0, 0, 1},
                 {rotation_from_rpy(0.3, 0, 0.2), {0.2, 0.1, 0}});
  return spec;
}

/// The slope of log(error) over log(step): errors after 0.5 s with 64 and with 128 steps.
double measured_order(StepMethod method) {
  Robot r(floating_pair(), 4);
  Random random(4);
  const Control control(r.model, random);
  const Program program = trace(r.model, RobotFunction::step, with(method));
  const auto end = [&](int steps, auto&& step) {
    State at{r.q, r.v};
    for (int i = 0; i < steps; ++i) at = step(at, 0.5 / steps);
    return at;
  };
  // exact to 1e-13: the fourth-order method with very small steps
  const State exact =
      end(2000, [&](const State& at, double h) { return rk4_step(r, control, at, h); });
  const auto error = [&](int steps) {
    const State found = end(
        steps, [&](const State& at, double h) { return compiled_step(program, at, control, h); });
    return (found.q - exact.q).norm() + (found.v - exact.v).norm();
  };
  return std::log2(error(64) / error(128));
}

// no force: the centre of mass goes straight, whatever the spin
TEST(Step, FreeBodyFliesStraight) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("body", 2, {0.1, -0.2, 0.3}, {0.3, 0.3, 0.2});
  spec.add_joint("root", JointKind::free, "", "body");
  Robot r(spec, 5);
  Random random(5);
  Control still(r.model, random);
  still.tau.setZero(), still.kp.setZero(), still.kd.setZero();
  const Program program = trace(r.model, RobotFunction::step);
  State at{r.q, r.v};
  at.v.head(3) << 2, 1, 7;
  const auto center = [&](const State& s) { return center_of_mass(r.model, in(s.q), r.ws); };
  const Vec3<double> p0 = center(at), u = momentum(r.model, in(at.q), in(at.v), r.ws).linear * 0.5;
  for (int i = 0; i < 2000; ++i) at = compiled_step(program, at, still, 1e-3);
  EXPECT_LT(norm(center(at) - (p0 + u * 2.0)), 1e-10);
}

TEST(Step, OrdersOfTheMethods) {
  EXPECT_NEAR(measured_order(StepMethod::rk4), 4, 0.15);
  EXPECT_NEAR(measured_order(StepMethod::midpoint), 2, 0.1);
  EXPECT_NEAR(measured_order(StepMethod::semi_implicit_euler), 1, 0.1);
}

TEST(Step, JointsThatMoveThemselvesAreRefused) {
  Spec spec = generate_chain(2);
  spec.joints[1].kind = JointKind::custom;
  spec.joints[1].custom = ball_joint();
  spec.joints[1].dofs.clear();
  const Model model = build(spec);
  for (const StepMethod method : {StepMethod::semi_implicit_euler, StepMethod::rk4})
    EXPECT_TRUE(
        mentions(message_of([&] { trace(model, RobotFunction::step, with(method)); }),
                 {spec.joints[1].name, "function of its own", "integrate it in your own code"}));
}

TEST(Step, FreeParametersWork) {
  const Spec spec = generate_chain(3);
  Spec changed = spec;
  changed.gravity = {1, 2, 3};
  FunctionOptions options;
  options.parameters = {free_parameter("gravity")};
  Robot r(changed, 2);
  Random random(2);
  const Control c(r.model, random);
  const std::vector<VectorXd> next = run(trace(build(spec), RobotFunction::step, options),
                                         {r.q, r.v, c.tau, c.target, c.kp, c.kd,
                                          VectorXd::Constant(1, 1e-3), Eigen::Vector3d(1, 2, 3)});
  EXPECT_TRUE(near(next[1], r.v + 1e-3 * acceleration(r, c, {r.q, r.v}), 1e-12));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
