#include <limber/reference/mass_matrix.hpp>

#include <algorithm>

#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

template <class T>
std::vector<T> inertia_times(const Tree<T>& t, In<T> u) {
  const std::vector<T> qdd = unfold(t, u, "u");
  const std::size_t n = t.bodies.size();
  std::vector<Motion<T>> a(n);
  std::vector<Force<T>> f(n);
  std::vector<T> tau(t.S.size());
  for (std::size_t i = 1; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[i];
    a[i] = a[at_index(body.parent)] + joint_motion(t, body, qdd);
    f[i] = body.I * a[i];
  }
  for (std::size_t i = n; i-- > 1;) {
    const TreeBody<T>& body = t.bodies[i];
    for (int k = body.first; k < body.first + body.count; ++k)
      tau[at_index(k)] = dot(t.S[at_index(k)], f[i]) + t.armature[at_index(k)] * qdd[at_index(k)];
    if (body.parent != 0) f[at_index(body.parent)] += f[i];
  }
  return fold(t, tau);
}

template <class T>
Matrix<T> walker_orin_1(const Tree<T>& t) {
  Matrix<T> H(t.nv, t.nv);
  for (int i = 0; i < t.nv; ++i) {
    std::vector<T> unit(at_index(t.nv));
    unit[at_index(i)] = T(1);
    const std::vector<T> column = inertia_times<T>(t, unit);
    for (int j = 0; j < t.nv; ++j) H(j, i) = column[at_index(j)];
  }
  return H;
}

template <class T>
Matrix<T> walker_orin_2(const Tree<T>& t) {
  const int columns = static_cast<int>(t.S.size());
  Matrix<T> H(columns, columns);
  // a unit acceleration of column k, which belongs to `mover`: only what it carries moves
  auto add_column = [&](std::size_t mover, int k) {
    const std::size_t n = t.bodies.size();
    std::vector<Force<T>> f(n);
    std::vector<bool> carried(n, false);
    for (std::size_t i = mover; i < n; ++i) {
      carried[i] = i == mover || carried[at_index(t.bodies[i].parent)];
      if (carried[i]) f[i] = t.bodies[i].I * t.S[at_index(k)];
    }
    for (std::size_t i = n; i-- > mover;) {
      if (!carried[i]) continue;
      const TreeBody<T>& body = t.bodies[i];
      for (int l = std::max(k, body.first); l < body.first + body.count; ++l)
        H(l, k) = H(k, l) = dot(t.S[at_index(l)], f[i]);
      if (i != mover) f[at_index(body.parent)] += f[i];
    }
    H(k, k) += t.armature[at_index(k)];
  };
  for (std::size_t i = 1; i < t.bodies.size(); ++i)
    for (int k = t.bodies[i].first; k < t.bodies[i].first + t.bodies[i].count; ++k)
      add_column(i, k);
  return fold(t, H);
}

template <class T>
Matrix<T> walker_orin_3(const Tree<T>& t) {
  const int columns = static_cast<int>(t.S.size());
  Matrix<T> H(columns, columns);
  const std::vector<Inertia<T>> Ic = composite_inertias(t);  // (5.7)
  for (std::size_t i = 1; i < t.bodies.size(); ++i)
    for (int k = t.bodies[i].first; k < t.bodies[i].first + t.bodies[i].count; ++k) {
      const Force<T> f = Ic[i] * t.S[at_index(k)];  // (5.8)
      // (5.9), (7.9): this joint's own columns up to k, then those of all that carry it
      for (int l = t.bodies[i].first; l <= k; ++l) H(l, k) = H(k, l) = dot(t.S[at_index(l)], f);
      for (int j = t.bodies[i].parent; j > 0; j = t.bodies[at_index(j)].parent)
        for (int l = t.bodies[at_index(j)].first;
             l < t.bodies[at_index(j)].first + t.bodies[at_index(j)].count; ++l)
          H(l, k) = H(k, l) = dot(t.S[at_index(l)], f);
      H(k, k) += t.armature[at_index(k)];
    }
  return fold(t, H);
}

#define LIMBER_REFERENCE_MASS_MATRIX(T)                         \
  template std::vector<T> inertia_times(const Tree<T>&, In<T>); \
  template Matrix<T> walker_orin_1(const Tree<T>&);             \
  template Matrix<T> walker_orin_2(const Tree<T>&);             \
  template Matrix<T> walker_orin_3(const Tree<T>&);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_MASS_MATRIX)

}  // namespace limber::reference
