#pragma once
// Joints as the recursions see them. with_joint() hands the recursion an object whose transform and
// columns are known when compiling, so that one text serves the cheap joints and the general ones:
//
//   place(q)        sets the joint's transform and columns for the position q, see place_joints()
//   to_child / to_parent      the step between the parent's frame and the body's
//   columns_to_parent(begin, end)             the same for many forces at once, in place
//   origin()        the body's origin in the parent's frame
//   velocity(v)     S v, as Along<K> or Motion
//   bias(q, v)      Ṡ v, as NoBias or Motion
//   for_columns(f), for_columns_reversed(f)   calls f(S, k) for each column; k indexes tree
//   velocities
// and for the articulated-body recursion, in this order:
//   bias_force(IA, p, c)            the bias force of the body, before its columns are eliminated
//   add_couple(U, rotor), couple_bias(rotor, c)   what a rotor adds to U and Sᵀ p
//   in_column_frame(U)              U as it is kept for the way out
//   eliminate(IA, S, U, pivot)      takes one column out of the articulated inertia
//   to_parent_without_columns(IA, pivot), reduced_bias_force(IA, p, c, pivot)   what is left of
//   both acceleration_before_columns(a_parent, c), acceleration_after_columns(a, c)   the way out
//
// Built-in numbers want few operations that wait for others, classes (expressions, many robots at
// once) few operations. So a joint with one unit column does its elimination in one of two ways.
// For built-in numbers the bias acceleration c is in the bias force from the beginning, and the
// column is eliminated in the frame before the last screw (unit columns are the same before and
// after it): the inertia is turned while 1/D is being divided. For classes the column is eliminated
// at once, and the zeros that this leaves are used.
#include "model/joint_motion.ipp"
#include <limber/scalar/sincos.hpp>
#include <limber/spatial/axis.hpp>
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Ṡ v = 0, known when compiling.
struct NoBias {};
template <class T>
Motion<T>& operator+=(Motion<T>& a, NoBias) {
  return a;
}

/// The pivot of an eliminated column; zeros: none was eliminated.
template <class T>
struct Pivot {
  T inertia = T(0);                       ///< of the column itself: rotor and loads
  T D_inverse = T(0);                     ///< 1 / (Sᵀ U + inertia)
  const RotorCouple<T>* rotor = nullptr;  ///< part of U; null: none
};

/// True: few operations; false: few waits.
template <class T>
inline constexpr bool saves_operations = std::is_class_v<T>;

template <class T>
struct JointBase {
  const BasicModel<T>& m;
  BasicWorkspace<T>& ws;
  int i;  ///< body

  int at() const { return i; }
  int v_index() const { return m.v_index[at()]; }
  std::span<const T> own_q(const T* q) const {
    return {q + m.q_index[at()], at_index(m.q_count[at()])};
  }
  std::span<const T> own_v(const T* v) const { return {v + v_index(), at_index(m.v_count[at()])}; }
};

/// A step of screws: [z0] x [y] z. The parts in brackets are rare. The displacement of the last
/// screw is constant for a revolute joint.
template <class T, bool Slides>
struct ScrewStepJoint : JointBase<T> {
  using JointBase<T>::m;
  using JointBase<T>::ws;
  using JointBase<T>::at;
  const StepConstants<T>& step() const { return m.step[at()]; }

  Screw<2, T> z() const {
    return {ws.cosine[at()], ws.sine[at()], Slides ? ws.slide[at()] : step().slide};
  }
  Vec3<T> origin() const {
    if constexpr (Slides) return step().origin + step().direction * (ws.slide[at()] - step().slide);
    else return step().origin;
  }

