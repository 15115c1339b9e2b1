#pragma once
// Several robots as one model: what is simulated together, touches or is coupled by forces, is one
// System, and a System has one Model.
#include <limber/model/spec.hpp>

namespace limber {

/// Where a robot is put.
struct Mount {
  /// Stands before the names of its bodies, joints and frames: "left" makes "left.elbow".
  std::string name;
  /// The body that carries it; empty: the world.
  std::string parent{};
  /// Pose of the robot's world in the frame of `parent`.
  Transform<double> placement{};
};

/// Adds a robot to a spec: on the floor beside others, or on a link of one of them (a gripper on a
/// flange, an arm on a vehicle). What is welded to the robot's world is welded to `parent`, by a
/// joint "NAME.mount" (the second such body: "NAME.mount 2"); joints from its world begin at
/// `parent`. Gravity and name of `spec` stay. Throws Error for an empty name and a parent that does
/// not exist; build() reports names that are taken.
void mount(Spec& spec, Spec robot, const Mount& place);

/// The names of all bodies, joints, frames, loops, actuators, sensors and named states get `prefix`
/// in front; "world" stays.
void add_prefix(Spec& spec, const std::string& prefix);
/// Frames, shapes and ends of loops that stand on the world stand on `parent` instead (empty: the
/// world), moved by `placement`. Shapes stay in `world_shapes`.
void move_world(Spec& spec, const std::string& parent, const Transform<double>& placement);
/// Adds all that `more` describes as it is; name, gravity, time step and format stay.
void append(Spec& spec, const Spec& more);

}  // namespace limber
