// The two methods for two arms. [McM] §4.6
#include <limber/constraint/arm_rivals.hpp>

#include "constraint/arm_matrix.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
std::array<T, 6> difference(const std::array<T, 6>& a, const std::array<T, 6>& b) {
  std::array<T, 6> r;
  for (std::size_t i = 0; i < 6; ++i) r[i] = a[i] - b[i];
  return r;
}

template <class T>
Small6<T> inverse_of(Small6<T> A) {
  factorize_small(A, 6, {});
  return inverse_small(A, 6);
}

}  // namespace

template <class T>
void dual_arm_method_1(DualArm<T>& d) {
  const Small6<T> Lambda_1 = inverse_of(d.mobility_1), Lambda_2 = inverse_of(d.mobility_2);
  const std::array<T, 6> g_1 = times(Lambda_1, 6, d.x_1), g_2 = times(Lambda_2, 6, d.x_2);
  Small6<T> K;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) K(i, j) = Lambda_1(i, j) + Lambda_2(i, j);
    K(i, i) += d.inertia[at_index(i)];
    d.a[at_index(i)] = d.force[at_index(i)] + g_1[at_index(i)] + g_2[at_index(i)];
  }
  factorize_small(K, 6, {});
  solve_small(K, 6, d.a);
  d.f_1 = times(Lambda_1, 6, difference(d.x_1, d.a));
  d.f_2 = times(Lambda_2, 6, difference(d.x_2, d.a));
}

// With W = I⁻¹, constant and diagonal, and b_k = x_k − W force:
//   (Λ₁⁻¹ + W) f_1 + W f_2 = b_1,   W f_1 + (Λ₂⁻¹ + W) f_2 = b_2,
// of which the first block is always regular. (4.16)-(4.19)
template <class T>
void dual_arm_method_2(DualArm<T>& d) {
  std::array<T, 6> W, b_1, b_2;
  Small6<T> S_1 = d.mobility_1;
  for (int i = 0; i < 6; ++i) {
    const auto k = at_index(i);
    W[k] = T(1) / d.inertia[k];
    const T own = W[k] * d.force[k];
    b_1[k] = d.x_1[k] - own, b_2[k] = d.x_2[k] - own;
    S_1(i, i) += W[k];
  }
  const Small6<T> R = inverse_of(S_1);
  const std::array<T, 6> first = times(R, 6, b_1);
  Small6<T> S;  // Λ₂⁻¹ + W − W R W
  for (int i = 0; i < 6; ++i) {
    const T Wi = W[at_index(i)];
    for (int j = 0; j <= i; ++j)
      S(i, j) = S(j, i) = d.mobility_2(i, j) - (Wi * W[at_index(j)]) * R(i, j);
    S(i, i) += Wi;
    d.f_2[at_index(i)] = b_2[at_index(i)] - Wi * first[at_index(i)];
  }
  std::array<int, 6> order;
  std::array<T, 6> scale;
  const PivotedSystem<T> system{S.entries.data(), 6, 6, order.data(), scale.data()};
  const int rank = system.factorize(T(dependent_rows<T>));
  d.indeterminate = 6 - rank;
  system.solve(rank, d.f_2.data());
  std::array<T, 6> W_f;
  for (std::size_t i = 0; i < 6; ++i) W_f[i] = W[i] * d.f_2[i];
  d.f_1 = difference(first, times(R, 6, W_f));
  for (std::size_t i = 0; i < 6; ++i) d.a[i] = W[i] * (d.force[i] + d.f_1[i]) + W_f[i];
}

#define LIMBER_ARM_DUAL(T)                      \
  template void dual_arm_method_1(DualArm<T>&); \
  template void dual_arm_method_2(DualArm<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARM_DUAL)

}  // namespace limber
