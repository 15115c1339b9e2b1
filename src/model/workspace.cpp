#include <limber/model/workspace.hpp>

#include <algorithm>
#include <type_traits>

#include "model/checks.hpp"
#include "model/memory.hpp"
#include "scalars.hpp"

namespace limber {

template <class T>
BasicWorkspace<T>::BasicWorkspace(const BasicModel<T>& m) : model(m.identity) {
  check_built("Workspace", m);
  const auto bodies = static_cast<std::size_t>(m.bodies());
  const auto nv = static_cast<std::size_t>(m.nv), tree_nv = static_cast<std::size_t>(m.tree_nv);
  const double matrices = static_cast<double>(nv) * static_cast<double>(nv),
               tree =
                   m.has_mimic() ? static_cast<double>(tree_nv) * static_cast<double>(tree_nv) : 0;
  expect_memory("the workspace", m.name, m.nv, std::max(matrices, tree),
                sizeof(T) * (matrices + tree + static_cast<double>(m.path.size())));
  auto resize = [](std::size_t n, auto&... fields) { (fields.resize(n), ...); };
  resize(bodies, slide, X, w, v, a, c, gradient, centripetal, X_W, f, p, Ic, IA);
  angle = m.rest_angle;
  // whole vectors of angles: sincos_all() would take the rest of a vector one by one
  if constexpr (!std::is_class_v<T>) angle.resize((bodies + 7) / 8 * 8);
  resize(angle.size(), sine, cosine);
  resize(m.path.size(), L);
  resize(tree_nv, zeros, S, F, U, D_inverse, u, tree_tau);
  resize(nv, tau, acceleration);
  resize(nv * nv, M);
  resize(6 * nv, J);
  if (m.has_mimic()) {
    resize(static_cast<std::size_t>(m.tree_nq), tree_q);
    resize(tree_nv, tree_v, tree_a);
    resize(tree_nv * tree_nv, tree_M);
    resize(6 * tree_nv, tree_J);
  }
}

#define LIMBER_WORKSPACE(T) template struct BasicWorkspace<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_WORKSPACE)

}  // namespace limber
