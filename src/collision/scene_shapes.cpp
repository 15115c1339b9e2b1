#include "collision/scene_shapes.hpp"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "collision/touch_filter.hpp"

namespace limber {

namespace {

std::string scene_name(const std::string& link, const ShapeSpec& shape) {
  return shape.name.empty() ? link : link + "." + shape.name;
}

class SceneMaker {
 public:
  SceneMaker(const Spec& spec, const Model& model, const CollisionSettings& settings)
      : spec_(spec), model_(model), settings_(settings) {
    for (const BodySpec& body : spec.bodies) body_[body.name] = &body;
  }

  void add_robot() {
    for (int f = 0; f < model_.frames.count(); ++f) {
      const std::string& link = model_.frames[f].name;
      for (const ShapeSpec& spec : model_.shapes[f]) {
        if (spec.role == ShapeSpec::Role::visual) continue;
        const std::string name = scene_name(link, spec);
        std::optional<Shape> shape = make(spec, name, file_of(link));
        if (!shape) continue;
        made_.shapes.push_back({name, model_.frames[f].body,
                                model_.frames[f].placement * spec.placement, std::move(*shape),
                                spec, family_of(link), f});
      }
    }
  }
  void add_scenery(std::vector<SceneryShape> scenery) {
    for (SceneryShape& one : scenery) {
      int frame = -1;
      if (!one.frame.empty()) frame = model_.frame(one.frame);
      SceneShape shape{std::move(one.name),       0, one.placement, std::move(one.shape),
                       std::move(one.properties), 0, frame};
      if (frame >= 0) {
        shape.body = model_.frames[frame].body;
        shape.placement = model_.frames[frame].placement * one.placement;
      }
      made_.shapes.push_back(std::move(shape));
    }
  }
  SceneShapes result() && { return std::move(made_); }

 private:
  int family_of(const std::string& link) const {
    const auto found = body_.find(link);
    return found == body_.end() ? 0 : found->second->family;
  }
  // the robot file that describes a link
  const std::string& file_of(const std::string& link) const {
    const auto found = body_.find(link);
    return found == body_.end() ? spec_.source.file : found->second->source.file;
  }

  std::optional<Shape> make(const ShapeSpec& spec, const std::string& name,
                            const std::string& file) {
    if (spec.kind == ShapeSpec::Kind::height_field) {
      made_.left_out.push_back(fmt::format(
          "shape '{}': the heights of a height field are not in the robot file; give the "
          "ground of the scenario",
          name));
      return std::nullopt;
    }
    try {
      return spec.kind == ShapeSpec::Kind::mesh ? make_mesh(spec, file) : Shape::from(spec);
    } catch (const Error& error) {
      const std::string what = fmt::format("shape '{}': {}", name, error.what());
      if (settings_.unusable == CollisionSettings::Unusable::refuse) throw Error(what);
      made_.left_out.push_back(what);
      return std::nullopt;
    }
  }

  Shape make_mesh(const ShapeSpec& spec, const std::string& file) {
    const FoundMesh found = find_mesh(spec.mesh_file, mesh_search(file, settings_.mesh_folders));
    if (found.file.empty())
      throw Error(fmt::format("mesh '{}' {}", spec.mesh_file, describe(found)));
    const std::string key =
        fmt::format("{} {} {} {}", found.file, spec.size.x, spec.size.y, spec.size.z);
    const auto known = meshes_.find(key);
    if (known != meshes_.end()) return known->second;
    const Mesh mesh = scaled(load_mesh(found.file), spec.size);
    const Shape shape = settings_.meshes_as == CollisionSettings::MeshAs::convex_hull
                            ? Shape::convex(mesh.vertices)
                            : Shape::mesh(mesh);
    meshes_.emplace(key, shape);
    return shape;
  }

  const Spec& spec_;
  const Model& model_;
  const CollisionSettings& settings_;
  std::map<std::string, const BodySpec*> body_;
  std::map<std::string, Shape> meshes_;
  SceneShapes made_;
};

}  // namespace

SceneShapes make_scene_shapes(const Spec& spec, const Model& model,
                              std::vector<SceneryShape> scenery,
                              const CollisionSettings& settings) {
  SceneMaker maker(spec, model, settings);
  maker.add_robot();
  maker.add_scenery(std::move(scenery));
  return std::move(maker).result();
}

std::vector<std::string> contacts_left_out(const Spec& spec, const Model& model) {
  std::map<std::string, int> family;
  for (const BodySpec& body : spec.bodies) family[body.name] = body.family;
  std::vector<TouchShape> shapes;
  for (int f = 0; f < model.frames.count(); ++f) {
    const std::string& link = model.frames[f].name;
    for (const ShapeSpec& shape : model.shapes[f])
      if (shape.role != ShapeSpec::Role::visual)
        shapes.push_back({scene_name(link, shape), shape.name, model.frames[f].body, f,
                          static_cast<unsigned>(shape.collides_as),
                          static_cast<unsigned>(shape.collides_with), family[link]});
  }
  return TouchFilter(spec, model, {}, shapes).left_out();
}

}  // namespace limber
