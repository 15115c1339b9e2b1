#include <limber/dynamics/centroidal.hpp>

#include "dynamics/fold.hpp"
#include "dynamics/kinematics.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

/// A force vector taken to another point, axes kept.
template <class T>
Force<T> about(const Vec3<T>& point, const Force<T>& f) {
  return {f.angular - cross(point, f.linear), f.linear};
}

/// Composite inertias of all subtrees in the world, ws.Ic; entry 0: of everything. Poses must be
/// there.
template <class T>
void world_composites(const BasicModel<T>& m, BasicWorkspace<T>& ws) {
  for (std::size_t i = 0; i < m.inertia.size(); ++i) ws.Ic[i] = ws.X_W[i] * m.inertia[i];
  for (int i = m.bodies() - 1; i > 0; --i) ws.Ic[m.parent[i]] += ws.Ic[i];
}

template <class T>
Vec3<T> center(const BasicModel<T>& m, const Inertia<T>& all) {
  if (all.m == T(0)) throw Error("robot '" + m.name + "' has no mass, so no centre of mass");
  return all.com();
}

}  // namespace

template <class T>
MatrixView<T> centroidal_momentum_matrix(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  forward_kinematics(m, q, ws);
  world_composites(m, ws);
  const Vec3<T> com = center(m, ws.Ic[0]);
  for (T& x : ws.J) x = T(0);
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      joint.for_columns([&](const auto& S, int column) {
        Motion<T> local;
        local += S * T(1);
        const Force<T> momentum = about(com, ws.Ic[b] * (ws.X_W[b] * local));
        const Fold<T>& fold = m.v_fold[column];
        for (int row = 0; row < 3; ++row) {
          ws.J[row * m.nv + fold.index] += fold.ratio * momentum.angular[row];
          ws.J[static_cast<std::size_t>((row + 3) * m.nv + fold.index)] +=
              fold.ratio * momentum.linear[row];
        }
      });
    });
  return {ws.J.data(), 6, m.nv};
}

template <class T>
Force<T> centroidal_momentum_bias(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws) {
  const T* tree_q = tree_positions(m, "centroidal_momentum_bias", q, ws);
  const T* tree_v = tree_rates(m, "centroidal_momentum_bias", "v", v, ws.tree_v);
  body_poses(m, tree_q, ws);
  body_velocities(m, tree_v, ws);
  body_accelerations(m, tree_q, tree_v, ws.zeros.data(), ws);
  // the momentum about the moving centre changes as that about the fixed point where it is now: its
  // velocity is parallel to the linear momentum
  Inertia<T> all;
  Force<T> rate;
  for (std::size_t i = 0; i < m.inertia.size(); ++i) {
    all += ws.X_W[i] * m.inertia[i];
    rate += ws.X_W[i] * (m.inertia[i] * ws.a[i] + cross(ws.v[i], m.inertia[i] * ws.v[i]));
  }
  return about(center(m, all), rate);
}

#define LIMBER_CENTROIDAL(T)                                                     \
  template MatrixView<T> centroidal_momentum_matrix(const BasicModel<T>&, In<T>, \
                                                    BasicWorkspace<T>&);         \
  template Force<T> centroidal_momentum_bias(const BasicModel<T>&, In<T>, In<T>, \
                                             BasicWorkspace<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_CENTROIDAL)

}  // namespace limber
