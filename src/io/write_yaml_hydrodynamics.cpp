// Spec to YAML: links in a fluid.
#include <cmath>

#include "io/write_yaml.hpp"

namespace limber {

namespace {

// the diagonal, if that gives the same bits: what is left out comes back as +0
YamlNode yaml_matrix(const MarineMatrix& matrix) {
  std::vector<double> diagonal;
  bool has_rest = false;
  for (std::size_t i = 0; i < 6; ++i) {
    diagonal.push_back(matrix[i][i]);
    for (std::size_t j = 0; j < 6; ++j)
      has_rest = has_rest || (i != j && (matrix[i][j] != 0 || std::signbit(matrix[i][j])));
  }
  return yaml_numbers(has_rest ? numbers_of(matrix) : diagonal);
}

YamlNode yaml_cylinder(const CylinderDragSpec& cylinder) {
  const CylinderDragSpec plain;
  const YamlNode map = YamlNode::mapping("start", yaml_vector(cylinder.start));
  map.set("end", yaml_vector(cylinder.end));
  map.set("radius", yaml_number(cylinder.radius));
  if (cylinder.drag_coefficient != plain.drag_coefficient)
    map.set("drag_coefficient", yaml_number(cylinder.drag_coefficient));
  if (cylinder.end_coefficient != plain.end_coefficient)
    map.set("end_coefficient", yaml_number(cylinder.end_coefficient));
  if (cylinder.skin_coefficient != plain.skin_coefficient)
    map.set("skin_coefficient", yaml_number(cylinder.skin_coefficient));
  return map;
}

}  // namespace

void put_hydrodynamics(const YamlNode& body, const BodySpec& spec, Losses& losses) {
  if (!spec.hydrodynamics) return;
  const HydrodynamicsSpec& water = *spec.hydrodynamics;
  const YamlNode map = YamlNode::mapping(0);
  if (water.added_mass) {
    if (!is_symmetric(*water.added_mass))
      losses.description("body '" + spec.name + "'",
                         "its added mass is not symmetric; the symmetric part, which counts, is "
                         "written");
    map.set("added_mass", yaml_matrix(symmetric_part(*water.added_mass)));
  }
  if (water.linear_damping) map.set("linear_damping", yaml_matrix(*water.linear_damping));
  if (water.quadratic_damping) map.set("quadratic_damping", yaml_matrix(*water.quadratic_damping));
  if ((water.linear_damping || water.quadratic_damping) && !is_identity(water.damping_frame)) {
    const YamlNode frame = YamlNode::mapping(0);
    put_pose(frame, water.damping_frame);
    map.set("damping_frame", frame);
  }
  if (water.volume) map.set("volume", yaml_number(*water.volume));
  if (water.center_of_buoyancy)
    map.set("center_of_buoyancy", yaml_vector(*water.center_of_buoyancy));
  if (water.drag_coefficient) map.set("drag_coefficient", yaml_number(*water.drag_coefficient));
  put_list(map, "cylinders", water.cylinders, yaml_cylinder);
  body.set("hydrodynamics", map);
}

}  // namespace limber
