// What YAML robots say about a link in a fluid.
#include <algorithm>

#include <fmt/format.h>

#include "io/hydrodynamics.hpp"
#include "io/yaml_parts.hpp"

namespace limber {

std::optional<MarineMatrix> read_marine_matrix(const YamlMap& map, const std::string& key,
                                               const std::vector<std::size_t>& counts) {
  if (!map.has(key)) return std::nullopt;
  const std::vector<YamlNode> rows = map.list(key);
  if (rows.empty() || !rows[0].is_list()) return marine_matrix_of(map.numbers(key, counts));
  if (rows.size() != 6)
    throw map.error(key, fmt::format("{} rows are found, 6 are expected", rows.size()));
  MarineMatrix matrix{};
  for (std::size_t i = 0; i < 6; ++i) {
    const YamlNode wrapped = YamlNode::mapping(key, rows[i]);
    const std::vector<double> row =
        YamlMap(wrapped, map.file(), map.source().element, {key}).numbers(key, {6});
    std::copy(row.begin(), row.end(), matrix[i].begin());
  }
  return matrix;
}

CylinderDragSpec read_cylinder_drag(const YamlMap& map, const std::string& coefficient) {
  const CylinderDragSpec plain;
  CylinderDragSpec cylinder;
  for (const char* key : {"start", "end"})
    if (!map.has(key))
      throw Error(map.source(), fmt::format("key '{0}' is missing; add `{0}: [0, 0, 0]`", key));
  cylinder.start = map.vec3("start", {});
  cylinder.end = map.vec3("end", {});
  cylinder.radius = map.number("radius");
  cylinder.drag_coefficient = map.magnitude(coefficient, plain.drag_coefficient);
  cylinder.end_coefficient = map.magnitude("end_coefficient", plain.end_coefficient);
  cylinder.skin_coefficient = map.magnitude("skin_coefficient", plain.skin_coefficient);
  if (!(cylinder.radius > 0))
    throw map.error("radius", fmt::format("{} is not positive", cylinder.radius));
  if (!(norm(cylinder.end - cylinder.start) > 0))
    throw map.error("end", "is where the start is; give the two ends of the axis");
  return cylinder;
}

std::optional<HydrodynamicsSpec> read_hydrodynamics(const YamlMap& body,
                                                    std::vector<std::string>& warnings) {
  HydrodynamicsSpec water;
  const auto read_added_mass = [&](const YamlMap& map, const std::vector<std::size_t>& counts) {
    water.added_mass = read_marine_matrix(map, "added_mass", counts);
    if (!water.added_mass) return;
    Source source = map.source();
    source.line = map.node("added_mass").line();
    if (const std::string text = make_symmetric(*water.added_mass); !text.empty())
      warnings.push_back(to_string(source) + ": " + text);
  };
  if (!body.has("hydrodynamics")) {
    if (!body.has("added_mass")) return std::nullopt;
    read_added_mass(body, {21});
    return water;
  }
  if (body.has("added_mass"))
    throw body.error("added_mass", "stands beside `hydrodynamics`; move it into that");
  const YamlMap map = body.map(
      "hydrodynamics", {"added_mass", "volume", "center_of_buoyancy", "linear_damping",
                        "quadratic_damping", "damping_frame", "drag_coefficient", "cylinders"});
  read_added_mass(map, {6, 21, 36});
  water.linear_damping = read_marine_matrix(map, "linear_damping", {6, 36});
  water.quadratic_damping = read_marine_matrix(map, "quadratic_damping", {6, 36});
  if (map.has("damping_frame")) {
    if (!water.linear_damping && !water.quadratic_damping)
      throw map.error("damping_frame",
                      "there is no damping that would be given in it; add `linear_damping` or "
                      "`quadratic_damping`, or leave it out");
    water.damping_frame = read_pose(map.map("damping_frame", pose_keys()));
  }
  if (map.has("volume")) water.volume = map.magnitude("volume", 0);
  if (map.has("center_of_buoyancy")) water.center_of_buoyancy = map.vec3("center_of_buoyancy", {});
  if (map.has("drag_coefficient")) water.drag_coefficient = map.magnitude("drag_coefficient", 0);
  for (const YamlNode& node : map.list("cylinders"))
    water.cylinders.push_back(read_cylinder_drag(
        YamlMap(
            node, map.file(), map.source().element + ": cylinders",
            {"start", "end", "radius", "drag_coefficient", "end_coefficient", "skin_coefficient"}),
        "drag_coefficient"));
  return water;
}

}  // namespace limber
