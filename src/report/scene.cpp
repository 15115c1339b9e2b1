#include "report/scene.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/math/quat.hpp>

#include "index.hpp"
#include "report/drawn_bodies.hpp"
#include "report/scene_contacts.hpp"
#include "report/scene_forces.hpp"
#include "report/scene_water.hpp"

namespace limber {

namespace {

Json to_json(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Json to_json(const Quat<double>& a) { return {a.x, a.y, a.z, a.w}; }

std::vector<int> drawn_bodies(const Model& m) {
  std::vector<int> bodies;
  for (int b = 0; b < m.bodies(); ++b)
    if (!m.is_rotor[at_index(b)]) bodies.push_back(b);
  return bodies;
}

// where each body of the model stands among those that are drawn
std::vector<int> drawn_places(const Model& m) {
  std::vector<int> place(at_index(m.bodies()), -1);
  const std::vector<int> bodies = drawn_bodies(m);
  for (std::size_t k = 0; k < bodies.size(); ++k) place[at_index(bodies[k])] = static_cast<int>(k);
  return place;
}

Json size_of(const ShapeSpec& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.kind) {
    case ShapeSpec::Kind::sphere:
      return Json::array({s.x});
    case ShapeSpec::Kind::cylinder:
    case ShapeSpec::Kind::capsule:
      return {s.x, s.y};
    default:
      return to_json(s);
  }
}

void add_shapes(const std::vector<ShapeSpec>& all, const char* from, const SceneMeshes& meshes,
                Json& shapes) {
  for (const ShapeSpec& shape : all) {
    shapes.push_back({{"kind", name(shape.kind)},
                      {"size", size_of(shape)},
                      {"position", to_json(shape.placement.p)},
                      {"quaternion", to_json(to_quat(shape.placement.R))},
                      {"color", shape.color},
                      {"from", from}});
    if (shape.kind == ShapeSpec::Kind::mesh) shapes.back()["mesh"] = meshes.index(shape.mesh_file);
  }
}

// the shapes of a payload, with their meshes
std::vector<ShapeSpec> load_shapes(const Scenario& scenario, const CarriedLoad& load,
                                   SceneMeshes& meshes) {
  std::vector<ShapeSpec> shapes;
  for (ShapeSpec shape : load.shapes) {
    if (shape.kind == ShapeSpec::Kind::mesh) {
      const std::optional<std::string> file =
          meshes.add(shape.mesh_file, mesh_search(scenario.file, scenario.mesh_folders));
      if (!file) continue;
      shape.mesh_file = *file;
    }
    shapes.push_back(shape);
  }
  return shapes;
}

Json bodies_json(const Scenario& scenario, const DrawnBodies& shapes, SceneMeshes& meshes) {
  const Model& m = scenario.model;
  Json all = Json::array();
  for (const int b : drawn_bodies(m)) {
    const Inertia<double> inertia = inverse(m.body_placement[at_index(b)]) * m.inertia[at_index(b)];
    const Vec3<double> center = inertia.m > 0 ? inertia.com() : Vec3<double>{};
    const DrawnBody& body = shapes.bodies[at_index(b)];
    Json drawn = Json::array();
    add_shapes(body.visual, "visual", meshes, drawn);
    add_shapes(scenery_shapes(scenario, b, meshes), "visual", meshes, drawn);
    add_shapes(body.collision, "collision", meshes, drawn);
    add_shapes(body.skeleton, "skeleton", meshes, drawn);
    add_shapes(body.inertia, "inertia", meshes, drawn);
    all.push_back({{"name", b == 0 ? "world" : m.body_name[at_index(b)]},
                   {"mass", inertia.m},
                   {"com", to_json(center)},
                   {"shapes", drawn}});
  }
  for (const CarriedLoad& load : scenario.payloads) {
    Json drawn = Json::array();
    add_shapes(load_shapes(scenario, load, meshes), "visual", meshes, drawn);
    all.push_back({{"name", load.name},
                   {"mass", load.inertia.m},
                   {"com", to_json(load.inertia.com())},
                   {"shapes", drawn}});
  }
  return all;
}

Json frames_json(const Model& m) {
  const std::vector<int> place = drawn_places(m);
  Json all = Json::array();
  for (const BasicFrame<double>& frame : m.frames) {
    const Transform<double> pose =
        inverse(m.body_placement[at_index(frame.body)]) * frame.placement;
    all.push_back({{"name", frame.name},
                   {"body", place[at_index(frame.body)]},
                   {"position", to_json(pose.p)},
                   {"quaternion", to_json(to_quat(pose.R))}});
  }
  return all;
}

Json links_json(const Model& m) {
  const std::vector<int> place = drawn_places(m);
  Json all = Json::array();
  for (const int b : drawn_bodies(m))
    if (const int parent = m.parent[at_index(b)]; b > 0)
      all.push_back({place[at_index(b)], parent == 0 ? -1 : place[at_index(parent)]});
  return all;
}

Json markers_json(const std::vector<Marker>& markers) {
  constexpr const char* kinds[] = {"point", "area", "box", "bin"};
  Json all = Json::array();
  for (const Marker& marker : markers)
    all.push_back({{"name", marker.name},
                   {"kind", kinds[static_cast<std::size_t>(marker.kind)]},
                   {"position", to_json(marker.position)},
                   {"yaw", marker.yaw},
                   {"size", to_json(marker.size)},
                   {"color", marker.color}});
  return all;
}

Json payloads_json(const Scenario& scenario) {
  Json all = Json::array();
  std::size_t body = drawn_bodies(scenario.model).size();
  for (const CarriedLoad& load : scenario.payloads)
    all.push_back(
        {{"body", body++}, {"label", fmt::format("{}, {:.3g} kg", load.name, load.inertia.m)}});
  return all;
}

Json ground_json(const Scenario& scenario) {
  const ReportSettings& report = scenario.report;
  if (report.ground == ReportSettings::Ground::automatic) {
    if (const std::optional<double> height = ground_height(scenario)) return *height;
    if (const std::optional<double> height = bed_height(scenario)) return *height;
    return "automatic";
  }
  if (report.ground == ReportSettings::Ground::none) return "none";
  return report.ground_height;
}

// the poses of a run at any of its rows
class PoseReader {
 public:
  PoseReader(const Scenario& scenario, const Recording& recording)
      : scenario_(scenario), recording_(recording), ws_(scenario.model), bodies_(scenario.model) {
    for (const CarriedLoad& load : scenario.payloads) {
      Resting rest{scenario.model.frame(load.frame), {}, {}};
      rest.before = frame_at(row_at(load.from), rest.frame);
      if (std::isfinite(load.until)) rest.after = frame_at(row_at(load.until), rest.frame);
      resting_.push_back(rest);
    }
  }