  /// From the parent to the frame before the last screw, and back.
  template <class V>
  [[gnu::always_inline]] V constant_to_child(const V& value) const {
    const StepConstants<T>& s = step();
    V r = value;
    if (s.has_z0) r = limber::to_child(s.z0, r);
    r = limber::to_child(s.x, r);
    if (s.has_y) r = limber::to_child(s.y, r);
    return r;
  }
  template <class V>
  [[gnu::always_inline]] V constant_to_parent(const V& value) const {
    const StepConstants<T>& s = step();
    V r = value;
    if (s.has_y) r = limber::to_parent(s.y, r);
    r = limber::to_parent(s.x, r);
    if (s.has_z0) r = limber::to_parent(s.z0, r);
    return r;
  }
  template <class V>
  [[gnu::always_inline]] V to_child(const V& value) const {
    return limber::to_child(z(), constant_to_child(value));
  }
  template <class V>
  [[gnu::always_inline]] V to_parent(const V& value) const {
    return constant_to_parent(limber::to_parent(z(), value));
  }
  /// to_parent() of many forces, with the screws at hand.
  [[gnu::always_inline]] void columns_to_parent(Force<T>* begin, Force<T>* end) const {
    const Screw<2, T> last = z();
    const Screw<0, T> normal = step().x;
    if (step().has_y || step().has_z0) {
      for (Force<T>* f = begin; f != end; ++f) *f = to_parent(*f);
    } else {
      for (Force<T>* f = begin; f != end; ++f)
        *f = limber::to_parent(normal, limber::to_parent(last, *f));
    }
  }
  /// X followed by the step: the body's pose where the parent's is X.
  [[gnu::always_inline]] Transform<T> pose_after(const Transform<T>& X) const {
    const StepConstants<T>& s = step();
    Transform<T> r = s.has_z0 ? X * s.z0 : X;
    r = r * s.x;
    if (s.has_y) r = r * s.y;
    return r * z();
  }
};

// --- elimination of one column from an articulated inertia ---------------------------------------

template <class T>
void eliminate_column(ArticulatedInertia<T>& IA, const Motion<T>&, const Force<T>& U,
                      const Pivot<T>& pivot) {
  eliminate(IA, U, U * pivot.D_inverse);
}
/// A unit column without rotor leaves zeros.
template <class T, int K>
[[gnu::always_inline]] inline void eliminate_column(ArticulatedInertia<T>& IA, Axis<K> S,
                                                    const Force<T>& U, const Pivot<T>& pivot) {
  if (known_zero(pivot.inertia)) eliminate(IA, S, U, scaled_without(S, U, pivot.D_inverse));
  else eliminate(IA, U, U * pivot.D_inverse);
}

/// One unit column along z: revolute (K = 2) or prismatic (K = 5).
template <class T, int K>
struct UnitJoint : ScrewStepJoint<T, K == 5> {
  using Base = ScrewStepJoint<T, K == 5>;
  using Base::at;
  using Base::m;
  using Base::step;
  using Base::ws;

  void place([[maybe_unused]] const T* q) const {
    if constexpr (K == 5) ws.slide[at()] = step().slide + q[m.q_index[at()]];
  }
  Along<K, T> velocity(const T* v) const { return {v[this->v_index()]}; }
  NoBias bias(const T*, const T*) const { return {}; }
  template <class F>
  [[gnu::always_inline]] void for_columns(F&& f) const {
    f(Axis<K>{}, this->v_index());
  }
  template <class F>
  [[gnu::always_inline]] void for_columns_reversed(F&& f) const {
    f(Axis<K>{}, this->v_index());
  }

