#include <limber/model/workspace.hpp>

#include <algorithm>
#include <type_traits>

#include "model/checks.hpp"
#include "model/memory.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

// larger factors are made when they are needed
constexpr double most_entries_at_once = 1 << 20;

}  // namespace

template <class T>
BasicWorkspace<T>::BasicWorkspace(const BasicModel<T>& m) : model(m.identity) {
  check_built("Workspace", m);
  kinematics = motion = BasicAccelerations<T>(m);
  const auto bodies = static_cast<std::size_t>(m.bodies());
  const auto nv = static_cast<std::size_t>(m.nv), tree_nv = static_cast<std::size_t>(m.tree_nv);
  auto resize = [](std::size_t n, auto&... fields) { (fields.resize(n), ...); };
  resize(bodies, slide, X, w, a, load_v, load_g, load_inertia, gradient, f, centripetal, c, p, IA,
         Ic, loaded_Ic, Ic_W, h);
  angle = m.rest_angle;
  // whole vectors of angles: sincos_all() would take the rest of a vector one by one
  if constexpr (!std::is_class_v<T>) angle.resize((bodies + 7) / 8 * 8);
  resize(angle.size(), sine, cosine);
  resize(tree_nv, zeros, S, F, U, D_inverse, u, tree_tau);
  resize(nv, tau, acceleration, force);
  resize(6 * nv, J, A_G);
  if (m.has_mimic()) {
    resize(static_cast<std::size_t>(m.tree_nq), tree_q);
    resize(tree_nv, tree_v, tree_a);
    resize(6 * tree_nv, tree_J);
    resize(bodies, locked_inertia);
    resize(tree_nv, column_known, tree_force, tree_acceleration);
    D_inverse.assign(tree_nv, T(1));  // rotors that are locked are never eliminated
    resize(tree_nv + nv, pending);    // enough for other inertias of the same tree
  }
  if (TreePattern::entries(m.dof_parent) < most_entries_at_once) make_factor(m);
}

template <class T>
void BasicWorkspace<T>::make_factor(const BasicModel<T>& m) {
  factor = BasicTreeFactor<T>(m);
}

#define LIMBER_WORKSPACE(T) template struct BasicWorkspace<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_WORKSPACE)

}  // namespace limber