  std::size_t bodies() const {
    return drawn_bodies(scenario_.model).size() + scenario_.payloads.size();
  }
  // the last row that is not later than t
  std::size_t row_at(double t) const {
    std::size_t low = 0, high = recording_.rows();  // the row is in [low, high)
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (recording_.row(middle)[0] <= t + 1e-9 ? low : high) = middle;
    }
    return low;
  }

  void add_poses(std::size_t row, std::vector<double>& poses) {
    place_at(row);
    const Model& m = scenario_.model;
    for (const int b : drawn_bodies(m))
      add(b == 0 ? Transform<double>{} : body_pose(m, bodies_, b), poses);
    for (std::size_t k = 0; k < resting_.size(); ++k) add(load_at(k, row), poses);
  }

  // with payloads of limited time only while they are carried
  Vec3<double> center_of_mass_at(std::size_t row) {
    const Model& m = scenario_.model;
    Vec3<double> moment =
        center_of_mass<double>(m, recording_.row(row).subspan(1, at_index(m.nq)), ws_) * m.mass();
    double mass = m.mass();
    place_at(row);
    for (std::size_t k = 0; k < resting_.size(); ++k) {
      const CarriedLoad& load = scenario_.payloads[k];
      if (!load.is_timed() || !is_carried(load, row)) continue;
      moment = moment + transform_point(load_at(k, row), load.inertia.com()) * load.inertia.m;
      mass += load.inertia.m;
    }
    return moment / mass;
  }

 private:
  struct Resting {
    int frame = 0;
    Transform<double> before, after;  // where the payload rests
  };

  void place_at(std::size_t row) {
    forward_kinematics<double>(scenario_.model,
                               recording_.row(row).subspan(1, at_index(scenario_.model.nq)), ws_,
                               bodies_);
  }
  Transform<double> frame_at(std::size_t row, int frame) {
    place_at(row);
    return frame_pose(scenario_.model, bodies_, frame);
  }
  bool is_carried(const CarriedLoad& load, std::size_t row) const {
    const double t = recording_.row(row)[0];
    return t >= load.from && t < load.until;
  }
  // of the row that place_at() was called for
  Transform<double> load_at(std::size_t k, std::size_t row) {
    const CarriedLoad& load = scenario_.payloads[k];
    if (recording_.row(row)[0] < load.from) return resting_[k].before;
    if (!is_carried(load, row)) return resting_[k].after;
    return frame_pose(scenario_.model, bodies_, resting_[k].frame);
  }
  static void add(const Transform<double>& pose, std::vector<double>& poses) {
    const Quat<double> turn = to_quat(pose.R);
    for (const double value : {pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w})
      poses.push_back(value);
  }

