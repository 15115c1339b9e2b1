// SDF: plug-ins of models and of the world that are about water.
#include <algorithm>

#include <fmt/format.h>

#include "index.hpp"
#include "io/gazebo_water.hpp"
#include "io/sdf.hpp"

namespace limber {

namespace {

// whether `name` is one of these, or something in one of them
bool is_within(const std::string& name, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
    return name == one || name.starts_with(one + "::");
  });
}

// what moves a vehicle is no part of a robot file here; ": …", or nothing
std::string who_pushes(const XmlElement& plugin) {
  const std::string name = plugin.attribute("name").value_or("");
  if (name.ends_with("::Thruster"))
    return fmt::format(": {}; thrusters stand in a scenario, key `thrusters`", name);
  if (name.ends_with("::LiftDrag"))
    return fmt::format(": {}; fins stand in a scenario, key `fins`", name);
  return "";
}

}  // namespace

void read_sdf_water(const std::optional<XmlElement>& world, const SdfTree& tree,
                    const std::map<int, std::size_t>& bodies, Spec& spec) {
  for (const SdfNode& node : tree.nodes) {
    if (node.kind != SdfNode::Kind::model) continue;
    const FindBody find = [&](const XmlElement& element, const std::string& link) -> BodySpec& {
      const auto body = bodies.find(tree.find(element, node.inner, link));
      if (body == bodies.end()) throw element.error("'" + link + "' is not a link");
      return spec.bodies[body->second];
    };
    const auto read_plugins = [&](const XmlElement& element, const std::string& where) {
      for (const XmlElement& plugin : element.children("plugin"))
        if (!read_water_plugin(plugin, find)) plugin.ignore(where + who_pushes(plugin));
    };
    read_plugins(*node.element, "<plugin> in <model>");
    if (node.include) read_plugins(*node.include, "<plugin> in <include>");
  }
  if (!world) return;
  for (const XmlElement& plugin : world->children("plugin")) {
    if (!is_buoyancy_plugin(plugin)) {
      plugin.ignore("<plugin> in <world>");
      continue;
    }
    const std::vector<std::string> enabled = read_buoyancy_plugin(plugin);
    if (enabled.empty()) continue;
    // buoyancy acts on no others
    for (const auto& [node, body] : bodies) {
      std::optional<HydrodynamicsSpec>& water = spec.bodies[body].hydrodynamics;
      if (is_within(tree.nodes[at_index(node)].name, enabled)) continue;
      if (!water) water.emplace();
      if (!water->volume) water->volume = 0;
    }
  }
}

}  // namespace limber
