// The explicit form H, C_ijk, g of the equations of motion. [RDA] (4.1)
#include <limber/reference/mass_matrix.hpp>
#include <limber/reference/inverse_dynamics.hpp>

#include "reference/input.hpp"
#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

template <class T>
bool is_zero(const Motion<T>& v) {
  auto zero = [](const Vec3<T>& x) { return x.x == T(0) && x.y == T(0) && x.z == T(0); };
  return zero(v.angular) && zero(v.linear);
}

// the sum over all i for one pair of columns j ≤ k at a time
template <class T>
struct Coefficients {
  const BasicModel<T>& m;
  const Tree<T>& t;
  const std::vector<Inertia<T>> Ic;
  const std::vector<Matrix<Motion<T>>> own;  // D_jk within one joint, body axes
  ExplicitForm<T>& form;

  // D_jk: column j carries column k or belongs to the same joint
  Motion<T> derivative(int j, int k) const {
    const int b = m.column_body[at_index(k)], first = m.v_index[at_index(b)];
    if (m.column_body[at_index(j)] != b) return cross(t.S[at_index(j)], t.S[at_index(k)]) * T(0.5);
    return t.bodies[at_index(b)].X * own[at_index(b)](j - first, k - first);
  }
  // adds to C_ijk and C_ikj, mimic joints folded
  void add(int i, int j, int k, const T& value) {
    const Fold<T>&fi = m.v_fold[at_index(i)], &fj = m.v_fold[at_index(j)],
          &fk = m.v_fold[at_index(k)];
    const T folded = fi.ratio * fj.ratio * fk.ratio * value;
    auto entry = [&](int a, int b, int c) -> T& {
      return form.C[at_index((a * m.nv + b) * m.nv + c)];
    };
    entry(fi.index, fj.index, fk.index) += folded;
    if (j != k) entry(fi.index, fk.index, fj.index) += folded;
  }
  void add_pair(int j, int k) {
    const Motion<T> D = derivative(j, k);
    const int outer = m.column_body[at_index(k)];
    for (int r = outer; r < m.subtree_end[at_index(outer)]; ++r) {
      const Motion<T>&Sj = t.S[at_index(j)], &Sk = t.S[at_index(k)];
      const Force<T> f =
          Ic[at_index(r)] * D +
          (cross(Sj, Ic[at_index(r)] * Sk) + cross(Sk, Ic[at_index(r)] * Sj)) * T(0.5);
      // r is the outermost: i is a column of r or, if r belongs to k, of anything that carries it
      for (int i = r == outer ? 0 : m.v_index[at_index(r)];
           i < m.v_index[at_index(r)] + m.v_count[at_index(r)]; ++i)
        if (m.supports(m.column_body[at_index(i)], r)) add(i, j, k, dot(t.S[at_index(i)], f));
    }
  }
};

}  // namespace

template <class T>
ExplicitForm<T> explicit_form(const BasicModel<T>& m, In<T> q, const Loads<T>& loads) {
  if (!is_zero(loads.base_velocity))
    throw Error("explicit_form: the base of robot '" + m.name +
                "' moves, but the form H, C, g has no place for its velocity; use "
                "absolute_inverse_dynamics()");
  const std::vector<T> at_rest(at_index(m.nv));
  const Tree<T> t = tree_at<T>(m, q, at_rest, loads);
  ExplicitForm<T> form;
  form.name = m.name;
  form.H = walker_orin_3(t);
  form.g = absolute_inverse_dynamics<T>(t, at_rest);
  form.C.resize(at_index(m.nv) * at_index(m.nv) * at_index(m.nv));
  Coefficients<T> sum{m, t, composite_inertias(t), bias_coefficients<T>(m, q), form};
  for (int k = 0; k < m.tree_nv; ++k)
    for (int j = 0; j <= k; ++j)
      if (m.supports(m.column_body[at_index(j)], m.column_body[at_index(k)])) sum.add_pair(j, k);
  return form;
}

template <class T>
std::vector<T> inverse_dynamics(const ExplicitForm<T>& form, In<T> v, In<T> a) {
  const int n = form.size();
  check_input<T>("v", v, n, form.name);
  check_input<T>("a", a, n, form.name);
  std::vector<T> Q = form.g;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T sum = form.H(i, j) * a[at_index(j)];
      for (int k = 0; k < n; ++k)
        sum += form.coefficient(i, j, k) * v[at_index(j)] * v[at_index(k)];
      Q[at_index(i)] += sum;
    }
  return Q;
}

#define LIMBER_REFERENCE_EXPLICIT_FORM(T)                                               \
  template ExplicitForm<T> explicit_form(const BasicModel<T>&, In<T>, const Loads<T>&); \
  template std::vector<T> inverse_dynamics(const ExplicitForm<T>&, In<T>, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_EXPLICIT_FORM)

}  // namespace limber::reference
