#pragma once
// What the parts of the YAML writer share.
#include "io/write.hpp"
#include "io/yaml_node.hpp"

namespace limber {

YamlNode yaml_word(const std::string& text);
YamlNode yaml_number(double x);
YamlNode yaml_numbers(std::span<const double> x);
YamlNode yaml_vector(const Vec3<double>& x);
YamlNode yaml_range(double lower, double upper);
/// The name of a body, "world" for the world.
std::string yaml_body_name(const std::string& body);

/// Sets `xyz` and `rpy`, or `rotation` where roll, pitch and yaw would not give the same bits, with
/// `before` and `after` around the names of the keys. What is zero is left out.
void put_pose(const YamlNode& map, const Transform<double>& X, const std::string& before = "",
              const std::string& after = "");

/// Limits, friction, rotor and spring of one freedom.
void put_dof(const YamlNode& map, const DofSpec& dof, const std::string& owner, Losses& losses);

/// Sets a list of what `write` makes of each item; nothing if there is none.
template <class Items, class Write>
void put_list(const YamlNode& robot, const char* key, const Items& items, const Write& write) {
  if (items.empty()) return;
  const YamlNode list = YamlNode::list(0);
  for (const auto& item : items) list.append(write(item));
  robot.set(key, list);
}

/// What the body is in a fluid.
void put_hydrodynamics(const YamlNode& body, const BodySpec& spec, Losses& losses);

/// Loops, actuators, sensors, named states, exclusions.
void put_yaml_extras(const Spec& spec, const YamlNode& robot, Losses& losses);

}  // namespace limber
