// Batches with a robot's own machine code against the ordinary calls.

#include <limber/batch/batch.hpp>
#include <limber/io/load.hpp>

#include "batch/batch_support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using CompiledBatch = WithOwnCache;

template <class T>
void expect_dynamics(Robot& r, const BatchOptions& options, double tolerance) {
  constexpr long n = 205;  // no multiple of any number of lanes
  const States states(r.model, n);
  const int nq = r.model.nq, nv = r.model.nv;
  BasicBatch<T> batch(r.model, options);
  for (const Layout layout : every_layout) {
    auto in = [&](const std::vector<double>& x, int width) {
      return arranged<T>(x, width, n, layout);
    };
    std::vector<T> tau(static_cast<std::size_t>(n * nv)), a(tau);
    EXPECT_TRUE(
        batch.inverse_dynamics(n, in(states.q, nq), in(states.v, nv), in(states.a, nv), tau, layout)
            .good());
    EXPECT_TRUE(
        batch.forward_dynamics(n, in(states.q, nq), in(states.v, nv), in(states.tau, nv), a, layout)
            .good());
    for (long i = 0; i < n; ++i) {
      const auto q = states.of(states.q, nq, i), v = states.of(states.v, nv, i);
      ASSERT_TRUE(near(state_of(tau, nv, n, layout, i),
                       matrix(inverse_dynamics(r.model, q, v, states.of(states.a, nv, i), r.ws)),
                       tolerance));
      ASSERT_TRUE(near(state_of(a, nv, n, layout, i),
                       matrix(forward_dynamics(r.model, q, v, states.of(states.tau, nv, i), r.ws)),
                       tolerance));
    }
  }
}

TEST_F(CompiledBatch, AgreesWithTheLibrary) {
  Robot r(load_spec("double_pendulum"));
  CompileOptions wanted;
  wanted.numbers = KernelNumbers::double_and_float;
  BatchOptions options;
  options.threads = 2;
  options.compiled = compile(r.model, wanted);
  EXPECT_EQ(options.compiled->notice(), "");
  expect_dynamics<double>(r, options, 1e-12);
  expect_dynamics<float>(r, options, 1e-4);
}

TEST_F(CompiledBatch, BadStatesAreReported) {
  const Model model = load("pendulum");
  BatchOptions options;
  options.compiled = compile(model);
  Batch batch(model, options);
  std::vector<double> q{0.1, NAN, 0.3}, v(3), a(3), tau(3);
  const BatchStatus status = batch.inverse_dynamics(3, q, v, a, tau);
  EXPECT_EQ(status.bad_count, 1);
  EXPECT_EQ(status.first_bad, 1);
}

TEST_F(CompiledBatch, CodeOfSomethingElseIsRefused) {
  setenv("CXX", "/no/such/compiler", 1);
  const Model model = load("double_pendulum");
  auto refusal = [&](const CompiledRobot& compiled, Passive passive) {
    BatchOptions options;
    options.compiled = compiled;
    options.passive = passive;
    return message_of([&] { Batch batch(model, options); });
  };
  CompileOptions free;
  free.function.parameters = {free_parameter("gravity")};
  EXPECT_TRUE(mentions(refusal(compile(load("pendulum")), {}), {"not that of robot"}));
  EXPECT_TRUE(mentions(refusal(compile(model, free), {}), {"free parameters"}));
  EXPECT_TRUE(mentions(refusal(compile(model), Passive::included), {"passive forces"}));
  EXPECT_EQ(refusal(compile(model), Passive::left_out), no_error);  // the recursions do it
  unsetenv("CXX");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
