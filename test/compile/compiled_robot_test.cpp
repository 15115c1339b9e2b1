// Robots compiled at run time: results, several processes at once, and what happens without a
// compiler. The folder of compiled code has its own file, code_cache_test.cpp.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limber/compile/compiled_robot.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>
#include <limber/model/generate.hpp>

#include "compile/compiled_robot_support.hpp"
#include "compile/fingerprint.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST_F(CompiledRobotTest, SecondUseCallsNoCompiler) {
  const Model model = load("double_pendulum");
  const CompiledRobot first = compile(model);
  EXPECT_EQ(first.notice(), "");
  EXPECT_TRUE(first.is_machine_code(RobotFunction::inverse_dynamics));
  EXPECT_EQ(calls(), 2);  // inverse and forward dynamics
  const CompiledRobot second = compile(load("double_pendulum"));
  EXPECT_EQ(calls(), 2);
  expect_right_torques(model, first);
  expect_right_torques(model, second);
  const RandomState s = generate_state(model, 4);
  std::vector<double> a(2);
  second.forward_dynamics(s.q, s.v, s.a, a);
  Workspace ws(model);
  EXPECT_LT(relative_error(a, forward_dynamics(model, s.q, s.v, s.a, ws)), 1e-12);
  EXPECT_EQ(files().size(), 2U);
  // only the owner may write what will be run
  for (const std::string& file : files()) {
    struct stat status {};
    ASSERT_EQ(stat((cache() + "/" + file).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 077, 0U) << file;
  }
}

