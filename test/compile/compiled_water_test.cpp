// Machine code under water, one state and in lanes, and C99, against the interpreter.
#include <fmt/format.h>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/fluid/water_loads.hpp>

#include "compile/compiled_robot_support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double density = 1000;
const std::vector<double> stream{0.3, -0.2, 0.1, 0.05, 0.1, -0.1};

// a box with friction, an ellipsoid, or a ball (all of them would be long code), and a foil that
// stalls
void add_other_drag(Hydrodynamics& water, double n) {
  ShapeSpec shape;
  shape.size = {0.3, 0.2 * n, 0.1};
  shape.placement = {rotation(Vec3<double>{0.6, 0, 0.8}, n), {0.1, 0.02, -0.05}};
  shape.kind = n == 1      ? ShapeSpec::Kind::box
               : n == 1.25 ? ShapeSpec::Kind::ellipsoid
                           : ShapeSpec::Kind::sphere;
  water.surfaces.push_back(surface_drag_of(shape, 1.1));
  if (n == 1) water.surfaces.back().skin_coefficient = 0.02;
  LiftingSurface foil{{0, 0.1, 0.2}, {0.6, 0, 0.8}, {-0.8, 0, 0.6}, 0.05, 4, 0.02, 0.1, 0.9};
  water.foils.push_back(foil);
}

struct WetChain {
  Spec spec = generate_chain(4);
  Model model;
  FunctionOptions options;

  WetChain() {
    spec.add_body("hull", 12, {0, 0, -0.02}, Sym3<double>::diagonal(0.3, 0.2, 0.4));
    spec.add_joint("float", JointKind::free, "", "hull");
    for (JointSpec& joint : spec.joints)
      if (joint.parent.empty() && joint.name != "float") joint.parent = "hull";
    model = build(spec);
    double n = 1;
    for (const BodySpec& body : spec.bodies) {
      Hydrodynamics water;
      water.added_mass.M = Sym3<double>::diagonal(1 * n, 2, 3);
      water.added_mass.I = Sym3<double>::diagonal(0.1, 0.2, 0.3 * n);
      water.displacement = {2e-3 * n, {0.01, 0.02, 0.03}};
      water.cylinders.push_back({{0, 0, 0}, {0.1, 0.3, 0.2}, 0.03});
      add_other_drag(water, n);
      for (std::size_t k = 0; k < 6; ++k)
        water.linear_damping[k][k] = 1, water.quadratic_damping[k][k] = 2;
      options.water.links.push_back({body.name, water});
      n += 0.25;
    }
    options.water.density = density;
    options.parameters = {free_parameter("fluid")};
  }
  std::vector<double> accelerations(const RandomState& s) const {
    Workspace ws(model);
    WaterLoads wet(model, options.water.links);
    Water water;
    water.density = density;
    water.current = [](double) {
      return Flow{{stream[0], stream[1], stream[2]}, {stream[3], stream[4], stream[5]}};
    };
    const Loads<double> loads =
        wet.update(model, forward_kinematics<double>(model, s.q, s.v, ws), water, 0);
    const auto a = forward_dynamics<double>(model, s.q, s.v, s.tau, ws, loads);
    return {a.begin(), a.end()};
  }
};

using CompiledWaterTest = CompiledRobotTest;

TEST_F(CompiledWaterTest, OneStateAndLanes) {
  const WetChain wet;
  CompileOptions options;
  options.functions = {RobotFunction::forward_dynamics, RobotFunction::step};
  options.function = wet.options;
  const CompiledRobot robot = compile(wet.model, options);
  ASSERT_TRUE(robot.is_machine_code(RobotFunction::forward_dynamics)) << robot.notice();
  const std::size_t nv = static_cast<std::size_t>(wet.model.nv);
  constexpr long count = 11;
  std::vector<double> q, v, tau, fluid, found(nv * count), expected(nv * count);
  for (std::size_t k = 0; k < nv + 1; ++k)
    for (std::uint64_t i = 0; i < count; ++i) q.push_back(generate_state(wet.model, i).q[k]);
  for (std::size_t k = 0; k < nv; ++k)
    for (std::uint64_t i = 0; i < count; ++i) {
      v.push_back(generate_state(wet.model, i).v[k]);
      tau.push_back(generate_state(wet.model, i).tau[k]);
    }
  for (const double x : stream) fluid.insert(fluid.end(), count, x);
  for (std::uint64_t i = 0; i < count; ++i) {
    const RandomState s = generate_state(wet.model, i);
    const std::vector<double> a = wet.accelerations(s);
    std::vector<double> one(nv);
    robot.forward_dynamics(s.q, s.v, s.tau, one, stream);
    EXPECT_LT(relative_error(one, a), 1e-12);
    for (std::size_t k = 0; k < nv; ++k) expected[k * count + i] = a[k];
  }
  const double* const in[] = {q.data(), v.data(), tau.data(), fluid.data()};
  double* const out[] = {found.data()};
  robot.kernel<double>(RobotFunction::forward_dynamics)(count, count, in, out);
  EXPECT_LT(relative_error(found, expected), 1e-12);
  // a rollout is its steps
  const RandomState s = generate_state(wet.model, 3);
  const std::vector<double> zero(nv);
  StepInputs inputs{s.q, s.v, s.tau, zero, zero, zero, 0.001, stream};
  std::vector<double> q_step = s.q, v_step = s.v, q_next(s.q.size()), v_next(nv);
  for (int k = 0; k < 20; ++k) {
    inputs.q = q_step, inputs.v = v_step;
    robot.step(inputs, q_next, v_next);
    q_step = q_next, v_step = v_next;
  }
  inputs.q = s.q, inputs.v = s.v;
  EXPECT_TRUE(robot.rollout(20, inputs, q_next, v_next));
  EXPECT_LT(relative_error(q_next, q_step), 1e-12);
  EXPECT_LT(relative_error(v_next, v_step), 1e-12);
}

TEST_F(CompiledWaterTest, C99) {
  const WetChain wet;
  GenerateOptions options;
  options.functions = {RobotFunction::forward_dynamics};
  options.function = wet.options;
  options.identifier = "robot";
  folder_.write(write_source(trace_robot(wet.model, options), {Target::c}));
  const RandomState s = generate_state(wet.model, 5);
  folder_.write("main.c", fmt::format(R"(#include <stdio.h>
#include "robot.h"
int main(void) {{
  const double q[] = {{{}}}, v[] = {{{}}}, tau[] = {{{}}}, fluid[] = {{{}}};
  double a[{}];
  robot_forward_dynamics(q, v, tau, fluid, a);
  for (int k = 0; k < {}; ++k) printf("%.17g\n", a[k]);
  return 0;
}}
)",
                                      list(s.q), list(s.v), list(s.tau), list(stream), wet.model.nv,
                                      wet.model.nv));
  const ShellResult built = run_in(
      folder_.path(), std::string("cc -std=c99 ") + warnings + " main.c robot.c -lm -o main");
  ASSERT_EQ(built.status, 0) << built.output.substr(0, 2000);
  EXPECT_LT(relative_error(run_in(folder_.path(), "./main").numbers(), wet.accelerations(s)),
            1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
