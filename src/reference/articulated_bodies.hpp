#pragma once
// What the articulated-body formulations share: the small matrix of one joint. [RDA] (7.19)
#include "reference/passes.hpp"

namespace limber::reference {

/// Articulated bodies join one joint after the other: none may depend on another.
template <class T>
void refuse_mimic(const Tree<T>& t, const char* function) {
  if (static_cast<int>(t.S.size()) != t.nv)
    throw Error(std::string(function) + ": robot '" + t.name +
                "' has mimic joints, which tie joints of the tree together; use "
                "forward_dynamics_by_inertia_matrix()");
}

/// Iᴬ S, one force for each column of the joint. (6.47)
template <class T>
std::vector<Force<T>> column_forces(const Tree<T>& t, const TreeBody<T>& body,
                                    const ArticulatedInertia<T>& IA) {
  std::vector<Force<T>> h;
  for (int k = body.first; k < body.first + body.count; ++k) h.push_back(IA * t.S[at(k)]);
  return h;
}

/// Sᵀ f of one joint.
template <class T>
std::vector<T> along_columns(const Tree<T>& t, const TreeBody<T>& body, const Force<T>& f) {
  std::vector<T> x;
  for (int k = body.first; k < body.first + body.count; ++k) x.push_back(dot(t.S[at(k)], f));
  return x;
}

/// Sᵀ Iᴬ S with the rotors on its diagonal, factored. (6.48)
template <class T>
Ldlt<T> joint_inertia(const Tree<T>& t, const TreeBody<T>& body, const std::vector<Force<T>>& h) {
  Matrix<T> d(body.count, body.count);
  for (int k = 0; k < body.count; ++k) {
    for (int l = k; l < body.count; ++l) d(l, k) = dot(t.S[at(body.first + k)], h[at(l)]);
    d(k, k) += t.armature[at(body.first + k)];
  }
  return Ldlt<T>(d, "joint '" + body.joint + "' of robot '" + t.name + "'");
}

/// Iᴬ − h d⁻¹ hᵀ: with d = L D Lᵀ that is Iᴬ − Σ g_k g_kᵀ / D_k, g = L⁻¹ h. (6.37), (7.19)
template <class T>
ArticulatedInertia<T> reduced(ArticulatedInertia<T> IA, const Ldlt<T>& d, std::vector<Force<T>> h) {
  d.solve_lower(h);
  for (int k = 0; k < static_cast<int>(h.size()); ++k)
    eliminate(IA, h[at(k)], h[at(k)] * (T(1) / d.pivot(k)));
  return IA;
}

/// h x: Σ h_k x_k
template <class T>
Force<T> combined(const std::vector<Force<T>>& h, const std::vector<T>& x) {
  Force<T> sum;
  for (std::size_t k = 0; k < h.size(); ++k) sum += h[k] * x[k];
  return sum;
}

}  // namespace limber::reference
