#include <limber/dynamics/linearization.hpp>

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "dynamics/joints.ipp"
#include "dynamics/symmetric_factor.hpp"
#include "model/joint_partials.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// How a step δ of a joint's position changes with time at constant velocities, δ̇ = K δ: from
/// S δ̇ = ∂_δ S v − S° δ − (S v) ×̂ S δ, which is zero when v is the derivative of q. `K` is row by
/// row.
template <class T>
void step_rates(const BasicModel<T>& m, int i, const T* q, const T* v, BasicWorkspace<T>& ws,
                std::array<T, 36>& K) {
  const auto b = at_index(i), nv = at_index(m.v_count[b]);
  const int first = m.v_index[b];
  std::array<Motion<T>, 6> S;
  with_joint(m, ws, i, [&](const auto& joint) {
    joint.place(q);
    joint.for_columns([&](const auto& column, int k) {
      S[at_index(k - first)] = {};
      S[at_index(k - first)] += column * T(1);
    });
  });
  JointPartials<T> d;
  joint_partials(m, i, q, v, S.data(), d);
  Motion<T> velocity;
  for (std::size_t l = 0; l < nv; ++l) velocity += S[l] * v[at_index(first) + l];
  // normal equations of S K_k = r_k; a remainder means that the step leaves the joint's velocities
  std::array<T, 36> G;
  for (std::size_t j = 0; j < nv; ++j)
    for (std::size_t l = 0; l < nv; ++l)
      G[6 * j + l] = dot(S[j].angular, S[l].angular) + dot(S[j].linear, S[l].linear);
  const bool independent = factorize_symmetric(G.data(), nv, 6, T(1e-12)) == nv;
  for (std::size_t k = 0; k < nv; ++k) {
    Motion<T> r = -cross(velocity, S[k]);
    for (std::size_t l = 0; l < nv; ++l) r += (d.S[l][k] - d.S[k][l]) * v[at_index(first) + l];
    std::array<T, 6> x;
    for (std::size_t j = 0; j < nv; ++j)
      x[j] = dot(S[j].angular, r.angular) + dot(S[j].linear, r.linear);
    if (independent) solve_symmetric(G.data(), nv, 6, x.data());
    Motion<T> rest = r;
    for (std::size_t l = 0; l < nv; ++l) {
      rest -= S[l] * x[l];
      K[6 * l + k] = x[l];
    }
    const T size = dot(r.angular, r.angular) + dot(r.linear, r.linear);
    const T left = dot(rest.angular, rest.angular) + dot(rest.linear, rest.linear);
    if (!independent || (left > T(1e-16) * size && left > T(1e-24)))
      throw Error(fmt::format(
          "linearize: joint '{}' of robot '{}' is non-holonomic: its steps leave the directions of "
          "its velocities, so {} departures do not describe the state; linearise in coordinates of "
          "your own",
          m.joint_name[b], m.name, nv));
  }
}

}  // namespace

template <class T>
std::span<const T> linearize(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                             BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw, Out<T> A, Out<T> B,
                             const Loads<T>& loads) {
  const char* name = "linearize";
  const int n = m.nv;
  check_size(name, "A", A.size(), 4 * n * n, m.name);
  check_size(name, "B", B.size(), 2 * n * n, m.name);
  const ForwardDynamicsDerivatives<T> d =
      forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, loads);
  for (T& x : A) x = T(0);
  for (T& x : B) x = T(0);
  for (int i = 0; i < n; ++i) {
    A[at_index(2 * n * i + n + i)] = T(1);
    for (int j = 0; j < n; ++j) {
      A[at_index(2 * n * (n + i) + j)] = d.a_q(i, j);
      A[at_index(2 * n * (n + i) + n + j)] = d.a_v(i, j);
      B[at_index(n * (n + i) + j)] = d.a_tau(i, j);
    }
  }
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  for (int b = 1; b < m.bodies(); ++b) {
    const bool derivative_of_position =
        m.v_count[b] == m.q_count[b] && m.kind[b] != JointKind::custom;
    if (m.master[b] >= 0 || derivative_of_position) continue;
    std::array<T, 36> K;
    step_rates(m, b, tree_q, tree_v, ws, K);
    for (int j = 0; j < m.v_count[b]; ++j)
      for (int k = 0; k < m.v_count[b]; ++k) {
        const int row = m.v_fold[m.v_index[b] + j].index, column = m.v_fold[m.v_index[b] + k].index;
        A[at_index(2 * n * row + column)] = K[at_index(6 * j + k)];
      }
  }
  return d.a;
}
template <class T>
void linearize(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
               BasicMatrixWorkspace<T>& mw, Out<T> A, Out<T> B, Out<T> a, const Loads<T>& loads) {
  check_size("linearize", "a", a.size(), m.nv, m.name);
  const std::span<const T> result = linearize<T>(m, q, v, tau, ws, mw, A, B, loads);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = result[k];
}

#define LIMBER_LINEARIZATION(T)                                                               \
  template std::span<const T> linearize(const BasicModel<T>&, In<T>, In<T>, In<T>,            \
                                        BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, Out<T>, \
                                        Out<T>, const Loads<T>&);                             \
  template void linearize(const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&,      \
                          BasicMatrixWorkspace<T>&, Out<T>, Out<T>, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_LINEARIZATION)

}  // namespace limber