  [[gnu::always_inline]] Force<T> bias_force(const ArticulatedInertia<T>& IA, const Force<T>& p,
                                             const Motion<T>& c) const {
    if constexpr (saves_operations<T>) return p;
    else return p + IA * c;
  }
  [[gnu::always_inline]] void add_couple(Force<T>& U, const RotorCouple<T>& rotor) const {
    U.angular += rotor.is_after ? rotor.couple : limber::to_child(this->z(), rotor.couple);
  }
  /// A couple before the joint does not feel the joint's bias acceleration, one after it does.
  [[gnu::always_inline]] T couple_bias(const RotorCouple<T>& rotor, const Motion<T>& c) const {
    if constexpr (saves_operations<T>) {
      if (!rotor.is_after) return -dot(limber::to_child(this->z(), rotor.couple), c.angular);
    } else {
      if (rotor.is_after) return dot(rotor.couple, c.angular);
    }
    return T(0);
  }
  [[gnu::always_inline]] Force<T> in_column_frame(const Force<T>& U) const {
    if constexpr (saves_operations<T>) return U;
    else return limber::to_parent(this->z(), U);
  }
  [[gnu::always_inline]] void eliminate(ArticulatedInertia<T>& IA, Axis<K> S, const Force<T>& U,
                                        const Pivot<T>& pivot) const {
    if constexpr (saves_operations<T>) eliminate_column(IA, S, U, pivot);
  }
  [[gnu::always_inline]] ArticulatedInertia<T> to_parent_without_columns(
      const ArticulatedInertia<T>& IA, const Pivot<T>& pivot) const {
    if constexpr (saves_operations<T>) {
      return reduced_to_parent(IA, pivot);
    } else {
      ArticulatedInertia<T> turned = limber::to_parent(this->z(), IA);
      Force<T> U = turned * Axis<K>{};
      if (const RotorCouple<T>* rotor = pivot.rotor)
        U.angular += rotor->is_after ? limber::to_parent(this->z(), rotor->couple) : rotor->couple;
      limber::eliminate(turned, U, U * pivot.D_inverse);
      return this->constant_to_parent(turned);
    }
  }
  [[gnu::always_inline]] Force<T> reduced_bias_force(const ArticulatedInertia<T>& IA,
                                                     const Force<T>& p, const Motion<T>& c,
                                                     const Pivot<T>& pivot) const {
    if constexpr (saves_operations<T>)
      return p + (leaves_zeros(pivot) ? times_without(IA, c, Axis<K>{}) : IA * c);
    else return p;
  }
  [[gnu::always_inline]] Motion<T> acceleration_before_columns(const Motion<T>& a_parent,
                                                               const Motion<T>& c) const {
    if constexpr (saves_operations<T>) return this->to_child(a_parent) + c;
    else return this->constant_to_child(a_parent);
  }
  [[gnu::always_inline]] Motion<T> acceleration_after_columns(const Motion<T>& a,
                                                              const Motion<T>& c) const {
    if constexpr (saves_operations<T>) return a;
    else return limber::to_child(this->z(), a) + c;
  }

 private:
  /// Row and column K of the inertia are zero after the elimination.
  static bool leaves_zeros(const Pivot<T>& pivot) {
    return known_zero(pivot.inertia) && !known_zero(pivot.D_inverse);
  }
  ArticulatedInertia<T> reduced_to_parent(const ArticulatedInertia<T>& IA,
                                          const Pivot<T>& pivot) const {
    if (!leaves_zeros(pivot)) return this->to_parent(IA);
    const StepConstants<T>& s = step();
    const ArticulatedInertia<T> turned = limber::to_parent_reduced(this->z(), IA, Axis<K>{});
    if (s.has_y) return this->constant_to_parent(turned);
    const ArticulatedInertia<T> r = limber::to_parent_reduced(s.x, turned, Axis<K>{});
    return s.has_z0 ? limber::to_parent(s.z0, r) : r;
  }
};

/// Columns in the body's frame, eliminated one after the other.
template <class T, class Step>
struct BodyColumnJoint : Step {
  void add_couple(Force<T>&, const RotorCouple<T>&) const {}  // only unit joints have them
  T couple_bias(const RotorCouple<T>&, const Motion<T>&) const { return T(0); }
  Force<T> bias_force(const ArticulatedInertia<T>& IA, const Force<T>& p,
                      const Motion<T>& c) const {
    if constexpr (saves_operations<T>) return p;
    else return p + IA * c;
  }
  const Force<T>& in_column_frame(const Force<T>& U) const { return U; }
  template <class Column>
  void eliminate(ArticulatedInertia<T>& IA, const Column& S, const Force<T>& U,
                 const Pivot<T>& pivot) const {
    if constexpr (saves_operations<T>) eliminate_column(IA, S, U, pivot);
    else limber::eliminate(IA, U, U * pivot.D_inverse);
  }
  ArticulatedInertia<T> to_parent_without_columns(const ArticulatedInertia<T>& IA,
                                                  const Pivot<T>&) const {
    return this->to_parent(IA);
  }
  Force<T> reduced_bias_force(const ArticulatedInertia<T>& IA, const Force<T>& p,
                              const Motion<T>& c, const Pivot<T>&) const {
    if constexpr (saves_operations<T>) return p + IA * c;
    else return p;
  }
  Motion<T> acceleration_before_columns(const Motion<T>& a_parent, const Motion<T>& c) const {
    if constexpr (saves_operations<T>) return this->to_child(a_parent) + c;
    else return this->to_child(a_parent);
  }
  Motion<T> acceleration_after_columns(const Motion<T>& a, const Motion<T>& c) const {
    if constexpr (saves_operations<T>) return a;
    else return a + c;
  }
};

/// General columns kept in the workspace.
template <class T, class Step>
struct ColumnJoint : BodyColumnJoint<T, Step> {
  using Step::at;
  using Step::m;
  using Step::ws;
  Motion<T>* columns() const { return ws.S.data() + this->v_index(); }

