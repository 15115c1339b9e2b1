#pragma once
// What the articulated-body formulations share: the small matrix of one joint, [RDA] (7.19), and
// the passes with common sub-expressions.
#include "reference/passes.hpp"

namespace limber::reference {

/// Articulated bodies join one joint after the other: none may depend on another.
template <class T>
void refuse_mimic(const Tree<T>& t, const char* function) {
  if (static_cast<int>(t.S.size()) != t.nv)
    throw Error(std::string(function) + ": robot '" + t.name +
                "' has mimic joints, which tie joints of the tree together; use "
                "forward_dynamics_by_mass_matrix()");
}

/// Iᴬ S, one force for each column of the joint. (6.47)
template <class T>
std::vector<Force<T>> column_forces(const Tree<T>& t, const TreeBody<T>& body,
                                    const ArticulatedInertia<T>& IA) {
  std::vector<Force<T>> h;
  for (int k = body.first; k < body.first + body.count; ++k) h.push_back(IA * t.S[at_index(k)]);
  return h;
}

/// Sᵀ f of one joint.
template <class T>
std::vector<T> along_columns(const Tree<T>& t, const TreeBody<T>& body, const Force<T>& f) {
  std::vector<T> x;
  for (int k = body.first; k < body.first + body.count; ++k) x.push_back(dot(t.S[at_index(k)], f));
  return x;
}

/// Sᵀ Iᴬ S with the rotors on its diagonal, factored. (6.48)
template <class T>
Ldlt<T> joint_inertia(const Tree<T>& t, const TreeBody<T>& body, const std::vector<Force<T>>& h) {
  Matrix<T> d(body.count, body.count);
  for (int k = 0; k < body.count; ++k) {
    for (int l = k; l < body.count; ++l)
      d(l, k) = dot(t.S[at_index(body.first + k)], h[at_index(l)]);
    d(k, k) += t.armature[at_index(body.first + k)];
  }
  return Ldlt<T>(d, "joint '" + body.joint + "' of robot '" + t.name + "'");
}

/// Iᴬ − h d⁻¹ hᵀ: with d = L D Lᵀ that is Iᴬ − Σ g_k g_kᵀ / D_k, g = L⁻¹ h. (6.37), (7.19)
template <class T>
ArticulatedInertia<T> reduced(ArticulatedInertia<T> IA, const Ldlt<T>& d, std::vector<Force<T>> h) {
  d.solve_lower(h);
  for (int k = 0; k < static_cast<int>(h.size()); ++k)
    eliminate(IA, h[at_index(k)], h[at_index(k)] * (T(1) / d.pivot(k)));
  return IA;
}

/// h x: Σ h_k x_k
template <class T>
Force<T> combined(const std::vector<Force<T>>& h, const std::vector<T>& x) {
  Force<T> sum;
  for (std::size_t k = 0; k < h.size(); ++k) sum += h[k] * x[k];
  return sum;
}

/// The entries of tau that belong to one joint.
template <class T>
std::vector<T> own_forces(const TreeBody<T>& body, const std::vector<T>& tau) {
  return {tau.begin() + body.first, tau.begin() + body.first + body.count};
}
/// x −= y
template <class T>
void subtract(std::vector<T>& x, const std::vector<T>& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= y[k];
}

/// Articulated inertias and bias forces, and the sub-expressions that the accelerations need again.
template <class T>
struct Articulated {
  std::vector<Motion<T>> c;
  std::vector<ArticulatedInertia<T>> IA;
  std::vector<Force<T>> p;
  std::vector<std::vector<Force<T>>> h;
  std::vector<Ldlt<T>> d;
  std::vector<std::vector<T>> u;
};

/// The inward pass with common sub-expressions, through the joints of bodies n − 1, …, `first`.
/// [RDA] (6.46)-(6.53)
template <class T>
Articulated<T> articulated_inertias(const Tree<T>& t, const std::vector<T>& tau,
                                    std::size_t first) {
  const std::size_t n = t.bodies.size();
  Articulated<T> r;
  const auto [v, c] = velocities(t);  // (6.46), (6.50)
  r.c = c;
  r.IA.resize(n), r.p.resize(n), r.h.resize(n), r.d.resize(n), r.u.resize(n);
  for (std::size_t i = 1; i < n; ++i) {
    r.p[i] = bias_force(t.bodies[i], v[i]);  // (6.51)
    r.IA[i] = ArticulatedInertia<T>(t.bodies[i].I);
  }
  for (std::size_t i = n; i-- > first;) {
    const TreeBody<T>& body = t.bodies[i];
    r.h[i] = column_forces(t, body, r.IA[i]);  // (6.47)
    r.d[i] = joint_inertia(t, body, r.h[i]);   // (6.48)
    r.u[i] = own_forces(body, tau);            // (6.49)
    subtract(r.u[i], along_columns(t, body, r.p[i]));
    for (std::size_t k = 0; k < r.u[i].size(); ++k) r.u[i][k] -= dot(r.c[i], r.h[i][k]);
    if (body.parent == 0) continue;
    std::vector<T> x = r.u[i];
    r.d[i].solve(x);
    r.IA[at_index(body.parent)] += reduced(r.IA[i], r.d[i], r.h[i]);                // (6.52)
    r.p[at_index(body.parent)] += r.p[i] + r.IA[i] * r.c[i] + combined(r.h[i], x);  // (6.53)
  }
  return r;
}

/// The outward pass from body `first` on; the accelerations of the bodies before it are in `a`.
/// [RDA] (6.54), (6.55)
template <class T>
void accelerate(const Tree<T>& t, const Articulated<T>& bodies, std::size_t first,
                std::vector<Motion<T>>& a, std::vector<T>& qdd) {
  for (std::size_t i = first; i < t.bodies.size(); ++i) {
    const TreeBody<T>& body = t.bodies[i];
    std::vector<T> x = bodies.u[i];
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] -= dot(a[at_index(body.parent)], bodies.h[i][k]);
    bodies.d[i].solve(x);  // (6.55)
    for (std::size_t k = 0; k < x.size(); ++k) qdd[at_index(body.first) + k] = x[k];
    a[i] = a[at_index(body.parent)] + bodies.c[i] + joint_motion(t, body, qdd);  // (6.54)
  }
}

}  // namespace limber::reference
