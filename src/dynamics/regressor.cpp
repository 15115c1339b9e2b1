#include <limber/dynamics/regressor.hpp>

#include "dynamics/inertial_parameters.hpp"
#include "dynamics/inverse_dynamics.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

/// The inertias of a body for each parameter alone.
template <class T>
std::array<Inertia<T>, 10> unit_inertias() {
  std::array<Inertia<T>, 10> units;
  for (std::size_t k = 0; k < 10; ++k) {
    T p[10] = {};
    p[k] = T(1);
    units[k] = from_parameters(p);
  }
  return units;
}

}  // namespace

template <class T>
void joint_torque_regressor(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                            BasicWorkspace<T>& ws, std::span<std::type_identity_t<T>> out) {
  const char* name = "joint_torque_regressor";
  const int width = 10 * (m.bodies() - 1);
  check_size(name, "out", out.size(), m.nv * width, m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  newton_euler(m, tree_q, tree_v, tree_rates(m, name, "a", a, ws.tree_a), ws, Loads<T>{});
  for (T& x : out) x = T(0);
  const std::array<Inertia<T>, 10> units = unit_inertias<T>();
  for (int i = 1; i < m.bodies(); ++i) {
    // the acceleration field in the user's frame, its force for each parameter, and what that needs
    // of the joints that carry the body
    const auto b = static_cast<std::size_t>(i);
    const Transform<T>& X = m.body_placement[b];
    const Vec3<T> A = transpose_times(X.R, ws.a[b].linear + ws.gradient[b] * X.p);
    const Mat3<T> field = transpose(X.R) * ws.gradient[b] * X.R;
    std::array<Force<T>, 10> f;
    for (std::size_t k = 0; k < 10; ++k) f[k] = X * inertial_force(units[k], A, field);
    for (int j = i; j > 0; j = m.parent[static_cast<std::size_t>(j)])
      with_joint(m, ws, j, [&](const auto& joint) {
        joint.for_columns([&](const auto& S, int column) {
          const Fold<T>& fold = m.v_fold[static_cast<std::size_t>(column)];
          T* row = out.data() + fold.index * width + 10 * (i - 1);
          for (std::size_t k = 0; k < 10; ++k) row[k] += fold.ratio * dot(S, f[k]);
        });
        for (Force<T>& force : f) force = joint.to_parent(force);
      });
  }
}

#define LIMBER_REGRESSOR(T)                                                       \
  template void joint_torque_regressor(const BasicModel<T>&, In<T>, In<T>, In<T>, \
                                       BasicWorkspace<T>&, std::span<std::type_identity_t<T>>);
LIMBER_FOR_EACH_REAL(LIMBER_REGRESSOR)

}  // namespace limber
