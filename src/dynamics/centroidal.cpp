#include <limber/dynamics/centroidal.hpp>

#include "dynamics/fold.hpp"
#include "dynamics/kinematics.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// A force vector taken to another point, axes kept.
template <class T>
Force<T> about(const Vec3<T>& point, const Force<T>& f) {
  return {f.angular - cross(point, f.linear), f.linear};
}

/// Composite inertias of all subtrees in the world; entry 0: of everything.
template <class T>
void world_composites(const BasicModel<T>& m, const List<Transform<T>>& X_W, List<Inertia<T>>& Ic) {
  for (int i = 0; i < m.bodies(); ++i) Ic[i] = X_W[i] * m.inertia[i];
  for (int i = m.bodies() - 1; i > 0; --i) Ic[m.parent[i]] += Ic[i];
}

template <class T>
Vec3<T> center(const BasicModel<T>& m, const Inertia<T>& all) {
  if (all.m == T(0)) throw Error("robot '" + m.name + "' has no mass, so no centre of mass");
  return all.com();
}

}  // namespace

template <class T>
void centroidal_momentum_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                                Out<T> out) {
  check_size("centroidal_momentum_matrix", "out", out.size(), 6 * m.nv, m.name);
  forward_kinematics(m, q, ws, ws.motion);
  const List<Transform<T>>& X_W = ws.motion.X_W;
  world_composites(m, X_W, ws.Ic_W);
  const Vec3<T> com = center(m, ws.Ic_W[0]);
  for (T& x : out) x = T(0);
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int column) {
        Motion<T> local;
        local += S * T(1);
        const Force<T> momentum = about(com, ws.Ic_W[i] * (X_W[i] * local));
        const Fold<T>& fold = m.v_fold[column];
        for (int row = 0; row < 3; ++row) {
          out[at_index(row * m.nv + fold.index)] += fold.ratio * momentum.angular[row];
          out[at_index((row + 3) * m.nv + fold.index)] += fold.ratio * momentum.linear[row];
        }
      });
    });
}
template <class T>
MatrixView<T> centroidal_momentum_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  check_workspace("centroidal_momentum_matrix", m, ws);
  centroidal_momentum_matrix<T>(m, q, ws, ws.A_G);
  return {ws.A_G.data(), 6, m.nv};
}

template <class T>
Force<T> centroidal_momentum_bias(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws) {
  const T* tree_q = tree_positions(m, "centroidal_momentum_bias", q, ws);
  const T* tree_v = tree_rates(m, "centroidal_momentum_bias", "v", v, ws.tree_v);
  move_bodies(m, tree_q, tree_v, ws.zeros.data(), ws, ws.motion);
  const List<Transform<T>>& X_W = ws.motion.X_W;
  const List<Motion<T>>&rates = ws.motion.v, &accelerations = ws.motion.a;
  // the momentum about the moving centre changes as that about the fixed point where it is now: its
  // velocity is parallel to the linear momentum
  Inertia<T> all;
  Force<T> rate;
  for (std::size_t i = 0; i < m.inertia.size(); ++i) {
    all += X_W[i] * m.inertia[i];
    rate += X_W[i] * (m.inertia[i] * accelerations[i] + cross(rates[i], m.inertia[i] * rates[i]));
  }
  return about(center(m, all), rate);
}

#define LIMBER_CENTROIDAL(T)                                                                \
  template MatrixView<T> centroidal_momentum_matrix(const BasicModel<T>&, In<T>,            \
                                                    BasicWorkspace<T>&);                    \
  template void centroidal_momentum_matrix(const BasicModel<T>&, In<T>, BasicWorkspace<T>&, \
                                           Out<T>);                                         \
  template Force<T> centroidal_momentum_bias(const BasicModel<T>&, In<T>, In<T>,            \
                                             BasicWorkspace<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_CENTROIDAL)

}  // namespace limber
