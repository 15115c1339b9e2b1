#include "scenario/report_scene.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <Eigen/Dense>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/math/quat.hpp>

#include "index.hpp"

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

const char* name(ShapeSpec::Kind kind) {
  switch (kind) {
    case ShapeSpec::Kind::box:
      return "box";
    case ShapeSpec::Kind::sphere:
      return "sphere";
    case ShapeSpec::Kind::cylinder:
      return "cylinder";
    case ShapeSpec::Kind::capsule:
      return "capsule";
    case ShapeSpec::Kind::ellipsoid:
      return "ellipsoid";
    case ShapeSpec::Kind::mesh:
      return "mesh";
  }
  return "box";
}

Json shape_json(const char* kind, const Json& size, const Transform<double>& pose,
                const Json& color, const char* from) {
  return {{"kind", kind},
          {"size", size},
          {"position", to_json(pose.p)},
          {"quaternion", to_json(to_quat(pose.R))},
          {"color", color},
          {"from", from}};
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

// the box of uniform density that has the body's inertia
Json inertia_box(const Inertia<double>& inertia) {
  const Vec3<double> center = inertia.h * (1 / inertia.m);
  const Sym3<double> J = inertia.J;
  Eigen::Matrix3d second;  // about the centre of mass
  second << J.xx - inertia.m * center.x * center.x, J.xy - inertia.m * center.x * center.y,
      J.xz - inertia.m * center.x * center.z, 0, J.yy - inertia.m * center.y * center.y,
      J.yz - inertia.m * center.y * center.z, 0, 0, J.zz - inertia.m * center.z * center.z;
  second.triangularView<Eigen::StrictlyLower>() = second.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(second);
  Eigen::Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0) R.col(2) *= -1;
  // ∫ x² dm = m a² / 12; very thin boxes would not be seen
  Eigen::Vector3d edges = (12 / inertia.m * axes.eigenvalues().cwiseMax(0)).cwiseSqrt();
  edges = edges.cwiseMax(std::max(0.02 * edges.maxCoeff(), 1e-3));
  Transform<double> pose;
  pose.p = center;
  const auto column = [&](int j) { return Vec3<double>{R(0, j), R(1, j), R(2, j)}; };
  pose.R = Mat3<double>::from_columns(column(0), column(1), column(2));
  return shape_json("box", {edges.x(), edges.y(), edges.z()}, pose, {0.55, 0.65, 0.8, 1.0},
                    "inertia");
}

// shapes of all links that are welded to the body, in the body's own frame
Json shapes_of(const Model& m, int body) {
  Json shapes = Json::array();
  const Transform<double> to_body = inverse(m.body_placement[at_index(body)]);
  for (std::size_t f = 0; f < m.frames.size(); ++f) {
    if (m.frames[f].body != body) continue;
    for (const ShapeSpec& shape : m.shapes[f]) {
      if (shape.role != ShapeSpec::Role::visual || shape.kind == ShapeSpec::Kind::mesh) continue;
      const Transform<double> pose = to_body * m.frames[f].placement * shape.placement;
      shapes.push_back(shape_json(name(shape.kind), size_of(shape), pose, shape.color, "visual"));
    }
  }
  const Inertia<double> inertia = to_body * m.inertia[at_index(body)];
  if (body > 0 && inertia.m > 0) shapes.push_back(inertia_box(inertia));
  return shapes;
}

}  // namespace

std::string packed(std::span<const double> values) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<unsigned char> bytes(values.size() * 4);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const float value = static_cast<float>(values[k]);
    std::memcpy(bytes.data() + 4 * k, &value, 4);
  }
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text = "f32:";
  text.reserve(text.size() + bytes.size() * 4 / 3 + 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[k + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? digits[group >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

Json scene_of(const Scenario& scenario) {
  const Model& m = scenario.model;
  const std::vector<int> bodies = drawn_bodies(m);
  std::vector<int> place(at_index(m.bodies()), -1);
  for (std::size_t k = 0; k < bodies.size(); ++k) place[at_index(bodies[k])] = static_cast<int>(k);
  Json scene;
  scene["bodies"] = Json::array();
  scene["links"] = Json::array();
  for (const int b : bodies) {
    const Inertia<double> inertia = inverse(m.body_placement[at_index(b)]) * m.inertia[at_index(b)];
    const Vec3<double> center = inertia.m > 0 ? inertia.h * (1 / inertia.m) : Vec3<double>{};
    scene["bodies"].push_back({{"name", b == 0 ? "world" : m.body_name[at_index(b)]},
                               {"mass", inertia.m},
                               {"com", to_json(center)},
                               {"shapes", shapes_of(m, b)}});
    if (b > 0)
      scene["links"].push_back({place[at_index(b)], m.parent[at_index(b)] == 0
                                                        ? -1
                                                        : place[at_index(m.parent[at_index(b)])]});
  }
  scene["frames"] = Json::array();
  for (const BasicFrame<double>& frame : m.frames) {
    const Transform<double> pose =
        inverse(m.body_placement[at_index(frame.body)]) * frame.placement;
    scene["frames"].push_back({{"name", frame.name},
                               {"body", place[at_index(frame.body)]},
                               {"position", to_json(pose.p)},
                               {"quaternion", to_json(to_quat(pose.R))}});
  }
  scene["trails"] = scenario.report.trails;
  scene["markers"] = Json::array();
  for (const Marker& marker : scenario.report.markers)
    scene["markers"].push_back({{"name", marker.name}, {"position", to_json(marker.position)}});
  return scene;
}

std::vector<double> poses_of(const Scenario& scenario, const Recording& recording,
                             std::span<const std::size_t> rows) {
  const Model& m = scenario.model;
  const std::vector<int> bodies = drawn_bodies(m);
  Workspace ws(m);
  std::vector<double> poses;
  poses.reserve(rows.size() * bodies.size() * 7);
  for (const std::size_t row : rows) {
    forward_kinematics<double>(m, recording.row(row).subspan(1, at_index(m.nq)), ws);
    for (const int b : bodies) {
      const Transform<double> pose = b == 0 ? Transform<double>{} : body_pose(m, ws, b);
      const Quat<double> turn = to_quat(pose.R);
      for (const double value : {pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w})
        poses.push_back(value);
    }
  }
  return poses;
}

std::vector<double> centers_of_mass(const Scenario& scenario, const Recording& recording,
                                    std::span<const std::size_t> rows) {
  const Model& m = scenario.model;
  Workspace ws(m);
  std::vector<double> centers;
  for (const std::size_t row : rows) {
    const Vec3<double> c =
        center_of_mass<double>(m, recording.row(row).subspan(1, at_index(m.nq)), ws);
    for (const double value : {c.x, c.y, c.z}) centers.push_back(value);
  }
  return centers;
}

}  // namespace limber
