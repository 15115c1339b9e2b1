// Compiled functions under water: programs against the library's functions with WaterLoads.
#include <limber/compile/program.hpp>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/model/fixed_axes.hpp>

#include "support/message.hpp"
#include "support/run_program.hpp"
#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

FunctionOptions in_water(const Spec& spec, std::uint64_t seed) {
  FunctionOptions options;
  // every third with surfaces and foils: long programs
  options.water = {
      seed % 3 == 0 ? links_with_all_drag(spec, seed) : links_with_cylinders(spec, seed), 1000};
  options.parameters = {free_parameter("fluid")};
  return options;
}
VectorXd fluid_numbers() {
  const Flow flow = uniform_stream().flow({}, when);
  VectorXd x(6);
  x << plain(flow.velocity), plain(flow.acceleration);
  return x;
}

/// Calls f(robot, options, loads of the same water) for random robots that are not too large.
template <class F>
void for_wet_robots(int most, F&& f) {
  int count = 0;
  for (std::uint64_t seed = 1; count < share_of(40); ++seed) {
    SCOPED_TRACE("random robot " + std::to_string(seed));
    const Spec spec = random_spec(seed);
    const Model model = build(spec);
    if (model.nv == 0 || model.nv > most || !model.singular_reason.empty()) continue;
    if (std::any_of(model.custom.begin(), model.custom.end(),
                    [](const CustomJoint& joint) { return bool(joint.integrate); }))
      continue;
    ++count;
    Robot r(spec, seed);
    const FunctionOptions options = in_water(spec, seed);
    WaterLoads water(r.model, options.water.links);
    f(r, options, loads_of(r, water, uniform_stream()));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CompiledWater, InverseDynamicsAndMassMatrix) {
  for_wet_robots(15, [](Robot& r, const FunctionOptions& options, const Loads<double>& loads) {
    const Program program = trace(r.model, RobotFunction::inverse_dynamics, options);
    const VectorXd expected =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
    EXPECT_TRUE(near(run(program, {r.q, r.v, r.a, fluid_numbers()})[0], expected, 1e-12));
    FunctionOptions still = options;
    still.parameters = {};
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, loads));
    const VectorXd found = run(trace(r.model, RobotFunction::mass_matrix, still), {r.q})[0];
    EXPECT_TRUE(near(MatrixXd(found.reshaped(r.model.nv, r.model.nv)), M, 1e-10));
  });
}

TEST(CompiledWater, ForwardDynamics) {
  for_wet_robots(12, [](Robot& r, const FunctionOptions& options, const Loads<double>& loads) {
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, loads));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, loads));
    const Program program = trace(r.model, RobotFunction::forward_dynamics, options);
    const VectorXd a = run(program, {r.q, r.v, tau, fluid_numbers()})[0];
    const double scale = tau.cwiseAbs().maxCoeff() + bias.cwiseAbs().maxCoeff();
    EXPECT_LT((M * a + bias - tau).cwiseAbs().maxCoeff(), 1e-10 * scale);
  });
}

// a step of one second: the change of velocities in fixed axes obeys the equation of motion
TEST(CompiledWater, Step) {
  for_wet_robots(12, [](Robot& r, const FunctionOptions& options, const Loads<double>& loads) {
    const int nv = r.model.nv;
    const VectorXd zero = VectorXd::Zero(nv);
    const std::vector<VectorXd> next =
        run(trace(r.model, RobotFunction::step, options),
            {r.q, r.v, r.tau, zero, zero, zero, VectorXd::Constant(1, 1), fluid_numbers()});
    const auto numbers = [](VectorXd& x) {
      return std::span<double>(x.data(), static_cast<std::size_t>(x.size()));
    };
    VectorXd w(nv), w_next(nv), at_rest(nv), a(nv);
    to_fixed_axes(r.model, in(r.q), in(r.v), numbers(w));
    to_fixed_axes(r.model, in(next[0]), in(next[1]), numbers(w_next));
    fixed_axes_rate(r.model, in(r.q), in(r.v), in(zero), numbers(at_rest));
    const VectorXd w_dot = w_next - w - at_rest;
    from_fixed_axes(r.model, in(r.q), in(w_dot), numbers(a));
    Loads<double> all = loads;
    all.passive = Passive::included;
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, all));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, all));
    const VectorXd terms =
        M.cwiseAbs() * (a.cwiseAbs() + r.v.cwiseAbs() + at_rest.cwiseAbs()) + bias.cwiseAbs();
    EXPECT_LT((M * a + bias - r.tau).cwiseAbs().maxCoeff(),
              1e-11 * std::max(1.0, terms.maxCoeff()) * std::max(1.0, next[1].norm()));
  });
}

// far above the ground contact changes nothing
TEST(CompiledWater, StepWithContactInTheAir) {
  Spec spec = one_body(5, {0.1, 0.1, 0.1, 0, 0, 0});
  Robot r(spec, 3);
  FunctionOptions options = in_water(spec, 3);
  const VectorXd zero = VectorXd::Zero(6), h = VectorXd::Constant(1, 0.01);
  const std::vector<VectorXd> inputs{r.q, r.v, r.tau, zero, zero, zero, h, fluid_numbers()};
  const std::vector<VectorXd> free = run(trace(r.model, RobotFunction::step, options), inputs);
  options.contact.candidates = {{"hull", {}, 0.1}};
  options.contact.height = -100;
  const std::vector<VectorXd> touching = run(trace(r.model, RobotFunction::step, options), inputs);
  EXPECT_TRUE(near(touching[0], free[0], 1e-10));
  EXPECT_TRUE(near(touching[1], free[1], 1e-10));
}

TEST(CompiledWater, SaysWhatItDoesNotTake) {
  const Spec spec = one_body(5, {0.1, 0.1, 0.1, 0, 0, 0});
  const Model model = build(spec);
  const auto message = [&](RobotFunction function, const FunctionOptions& options) {
    return message_of([&] { trace(model, function, options); });
  };
  FunctionOptions options = in_water(spec, 1);
  EXPECT_TRUE(mentions(message(RobotFunction::forward_dynamics_derivatives, options),
                       {"forward_dynamics_derivatives under water is not offered"}));
  options.water.links[0].hydrodynamics.cylinders = {{{}, {1, 0, 0}, 0.1}};
  options.water.links[0].hydrodynamics.cylinders[0].rule = StripRule::adaptive;
  EXPECT_TRUE(mentions(message(RobotFunction::step, options),
                       {"link 'hull'", "adaptive strips", "StripRule::four_points"}));
  options.water = {};
  EXPECT_TRUE(mentions(message(RobotFunction::step, options), {"'fluid'", "there is none"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
