#pragma once
// What both YAML robot formats share: poses, inertias, data of a degree of freedom, shapes.
#include <limber/model/spec.hpp>

#include "io/yaml.hpp"

namespace limber {

/// The keys that the functions below read.
std::vector<std::string> pose_keys();
std::vector<std::string> inertia_keys();
std::vector<std::string> dof_keys();

/// Pose from `xyz` [m] and `rpy` [rad].
Transform<double> read_pose(const YamlMap& map);

/// Inertia from `mass`, `com` and `inertia` (3 or 6 numbers about the centre of mass).
Inertia<double> read_inertia(const YamlMap& map);

/// Limits, friction, rotor and spring; friction given on the motor side is brought to the joint
/// side.
DofSpec read_dof(const YamlMap& map);

/// The list `shapes`.
std::vector<ShapeSpec> read_shapes(const YamlMap& map);

/// A frame from `name`, `xyz` and `rpy`; the caller sets its body.
FrameSpec read_frame(const YamlMap& map);

/// The two robot formats: a DH table, and lists of bodies and joints.
Spec read_dh_table(const YamlNode& root, const std::string& file);
Spec read_tree(const YamlNode& root, const std::string& file);

}  // namespace limber
