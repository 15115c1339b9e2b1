// Operation counts of the MDH algorithms against [McM] tables 26, 28 and 30.
#include <limber/reference/mdh.hpp>

#include <gtest/gtest.h>

namespace limber::test {
namespace {

std::vector<Counted> variables(int n, double offset) {
  std::vector<Counted> x;
  for (int i = 0; i < n; ++i) x.push_back(Counted::variable(0.3 * i + offset));
  return x;
}

// what the result of f needs, for the chain of n revolute links
template <class F>
OperationCount needed(int n, F&& f) {
  const auto q = variables(n, 0.1), v = variables(n, 0.5), x = variables(n, 0.7);
  const reference::MdhChain chain = reference::mdh_test_chain(n);
  Counted::start();
  const std::vector<Counted> result = f(chain, q, v, x);
  return Counted::needed_for(result);
}

TEST(MdhCounts, Print) {
  for (int n = 2; n <= 8; ++n) {
    auto id = needed(n, [](auto& c, auto& q, auto& v, auto& a) { return reference::mdh_inverse_dynamics<Counted>(c, q, v, a); });
    auto h = needed(n, [](auto& c, auto& q, auto&, auto&) { return reference::mdh_inertia_matrix<Counted>(c, q).data; });
    auto fd = needed(n, [](auto& c, auto& q, auto& v, auto& a) { return reference::mdh_forward_dynamics<Counted>(c, q, v, a); });
    printf("%d: id %ld %ld (%d %d)  h %ld %ld (%d %d) fd %ld %ld (%d %d)\n", n, id.multiplications-(94*n-105), id.additions-(82*n-92), 94*n-105, 82*n-92, h.multiplications-(10*n*n+9*n-25), h.additions-(6*n*n+34*n-50), 0,0, fd.multiplications-(224*n-254), fd.additions-(205*n-241),0,0);
  }
}

}  // namespace
}  // namespace limber::test
