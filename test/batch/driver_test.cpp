// What a batch promises besides numbers: the same bits whatever the threads, the layout and the
// neighbours, a status instead of exceptions, and messages that help.
#include <algorithm>
#include <cstring>
#include <limits>

#include <limber/io/load.hpp>

#include "batch/batch_support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Accelerations, state after state.
template <class T>
std::vector<T> accelerations(const Model& model, const States& s, const BatchOptions& options,
                             Layout layout) {
  BasicBatch<T> batch(model, options);
  auto in = [&](const std::vector<double>& x, int width) {
    return arranged<T>(x, width, s.count, layout);
  };
  std::vector<T> found(s.v.size()), by_state(s.v.size());
  EXPECT_TRUE(
      batch.forward_dynamics(s.count, in(s.q, s.nq), in(s.v, s.nv), in(s.tau, s.nv), found, layout)
          .good());
  for (long i = 0; i < s.count; ++i)
    for (int j = 0; j < s.nv; ++j)
      by_state[place(Layout::by_state, s.count, s.nv, i, j)] =
          found[place(layout, s.count, s.nv, i, j)];
  return by_state;
}

class BatchPromises : public testing::TestWithParam<InstructionSet> {};
INSTANTIATE_TEST_SUITE_P(Sets, BatchPromises, testing::ValuesIn(available_instruction_sets()),
                         [](const auto& set) { return std::string(name(set.param)); });

template <class T>
void expect_same_bits_everywhere(InstructionSet set) {
  RandomTreeOptions options;
  options.floating_base = true;
  const Model model = build(generate_tree(6, 3, options));
  // 1024: strides that crowd the cache are copied; 1001: odd counts have a tail
  for (const long count : {1001L, 1024L}) {
    const States states(model, count);
    const auto expected =
        accelerations<T>(model, states, {.threads = 1, .instruction_set = set}, Layout::by_state);
    for (const int threads : {1, 3})
      for (const Layout layout : every_layout)
        EXPECT_TRUE(same_bits(
            accelerations<T>(model, states, {.threads = threads, .instruction_set = set}, layout),
            expected));
  }
}

TEST_P(BatchPromises, SameBitsForAnyThreadsAndLayout) {
  expect_same_bits_everywhere<double>(GetParam());
  expect_same_bits_everywhere<float>(GetParam());
}

// one state alone, and the same at every place of a batch of others, one of them with an angle that
// the lanes hand to the standard library
TEST_P(BatchPromises, SameBitsForAnyPlaceInTheBatch) {
  const Model model = build(generate_chain(7));
  const BatchOptions options{.threads = 1, .instruction_set = GetParam()};
  const States one(model, 1);
  const std::vector<double> alone = accelerations<double>(model, one, options, Layout::by_state);
  for (long at = 0; at < 19; ++at) {
    States many(model, 19);
    many.q[static_cast<std::size_t>((at + 1) % 19 * model.nq)] = 1e6;
    std::copy(one.q.begin(), one.q.end(), many.q.begin() + at * model.nq);
    std::copy(one.v.begin(), one.v.end(), many.v.begin() + at * model.nv);
    std::copy(one.tau.begin(), one.tau.end(), many.tau.begin() + at * model.nv);
    const std::vector<double> all = accelerations<double>(model, many, options, Layout::by_state);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.begin() + at * model.nv)) << at;
  }
}

TEST_P(BatchPromises, BadStatesAreCountedAndLeaveTheOthersAlone) {
  const Model model = build(generate_chain(5));
  const States states(model, 100);
  for (const int threads : {1, 3})
    for (const Layout layout : every_layout) {
      Batch batch(model, {.threads = threads, .instruction_set = GetParam()});
      std::vector<double> q = arranged<double>(states.q, model.nq, 100, layout),
                          v = arranged<double>(states.v, model.nv, 100, layout);
      std::vector<double> expected(q.size()), found(q.size());
      EXPECT_TRUE(batch.bias_forces(100, q, v, expected, layout).good());
      q[place(layout, 100, 5, 97, 4)] = std::numeric_limits<double>::quiet_NaN();
      q[place(layout, 100, 5, 41, 0)] = std::numeric_limits<double>::infinity();
      v[place(layout, 100, 5, 41, 2)] = 1e300;
      const BatchStatus status = batch.bias_forces(100, q, v, found, layout);
      EXPECT_EQ(status.bad_count, 2);
      EXPECT_EQ(status.first_bad, 41);
      for (long i = 0; i < 100; ++i) {
        if (i == 41 || i == 97) continue;
        for (int j = 0; j < 5; ++j)
          EXPECT_EQ(found[place(layout, 100, 5, i, j)], expected[place(layout, 100, 5, i, j)]);
      }
      EXPECT_TRUE(batch.bias_forces(0, {}, {}, {}, layout).good());
    }
}