  Motion<T> velocity(const T* v) const {
    const std::span<const T> rate = this->own_v(v);
    Motion<T> sum;
    for (std::size_t k = 0; k < rate.size(); ++k) sum += columns()[k] * rate[k];
    return sum;
  }
  Motion<T> bias(const T* q, const T* v) const {
    return joint_bias<T>(m, this->i, this->own_q(q), this->own_v(v), columns());
  }
  template <class F>
  void for_columns(F&& f) const {
    for (int k = 0; k < m.v_count[at()]; ++k) f(columns()[k], this->v_index() + k);
  }
  template <class F>
  void for_columns_reversed(F&& f) const {
    for (int k = m.v_count[at()] - 1; k >= 0; --k) f(columns()[k], this->v_index() + k);
  }
};

/// Helical and cylindrical joints.
template <class T>
struct ScrewColumnJoint : ColumnJoint<T, ScrewStepJoint<T, true>> {
  using Base = ColumnJoint<T, ScrewStepJoint<T, true>>;
  using Base::at;
  using Base::m;
  using Base::step;
  using Base::ws;
  void place(const T* q) const {
    const std::span<const T> own = this->own_q(q);
    ws.slide[at()] =
        step().slide + (m.kind[at()] == JointKind::helical ? m.pitch[at()] * own[0] : own[1]);
    joint_pose<T>(m, this->i, own, this->columns());
  }
};

/// A step by a general transform.
template <class T>
struct TransformStepJoint : JointBase<T> {
  using JointBase<T>::at;
  using JointBase<T>::m;
  using JointBase<T>::ws;
  const Transform<T>& pose() const { return ws.X[at()]; }
  Transform<T> pose_after(const Transform<T>& X) const { return X * pose(); }
  [[gnu::always_inline]] void columns_to_parent(Force<T>* begin, Force<T>* end) const {
    for (Force<T>* f = begin; f != end; ++f) *f = pose() * *f;
  }
  Vec3<T> to_child(const Vec3<T>& u) const { return transpose_times(pose().R, u); }
  template <class V>
  [[gnu::always_inline]] V to_child(const V& value) const {
    return apply_inverse(pose(), value);
  }
  template <class V>
  [[gnu::always_inline]] V to_parent(const V& value) const {
    return pose() * value;
  }
  Vec3<T> origin() const { return pose().p; }
};

template <class T>
struct GeneralJoint : ColumnJoint<T, TransformStepJoint<T>> {
  using Base = ColumnJoint<T, TransformStepJoint<T>>;
  using Base::at;
  using Base::m;
  using Base::ws;
  void place(const T* q) const {
    ws.X[at()] =
        m.step[at()].placement * joint_pose<T>(m, this->i, this->own_q(q), this->columns());
  }
};

