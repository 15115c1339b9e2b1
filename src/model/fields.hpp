#pragma once
// The one table of the fields of a model and of what it is made of. Copies for other scalars
// (cast), equality and the fingerprint of compiled code go through it and know no field by name. A
// member that stands in its struct and not here does not compile.
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <limber/model/model.hpp>

namespace limber {

/// What a field is, for those who do not want them all.
enum class FieldUse : std::uint8_t {
  code,      ///< the algorithms compute from it: compiled code depends on it
  note,      ///< compiled code does not know it: limits, shapes, warnings
  function,  ///< where a function of the user's stands in memory: says nothing of what it does
  identity   ///< of the object, not of the robot: never compared
};

template <class S, class M>
struct Field {
  const char* name;
  M S::*member;
  FieldUse use;
};

template <class S, class M>
constexpr Field<S, M> field(const char* name, M S::*member, FieldUse use = FieldUse::code) {
  return {name, member, use};
}

/// A struct with a table: Fields<S>::table is a tuple of its fields.
template <class S>
struct Fields;
template <class S>
concept HasFields = requires {
  Fields<S>::table;
};

/// A list that is gone through entry by entry.
template <class X>
concept FieldList = requires(const X& x) {
  x.begin(), x.size();
}
&&!std::is_same_v<X, std::string> && !std::is_trivially_copyable_v<X>;

// --- how many members a struct has: as many as it takes to initialise it ---

struct AnyMember {
  template <class M>
  operator M() const;  // NOLINT(google-explicit-constructor): never called
};
template <class S, class Indices>
inline constexpr bool takes_members = false;
template <class S, std::size_t... i>
requires requires { S{(static_cast<void>(i), AnyMember{})...}; }
inline constexpr bool takes_members<S, std::index_sequence<i...>> = true;
template <class S, std::size_t n>
inline constexpr bool has_members = takes_members<S, std::make_index_sequence<n>> &&
                                    !takes_members<S, std::make_index_sequence<n + 1>>;

// --- the way through a table ---

template <class S>
inline constexpr std::size_t field_count = std::tuple_size_v<decltype(Fields<S>::table)>;

/// Calls f(field) for every field of S.
template <HasFields S, class F>
constexpr void for_each_field(F&& f) {
  static_assert(has_members<S, field_count<S>>,
                "a member of this struct is missing in its table in model/fields.hpp");
  std::apply([&](const auto&... fields) { (f(fields), ...); }, Fields<S>::table);
}

// --- the tables ---

#define LIMBER_FIELD(member) field(#member, &S::member)
#define LIMBER_NOTE(member) field(#member, &S::member, FieldUse::note)
#define LIMBER_FUNCTION(member) field(#member, &S::member, FieldUse::function)

template <>
struct Fields<DofSpec> {
  using S = DofSpec;
  static constexpr std::tuple table{LIMBER_NOTE(lower),
                                    LIMBER_NOTE(upper),
                                    LIMBER_NOTE(velocity_limit),
                                    LIMBER_NOTE(effort_limit),
                                    LIMBER_FIELD(damping),
                                    LIMBER_FIELD(friction_positive),
                                    LIMBER_FIELD(friction_negative),
                                    LIMBER_FIELD(rotor_inertia),
                                    LIMBER_FIELD(gear_ratio),
                                    LIMBER_FIELD(rotor_mount),
                                    LIMBER_FIELD(rotor_axis),
                                    LIMBER_FIELD(stiffness),
                                    LIMBER_FIELD(spring_reference)};
};

template <>
struct Fields<ShapeSpec> {
  using S = ShapeSpec;
  static constexpr std::tuple table{
      LIMBER_NOTE(kind),        LIMBER_NOTE(role),          LIMBER_NOTE(name),
      LIMBER_NOTE(size),        LIMBER_NOTE(mesh_file),     LIMBER_NOTE(placement),
      LIMBER_NOTE(color),       LIMBER_NOTE(material),      LIMBER_NOTE(friction),
      LIMBER_NOTE(collides_as), LIMBER_NOTE(collides_with), LIMBER_NOTE(group)};
};

template <>
struct Fields<CustomJoint> {
  using S = CustomJoint;
  static constexpr std::tuple table{LIMBER_FIELD(nq),
                                    LIMBER_FIELD(nv),
                                    LIMBER_FIELD(parameters),
                                    LIMBER_FUNCTION(kinematics_double),
                                    LIMBER_FUNCTION(kinematics_float),
                                    LIMBER_FUNCTION(kinematics_dual),
                                    LIMBER_FUNCTION(kinematics_counted),
                                    LIMBER_FUNCTION(kinematics_expr),
                                    LIMBER_FUNCTION(integrate),
                                    LIMBER_FUNCTION(difference),
                                    LIMBER_FUNCTION(position_rate),
                                    LIMBER_FIELD(neutral)};
};

template <class T>
struct Fields<StepConstants<T>> {
  using S = StepConstants<T>;
  static constexpr std::tuple table{
      LIMBER_FIELD(has_z0), LIMBER_FIELD(has_y),  LIMBER_FIELD(x),
      LIMBER_FIELD(slide),  LIMBER_FIELD(origin), LIMBER_FIELD(direction),
      LIMBER_FIELD(z0),     LIMBER_FIELD(y),      LIMBER_FIELD(placement)};
};

template <class T>
struct Fields<Fold<T>> {
  using S = Fold<T>;
  static constexpr std::tuple table{LIMBER_FIELD(index), LIMBER_FIELD(ratio), LIMBER_FIELD(offset)};
};

template <>
struct Fields<ColumnGroup> {
  using S = ColumnGroup;
  static constexpr std::tuple table{LIMBER_FIELD(freedom), LIMBER_FIELD(carrier),
                                    LIMBER_FIELD(first), LIMBER_FIELD(end),
                                    LIMBER_FIELD(is_coupled)};
};

template <class T>
struct Fields<MountedRotor<T>> {
  using S = MountedRotor<T>;
  static constexpr std::tuple table{
      LIMBER_FIELD(body),    LIMBER_FIELD(column), LIMBER_FIELD(carrier),   LIMBER_FIELD(axis),
      LIMBER_FIELD(inertia), LIMBER_FIELD(ratio),  LIMBER_FIELD(is_coupled)};
};

template <class T>
struct Fields<RotorCouple<T>> {
  using S = RotorCouple<T>;
  static constexpr std::tuple table{LIMBER_FIELD(couple), LIMBER_FIELD(is_after),
                                    LIMBER_FIELD(inertia)};
};

template <class T>
struct Fields<ColumnGroups<T>> {
  using S = ColumnGroups<T>;
  static constexpr std::tuple table{LIMBER_FIELD(groups),    LIMBER_FIELD(columns),
                                    LIMBER_FIELD(rotors),    LIMBER_FIELD(rotor_inertia),
                                    LIMBER_FIELD(branching), LIMBER_FIELD(all_coupled),
                                    LIMBER_FIELD(group),     LIMBER_FIELD(target),
                                    LIMBER_FIELD(couple),    LIMBER_FIELD(of_freedom)};
};

template <class T>
struct Fields<BasicFrame<T>> {
  using S = BasicFrame<T>;
  static constexpr std::tuple table{LIMBER_FIELD(name), LIMBER_FIELD(body),
                                    LIMBER_FIELD(placement)};
};

template <class T>
struct Fields<BasicLoop<T>> {
  using S = BasicLoop<T>;
  static constexpr std::tuple table{LIMBER_NOTE(name),
                                    LIMBER_FIELD(kind),
                                    LIMBER_FIELD(body_a),
                                    LIMBER_FIELD(body_b),
                                    LIMBER_FIELD(placement_a),
                                    LIMBER_FIELD(placement_b),
                                    LIMBER_FIELD(distance),
                                    LIMBER_FIELD(joint),
                                    LIMBER_FIELD(leader),
                                    LIMBER_FIELD(joint_reference),
                                    LIMBER_FIELD(leader_reference),
                                    LIMBER_FIELD(polynomial),
                                    LIMBER_FIELD(joint_kind),
                                    LIMBER_FIELD(axis),
                                    LIMBER_FIELD(axis2),
                                    LIMBER_FIELD(pitch),
                                    LIMBER_FIELD(radius),
                                    LIMBER_FIELD(rim),
                                    LIMBER_NOTE(dofs)};
};

template <>
struct Fields<Keyframe> {
  using S = Keyframe;
  static constexpr std::tuple table{LIMBER_NOTE(name), LIMBER_NOTE(time), LIMBER_NOTE(q),
                                    LIMBER_NOTE(v), LIMBER_NOTE(control)};
};

template <class T>
struct Fields<BasicModel<T>> {
  using S = BasicModel<T>;
  static constexpr std::tuple table{LIMBER_FIELD(name),
                                    field("identity", &S::identity, FieldUse::identity),
                                    LIMBER_FIELD(nq),
                                    LIMBER_FIELD(nv),
                                    LIMBER_FIELD(tree_nq),
                                    LIMBER_FIELD(tree_nv),
                                    LIMBER_FIELD(gravity),
                                    LIMBER_NOTE(warnings),
                                    LIMBER_FIELD(parent),
                                    LIMBER_FIELD(kind),
                                    LIMBER_FIELD(form),
                                    LIMBER_FIELD(q_index),
                                    LIMBER_FIELD(q_count),
                                    LIMBER_FIELD(v_index),
                                    LIMBER_FIELD(v_count),
                                    LIMBER_FIELD(master),
                                    LIMBER_FIELD(step),
                                    LIMBER_FIELD(pitch),
                                    LIMBER_FIELD(custom_index),
                                    LIMBER_FIELD(inertia),
                                    LIMBER_FIELD(body_placement),
                                    LIMBER_FIELD(subtree_end),
                                    LIMBER_FIELD(branching),
                                    LIMBER_FIELD(columns_end),
                                    LIMBER_FIELD(is_rotor),
                                    LIMBER_FIELD(has_actuation),
                                    LIMBER_FIELD(body_name),
                                    LIMBER_FIELD(joint_name),
                                    LIMBER_FIELD(custom),
                                    LIMBER_FIELD(rest_angle),
                                    LIMBER_FIELD(turning),
                                    LIMBER_FIELD(turning_q),
                                    LIMBER_FIELD(placed),
                                    LIMBER_FIELD(column_body),
                                    LIMBER_FIELD(column_parent),
                                    LIMBER_FIELD(armature),
                                    LIMBER_FIELD(column_dof),
                                    LIMBER_FIELD(column_q),
                                    LIMBER_FIELD(actuation),
                                    LIMBER_FIELD(v_fold),
                                    LIMBER_FIELD(q_fold),
                                    LIMBER_FIELD(dof_parent),
                                    LIMBER_FIELD(dof),
                                    LIMBER_FIELD(dof_q),
                                    LIMBER_FIELD(frames),
                                    LIMBER_NOTE(frames_by_name),
                                    LIMBER_NOTE(shapes),
                                    LIMBER_FIELD(together),
                                    LIMBER_FIELD(loops),
                                    LIMBER_NOTE(keyframes),
                                    LIMBER_FIELD(singular_reason)};
};

#undef LIMBER_FIELD
#undef LIMBER_NOTE
#undef LIMBER_FUNCTION

}  // namespace limber
