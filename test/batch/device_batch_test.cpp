// The GPU against the interpreter; without one, the reason.
#include <limber/batch/device_batch.hpp>

#include <random>

#include <gtest/gtest.h>

#include <limber/collision/shape.hpp>
#include <limber/compile/compiled_robot.hpp>
#include <limber/constraint/assemble.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(DeviceBatch, SaysWhyThereIsNone) {
  if (device_obstacle().empty()) GTEST_SKIP() << "there is a GPU";
  const Model model = load("arm7");
  const std::string message = message_of([&] { FloatDeviceBatch batch(model); });
  EXPECT_NE(message.find("cannot be computed on a GPU"), std::string::npos) << message;
  EXPECT_NE(message.find(device_obstacle()), std::string::npos) << message;
}

/// Random states, variable after variable in single precision, so that both precisions get the
/// same.
struct States {
  std::vector<double> q, v, u;
  long count;
  States(const Model& m, long n) : count(n) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    auto fill = [&](int width) {
      std::vector<double> x(static_cast<std::size_t>(width));
      for (double& y : x) y = static_cast<float>(unit(random));
      return x;
    };
    for (long i = 0; i < n; ++i) {
      std::vector<double> position = fill(m.nq);
      normalize(m, position);
      for (double& y : position) y = static_cast<float>(y);
      for (const auto& [x, to] : {std::pair{position, &q}, {fill(m.nv), &v}, {fill(m.nv), &u}})
        to->insert(to->end(), x.begin(), x.end());
    }
  }
};

