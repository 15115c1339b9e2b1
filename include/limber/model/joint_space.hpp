#pragma once
// The space of positions: how q, its velocity v and its steps belong together, for every scalar.
// For joints with quaternions nq > nv; a *step* is a displacement in tangent space, of the size and
// in the axes of v. Custom joints that move their positions by functions of their own do so for
// double alone: for other scalars the functions here throw Error.
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <limber/model/joint_kind.hpp>
#include <limber/model/model.hpp>

namespace limber {

/// A joint with variables of its own: where they lie in the user's q and v, and what they are.
struct JointPlace {
  int body = 0;  ///< that the joint carries
  JointKind kind = JointKind::fixed;
  int q = 0, q_count = 0;  ///< its positions
  int v = 0, v_count = 0;  ///< its velocities
  /// Where its quaternion (x, y, z, w) begins in q; −1: it has none. With a quaternion, ω in the
  /// moved frame begins at `v`.
  int quaternion = -1;
  /// With a quaternion: where the origin of the moved frame begins in q; −1: it does not move. Its
  /// velocity in the moved frame begins at v + 3.
  int origin = -1;
  /// q̇ = v, number by number, and steps are added to q: no quaternion, no function of its own.
  bool adds = true;
};

/// The place of the joint of `body`, whose variables begin at q and v.
template <class T>
JointPlace place_of(const BasicModel<T>& m, int body, int q, int v) {
  const auto b = static_cast<std::size_t>(body);
  JointPlace place{body, m.kind[b], q, m.q_count[b], v, m.v_count[b]};
  if (const int quaternion = facts(place.kind).quaternion; quaternion >= 0) {
    place.quaternion = q + quaternion;
    if (quaternion > 0) place.origin = q;
    place.adds = false;
  } else if (m.custom_index[b] >= 0) {
    const CustomJoint& custom = m.custom[static_cast<std::size_t>(m.custom_index[b])];
    place.adds = !custom.integrate && !custom.difference && !custom.position_rate;
  }
  return place;
}

/// Calls f(JointPlace) for each joint with variables of its own, in the order of q.
template <class T, class F>
void for_each_joint(const BasicModel<T>& m, F&& f) {
  int q = 0, v = 0;
  for (int body = 1; body < m.bodies(); ++body) {
    if (m.master[static_cast<std::size_t>(body)] >= 0) continue;
    const JointPlace place = place_of(m, body, q, v);
    f(place);
    q += place.q_count;
    v += place.v_count;
  }
}

/// All of them.
std::vector<JointPlace> joint_places(const Model& model);
/// The place of a joint. Throws Error for a joint that does not exist or follows another.
JointPlace joint_place(const Model& model, std::string_view joint);

/// The neutral position: zeros, identity quaternions (mimic offsets are not part of q).
template <class T>
std::vector<T> neutral_position(const BasicModel<T>& model);

/// q moved with constant v for time dt [s]: q ⊕ v dt. Quaternion joints turn exactly (exponential
/// map); `result` may be q itself.
template <class T>
void integrate(const BasicModel<T>& model, std::span<const std::type_identity_t<T>> q,
               std::span<const std::type_identity_t<T>> v, std::type_identity_t<T> dt,
               std::span<std::type_identity_t<T>> result);

/// The step that takes q0 to q1: q0 ⊕ step = q1, with turns of at most π. [rad, m]
template <class T>
void difference(const BasicModel<T>& model, std::span<const std::type_identity_t<T>> q0,
                std::span<const std::type_identity_t<T>> q1,
                std::span<std::type_identity_t<T>> step);

/// Makes every quaternion in q unit again. For double and float: throws Error for a zero or
/// non-finite quaternion. Custom joints with `integrate` take a step of zero, in which they may
/// bring their positions in order.
template <class T>
void normalize(const BasicModel<T>& model, std::span<std::type_identity_t<T>> q);

/// q̇ for velocity v: the time derivative of the position variables, quaternions by [RDA] (8.1).
template <class T>
void position_rate(const BasicModel<T>& model, std::span<const std::type_identity_t<T>> q,
                   std::span<const std::type_identity_t<T>> v,
                   std::span<std::type_identity_t<T>> q_dot);

}  // namespace limber
