// The regressor in absolute coordinates. Where S of the joints and the forces F = [f_1 … f_10] of a
// body's parameters are given in one frame, the rows are S · F, without a step from joint to joint.
// The frame has the world's axes and the origin of the first body of the tree, so that nothing is
// far away. Bodies are numbered depth first: a variable moves neighbouring ones, and its row is
// made from F of several bodies in one go, lane by lane.
#include <limber/dynamics/regressor.hpp>

#include <algorithm>

#include "dynamics/absolute.ipp"
#include "dynamics/inverse_dynamics.ipp"
#include "dynamics/kinematics.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

/// F of some neighbouring bodies, component by component: moment, then force.
template <class T>
struct ParameterForces {
  static constexpr int bodies = 8, stride = 10 * bodies;
  alignas(64) T numbers[6 * stride] = {};
  int first = 0;  ///< body

  void set(int k, const Vec3<T>& moment) {
    numbers[k] = moment.x, numbers[stride + k] = moment.y, numbers[2 * stride + k] = moment.z;
  }
  void set(int k, const Vec3<T>& moment, const Vec3<T>& force) {
    set(k, moment);
    numbers[3 * stride + k] = force.x, numbers[4 * stride + k] = force.y;
    numbers[5 * stride + k] = force.z;
  }
};

/// F of body i, with the pose X, at the motion that newton_euler() left. A mass needs the
/// acceleration A of the user's origin, a first moment e needs Ω e and the moment e × A, and a
/// rotational inertia I the moment I ω̇ + ω × I ω, all in the user's axes.
template <class T>
void set_forces(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int i, const Transform<T>& X,
                ParameterForces<T>& F) {
  const Transform<T>& own = m.body_placement[i];
  const Mat3<T> R = X.R * own.R;
  const Vec3<T> p = X.p + X.R * own.p;
  const Vec3<T> A = X.R * (ws.a[i].linear + ws.gradient[i] * own.p);
  const Vec3<T> w = transpose_times(own.R, ws.w[i]), u = transpose_times(own.R, ws.a[i].angular);
  const Mat3<T> field = R * acceleration_gradient(w, u);
  const Sym3<T> s = square(w);
  const int k = 10 * (i - F.first);
  F.set(k, cross(p, A), A);
  for (int e = 0; e < 3; ++e)
    F.set(k + 1 + e, cross(R.column(e), A) + cross(p, field.column(e)), field.column(e));
  F.set(k + 4, R * Vec3<T>{u.x, s.xz, -s.xy});
  F.set(k + 5, R * Vec3<T>{u.y - s.xz, u.x + s.yz, s.xx - s.yy});
  F.set(k + 6, R * Vec3<T>{u.z + s.xy, s.zz - s.xx, u.x - s.yz});
  F.set(k + 7, R * Vec3<T>{-s.yz, u.y, s.xy});
  F.set(k + 8, R * Vec3<T>{s.yy - s.zz, u.z - s.xy, u.y + s.xz});
  F.set(k + 9, R * Vec3<T>{s.yz, -s.xz, u.z});
}

/// Calls write(S · F, k, rest) for the parameters begin … end − 1, eight from k on at a time. The
/// last eight end with the last parameter; `rest` of them have not been written yet.
template <class T, class Write>
void for_parameters(const ParameterForces<T>& F, const Motion<T>& S, int begin, int end,
                    Write&& write) {
  using L = Lanes<T>;
  constexpr int n = lane_count<T>;
  static_assert(n <= 10);
  const Strips<T> strips{const_cast<T*>(F.numbers), F.stride};
  const Motion<L> column{{S.angular.x, S.angular.y, S.angular.z},
                         {S.linear.x, S.linear.y, S.linear.z}};
  int k = begin;
  for (; k + n <= end; k += n) write(dot(column, get<Force<L>>(strips, 0, k)), k, n);
  if (k < end) write(dot(column, get<Force<L>>(strips, 0, end - n)), end - n, end - k);
}

/// The rows of joint j, of a body with the pose X, in the columns of the bodies F.first … last.
/// out: row 0.
template <class T>
void write_rows(const BasicModel<T>& m, BasicWorkspace<T>& ws, int j, const Transform<T>& X,
                const ParameterForces<T>& F, int last, T* out) {
  using L = Lanes<T>;
  const int width = 10 * (m.bodies() - 1);
  const int begin = 10 * (std::max(j, F.first) - F.first);
  const int carried = m.subtree_end[j] - 1;
  const int end = 10 * (std::min(carried, last) + 1 - F.first);
  auto row = [&](const Motion<T>& S, int column) {
    const Fold<T>& fold = m.v_fold[column];
    T* const to = out + fold.index * width + 10 * (F.first - 1);
    if (!m.has_mimic())
      for_parameters(F, S, begin, end, [&](const L& y, int k, int) { y.store(to + k); });
    else
      for_parameters(F, S, begin, end, [&](const L& y, int k, int rest) {
        const int bits = ~((1 << (lane_count<T> - rest)) - 1);
        (L::load(to + k) + only(y * L(fold.ratio), bits)).store(to + k);
      });
  };
  with_joint(m, ws, j, [&](const auto& joint) {
    joint.for_columns([&](const auto& S, int column) { row(absolute_column(X, S), column); });
  });
}

}  // namespace

template <class T>
void joint_torque_regressor(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                            BasicWorkspace<T>& ws, Out<T> out) {
  const char* name = "joint_torque_regressor";
  check_size(name, "out", out.size(), 10 * m.nv * (m.bodies() - 1), m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  newton_euler(m, tree_q, tree_v, tree_a, ws, Loads<T>{}, ws.tree_tau.data());
  const List<Transform<T>>& X_W = ws.motion.X_W;
  body_poses(m, ws, ws.motion.X_W);
  for (T& y : out) y = T(0);
  auto parent = [&](int i) { return m.parent[i]; };
  int root = 1;
  auto pose = [&](int i) {  // of bodies in ascending order, and of those that carry the last one
    if (parent(i) == 0 && i > root) root = i;
    return Transform<T>{X_W[i].R, X_W[i].p - X_W[root].p};
  };
  ParameterForces<T> F;
  for (F.first = 1; F.first < m.bodies(); F.first += F.bodies) {
    const int last = std::min(F.first + F.bodies, m.bodies()) - 1, inner_root = root;
    for (int i = F.first; i <= last; ++i) set_forces(m, ws, i, pose(i), F);
    root = inner_root;
    // the bodies that carry the first one carry others too; all others that do are among them
    for (int j = parent(F.first); j > 0; j = parent(j))
      write_rows(m, ws, j, pose(j), F, last, out.data());
    for (int j = F.first; j <= last; ++j) write_rows(m, ws, j, pose(j), F, last, out.data());
  }
}

#define LIMBER_REGRESSOR(T)                                                       \
  template void joint_torque_regressor(const BasicModel<T>&, In<T>, In<T>, In<T>, \
                                       BasicWorkspace<T>&, Out<T>);
LIMBER_FOR_EACH_REAL(LIMBER_REGRESSOR)

}  // namespace limber
