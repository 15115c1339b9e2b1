#include <limber/reference/stacked.hpp>

#include "reference/input.hpp"
#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

// six numbers of a stack from `start` on
template <template <class> class V, class T>
void put(std::vector<T>& stack, int start, const V<T>& x) {
  for (int k = 0; k < 3; ++k) {
    stack[at_index(start + k)] = x.angular[k];
    stack[at_index(start + 3 + k)] = x.linear[k];
  }
}
template <class T>
Motion<T> motion_at(const std::vector<T>& stack, int start) {
  const T* x = stack.data() + start;
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
// a spatial vector as column `column` from row `row` on
template <template <class> class V, class T>
void put_column(Matrix<T>& A, int row, int column, const V<T>& x) {
  for (int k = 0; k < 3; ++k) {
    A(row + k, column) = x.angular[k];
    A(row + 3 + k, column) = x.linear[k];
  }
}

template <class T>
Matrix<T> parent_matrix(const Tree<T>& t) {
  const int rows = 6 * (static_cast<int>(t.bodies.size()) - 1);
  Matrix<T> P(rows, rows);
  for (int i = 1; i < static_cast<int>(t.bodies.size()); ++i)
    for (int k = 0, p = t.bodies[at_index(i)].parent; p > 0 && k < 6; ++k)
      P(6 * (i - 1) + k, 6 * (p - 1) + k) = T(1);
  return P;
}

// (1 − P)⁻¹ by forward substitution: P is strictly lower triangular
template <class T>
Matrix<T> tree_matrix(const Matrix<T>& P) {
  Matrix<T> D(P.rows, P.rows);
  for (int i = 0; i < P.rows; ++i) {
    D(i, i) = T(1);
    for (int j = 0; j < i; ++j)
      for (int k = 0; k <= j; ++k) D(i, k) += P(i, j) * D(j, k);
  }
  return D;
}

template <class T>
void add_bodies(const Tree<T>& t, StackedForm<T>& form) {
  const int rows = form.P.rows;
  form.s = Matrix<T>(rows, static_cast<int>(t.S.size()));
  form.I = Matrix<T>(rows, rows);
  for (int i = 1; i < static_cast<int>(t.bodies.size()); ++i) {
    const TreeBody<T>& body = t.bodies[at_index(i)];
    const int row = 6 * (i - 1);
    for (int k = body.first; k < body.first + body.count; ++k)
      put_column(form.s, row, k, t.S[at_index(k)]);
    for (int k = 0; k < 6; ++k) {
      Motion<T> unit;
      (k < 3 ? unit.angular : unit.linear)[k % 3] = T(1);
      put_column(form.I, row, row + k, body.I * unit);
    }
  }
}

// v = Δ s q̇, (16), a moving base entering at its children; then κ and p of every body
template <class T>
void add_motion(const Tree<T>& t, StackedForm<T>& form) {
  const std::vector<T> relative = form.s * t.v;
  std::vector<T> relative_and_base = relative;
  const int n = static_cast<int>(t.bodies.size());
  for (int i = 1; i < n; ++i)
    if (t.bodies[at_index(i)].parent == 0)
      put(relative_and_base, 6 * (i - 1), motion_at(relative, 6 * (i - 1)) + t.base_velocity);
  form.v = form.Delta * relative_and_base;
  form.kappa.resize(relative_and_base.size());
  form.p.resize(relative_and_base.size());
  for (int i = 1; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[at_index(i)];
    const int row = 6 * (i - 1);
    const Motion<T> v = motion_at(form.v, row);
    const Motion<T> c = cross(v, motion_at(relative, row)) + body.bias;
    put(form.kappa, row, body.parent == 0 ? c + t.base_acceleration : c);
    put(form.p, row, bias_force(body, v));
  }
}

}  // namespace

template <class T>
StackedForm<T> stacked_form(const Tree<T>& t) {
  StackedForm<T> form;
  form.name = t.name;
  form.P = parent_matrix(t);
  form.Delta = tree_matrix(form.P);
  add_bodies(t, form);
  add_motion(t, form);
  const Matrix<T> outer = transpose(form.Delta), columns = transpose(form.s);
  form.Ic = outer * form.I * form.Delta;
  form.pc = outer * form.p;
  Matrix<T> A = columns * form.Ic * form.s;
  for (int k = 0; k < A.rows; ++k) A(k, k) += t.armature[at_index(k)];
  std::vector<T> load = form.Ic * form.kappa;
  for (std::size_t k = 0; k < load.size(); ++k) load[k] += form.pc[k];
  form.A = fold(t, A);
  form.b = fold(t, columns * load);
  return form;
}

template <class T>
std::vector<T> inverse_dynamics(const StackedForm<T>& form, In<T> a) {
  check_input<T>("a", a, form.A.rows, form.name);
  std::vector<T> tau = form.A * std::vector<T>(a.begin(), a.end());
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += form.b[k];
  return tau;
}

template <class T>
std::vector<T> forward_dynamics(const StackedForm<T>& form, In<T> tau) {
  check_input<T>("tau", tau, form.A.rows, form.name);
  std::vector<T> x(tau.begin(), tau.end());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= form.b[k];
  Ldlt<T>(form.A, "stacked form of robot '" + form.name + "'").solve(x);
  return x;
}

#define LIMBER_REFERENCE_STACKED(T)                                       \
  template StackedForm<T> stacked_form(const Tree<T>&);                   \
  template std::vector<T> inverse_dynamics(const StackedForm<T>&, In<T>); \
  template std::vector<T> forward_dynamics(const StackedForm<T>&, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_STACKED)

}  // namespace limber::reference
