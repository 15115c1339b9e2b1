// What a batch refuses: absurd numbers of threads and states, a model that nobody built; and a team
// of more threads than the system gives.
#include <limits>

#include <sys/resource.h>

#include "batch/batch_support.hpp"
#include "parallel/thread_team.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(BatchMisuse, AbsurdNumbersOfThreads) {
  const Model model = build(generate_chain(2));
  for (const int threads :
       {-1, 1025, 1'000'000'000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    EXPECT_TRUE(mentions(message_of([&] { Batch(model, {.threads = threads}); }),
                         {"threads is " + std::to_string(threads), "0", "1024"}));
  EXPECT_GE(Batch(model, {.threads = 0}).threads(), 1);
  EXPECT_EQ(Batch(model, {.threads = 3}).threads(), 3);
}

TEST(BatchMisuse, CountsThatOverflow) {
  const Model model = build(generate_chain(4));
  Batch batch(model, {.threads = 1});
  std::vector<double> none, some(8);
  // four times this many numbers are none at all, modulo the largest size; or eight
  const long wraps = 1L << 62;
  for (const auto& [count, numbers] :
       {std::pair(wraps, &none), {wraps + 2, &some}, {-1L, &none}, {3L, &some}})
    EXPECT_TRUE(mentions(
        message_of([&, c = count, n = numbers] { (void)batch.bias_forces(c, *n, *n, *n); }),
        {"Batch::bias_forces", std::to_string(count)}));
  EXPECT_TRUE(batch.bias_forces(0, none, none, none).good());
  std::vector<double> tau(8);
  EXPECT_TRUE(batch.bias_forces(2, some, some, tau).good());
}

TEST(BatchMisuse, AModelThatNobodyBuilt) {
  EXPECT_TRUE(mentions(message_of([] { Batch{Model{}}; }), {"Batch", "build()"}));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(NDEBUG)
// memory for the stacks of some threads, but not of all: those that were started must end
TEST(BatchMisuse, MoreThreadsThanTheSystemGives) {
  const auto starve = [] {
    const rlimit little{rlim_t{600} << 20, rlim_t{600} << 20};
    setrlimit(RLIMIT_AS, &little);
    const std::string message = message_of([] { ThreadTeam(1000, [](int) {}); });
    const bool fine = message.find("1000 threads are needed") != std::string::npos;
    std::_Exit(fine ? 0 : 1);
  };
  EXPECT_EXIT(starve(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
