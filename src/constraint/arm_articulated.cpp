// The mobility of hands by articulated bodies. [RDA] (6.47)-(6.55)
#include <fmt/format.h>

#include <limber/constraint/arm_rivals.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "constraint/arm_contact.hpp"
#include "constraint/arm_object.hpp"
#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
void check_columns(const BasicModel<T>& m) {
  if (m.has_mimic())
    throw Error(
        fmt::format("articulated_team_dynamics: robot '{}' has mimic joints or mounted "
                    "rotors; team_dynamics() takes it",
                    m.name));
}

/// From the frame in which a joint's columns are eliminated (see in_column_frame()) to the
/// parent's.
template <class T, class Joint>
Force<T> column_frame_to_parent(const Joint& joint, const Force<T>& f) {
  constexpr bool is_unit =
      std::is_same_v<Joint, UnitJoint<T, 2>> || std::is_same_v<Joint, UnitJoint<T, 5>>;
  if constexpr (is_unit && !saves_operations<T>) return joint.constant_to_parent(f);
  else return joint.to_parent(f);
}

/// Unit forces on the hand about O along the world's axes, in the frame of its body.
template <class T>
std::array<Force<T>, 6> unit_forces(const Transform<T>& X, const Vec3<T>& O) {
  std::array<Force<T>, 6> f;
  const Vec3<T> r = transpose_times(X.R, O - X.p);
  for (int k = 0; k < 3; ++k) {
    const Vec3<T> e = X.R.row(k);
    f[at_index(k)] = {e, {}};
    f[at_index(k + 3)] = {cross(r, e), e};
  }
  return f;
}

/// Y of every column that moves the hand: what the unit forces do at it when all joints beyond it
/// move freely. Λ⁻¹ from it.
template <class T>
void respond_by_propagation(const BasicModel<T>& m, int body, const Vec3<T>& O,
                            BasicArmMotion<T>& out) {
  std::array<Force<T>, 6> p = unit_forces(out.poses.X_W[body], O);
  out.mobility = {};
  for (int i = body; i > 0; i = m.parent[i])
    with_joint(m, out.ws, i, [&](const auto& joint) {
      for (Force<T>& f : p) f = joint.in_column_frame(f);
      joint.for_columns_reversed([&](const auto& S, int k) {
        const T& D_inverse = out.ws.D_inverse[k];
        const Force<T>& U = out.ws.U[k];
        T* const Y = out.Y.data() + 6 * out.tree.M.pattern.depth(k);
        for (int c = 0; c < 6; ++c) {
          Force<T>& f = p[at_index(c)];
          Y[c] = dot(S, f);
          const T scaled = Y[c] * D_inverse;
          f -= U * scaled;
          for (int d = 0; d <= c; ++d) out.mobility(c, d) += scaled * Y[d];
        }
      });
      for (Force<T>& f : p) f = column_frame_to_parent<T>(joint, f);
    });
}

template <class T>
void open_articulated(const BasicArmTeam<T>& team, int arm, const ArmState<T>& state,
                      const ObjectState<T>& object, BasicArmMotion<T>& out) {
  const BasicModel<T>& m = *team.arms[arm].model;
  const int body = m.frames[team.arms[arm].grasp.frame].body;
  const Vec3<T> O = transform_point(object.pose, team.com);
  check_columns(m);
  forward_kinematics<T>(m, state.q, out.ws, out.poses);
  forward_dynamics<T>(m, state.q, state.v, state.tau, out.ws, out.u, state.loads);
  const Transform<T>& X = out.poses.X_W[body];
  const Motion<T>& a = out.ws.a[body];
  const Vec3<T> r = transpose_times(X.R, O - X.p);
  const Vec3<T> alpha = X.R * a.angular;
  const Vec3<T> linear = X.R * (a.linear + acceleration_gradient(out.ws.w[body], a.angular) * r);
  out.x_open = {alpha.x, alpha.y, alpha.z, linear.x, linear.y, linear.z};
  respond_by_propagation(m, body, O, out);
  if (out.is_projected) hand_jacobian(m, body, O, out);  // for the velocity of the hand
  project_contact(team, arm, state, object, out);
  invert_mobility(team, arm, out);
}

/// q̈ of the open chain less what the force of the hand takes: outward from Y f.
template <class T>
void close_articulated(const BasicArmTeam<T>& team, int arm, const BasicReferenceMember<T>& object,
                       BasicArmMotion<T>& out) {
  const BasicModel<T>& m = *team.arms[arm].model;
  const std::array<T, 6> f = hand_force(arm, object, out);
  out.force = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  List<Motion<T>>& a = out.ws.a;
  a[0] = {};
  const TreePattern& at = out.tree.M.pattern;
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, out.ws, i, [&](const auto& joint) {
      Motion<T> own = joint.acceleration_before_columns(a[m.parent[i]], Motion<T>{});
      joint.for_columns([&](const auto& S, int k) {
        const bool moves_hand = out.last >= 0 && at.entry(k, out.last) >= 0;
        T u(0);
        for (int c = 0; c < 6 && moves_hand; ++c) u -= out.Y[6 * at.depth(k) + c] * f[at_index(c)];
        const T change = (u - dot(own, out.ws.U[k])) * out.ws.D_inverse[k];
        out.acceleration[k] = out.u[k] + change;
        own += S * change;
      });
      a[i] = joint.acceleration_after_columns(own, Motion<T>{});
    });
}

}  // namespace

template <class T>
void articulated_team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> states,
                               const ObjectState<T>& object, BasicTeamMotion<T>& out) {
  check_states("articulated_team_dynamics", team, states);
  for (int k = 0; k < team.arms.count(); ++k)
    open_articulated(team, k, states[at_index(k)], object, out.arms[k]);
  reference_member<T>(team, object, out.arms, out.object);
  for (int k = 0; k < team.arms.count(); ++k) close_articulated(team, k, out.object, out.arms[k]);
}

#define LIMBER_ARM_ARTICULATED(T)                                                               \
  template void articulated_team_dynamics(const BasicArmTeam<T>&, std::span<const ArmState<T>>, \
                                          const ObjectState<T>&, BasicTeamMotion<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARM_ARTICULATED)

}  // namespace limber