template <class T>
std::vector<T> as(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

template <class T>
void compare(const char* robot, double tolerance) {
  const Model m = load(robot);
  const States states(m, 1000);
  DeviceOptions options;
  options.functions = {RobotFunction::inverse_dynamics, RobotFunction::forward_dynamics,
                       RobotFunction::step};
  const BasicDeviceBatch<T> batch(m, options);
  const std::vector<T> q = as<T>(states.q), v = as<T>(states.v), u = as<T>(states.u);
  std::vector<T> tau(v.size()), a(v.size()), again(v.size());
  batch.compute(RobotFunction::inverse_dynamics, states.count, {q, v, u}, {tau});
  batch.compute(RobotFunction::forward_dynamics, states.count, {q, v, u}, {a});
  batch.compute(RobotFunction::forward_dynamics, states.count, {q, v, u}, {again});
  EXPECT_EQ(a, again) << "the same call gave other bits";
  Workspace ws(m);
  const auto nq = static_cast<std::size_t>(m.nq), nv = static_cast<std::size_t>(m.nv);
  auto part = [](const std::vector<double>& x, std::size_t i, std::size_t n) {
    return std::span(x).subspan(i * n, n);
  };
  double error[2] = {}, size[2] = {};
  for (std::size_t i = 0; i < static_cast<std::size_t>(states.count); ++i) {
    const auto qi = part(states.q, i, nq), vi = part(states.v, i, nv), ui = part(states.u, i, nv);
    auto add = [&](int k, std::span<const double> expected, const std::vector<T>& found) {
      for (std::size_t j = 0; j < nv; ++j) {
        const double d = expected[j] - static_cast<double>(found[i * nv + j]);
        error[k] += d * d, size[k] += expected[j] * expected[j];
      }
    };
    add(0, inverse_dynamics<double>(m, qi, vi, ui, ws), tau);
    add(1, forward_dynamics<double>(m, qi, vi, ui, ws), a);
  }
  for (int k = 0; k < 2; ++k) EXPECT_LT(std::sqrt(error[k]), tolerance * std::sqrt(size[k])) << k;
}

TEST(DeviceBatch, AgreesWithTheInterpreter) {
  if (const std::string why = device_obstacle(); !why.empty()) GTEST_SKIP() << why;
  for (const char* robot : {"arm7", "quadruped", "humanoid"}) {
    compare<float>(robot, 1e-5);
    compare<double>(robot, 1e-12);
  }
}

/// Steps of a closed mechanism from its own pose, on the device and by compiled code.
template <class T>
void compare_closed_steps(const char* robot, double tolerance) {
  const Model m = load(robot);
  DeviceOptions options;
  options.functions = {RobotFunction::forward_dynamics, RobotFunction::step};
  const BasicDeviceBatch<T> batch(m, options);
  CompileOptions wanted;
  wanted.functions = options.functions;
  const CompiledRobot code = compile(m, wanted);
  const std::vector<double> q = model_pose(Mechanism(m)), h{1e-3};
  std::vector<double> v(static_cast<std::size_t>(m.nv)), tau(v.size(), 0.1), none(v.size());
  constexpr long count = 100;
  const auto repeated = [](const std::vector<double>& x) {
    std::vector<T> all;
    for (long i = 0; i < count; ++i) all.insert(all.end(), x.begin(), x.end());
    return all;
  };
  const auto room = [](const ArrayShape& array) {
    return std::vector<T>(static_cast<std::size_t>(array.size * count));
  };
  const auto expect = [&](const std::vector<T>& found, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(static_cast<double>(found[k]), expected[k % expected.size()], tolerance);
  };
  const FunctionShape& forward = batch.shape(RobotFunction::forward_dynamics);
  std::vector<T> a = room(forward.outputs[0]), force = room(forward.outputs[1]), left = force;
  batch.compute(RobotFunction::forward_dynamics, count, {repeated(q), repeated(v), repeated(tau)},
                {a, force, left});
  std::vector<double> a0(v.size()), force0(left.size() / count), left0(force0.size());
  code.forward_dynamics(q, v, tau, a0, force0, left0);
  double size = 1;
  for (const double x : a0) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(static_cast<double>(a[k]), a0[k % a0.size()], tolerance * size);
  std::vector<DeviceArray<T>> in, out;
  const FunctionShape& step = batch.shape(RobotFunction::step);
  const std::vector<double>* const values[] = {&q, &v, &tau, &none, &none, &none, &h};
  for (std::size_t k = 0; k < step.inputs.size(); ++k) {
    in.push_back(batch.array(step.inputs[k].size, count));
    batch.upload(repeated(*values[k]), Layout::by_state, in.back());
  }
  for (const ArrayShape& s : step.outputs) out.push_back(batch.array(s.size, count));
  batch.rollout(20, in, out);
  std::vector<double> q1(q.size()), v1(v.size()), gap(force0.size()), rate(gap.size());
  EXPECT_TRUE(code.rollout(20, {q, v, tau, none, none, none, h[0], {}}, q1, v1, gap, rate));
  std::vector<T> found = room(step.outputs[0]), gaps = room(step.outputs[2]);
  batch.download(out[0], Layout::by_state, found);
  batch.download(out[2], Layout::by_state, gaps);
  expect(found, q1);
  expect(gaps, gap);
}

TEST(DeviceBatch, ClosedMechanisms) {
  if (const std::string why = device_obstacle(); !why.empty()) GTEST_SKIP() << why;
  for (const char* robot : {"four_bar", "bricard"}) {
    compare_closed_steps<double>(robot, 1e-9);
    compare_closed_steps<float>(robot, 1e-4);
  }
}

TEST(DeviceBatch, RolloutsAndStreams) {
  if (const std::string why = device_obstacle(); !why.empty()) GTEST_SKIP() << why;
  const Model m = load("arm7");
  const States states(m, 300);
  DeviceOptions options;
  options.functions = {RobotFunction::step};
  const DeviceBatch batch(m, options);
  std::vector<DeviceArray<double>> in, out, once;
  const FunctionShape& shape = batch.shape(RobotFunction::step);
  for (const ArrayShape& s : shape.inputs) {
    in.push_back(batch.array(s.size, states.count));
    std::vector<double> x(static_cast<std::size_t>(s.size * states.count),
                          s.name == "h" ? 1e-3 : 0);
    if (s.name == "q") x = states.q;
    if (s.name == "v") x = states.v;
    batch.upload(x, Layout::by_state, in.back());
  }
  for (const ArrayShape& s : shape.outputs) {
    out.push_back(batch.array(s.size, states.count));
    once.push_back(batch.array(s.size, states.count));
  }
  const DeviceStream stream = batch.stream();
  batch.rollout(3, in, out, stream);
  batch.synchronize(stream);
  for (int step = 0; step < 3; ++step) {  // the same one by one
    batch.call(RobotFunction::step, in, once, stream);
    std::swap(in[0], once[0]), std::swap(in[1], once[1]);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double> together(static_cast<std::size_t>(out[k].width() * states.count)),
        single = together;
    batch.download(out[k], Layout::by_state, together, stream);
    batch.download(in[k], Layout::by_state, single, stream);
    EXPECT_EQ(together, single);
  }
  EXPECT_THROW(batch.call(RobotFunction::inverse_dynamics, in, out), Error);
  EXPECT_THROW(batch.rollout(0, in, out), Error);
  EXPECT_TRUE(batch.diverged(out, stream).empty());
  // springs that are too stiff for the step in two states
  std::vector<double> kp(static_cast<std::size_t>(shape.inputs[4].size * states.count), 0.0);
  for (const long i : {7L, 290L})
    for (long k = 0; k < shape.inputs[4].size; ++k)
      kp[static_cast<std::size_t>(i * shape.inputs[4].size + k)] = 1e12;
  batch.upload(kp, Layout::by_state, in[4]);
  batch.rollout(200, in, out, stream);
  EXPECT_EQ(batch.diverged(out, stream), (std::vector<long>{7, 290}));
}

// heights are one table for all states; against the code of the processor
TEST(DeviceBatch, HeightFields) {
  if (const std::string why = device_obstacle(); !why.empty()) GTEST_SKIP() << why;
  const Model m = load("quadruped");
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  HeightField field{31, 31, 3, 3, {}};
  for (int k = 0; k < 31 * 31; ++k) field.heights.push_back(0.03 * unit(random));
  const std::vector<std::string> feet{"front_left_foot", "hind_right_foot"};
  DeviceOptions options;
  options.functions = {RobotFunction::step};
  options.function.contact.candidates = contact_candidates(m, feet);
  options.function.contact.field = contact_field(field);
  const DeviceBatch batch(m, options);
  const CompiledRobot host = compile(m, {{RobotFunction::step}, options.function, {}});
  const FunctionShape& shape = batch.shape(RobotFunction::step);
  constexpr long count = 200;
  std::vector<std::vector<double>> in, out;
  std::vector<DeviceArray<double>> from, to;
  for (const ArrayShape& s : shape.inputs) {
    std::vector<double>& x = in.emplace_back(s.is_table ? field.heights : std::vector<double>{});
    if (s.name == "q")
      for (int j = 0; j < s.size; ++j)
        for (long i = 0; i < count; ++i)
          x.push_back(j < 2 ? unit(random) : neutral_position(m)[static_cast<std::size_t>(j)]);
    x.resize(static_cast<std::size_t>(s.size * (s.is_table ? 1 : count)), s.name == "h" ? 1e-3 : 0);
    from.push_back(s.is_table ? batch.table(s.size) : batch.array(s.size, count));
    batch.upload(x, Layout::by_variable, from.back());
  }
  std::vector<const double*> read;
  std::vector<double*> written;
  for (const ArrayShape& s : shape.outputs) {
    to.push_back(batch.array(s.size, count));
    out.emplace_back(static_cast<std::size_t>(s.size * count));
  }
  for (const std::vector<double>& x : in) read.push_back(x.data());
  for (std::vector<double>& x : out) written.push_back(x.data());
  batch.rollout(10, from, to);
  host.rollout_batch<double>(count, count, 10, read.data(), written.data());
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double> found(out[k].size());
    batch.download(to[k], Layout::by_variable, found);
    for (std::size_t e = 0; e < found.size(); ++e) ASSERT_NEAR(found[e], out[k][e], 1e-6) << k;
  }
  from.back() = batch.array(31 * 31, count);
  EXPECT_TRUE(mentions(message_of([&] { batch.rollout(10, from, to); }), {"heights", "table"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
