// The hydrodynamics of a robot from its shapes and from what its file says.
#include <limber/fluid/robot_water.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "fluid/given_water.hpp"
#include "fluid/shape_water.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

using Role = ShapeSpec::Role;

// the shapes that count: those of collision, else the visual ones
std::vector<const ShapeSpec*> solid_shapes(const BodySpec& body) {
  std::vector<const ShapeSpec*> shapes;
  for (const Role wanted : {Role::collision, Role::visual}) {
    for (const ShapeSpec& shape : body.shapes)
      if (shape.role == wanted || shape.role == Role::both) shapes.push_back(&shape);
    if (!shapes.empty()) break;
  }
  return shapes;
}

class RobotWaterReader {
 public:
  RobotWaterReader(const RobotWaterSettings& settings, RobotWater& result)
      : settings_(settings), result_(result) {}

  void add_link(const BodySpec& body) {
    LinkHydrodynamics link{body.name, {}};
    bool is_wet = body.hydrodynamics.has_value();
    const std::vector<const ShapeSpec*> shapes = solid_shapes(body);
    for (const ShapeSpec* shape : shapes) is_wet |= add_shape(body, *shape, link);
    set_skin_friction(link.hydrodynamics, settings_.skin_coefficient);
    if (const std::string text = take_given_water(body, link.hydrodynamics, result_.notes);
        !text.empty())
      note(body, text);
    // without a hull the wet part is that of a sphere, exactly
    if (shapes.size() == 1 && shapes[0]->kind == ShapeSpec::Kind::sphere && !body.hydrodynamics)
      link.hydrodynamics.hull = {};
    if (is_wet) result_.links.push_back(std::move(link));
  }
  // when all links are added
  void finish() {
    for (const auto& [text, one] : noted_)
      if (one.others > 0)
        result_.notes[one.place] += fmt::format(" (and {})", count_of(one.others, "more link"));
  }

 private:
  // the same of several links is noted once
  void note(const BodySpec& body, const std::string& text) {
    const auto [at, is_new] = noted_.emplace(text, Noted{result_.notes.size(), 0});
    if (is_new) result_.notes.push_back(fmt::format("link '{}': {}", body.name, text));
    else ++at->second.others;
  }

  // false: the shape has no volume
  bool add_shape(const BodySpec& body, const ShapeSpec& shape, LinkHydrodynamics& link) {
    switch (shape.kind) {
      case ShapeSpec::Kind::plane:
      case ShapeSpec::Kind::height_field:
        note(body, "a plane or height field displaces no water and is passed over");
        return false;
      case ShapeSpec::Kind::mesh:
        return add_mesh(body, shape, link);
      default:
        add(has_added_mass(body)
                ? shape_without_added_mass(shape, drag_coefficient(body))
                : hydrodynamics_of(shape, settings_.density, drag_coefficient(body)),
            link);
        return true;
    }
  }

  bool add_mesh(const BodySpec& body, const ShapeSpec& shape, LinkHydrodynamics& link) {
    MeshSearch meshes = settings_.meshes;
    if (meshes.robot_file.empty()) meshes.robot_file = body.source.file;
    const FoundMesh found = find_mesh(shape.mesh_file, meshes);
    if (found.file.empty()) {
      note(body, fmt::format("mesh '{}' {}; it is passed over", shape.mesh_file, describe(found)));
      return false;
    }
    Mesh mesh = scaled(load_mesh(found.file), shape.size);
    for (Vec3<double>& p : mesh.vertices) p = transform_point(shape.placement, p);
    add(mesh_hydrodynamics(body, closed(body, shape, mesh)), link);
    return true;
  }

  // the file's takes the place of that of shapes, which is not computed then
  static bool has_added_mass(const BodySpec& body) {
    return body.hydrodynamics && body.hydrodynamics->added_mass;
  }

  Hydrodynamics mesh_hydrodynamics(const BodySpec& body, const Mesh& mesh) const {
    if (!has_added_mass(body))
      return hydrodynamics_of(mesh, settings_.density, drag_coefficient(body), settings_.panels);
    Hydrodynamics result;
    result.displacement = displacement_of(mesh);
    result.hull = welded(mesh);
    result.surfaces.push_back(surface_drag_of(mesh, drag_coefficient(body)));
    return result;
  }

  double drag_coefficient(const BodySpec& body) const {
    const double usual = settings_.drag_coefficient;
    return body.hydrodynamics ? body.hydrodynamics->drag_coefficient.value_or(usual) : usual;
  }

  // the mesh, or its hull if it does not enclose a volume
  Mesh closed(const BodySpec& body, const ShapeSpec& shape, const Mesh& mesh) {
    constexpr std::size_t most = 2000;
    const auto thin = [](const Mesh& m) { return welded(simplified(m, most)); };
    std::string reason = defect_of(mesh);
    if (reason.empty()) {
      const Mesh result = thin(mesh);
      reason = defect_of(result);
      if (reason.empty()) return result;
      reason = "thinned out, " + reason;
    }
    note(body, fmt::format("mesh '{}' counts as its convex hull: {}", shape.mesh_file, reason));
    return thin(convex_hull(mesh.vertices));
  }

  static void add(const Hydrodynamics& more, LinkHydrodynamics& link) {
    Hydrodynamics& sum = link.hydrodynamics;
    sum.added_mass += more.added_mass;
    sum.displacement = sum.displacement + more.displacement;
    sum.cylinders.insert(sum.cylinders.end(), more.cylinders.begin(), more.cylinders.end());
    sum.surfaces.insert(sum.surfaces.end(), more.surfaces.begin(), more.surfaces.end());
    const auto first = static_cast<std::uint32_t>(sum.hull.vertices.size());
    sum.hull.vertices.insert(sum.hull.vertices.end(), more.hull.vertices.begin(),
                             more.hull.vertices.end());
    for (const Mesh::Triangle& t : more.hull.triangles)
      sum.hull.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }

  // where a note stands, and of how many links it is besides
  struct Noted {
    std::size_t place = 0;
    std::size_t others = 0;
  };
  std::map<std::string, Noted> noted_;  // by text

  const RobotWaterSettings& settings_;
  RobotWater& result_;
};

}  // namespace

std::optional<Displacement> shape_displacement(const BodySpec& body) {
  std::optional<Displacement> sum;
  for (const ShapeSpec* shape : solid_shapes(body)) {
    if (shape->kind == ShapeSpec::Kind::mesh) return std::nullopt;
    if (shape->kind == ShapeSpec::Kind::plane || shape->kind == ShapeSpec::Kind::height_field)
      continue;
    sum = sum.value_or(Displacement{}) + displacement_of(*shape);
  }
  return sum;
}

RobotWater robot_water(const Spec& spec, const RobotWaterSettings& settings) {
  RobotWater result;
  RobotWaterReader reader(settings, result);
  for (const BodySpec& body : spec.bodies) reader.add_link(body);
  reader.finish();
  return result;
}

}  // namespace limber