  const Scenario& scenario_;
  const Recording& recording_;
  Workspace ws_;
  Poses bodies_;  // of the row that place_at() was called for
  std::vector<Resting> resting_;
};

// evenly chosen, first and last included
std::vector<std::size_t> pose_rows(std::span<const std::size_t> rows) {
  if (rows.size() <= most_poses) return {rows.begin(), rows.end()};
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < most_poses; ++k)
    chosen.push_back(rows[k * (rows.size() - 1) / (most_poses - 1)]);
  return chosen;
}

Json ghosts_json(const Report& report, std::span<const double> times, const Json& own_bodies,
                 SceneMeshes& meshes) {
  Json all = Json::array();
  for (const Comparison& other : report.comparisons) {
    if (!other.scenario || other.recording.rows() == 0) continue;
    PoseReader reader(*other.scenario, other.recording);
    std::vector<double> poses;
    for (const double t : times) reader.add_poses(reader.row_at(t), poses);
    Json ghost = {{"title", other.title}, {"poses", packed(poses)}};
    Json bodies = bodies_json(*other.scenario, shapes_of_bodies(*other.scenario, meshes), meshes);
    if (bodies != own_bodies) ghost["bodies"] = std::move(bodies);
    all.push_back(std::move(ghost));
  }
  return all;
}

}  // namespace

std::string packed(std::span<const double> values) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<unsigned char> bytes(values.size() * 4);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const float value = static_cast<float>(values[k]);
    std::memcpy(bytes.data() + 4 * k, &value, 4);
  }
  return "f32:" + base64(bytes);
}

void add_scene(const Scenario& scenario, const Report& report, std::span<const std::size_t> rows,
               Json& data) {
  const Model& m = scenario.model;
  SceneMeshes meshes;
  const DrawnBodies shapes = shapes_of_bodies(scenario, meshes);
  const std::vector<std::size_t> chosen = pose_rows(rows);
  PoseReader reader(scenario, report.recording);
  std::vector<double> times, poses, centers;
  poses.reserve(chosen.size() * reader.bodies() * 7);
  for (const std::size_t row : chosen) {
    times.push_back(report.recording.row(row)[0]);
    reader.add_poses(row, poses);
    if (!(m.mass() > 0)) continue;
    const Vec3<double> c = reader.center_of_mass_at(row);
    for (const double value : {c.x, c.y, c.z}) centers.push_back(value);
  }
  Json bodies = bodies_json(scenario, shapes, meshes);
  Json ghosts = ghosts_json(report, times, bodies, meshes);
  Json mesh_list = meshes.to_json();
  const std::string thinned = meshes.note();
  for (const std::string& warning : meshes.warnings())
    data["summary"]["warnings"].push_back(warning);
  data["scene"] = {{"bodies", std::move(bodies)},
                   {"meshes", std::move(mesh_list)},
                   {"links", links_json(m)},
                   {"frames", frames_json(m)},
                   {"trails", scenario.report.trails},
                   {"markers", markers_json(scenario.report.markers)},
                   {"payloads", payloads_json(scenario)},
                   {"forces", forces_json(scenario, report.recording, chosen, drawn_places(m))},
                   {"lines", lines_json(scenario, drawn_places(m))},
                   {"ground", ground_json(scenario)},
                   {"water", water_json(scenario, report.recording, chosen)},
                   {"drawn", shapes.reason + (thinned.empty() ? "" : "; " + thinned)}};
  data["pose_time"] = packed(times);
  data["poses"] = packed(poses);
  if (m.mass() > 0) data["center_of_mass"] = packed(centers);
  data["ghosts"] = std::move(ghosts);
  data["phases"] = Json::array();
  const double end = report.recording.row(report.recording.rows() - 1)[0];
  for (const Phase& phase : scenario.phases)
    if (phase.from < end)
      data["phases"].push_back(
          {{"name", phase.name}, {"from", phase.from}, {"to", std::min(phase.to, end)}});
}

}  // namespace limber
