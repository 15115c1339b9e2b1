#include "report/drawn_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "index.hpp"
#include "model/names.hpp"
#include "scenario/equivalent_box.hpp"
#include "report/skeleton.hpp"

namespace limber {

namespace {

// of a mesh: of the box around it, which is more
double volume(const ShapeSpec& shape, const SceneMeshes& meshes) {
  const Vec3<double>& s = shape.size;
  constexpr double pi = std::numbers::pi;
  switch (shape.kind) {
    case ShapeSpec::Kind::box:
      return s.x * s.y * s.z;
    case ShapeSpec::Kind::sphere:
      return 4.0 / 3 * pi * s.x * s.x * s.x;
    case ShapeSpec::Kind::cylinder:
      return pi * s.x * s.x * s.y;
    case ShapeSpec::Kind::capsule:
      return pi * s.x * s.x * (s.y + 4.0 / 3 * s.x);
    case ShapeSpec::Kind::ellipsoid:
      return 4.0 / 3 * pi * s.x * s.y * s.z;
    case ShapeSpec::Kind::mesh: {
      const Vec3<double> edges = meshes.extent(shape.mesh_file);
      return std::abs(edges.x * s.x * edges.y * s.y * edges.z * s.z);
    }
    case ShapeSpec::Kind::plane:
    case ShapeSpec::Kind::height_field:
      return 0;
  }
  return 0;
}

// planes and height fields are ground, which the page draws itself
bool has_end(const ShapeSpec& shape) {
  return shape.kind != ShapeSpec::Kind::plane && shape.kind != ShapeSpec::Kind::height_field;
}

// what would be heavier than any metal is a detail of the body and not its shape
bool is_whole(const std::vector<ShapeSpec>& shapes, double mass, const SceneMeshes& meshes) {
  constexpr double densest = 20000;  // [kg/m³]
  double sum = 0;
  for (const ShapeSpec& shape : shapes) sum += volume(shape, meshes);
  return !shapes.empty() && sum > 0 && mass <= densest * sum;
}

// how the links of one file are drawn
struct FileNote {
  std::string file;
  bool meshes = false;                          ///< some of them are missing
  int visual = 0, collision = 0, skeleton = 0;  ///< bodies
};

std::string counted(int count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string describe(const FileNote& note) {
  const std::string why =
      note.meshes
          ? fmt::format("{} names meshes that are not there or cannot be read", note.file)
          : fmt::format("{} gives no shapes{}", note.file, note.visual > 0 ? " for these" : "");
  std::vector<std::string> parts;
  const bool mixed = (note.visual > 0) + (note.collision > 0) + (note.skeleton > 0) > 1;
  const auto part = [&](int count, const std::string& what) {
    if (count == 0) return;
    parts.push_back(mixed ? fmt::format("{} for {}", what, counted(count, "body")) : what);
  };
  part(note.visual, "shapes of " + note.file);
  part(note.collision, "collision shapes");
  part(note.skeleton, "skeleton from the joints");
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (note.collision + note.skeleton > 0) text += ": " + why;
  for (std::size_t at = text.find("bodys"); at != std::string::npos; at = text.find("bodys"))
    text.replace(at, 5, "bodies");
  return text;
}

class SceneShapeReader {
 public:
  SceneShapeReader(const Scenario& scenario, SceneMeshes& meshes)
      : scenario_(scenario),
        m_(scenario.model),
        meshes_(meshes),
        lacks_mesh_(at_index(m_.bodies()), 0) {
    result_.bodies.resize(at_index(m_.bodies()));
    for (const BodySpec& link : scenario.spec.bodies) file_[link.name] = link.source.file;
  }

  DrawnBodies read() {
    for (std::size_t f = 0; f < m_.frames.size(); ++f) read_shapes_of(f, Pass::visual);
    // collision meshes are read only where they may be drawn
    for (std::size_t f = 0; f < m_.frames.size(); ++f) read_shapes_of(f, Pass::collision);
    std::vector<std::string> loads;
    for (const CarriedLoad& load : scenario_.payloads) loads.push_back(load.name);
    std::vector<std::vector<ShapeSpec>> bones = skeleton(scenario_.spec, m_, loads);
    for (std::size_t b = 0; b < result_.bodies.size(); ++b) {
      if (m_.is_rotor[b]) continue;
      DrawnBody& body = result_.bodies[b];
      const Inertia<double> inertia = inverse(m_.body_placement[b]) * m_.inertia[b];
      const double mass = b > 0 ? inertia.m : 0;
      if (lacks_mesh_[b] && !is_whole(body.visual, mass, meshes_)) body.visual.clear();
      if (!is_whole(body.collision, mass, meshes_)) body.collision.clear();
      body.skeleton = std::move(bones[b]);
      if (mass > 0) body.inertia = {equivalent_box(inertia)};
    }
    choose_collision_shapes();
    describe_files();
    return std::move(result_);
  }

 private:
  enum class Pass { visual, collision };

  void read_shapes_of(std::size_t f, Pass pass) {
    const std::size_t b = at_index(m_.frames[f].body);
    const Transform<double> pose = inverse(m_.body_placement[b]) * m_.frames[f].placement;
    for (ShapeSpec shape : m_.shapes[f]) {
      const bool visual = shape.role != ShapeSpec::Role::collision;
      if (visual != (pass == Pass::visual) || !has_end(shape)) continue;
      DrawnBody& body = result_.bodies[b];
      if (shape.kind == ShapeSpec::Kind::mesh) {
        if (!visual && !body.visual.empty()) continue;
        const std::optional<std::string> file = find_mesh_file(m_.frames[f].name, shape);
        if (!file) {
          lacks_mesh_[b] |= visual ? 1 : 0;
          if (visual) lacking_.insert(m_.frames[f].name);
          continue;
        }
        const std::string name = shape.mesh_file;
        shape.mesh_file = *file;
        if (b > 0) doubt_size(name, m_.frames[f].name, shape, m_.inertia[b].m);
      }
      shape.placement = pose * shape.placement;
      (visual ? body.visual : body.collision).push_back(shape);
    }
  }

  std::optional<std::string> find_mesh_file(const std::string& link, const ShapeSpec& shape) {
    const auto robot = file_.find(link);
    const std::string& file = robot == file_.end() ? scenario_.file : robot->second;
    return meshes_.add(shape.mesh_file, mesh_search(file, scenario_.mesh_folders));
  }

  // a mesh in millimetres that is read as metres makes a body a billion times too thin
  void doubt_size(const std::string& name, const std::string& link, const ShapeSpec& shape,
                  double mass) {
    constexpr double thinnest = 0.01;  // [kg/m³], a hundredth of air
    if (!(mass > 0) || !(mass < thinnest * volume(shape, meshes_))) return;
    const Vec3<double> edges = meshes_.extent(shape.mesh_file);
    meshes_.warn(fmt::format(
        "mesh '{}' of link '{}' is {:.3g} m by {:.3g} m by {:.3g} m large, for a body of {:.3g} "
        "kg; if it is in millimetres, give it a scale of 0.001",
        printable(name), link, std::abs(edges.x * shape.size.x), std::abs(edges.y * shape.size.y),
        std::abs(edges.z * shape.size.z), mass));
  }

  // they are drawn where they make a whole robot, and at the ends of one that is drawn as a
  // skeleton (fingers, wheels), in the colours of this skeleton
  void choose_collision_shapes() {
    bool whole = true;
    for (std::size_t b = 1; b < result_.bodies.size(); ++b) {
      const DrawnBody& body = result_.bodies[b];
      whole &= !body.visual.empty() || !body.collision.empty() || body.skeleton.empty();
    }
    for (std::size_t b = 0; b < result_.bodies.size(); ++b) {
      DrawnBody& body = result_.bodies[b];
      const bool is_end = b > 0 && m_.children(static_cast<int>(b)).empty();
      if (!(whole || is_end) || !body.visual.empty()) body.collision.clear();
      if (body.skeleton.empty()) continue;
      for (ShapeSpec& shape : body.collision) shape.color = body.skeleton.front().color;
    }
    // a robot that has shapes needs no base of ours to stand on
    const bool described = std::any_of(
        result_.bodies.begin() + 1, result_.bodies.end(),
        [](const DrawnBody& body) { return !body.visual.empty() || !body.collision.empty(); });
    if (described && !lacks_mesh_[0]) result_.bodies[0].skeleton.clear();
  }

  FileNote& note_of(const std::string& path) {
    const std::string file = std::filesystem::path(path).filename().string();
    const auto found = std::find_if(notes_.begin(), notes_.end(),
                                    [&](const FileNote& note) { return note.file == file; });
    if (found != notes_.end()) return *found;
    notes_.push_back({file});
    return notes_.back();
  }

  void describe_files() {
    std::vector<bool> counted(result_.bodies.size(), false);
    for (const BodySpec& link : scenario_.spec.bodies) {
      const std::optional<int> frame = m_.find_frame(link.name);
      if (!frame || is_load(link.name)) continue;
      const std::size_t b = at_index(m_.frames[at_index(*frame)].body);
      FileNote& note = note_of(link.source.file.empty() ? m_.name : link.source.file);
      note.meshes |= lacking_.contains(link.name);
      if (counted[b]) continue;
      counted[b] = true;
      const DrawnBody& body = result_.bodies[b];
      if (!body.visual.empty()) ++note.visual;
      else if (!body.collision.empty()) ++note.collision;
      else if (!body.skeleton.empty()) ++note.skeleton;
    }
    std::vector<std::string> texts;
    for (const FileNote& note : notes_)
      if (note.visual + note.collision + note.skeleton > 0) texts.push_back(describe(note));
    result_.reason = fmt::format("{}", fmt::join(texts, "; "));
  }

  bool is_load(const std::string& name) const {
    return std::any_of(scenario_.payloads.begin(), scenario_.payloads.end(),
                       [&](const CarriedLoad& load) { return load.name == name; });
  }

  const Scenario& scenario_;
  const Model& m_;
  SceneMeshes& meshes_;
  std::vector<std::uint8_t> lacks_mesh_;     // bodies
  std::set<std::string> lacking_;            // links
  std::map<std::string, std::string> file_;  // of each link
  DrawnBodies result_;
  std::vector<FileNote> notes_;
};

}  // namespace

DrawnBodies shapes_of_bodies(const Scenario& scenario, SceneMeshes& meshes) {
  return SceneShapeReader(scenario, meshes).read();
}

}  // namespace limber
