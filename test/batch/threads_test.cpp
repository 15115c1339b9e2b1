// Every function of a batch on several threads has the bits that one thread gives. For double
// alone: this file is also run under the sanitizers.
#include "batch/batch_support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// All results, one after the other.
std::vector<double> all_results(const Model& model, const States& s, int threads, Layout layout) {
  Batch batch(model, {.threads = threads});
  const long n = s.count;
  const int nv = s.nv;
  const std::vector<double> q = arranged<double>(s.q, s.nq, n, layout),
                            v = arranged<double>(s.v, nv, n, layout),
                            a = arranged<double>(s.a, nv, n, layout),
                            tau = arranged<double>(s.tau, nv, n, layout);
  const std::vector<int> frames{static_cast<int>(model.frames.size()) - 1, 0};
  std::vector<double> all(static_cast<std::size_t>(n * (4 * nv + 7 * nv * nv + 24 + 6 * nv)));
  std::span<double> rest(all);
  auto next = [&](int width) {
    const std::span<double> part = rest.first(static_cast<std::size_t>(n * width));
    rest = rest.subspan(part.size());
    return part;
  };
  auto matrix_of = [&] { return next(nv * nv); };
  auto good = [](const BatchStatus& status) { EXPECT_TRUE(status.good()); };
  good(batch.inverse_dynamics(n, q, v, a, next(nv), layout));
  good(batch.bias_forces(n, q, v, next(nv), layout));
  good(batch.mass_matrix(n, q, matrix_of(), layout));
  good(batch.forward_dynamics(n, q, v, tau, next(nv), layout));
  good(batch.frame_poses(n, frames, q, next(24), layout));
  good(batch.jacobian(n, frames[0], Reference::world_aligned, q, next(6 * nv), layout));
  std::span<double> A = matrix_of(), B = matrix_of(), C = matrix_of();
  good(batch.inverse_dynamics_tangent_derivatives(n, q, v, a, A, B, C, layout));
  A = matrix_of(), B = matrix_of(), C = matrix_of();
  good(batch.forward_dynamics_tangent_derivatives(n, q, v, tau, next(nv), A, B, C, layout));
  EXPECT_TRUE(rest.empty());
  return all;
}

TEST(BatchThreads, GiveTheBitsOfOneThread) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = build(random_spec(seed));
    const States states(model, 101);
    for (const Layout layout : every_layout)
      EXPECT_EQ(all_results(model, states, 3, layout), all_results(model, states, 1, layout));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
