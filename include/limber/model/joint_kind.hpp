#pragma once
// What is known of a joint kind before there is a robot: its name, its variables, its axes. Whoever
// must know how a kind differs from others asks this table and not the kind; what a new kind
// touches besides is listed in CONTRIBUTING.
#include <span>
#include <string_view>

#include <limber/model/spec.hpp>

namespace limber {

/// One variable of a joint.
struct JointVariable {
  std::string_view label;  ///< "wx"; empty: the joint's only one
  /// "rad", "m", or "" for a component of a quaternion; of a velocity: that of the displacement
  /// whose rate it is.
  std::string_view unit;
};

/// What is fixed about a kind of joint.
struct JointFacts {
  JointKind kind;
  const char* name;
  std::span<const JointVariable> positions, velocities;  ///< custom: none, ask the CustomJoint
  int axes;  ///< directions that belong to its description: none, `axis`, or `axis` and `axis2`
  /// Its quaternion (x, y, z, w) among its positions; −1: none. The joint then begins its
  /// velocities with ω in the moved frame. What stands before the quaternion is the origin of that
  /// frame, which moves with the three velocities after ω, in the same axes.
  int quaternion = -1;
};

namespace joint_variables {
/// Variables of a revolute or helical joint.
inline constexpr JointVariable turn[] = {{"", "rad"}};
/// Variables of a prismatic joint.
inline constexpr JointVariable slide[] = {{"", "m"}};
/// Variables of a cylindrical joint.
inline constexpr JointVariable cylindrical[] = {{"angle", "rad"}, {"slide", "m"}};
/// Variables of a planar joint.
inline constexpr JointVariable planar[] = {{"x", "m"}, {"y", "m"}, {"angle", "rad"}};
/// Variables of a universal joint.
inline constexpr JointVariable universal[] = {{"angle1", "rad"}, {"angle2", "rad"}};
/// Variables of a translation joint.
inline constexpr JointVariable translation[] = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
/// Positions of a spherical joint.
inline constexpr JointVariable quaternion[] = {{"qx", ""}, {"qy", ""}, {"qz", ""}, {"qw", ""}};
/// Velocities of a spherical joint.
inline constexpr JointVariable omega[] = {{"wx", "rad"}, {"wy", "rad"}, {"wz", "rad"}};
/// Positions of a free joint.
inline constexpr JointVariable pose[] = {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qx", ""},
                                         {"qy", ""}, {"qz", ""}, {"qw", ""}};
/// Velocities of a free joint.
inline constexpr JointVariable twist[] = {{"wx", "rad"}, {"wy", "rad"}, {"wz", "rad"},
                                          {"vx", "m"},   {"vy", "m"},   {"vz", "m"}};
}  // namespace joint_variables

/// In the order of JointKind.
inline constexpr JointFacts joint_facts[] = {
    {JointKind::fixed, "fixed", {}, {}, 0},
    {JointKind::revolute, "revolute", joint_variables::turn, joint_variables::turn, 1},
    {JointKind::prismatic, "prismatic", joint_variables::slide, joint_variables::slide, 1},
    {JointKind::helical, "helical", joint_variables::turn, joint_variables::turn, 1},
    {JointKind::cylindrical, "cylindrical", joint_variables::cylindrical,
     joint_variables::cylindrical, 1},
    {JointKind::planar, "planar", joint_variables::planar, joint_variables::planar, 1},
    {JointKind::universal, "universal", joint_variables::universal, joint_variables::universal, 2},
    {JointKind::spherical, "spherical", joint_variables::quaternion, joint_variables::omega, 0, 0},
    {JointKind::translation, "translation", joint_variables::translation,
     joint_variables::translation, 0},
    {JointKind::free, "free", joint_variables::pose, joint_variables::twist, 0, 3},
    {JointKind::custom, "custom", {}, {}, 0},
};

/// True if entry k of joint_facts is about kind k.
constexpr bool joint_facts_are_in_order() {
  int i = 0;
  for (const JointFacts& facts : joint_facts)
    if (facts.kind != static_cast<JointKind>(i++)) return false;
  return i == static_cast<int>(JointKind::custom) + 1;
}
static_assert(joint_facts_are_in_order());

/// The facts of a kind.
constexpr const JointFacts& facts(JointKind kind) {
  return joint_facts[static_cast<std::size_t>(kind)];
}

/// How many of its velocities turn and how many slide the child; a custom joint does not tell.
struct JointMobility {
  int turns = 0, slides = 0;
};
constexpr JointMobility mobility(JointKind kind) {
  JointMobility count;
  for (const JointVariable& v : facts(kind).velocities)
    ++(v.unit == "rad" ? count.turns : count.slides);
  return count;
}

}  // namespace limber
