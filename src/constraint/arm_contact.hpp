#pragma once
// The rows of a grasp: the relative motions of hand and object that it prevents, and how they
// change when hand and object move on.
#include <algorithm>

#include "constraint/arm_matrix.hpp"
#include "dynamics/joints.ipp"

namespace limber {

/// A column of a joint as a motion about the point that lies at d from the body's origin, world
/// axes. X: pose of the body.
template <class T, int K>
Motion<T> column_about(const Transform<T>& X, const Vec3<T>& d, Axis<K>) {
  const Vec3<T> axis = X.R.column(K % 3);
  if constexpr (K < 3) return {axis, cross(axis, d)};
  else return {{}, axis};
}
template <class T>
Motion<T> column_about(const Transform<T>& X, const Vec3<T>& d, const Motion<T>& S) {
  const Vec3<T> w = X.R * S.angular;
  return {w, X.R * S.linear + cross(w, d)};
}

/// J of the hand about the point O.
template <class T>
void hand_jacobian(const BasicModel<T>& m, int body, const Vec3<T>& O, BasicArmMotion<T>& out) {
  std::fill(out.J.begin(), out.J.end(), T(0));
  for (int i = body; i > 0; i = m.parent[i])
    with_joint(m, out.ws, i, [&](const auto& joint) {
      const Transform<T>& X = out.poses.X_W[i];
      const Vec3<T> d = O - X.p;
      joint.for_columns([&](const auto& S, int k) {
        const Motion<T> column = column_about(X, d, S);
        const Fold<T>& fold = m.v_fold[k];
        T* const row = out.J.data() + 6 * out.tree.M.pattern.depth(fold.index);
        for (int c = 0; c < 3; ++c) {
          row[c] += fold.ratio * column.angular[c];
          row[c + 3] += fold.ratio * column.linear[c];
        }
      });
    });
}

/// ω and the velocity of the point at O of the hand, world axes.
template <class T>
Motion<T> hand_velocity(const ArmState<T>& state, const Vec3<T>& O, const BasicArmMotion<T>& arm) {
  const Motion<T>& base = state.loads.base_velocity;
  std::array<T, 6> v{};
  const TreePattern& at = arm.tree.M.pattern;
  for (int t = 0; t < arm.path; ++t) {
    const T& rate = state.v[at_index(at.path[at.start[arm.last] + t])];
    for (int i = 0; i < 6; ++i) v[at_index(i)] += arm.J[6 * t + i] * rate;
  }
  return {Vec3<T>{v[0], v[1], v[2]} + base.angular,
          Vec3<T>{v[3], v[4], v[5]} + base.linear + cross(base.angular, O)};
}

/// A column of C: a couple about, or a force along, a world axis through the point at r from O.
template <class T>
void put_row(Small6<T>& C, int row, int axis, const Vec3<T>& e, const Vec3<T>& r) {
  const Vec3<T> moment = axis < 3 ? e : cross(r, e);
  const Vec3<T> force = axis < 3 ? Vec3<T>{} : e;
  for (int i = 0; i < 3; ++i) C(i, row) = moment[i], C(i + 3, row) = force[i];
}

/// C, A = CᵀΛ⁻¹C and c. A contact's axes turn with the object; seen from there the hand's origin P
/// has the relative acceleration
///   a_P − a_O − ω̇ × r − ω × (ω × r) − 2 ω × v_rel,   r = P − O,
/// and its turning ω̇_hand − ω̇ − ω × ω_rel; a grasp keeps those along its rows zero. A rigid grasp
/// has no relative motion, and C = 1.
template <class T>
void project_contact(const BasicArmTeam<T>& team, int arm, const ArmState<T>& state,
                     const ObjectState<T>& object, BasicArmMotion<T>& out) {
  if (!out.is_projected) {
    for (int i = 0; i < 6; ++i) out.C(i, i) = T(1);
    out.A = out.mobility;
    out.c = out.x_open;
    return;
  }
  const ArmGrasp& grasp = team.arms[arm].grasp;
  const BasicFrame<T>& hand = team.arms[arm].model->frames[grasp.frame];
  const Transform<T>& X = out.poses.X_W[hand.body];
  const Vec3<T> arm_of_com = object.pose.R * team.com;
  const Vec3<T> O = object.pose.p + arm_of_com;
  const Vec3<T> r = transform_point(X, hand.placement.p) - O;
  // velocities
  const Vec3<T> w = object.pose.R * object.velocity.angular;
  const Vec3<T> v = object.pose.R * object.velocity.linear + cross(w, arm_of_com);
  const Motion<T> own = hand_velocity(state, O, out);
  const Vec3<T> w_rel = own.angular - w;
  const Vec3<T> v_rel = own.linear - v + cross(w_rel, r);
  // the open chain's acceleration as the rows feel it, about O
  const std::array<T, 6>& x = out.x_open;
  const Vec3<T> alpha{x[0], x[1], x[2]}, a{x[3], x[4], x[5]};
  const Vec3<T> turning = alpha - cross(w, w_rel);
  const Vec3<T> at_hand = a + cross(alpha, r) + cross(own.angular, cross(own.angular, r)) -
                          cross(w, cross(w, r)) - cross(w, v_rel) * T(2);
  const Vec3<T> about_O = at_hand - cross(turning, r);
  const std::array<T, 6> felt{turning.x, turning.y, turning.z, about_O.x, about_O.y, about_O.z};
  // rows
  const Mat3<T> axes = object.pose.R * cast<T>(grasp.contact.R);
  int row = 0;
  for (int axis = 0; axis < 6; ++axis)
    if (!grasp.freedoms.free[at_index(axis)]) put_row(out.C, row++, axis, axes.column(axis % 3), r);
  out.A = inner_product(out.C, out.rows, out.mobility, out.C, out.rows);
  out.c = rows_of(out.C, out.rows, felt);
}

/// What a pivot of A must exceed, see near_singular. Turns are compared with slides by the object's
/// radius of gyration: entries of A that are nothing but rounding are then small beside Λ⁻¹.
template <class T>
std::array<T, 6> least_pivots(const BasicArmTeam<T>& team, int arm, const BasicArmMotion<T>& out) {
  const T radius2 = trace(team.central) / (team.mass + team.mass);
  T largest(0);  // [1/kg]
  for (int i = 0; i < 6; ++i) {
    const T entry = i < 3 ? out.mobility(i, i) * radius2 : out.mobility(i, i);
    if (largest < entry) largest = entry;
  }
  const T of_all = T(no_mobility<T>) * largest;
  std::array<T, 6> least;
  int row = 0;
  for (int axis = 0; axis < 6; ++axis) {
    if (team.arms[arm].grasp.freedoms.free[at_index(axis)]) continue;
    const T of_own = T(near_singular<T>) * out.A(row, row);
    const T in_units = axis < 3 ? of_all / radius2 : of_all;
    least[at_index(row++)] = of_own < in_units ? in_units : of_own;
  }
  return least;
}

/// Λ, if it exists, and Λ ẍ.
template <class T>
void invert_mobility(const BasicArmTeam<T>& team, int arm, BasicArmMotion<T>& out) {
  out.A_inverse = out.A;
  out.is_regular = factorize_small(out.A_inverse, out.rows, least_pivots(team, arm, out));
  if (!out.is_regular) return;
  out.A_inverse = inverse_small(out.A_inverse, out.rows);
  const std::array<T, 6> lambda = times(out.A_inverse, out.rows, out.c);
  out.g = out.is_projected ? columns_of(out.C, out.rows, lambda.data()) : lambda;
  out.Lambda = out.is_projected ? outer_congruence(out.C, out.A_inverse, out.rows) : out.A_inverse;
}

/// The force of the hand: Λ (ẍ − a), (2.10), or what was found for a singular arm.
template <class T>
std::array<T, 6> hand_force(int arm, const BasicReferenceMember<T>& object,
                            const BasicArmMotion<T>& out) {
  std::array<T, 6> f;
  if (out.is_regular) {
    std::array<T, 6> e = out.is_projected ? rows_of(out.C, out.rows, object.a) : object.a;
    for (int i = 0; i < out.rows; ++i) e[at_index(i)] = out.c[at_index(i)] - e[at_index(i)];
    f = times(out.A_inverse, out.rows, e);
    if (out.is_projected) f = columns_of(out.C, out.rows, f.data());
  } else {
    const auto place = std::find(object.singular.begin(), object.singular.end(), arm);
    const T* const lambda =
        object.lambda.data() + object.first_row[place - object.singular.begin()];
    f = columns_of(out.C, out.rows, lambda);
  }
  return f;
}

}  // namespace limber