TEST_F(CompiledRobotTest, ProcessesAtOnceDoNotDisturbEachOther) {
  const Model model = load("pendulum");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const CompiledRobot robot = compile(model, only(RobotFunction::inverse_dynamics));
      expect_right_torques(model, robot);
      _exit(robot.notice().empty() && !testing::Test::HasFailure() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(files().size(), 1U);  // the library, nothing half built
  const int built = calls();
  expect_right_torques(model, compile(model, only(RobotFunction::inverse_dynamics)));
  EXPECT_EQ(calls(), built);
}

TEST_F(CompiledRobotTest, WithoutCompilerTheProgramIsRun) {
  setenv("CXX", "/no/such/compiler", 1);
  const Model model = load("quadruped");
  const CompiledRobot robot = compile(model, only(RobotFunction::inverse_dynamics));
  EXPECT_FALSE(robot.is_machine_code(RobotFunction::inverse_dynamics));
  EXPECT_TRUE(mentions(robot.notice(), {"no C++ compiler"}));
  EXPECT_TRUE(mentions(robot.notice(), {"inverse_dynamics"}));
  expect_right_torques(model, robot);
}

TEST_F(CompiledRobotTest, FailedCompilerIsQuoted) {
  script("broken", "echo 'out of order' >&2\nexit 3\n");
  const Model model = load("pendulum");
  const CompiledRobot robot = compile(model, only(RobotFunction::inverse_dynamics));
  EXPECT_TRUE(
      mentions(robot.notice(), {"failed with status 3", "out of order", "inverse_dynamics"}));
  expect_right_torques(model, robot);
  EXPECT_TRUE(files().empty());
}

/// Arrays of a kernel for many different states, variable by variable.
template <class T>
struct BatchArrays {
  std::vector<std::vector<T>> in, out;
  std::vector<const T*> in_pointers;
  std::vector<T*> out_pointers;

  BatchArrays(const FunctionShape& shape, const std::vector<Arrays>& states) {
    for (std::size_t k = 0; k < shape.inputs.size(); ++k) {
      std::vector<T>& array = in.emplace_back();
      for (std::size_t e = 0; e < states[0][k].size(); ++e)
        for (const Arrays& state : states) array.push_back(static_cast<T>(state[k][e]));
    }
    for (const ArrayShape& array : shape.outputs)
      out.emplace_back(static_cast<std::size_t>(array.size) * states.size());
    for (std::vector<T>& array : in) in_pointers.push_back(array.data());
    for (std::vector<T>& array : out) out_pointers.push_back(array.data());
  }
  /// All outputs of state i.
  std::vector<double> result(std::size_t i, std::size_t count) const {
    std::vector<double> values;
    for (const std::vector<T>& array : out)
      for (std::size_t at = i; at < array.size(); at += count)
        values.push_back(static_cast<double>(array[at]));
    return values;
  }
};

/// Steps of many states by kernels and by rollouts, against single calls.
void expect_batches(const CompiledRobot& robot, const Model& model) {
  constexpr std::size_t count = 21;
  const FunctionShape& shape = robot.shape(RobotFunction::step);
  std::vector<Arrays> states;
  for (std::size_t i = 0; i < count; ++i) states.push_back(random_inputs(model, shape, 50 + i));
  BatchArrays<double> x(shape, states), rolled(shape, states);
  BatchArrays<float> x_float(shape, states);
  robot.kernel<double>(RobotFunction::step)(count, count, x.in_pointers.data(),
                                            x.out_pointers.data());
  robot.kernel<float>(RobotFunction::step)(count, count, x_float.in_pointers.data(),
                                           x_float.out_pointers.data());
  rolled.out_pointers = {rolled.in[0].data(), rolled.in[1].data()};  // in place
  EXPECT_TRUE(robot
                  .rollout_batch<double>(count, count, 3, rolled.in_pointers.data(),
                                         rolled.out_pointers.data())
                  .empty());
  rolled.out = {rolled.in[0], rolled.in[1]};
  for (std::size_t i = 0; i < count; ++i) {
    const Arrays& s = states[i];
    const StepInputs inputs{s[0], s[1], s[2], s[3], s[4], s[5], s[6][0], {}};
    Arrays next{s[0], s[1]};
    robot.step(inputs, next[0], next[1]);
    EXPECT_LT(relative_error(x.result(i, count), joined(next)), 1e-12);
    EXPECT_LT(relative_error(x_float.result(i, count), joined(next)), 1e-5);
    for (int k = 0; k < 2; ++k) {
      const Arrays now = next;
      StepInputs again = inputs;
      again.q = now[0], again.v = now[1];
      robot.step(again, next[0], next[1]);
    }
    EXPECT_LT(relative_error(rolled.result(i, count), joined(next)), 1e-12);
    Arrays alone{s[0], s[1]};
    EXPECT_TRUE(robot.rollout(3, inputs, alone[0], alone[1]));
    EXPECT_LT(relative_error(joined(alone), joined(next)), 1e-12);
  }
}

/// Springs too stiff for the step in some states: these are named, and no other.
void expect_diverged_states(const CompiledRobot& robot, const Model& model) {
  constexpr std::size_t count = 13;
  const FunctionShape& shape = robot.shape(RobotFunction::step);
  std::vector<Arrays> states;
  for (std::size_t i = 0; i < count; ++i) {
    Arrays& state = states.emplace_back(random_inputs(model, shape, 50 + i));
    for (double& stiffness : state[4]) stiffness = i == 4 || i == 11 ? 1e12 : 1;
    state[6] = {1e-3};
  }
  BatchArrays<double> x(shape, states);
  BatchArrays<float> x_float(shape, states);
  const std::vector<long> expected{4, 11};
  EXPECT_EQ(
      robot.rollout_batch<double>(count, count, 200, x.in_pointers.data(), x.out_pointers.data()),
      expected);
  EXPECT_EQ(robot.rollout_batch<float>(count, count, 200, x_float.in_pointers.data(),
                                       x_float.out_pointers.data()),
            expected);
  for (const std::size_t i : {std::size_t{3}, std::size_t{4}}) {
    const Arrays& s = states[i];
    Arrays end{s[0], s[1]};
    EXPECT_EQ(robot.rollout(200, {s[0], s[1], s[2], s[3], s[4], s[5], s[6][0], {}}, end[0], end[1]),
              i == 3);
  }
}

TEST_F(CompiledRobotTest, RolloutsSayWhichStatesDiverge) {
  const Model model = load("double_pendulum");
  CompileOptions options = only(RobotFunction::step);
  options.numbers = KernelNumbers::double_and_float;
  expect_diverged_states(compile(model, options), model);
}

TEST_F(CompiledRobotTest, KernelsAndRolloutsAgreeWithSingleCalls) {
  const Model model = load("double_pendulum");
  CompileOptions options = only(RobotFunction::step);
  options.numbers = KernelNumbers::double_and_float;
  const CompiledRobot robot = compile(model, options);
  EXPECT_TRUE(robot.is_machine_code(RobotFunction::step));
  expect_batches(robot, model);
  setenv("CXX", "/no/such/compiler", 1);
  const CompiledRobot slow = compile(model, options);
  EXPECT_FALSE(slow.is_machine_code(RobotFunction::step));
  expect_batches(slow, model);
}

// each stage is compiled for itself, and one stage alone costs no second call of the compiler
TEST_F(CompiledRobotTest, StagesAreCompiledAndLinked) {
  const Model model = load("double_pendulum");
  CompileOptions options = only(RobotFunction::step);
  options.numbers = KernelNumbers::double_and_float;
  options.function.longest_function = 15;
  const CompiledRobot robot = compile(model, options);
  EXPECT_EQ(robot.notice(), "");
  EXPECT_TRUE(robot.is_machine_code(RobotFunction::step));
  EXPECT_GT(calls(), 3);
  expect_batches(robot, model);
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(CompiledRobotTest, EveryFunctionHasItsCall) {
  setenv("CXX", "/no/such/compiler", 1);  // what is called is the same
  const Model model = load("puma560");
  CompileOptions options;
  options.functions = robot_functions();
  options.function.frames = {"link3", "link6"};
  options.function.parameters = {free_parameter("gravity")};
  const CompiledRobot r = compile(model, options);
  const std::vector<double> gravity{0.1, 0.2, -9};
  auto expect = [&](RobotFunction function, auto&& call) {
    const Program program = trace(model, function, options.function);
    const Arrays in = random_inputs(model, program.shape, 5, gravity);
    Arrays out = evaluated(program, in);
    const std::vector<double> expected = joined(out);
    for (std::vector<double>& array : out) std::fill(array.begin(), array.end(), 0);
    call(in, out);
    EXPECT_EQ(joined(out), expected) << name(function);
  };
  using F = RobotFunction;
  std::vector<double> all(24), jacobians(72);
  r.kinematics(generate_state(model, 5).q, all, gravity);
  EXPECT_EQ(all, joined(evaluated(trace(model, F::kinematics, options.function),
                                  {generate_state(model, 5).q, gravity})));
  r.jacobians(generate_state(model, 5).q, jacobians, gravity);
  EXPECT_EQ(jacobians, joined(evaluated(trace(model, F::jacobians, options.function),
                                        {generate_state(model, 5).q, gravity})));
  expect(F::inverse_dynamics,
         [&](auto& x, auto& y) { r.inverse_dynamics(x[0], x[1], x[2], y[0], gravity); });
  expect(F::bias_forces, [&](auto& x, auto& y) { r.bias_forces(x[0], x[1], y[0], gravity); });
  expect(F::mass_matrix, [&](auto& x, auto& y) { r.mass_matrix(x[0], y[0], gravity); });
  expect(F::mass_matrix_factor,
         [&](auto& x, auto& y) { r.mass_matrix_factor(x[0], y[0], y[1], gravity); });
  expect(F::forward_dynamics,
         [&](auto& x, auto& y) { r.forward_dynamics(x[0], x[1], x[2], y[0], gravity); });
  expect(F::inverse_dynamics_derivatives, [&](auto& x, auto& y) {
    r.inverse_dynamics_derivatives(x[0], x[1], x[2], y[0], y[1], y[2], gravity);
  });
  expect(F::forward_dynamics_derivatives, [&](auto& x, auto& y) {
    r.forward_dynamics_derivatives(x[0], x[1], x[2], y[0], y[1], y[2], y[3], gravity);
  });
  expect(F::step, [&](auto& x, auto& y) {
    r.step({x[0], x[1], x[2], x[3], x[4], x[5], x[6][0], gravity}, y[0], y[1]);
  });
}

TEST_F(CompiledRobotTest, WrongSizesAndMissingFunctionsAreNamed) {
  setenv("CXX", "/no/such/compiler", 1);
  const CompiledRobot robot = compile(load("double_pendulum"), only(RobotFunction::bias_forces));
  std::vector<double> two(2), three(3);
  EXPECT_TRUE(mentions(message_of([&] { robot.bias_forces(two, three, two); }),
                       {"v has 3 numbers, expected 2"}));
  EXPECT_TRUE(mentions(message_of([&] { robot.bias_forces(two, two, three); }),
                       {"tau has 3 numbers, expected 2"}));
  EXPECT_TRUE(
      mentions(message_of([&] { robot.bias_forces(two, two, two, three); }), {"no parameter"}));
  EXPECT_TRUE(mentions(message_of([&] { robot.inverse_dynamics(two, two, two, two); }),
                       {"inverse_dynamics was not compiled"}));
  EXPECT_TRUE(mentions(message_of([&] { robot.kernel<float>(RobotFunction::bias_forces); }),
                       {"double_and_float"}));
}

TEST(Fingerprint, KnowsEveryNumberNameAndOption) {
  const Spec plain = load_spec("every_joint");
  std::set<std::string> known;
  int count = 0;
  auto add = [&](const Spec& spec, const FunctionOptions& options = {},
                 RobotFunction function = RobotFunction::step, const std::string& where = "here") {
    known.insert(fingerprint(build(spec), function, options, where));
    EXPECT_EQ(known.size(), static_cast<std::size_t>(++count));
  };
  auto changed = [&](auto&& change) {
    Spec spec = plain;
    change(spec);
    add(spec);
  };
  add(plain);
  changed([](Spec& s) { s.gravity.x = 0.1; });
  changed([](Spec& s) { s.bodies[2].inertia.m += 1e-9; });
  changed([](Spec& s) { s.bodies[2].inertia.h.x += 1e-9; });
  changed([](Spec& s) { s.bodies[2].inertia.J.xx += 1e-9; });
  changed([](Spec& s) { s.joints[1].placement.p.x += 1e-9; });
  changed([](Spec& s) { s.joints[1].axis = {1, 0.1, 0}; });
  changed([](Spec& s) { s.joints[2].pitch += 1e-9; });
  changed([](Spec& s) { s.joints[0].dofs[0].damping += 1e-9; });
  changed([](Spec& s) { s.joints[0].dofs[0].friction_positive += 1e-9; });
  changed([](Spec& s) { s.joints[0].dofs[0].stiffness += 1e-9; });
  changed([](Spec& s) { s.joints[0].dofs[0].gear_ratio += 1e-9; });
  changed([](Spec& s) { s.joints[9].mimic->multiplier += 1e-9; });
  changed([](Spec& s) { s.joints[9].mimic->offset += 1e-9; });
  changed([](Spec& s) { s.frames[0].placement.p.x += 1e-9; });
  add(plain, {{"tip"}, {}, {}, {}});
  add(plain, {{}, {free_parameter("gravity")}, {}, {}});
  add(plain, {{}, {free_parameter("payload:tip")}, {}, {}});
  add(plain, {{}, {}, Passive::included, {}});
  add(plain, {{}, {}, {}, StepMethod::rk4});
  FunctionOptions few;
  few.registers = 7;
  add(plain, few);
  few.longest_function = 7;
  add(plain, few);
  add(plain, {}, RobotFunction::mass_matrix);
  add(plain, {}, RobotFunction::step, "there");
  changed([](Spec& s) { s.name = "another"; });
  changed([](Spec& s) { s.frames[0].name = "another"; });
  changed([](Spec& s) { s.joints[2].name = "another"; });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