// every width up to a few registers, through both transpositions
TEST_P(BatchPromises, NothingIsWrittenBesideTheResults) {
  for (int n = 1; n <= 18; ++n) {
    const Model model = build(generate_chain(n, JointKind::prismatic));
    const States states(model, 37);
    const auto size = static_cast<std::size_t>(37 * n);
    std::vector<double> tau(size + 64, 7.5);
    Batch batch(model, {.threads = 1, .instruction_set = GetParam()});
    const std::span<double> out(tau.data() + 32, size);
    EXPECT_TRUE(batch.inverse_dynamics(37, states.q, states.v, states.a, out).good());
    EXPECT_EQ(std::count(tau.begin(), tau.begin() + 32, 7.5), 32);
    EXPECT_EQ(std::count(tau.end() - 32, tau.end(), 7.5), 32);
    Workspace ws(model);
    for (long i = 0; i < 37; ++i) {
      const auto expected =
          inverse_dynamics(model, states.of(states.q, n, i), states.of(states.v, n, i),
                           states.of(states.a, n, i), ws);
      EXPECT_TRUE(near(matrix(out.subspan(static_cast<std::size_t>(i * n), expected.size())),
                       matrix(expected), 1e-12));
    }
  }
}

TEST(BatchMessages, NameFunctionArgumentFoundAndExpected) {
  const Model model = load("arm7");
  Batch batch(model, {.threads = 1});
  std::vector<double> x(42), y(41), M(6 * 49);
  auto message = [&](auto&& call) { return message_of([&] { (void)call(); }); };
  EXPECT_TRUE(mentions(message([&] { return batch.inverse_dynamics(6, x, y, x, x); }),
                       {"inverse_dynamics", "v", "41", "42", "6 states", "arm7", "7 each"}));
  EXPECT_TRUE(mentions(message([&] { return batch.mass_matrix(6, x, x); }),
                       {"mass_matrix", "M", "42", "294", "49 each"}));
  EXPECT_TRUE(mentions(message([&] { return batch.bias_forces(-1, x, x, x); }),
                       {"bias_forces", "count", "-1"}));
  EXPECT_TRUE(mentions(message([&] { return batch.jacobian(6, 99, Reference::world, x, M); }),
                       {"jacobian", "frame 99", "arm7", "model.frame"}));
  const std::vector<int> frames(99, 0);
  EXPECT_TRUE(mentions(message([&] { return batch.frame_poses(6, frames, x, M); }),
                       {"frame_poses", "99", "arm7"}));
  EXPECT_TRUE(mentions(message_of([&] { Batch(model, {.threads = -2}); }), {"threads", "-2"}));
}

TEST(BatchMessages, ARobotWithoutForwardDynamicsIsRefused) {
  Spec spec = generate_chain(2);
  spec.add_body("ghost", 0);
  spec.add_joint("loose", JointKind::revolute, spec.bodies[0].name, "ghost");
  const Model model = build(spec);
  ASSERT_FALSE(model.singular_reason.empty());
  Batch batch(model, {.threads = 1});
  std::vector<double> x(3), M(9);
  EXPECT_TRUE(mentions(message_of([&] { (void)batch.forward_dynamics(1, x, x, x, x); }),
                       {"forward dynamics", model.singular_reason}));
  EXPECT_TRUE(mentions(
      message_of([&] { (void)batch.forward_dynamics_tangent_derivatives(1, x, x, x, x, M, M, M); }),
      {"forward dynamics", model.singular_reason}));
  EXPECT_TRUE(batch.inverse_dynamics(1, x, x, x, x).good());
}

TEST(BatchOptions, TakeTheMachineAsItIs) {
  const Model model = load("arm7");
  Batch batch(model);
  EXPECT_GE(batch.threads(), 1);
  EXPECT_EQ(batch.instruction_set(), available_instruction_sets().back());
  EXPECT_EQ(FloatBatch(model, {.threads = 1}).lanes(), 2 * batch.lanes());
  Batch moved = std::move(batch);
  EXPECT_GE(moved.lanes(), 2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
