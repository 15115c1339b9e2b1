#pragma once
// What both YAML robot formats share: poses, inertias, data of a degree of freedom, shapes.
#include <limber/model/spec.hpp>

#include "io/yaml.hpp"

namespace limber {

/// The keys that the functions below read.
std::vector<std::string> pose_keys();
std::vector<std::string> inertia_keys();
std::vector<std::string> dof_keys();

/// Pose from `xyz` [m] and `rpy` [rad] or `rotation` (nine numbers, by rows). The names of the keys
/// stand between `before` and `after`: "child_" gives `child_xyz`.
Transform<double> read_pose(const YamlMap& map, const std::string& before = "",
                            const std::string& after = "");

/// The rotation of roll, pitch and yaw [rad] under a key. More than a whole turn is refused:
/// degrees.
Mat3<double> read_rpy(const YamlMap& map, const std::string& key);

/// Inertia from `mass`, `com` and `inertia` (3 or 6 numbers about the centre of mass), or from
/// `mass` and the moments about the origin, `first_moment` and `second_moment`.
Inertia<double> read_inertia(const YamlMap& map);

/// Limits, friction, rotor and spring; friction given on the motor side is brought to the joint
/// side.
DofSpec read_dof(const YamlMap& map);

/// A whole number.
int read_whole(const YamlMap& map, const std::string& key, int fallback);

/// A matrix of marine craft: its diagonal (6 numbers), its upper triangle by rows (21), all of it
/// by rows (36), as far as `counts` has these numbers, or six rows of six; nothing without the key.
std::optional<MarineMatrix> read_marine_matrix(const YamlMap& map, const std::string& key,
                                               const std::vector<std::size_t>& counts);

/// A cylinder from `start`, `end`, `radius`, `end_coefficient`, `skin_coefficient`, and the key of
/// the coefficient across.
CylinderDragSpec read_cylinder_drag(const YamlMap& map, const std::string& coefficient);

/// `hydrodynamics`, or `added_mass` alone; nothing without these keys.
std::optional<HydrodynamicsSpec> read_hydrodynamics(const YamlMap& body,
                                                    std::vector<std::string>& warnings);

/// The list `shapes`, or one with another name.
std::vector<ShapeSpec> read_shapes(const YamlMap& map, const std::string& key = "shapes");

/// A joint kind by its name, not custom.
JointKind read_joint_kind(const YamlMap& map, const std::string& key);

/// `true` or `false`; false without the key.
bool read_flag(const YamlMap& map, const std::string& key);

/// Where `name` stands among `names`. `what`: "a shape", for the message.
std::size_t read_choice(const YamlMap& map, const std::string& key,
                        const std::vector<std::string>& names, const char* what);

/// A frame from `name`, `xyz` and `rpy`; the caller sets its body.
FrameSpec read_frame(const YamlMap& map);

/// An entry of the list `loops`.
LoopSpec read_loop(const YamlNode& node, const std::string& file);

/// What a robot has besides bodies, joints and frames: loops, actuators, sensors, named states,
/// exclusions, shapes of the world, a time step.
std::vector<std::string> extra_keys();
void read_extras(const YamlMap& robot, Spec& spec);
/// Names in the files, in the order of the enumerations.
const std::vector<std::string>& shape_names();
const std::vector<std::string>& role_names();
const std::vector<std::string>& loop_names();

/// The two robot formats: a DH table, and lists of bodies and joints.
Spec read_dh_table(const YamlNode& root, const std::string& file);
Spec read_tree(const YamlNode& root, const std::string& file);

}  // namespace limber
