// After set-up a batch allocates nothing, whatever is asked of it.
#include "batch/batch_support.hpp"
#include "support/counting_new.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

template <class T>
void expect_no_allocations(const Model& model, int threads) {
  BasicBatch<T> batch(model, {.threads = threads});
  const long n = 201;
  const States s(model, n);
  const int nv = model.nv;
  const std::vector<int> frames{static_cast<int>(model.frames.size()) - 1, 0};
  for (const Layout layout : every_layout) {
    const std::vector<T> q = arranged<T>(s.q, s.nq, n, layout), v = arranged<T>(s.v, nv, n, layout),
                         a = arranged<T>(s.a, nv, n, layout);
    auto results = [&](int width) { return std::vector<T>(static_cast<std::size_t>(n * width)); };
    std::vector<T> x = results(nv), A = results(nv * nv), B = A, C = A, J = results(6 * nv),
                   poses = results(24);
    EXPECT_EQ(allocations_in([&] {
                (void)batch.inverse_dynamics(n, q, v, a, x, layout);
                (void)batch.bias_forces(n, q, v, x, layout);
                (void)batch.mass_matrix(n, q, A, layout);
                (void)batch.forward_dynamics(n, q, v, a, x, layout);
                (void)batch.frame_poses(n, frames, q, poses, layout);
                (void)batch.jacobian(n, frames[0], Reference::body, q, J, layout);
                (void)batch.inverse_dynamics_tangent_derivatives(n, q, v, a, A, B, C, layout);
                (void)batch.forward_dynamics_tangent_derivatives(n, q, v, a, x, A, B, C, layout);
              }),
              0);
  }
}

TEST(BatchAllocation, NoneAfterSetUp) {
  for (const double mimic : {0.0, 0.7}) {
    RandomTreeOptions options;
    options.floating_base = true;
    options.mimic = mimic;
    const Model model = build(generate_tree(9, 77, options));
    for (const int threads : {1, 3}) {
      expect_no_allocations<double>(model, threads);
      expect_no_allocations<float>(model, threads);
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