/// Six unit columns.
template <class T>
struct FreeJoint : BodyColumnJoint<T, TransformStepJoint<T>> {
  using Base = TransformStepJoint<T>;
  using Base::at;
  using Base::m;
  using Base::ws;
  void place(const T* q) const {
    const T* own = q + m.q_index[at()];
    const Transform<T> X{to_matrix(Quat<T>{own[3], own[4], own[5], own[6]}),
                         {own[0], own[1], own[2]}};
    ws.X[at()] = m.step[at()].placement * X;
  }
  Motion<T> velocity(const T* v) const {
    const T* own = v + this->v_index();
    return {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
  }
  NoBias bias(const T*, const T*) const { return {}; }
  template <class F>
  [[gnu::always_inline]] void for_columns(F&& f) const {
    const int k = this->v_index();
    f(Axis<0>{}, k), f(Axis<1>{}, k + 1), f(Axis<2>{}, k + 2);
    f(Axis<3>{}, k + 3), f(Axis<4>{}, k + 4), f(Axis<5>{}, k + 5);
  }
  template <class F>
  void for_columns_reversed(F&& f) const {
    const int k = this->v_index();
    f(Axis<5>{}, k + 5), f(Axis<4>{}, k + 4), f(Axis<3>{}, k + 3);
    f(Axis<2>{}, k + 2), f(Axis<1>{}, k + 1), f(Axis<0>{}, k);
  }
};

/// Three unit columns that turn.
template <class T>
struct SphericalJoint : BodyColumnJoint<T, TransformStepJoint<T>> {
  using Base = TransformStepJoint<T>;
  using Base::at;
  using Base::m;
  using Base::ws;
  void place(const T* q) const {
    const T* own = q + m.q_index[at()];
    const Transform<T>& placement = m.step[at()].placement;
    ws.X[at()] = {placement.R * to_matrix(Quat<T>{own[0], own[1], own[2], own[3]}), placement.p};
  }
  Motion<T> velocity(const T* v) const {
    const T* own = v + this->v_index();
    return {{own[0], own[1], own[2]}, {}};
  }
  NoBias bias(const T*, const T*) const { return {}; }
  template <class F>
  [[gnu::always_inline]] void for_columns(F&& f) const {
    const int k = this->v_index();
    f(Axis<0>{}, k), f(Axis<1>{}, k + 1), f(Axis<2>{}, k + 2);
  }
  template <class F>
  [[gnu::always_inline]] void for_columns_reversed(F&& f) const {
    const int k = this->v_index();
    f(Axis<2>{}, k + 2), f(Axis<1>{}, k + 1), f(Axis<0>{}, k);
  }
};

/// Calls f with the joint of body i in its own type.
template <class T, class F>
[[gnu::always_inline]] inline void with_joint(const BasicModel<T>& m, BasicWorkspace<T>& ws, int i,
                                              F&& f) {
  switch (m.form[i]) {
    case JointForm::revolute:
      return f(UnitJoint<T, 2>{{{m, ws, i}}});
    case JointForm::prismatic:
      return f(UnitJoint<T, 5>{{{m, ws, i}}});
    case JointForm::screw:
      return f(ScrewColumnJoint<T>{{{{{m, ws, i}}}}});
    case JointForm::free:
      return f(FreeJoint<T>{{{{m, ws, i}}}});
    case JointForm::spherical:
      return f(SphericalJoint<T>{{{{m, ws, i}}}});
    case JointForm::general:
      return f(GeneralJoint<T>{{{{{m, ws, i}}}}});
  }
}

/// Sets the transforms and columns of all joints for the tree's positions q.
template <class T>
void place_joints(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws) {
  ++ws.placings;
  for (std::size_t k = 0; k < m.turning.size(); ++k) {
    const auto b = at_index(m.turning[k]);
    ws.angle[b] = m.rest_angle[b] + q[m.turning_q[k]];
  }
  sincos_all(ws.angle.data(), ws.sine.data(), ws.cosine.data(), static_cast<int>(ws.angle.size()));
  for (const int i : m.placed) with_joint(m, ws, i, [&](const auto& joint) { joint.place(q); });
}

// --- what a joint adds to the motion of its body, in the body's axes -----------------------------
// With ω' and accelerations carried over from the parent, joint velocity (ωJ, vJ) and Ṡ v:
//   ω  = ω' + ωJ
//   bias acceleration (classical) = (ω' × ωJ, 2 ω' × vJ + ωJ × vJ) + Ṡ v

template <class T>
Vec3<T> plus_turn(Vec3<T> w, const Along<2, T>& s) {
  w.z += s.x;
  return w;
}
template <class T>
Vec3<T> plus_turn(const Vec3<T>& w, const Along<5, T>&) {
  return w;
}
template <class T>
Vec3<T> plus_turn(const Vec3<T>& w, const Motion<T>& vJ) {
  return w + vJ.angular;
}

template <class T>
void add_bias(Motion<T>& a, const Vec3<T>& w, const Along<2, T>& s, NoBias) {
  a.angular.x += w.y * s.x;
  a.angular.y -= w.x * s.x;
}
template <class T>
void add_bias(Motion<T>& a, const Vec3<T>& w, const Along<5, T>& s, NoBias) {
  const T twice = s.x + s.x;
  a.linear.x += w.y * twice;
  a.linear.y -= w.x * twice;
}
template <class T>
void add_bias(Motion<T>& a, const Vec3<T>& w, const Motion<T>& vJ, NoBias) {
  a.angular += cross(w, vJ.angular);
  a.linear += cross(w + w + vJ.angular, vJ.linear);
}
template <class T>
void add_bias(Motion<T>& a, const Vec3<T>& w, const Motion<T>& vJ, const Motion<T>& Sdot_v) {
  add_bias(a, w, vJ, NoBias{});
  a += Sdot_v;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
