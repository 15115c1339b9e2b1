// States without finite results: how many, and which is the first, wherever in a long batch and by
// whichever thread they are found.
#include "batch/batch_support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr long count = 5000;  // many tiles, for all threads

// forward dynamics of random states, of which some have a torque that is no number
BatchStatus status_of(Batch& batch, const Model& m, Layout layout, const std::vector<long>& bad) {
  const auto size = static_cast<std::size_t>(count * m.nv);
  std::vector<double> q(size, 0.1), v(size, 0.2), tau(size, 0.3), a(size);
  for (const long i : bad) tau[place(layout, count, m.nv, i, m.nv - 1)] = NAN;
  const BatchStatus status = batch.forward_dynamics(count, q, v, tau, a, layout);
  for (long i = 0; i < count; ++i) {
    const bool is_bad = std::find(bad.begin(), bad.end(), i) != bad.end();
    EXPECT_EQ(std::isfinite(a[place(layout, count, m.nv, i, 0)]), !is_bad) << i;
  }
  return status;
}

TEST(BadStates, AreCountedAndTheFirstIsTold) {
  const Model m = load("double_pendulum");
  for (const int threads : {1, 4}) {
    BatchOptions options;
    options.threads = threads;
    Batch batch(m, options);
    for (const Layout layout : every_layout)
      for (const std::vector<long>& bad :
           {std::vector<long>{4711}, {0}, {count - 1}, {70, 1234, 4000, 4711}, {3000, 2999}}) {
        const BatchStatus status = status_of(batch, m, layout, bad);
        EXPECT_EQ(status.bad_count, static_cast<long>(bad.size()));
        EXPECT_EQ(status.first_bad, *std::min_element(bad.begin(), bad.end()));
      }
    EXPECT_EQ(status_of(batch, m, Layout::by_state, {}).first_bad, -1);
  }
}

// threads find them in any order
TEST(BadStates, OfManyThreadsTheFirstIsTold) {
  const Model m = load("double_pendulum");
  BatchOptions options;
  options.threads = 4;
  Batch batch(m, options);
  std::vector<long> bad;
  for (long i = 33; i < count; i += 97) bad.push_back(i);
  for (int round = 0; round < 30; ++round) {
    const BatchStatus status = status_of(batch, m, Layout::by_state, bad);
    EXPECT_EQ(status.bad_count, static_cast<long>(bad.size()));
    EXPECT_EQ(status.first_bad, 33);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
