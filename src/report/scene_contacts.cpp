#include "report/scene_contacts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <limber/sim/contacts.hpp>

#include "collision/height_grid.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr double drawn_plane = 4, drawn_thickness = 2e-3;  // of planes that are not level [m]

Mesh surface_of(const HeightGrid& grid) {
  Mesh mesh;
  for (int j = 0; j < grid.rows(); ++j)
    for (int i = 0; i < grid.columns(); ++i) mesh.vertices.push_back(grid.corner(i, j));
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * grid.columns() + i); };
  for (int j = 0; j + 1 < grid.rows(); ++j)
    for (int i = 0; i + 1 < grid.columns(); ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

bool is_level(const Transform<double>& pose) { return pose.R.zz == 1; }

}  // namespace

std::optional<double> ground_height(const Scenario& scenario) {
  if (!scenario.contacts) return std::nullopt;
  for (const SceneryShape& one : scenario.contacts->settings().scenery)
    if (one.shape.kind() == Shape::Kind::plane && one.frame.empty() && is_level(one.placement))
      return one.placement.p.z;
  return std::nullopt;
}

std::vector<ShapeSpec> scenery_shapes(const Scenario& scenario, int body, SceneMeshes& meshes) {
  std::vector<ShapeSpec> shapes;
  if (!scenario.contacts) return shapes;
  const Model& m = scenario.model;
  for (const SceneryShape& one : scenario.contacts->settings().scenery) {
    int carrier = 0;
    Transform<double> pose = one.placement;
    if (!one.frame.empty()) {
      const BasicFrame<double>& frame = m.frames[at_index(m.frame(one.frame))];
      carrier = frame.body;
      pose = inverse(m.body_placement[at_index(carrier)]) * frame.placement * pose;
    }
    if (carrier != body) continue;
    ShapeSpec shape = one.properties;
    shape.placement = pose;
    if (one.shape.kind() == Shape::Kind::plane) {
      if (is_level(one.placement)) continue;  // the grid is drawn there
      shape.kind = ShapeSpec::Kind::box;
      shape.size = {drawn_plane, drawn_plane, drawn_thickness};
      shape.placement.p -= shape.placement.R * Vec3<double>{0, 0, drawn_thickness / 2};
    }
    if (one.shape.kind() == Shape::Kind::height_field) {
      shape.kind = ShapeSpec::Kind::mesh;
      shape.size = {1, 1, 1};
      shape.mesh_file = "height field " + one.name;
      meshes.add(shape.mesh_file, surface_of(one.shape.grid()));
    }
    shapes.push_back(shape);
  }
  return shapes;
}

void add_contact_forces(const Scenario& scenario, const Recording& recording,
                        std::span<const std::size_t> rows, Json& all) {
  if (!scenario.contacts) return;
  std::vector<std::string> names = scenario.contacts->recorded_pairs();
  if (names.empty())
    for (int k = 0; k < Contacts::most_arrows; ++k)
      names.push_back(fmt::format("{}[{}]", scenario.contacts->name(), k));
  const auto values = [&](const std::string& first) {
    const std::size_t column = recording.column(first);
    std::vector<double> numbers;
    for (const std::size_t row : rows)
      for (std::size_t k = 0; k < 3; ++k) numbers.push_back(recording.row(row)[column + k]);
    return numbers;
  };
  for (const std::string& name : names) {
    const std::vector<double> force = values(name + ".fx");
    if (std::all_of(force.begin(), force.end(), [](double x) { return x == 0; })) continue;
    all.push_back({{"name", name},
                   {"body", 0},
                   {"position", {0, 0, 0}},
                   {"force", packed(force)},
                   {"points", packed(values(name + ".px"))}});
  }
}

}  // namespace limber
