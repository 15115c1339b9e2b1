// Displaced volumes: primitives in closed form, meshes by the divergence theorem.
#include <limber/fluid/displacement.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "fluid/shape_checks.hpp"

namespace limber {

void check_extent(const char* what, const char* size, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(fmt::format("{}: {} is {}; it must be positive", what, size, value));
}

void check_solid(const char* what, const ShapeSpec& shape) {
  using Kind = ShapeSpec::Kind;
  int sizes = 3;
  switch (shape.kind) {
    case Kind::sphere:
      sizes = 1;
      break;
    case Kind::cylinder:
    case Kind::capsule:
      sizes = 2;
      break;
    case Kind::box:
    case Kind::ellipsoid:
      break;
    default:
      throw Error(fmt::format("{} '{}': a {} is not a solid of known shape; {}", what, shape.name,
                              name(shape.kind),
                              shape.kind == Kind::mesh ? "read its file with load_mesh() and give "
                                                         "the mesh"
                                                       : "take a box, sphere, cylinder, capsule, "
                                                         "ellipsoid or mesh"));
  }
  for (int k = 0; k < sizes; ++k)
    check_extent(fmt::format("{} '{}' ({})", what, shape.name, name(shape.kind)).c_str(),
                 fmt::format("size {}", k + 1).c_str(), shape.size[k]);
}

Displacement operator+(const Displacement& a, const Displacement& b) {
  const double volume = a.volume + b.volume;
  if (volume == 0) return {};
  return {volume, (a.center * a.volume + b.center * b.volume) / volume};
}

Displacement displacement_of(const ShapeSpec& shape) {
  check_solid("displacement of shape", shape);
  constexpr double pi = std::numbers::pi;
  const Vec3<double>& s = shape.size;
  double volume = 0;
  switch (shape.kind) {
    case ShapeSpec::Kind::box:
      volume = s.x * s.y * s.z;
      break;
    case ShapeSpec::Kind::sphere:
      volume = 4 * pi / 3 * s.x * s.x * s.x;
      break;
    case ShapeSpec::Kind::cylinder:
      volume = pi * s.x * s.x * s.y;
      break;
    case ShapeSpec::Kind::capsule:
      volume = pi * s.x * s.x * (s.y + 4 * s.x / 3);
      break;
    default:
      volume = 4 * pi / 3 * s.x * s.y * s.z;
      break;
  }
  return {volume, shape.placement.p};
}

Displacement displacement_of(const Mesh& mesh) {
  const Mesh whole = welded(mesh);
  if (const std::string defect = defect_of(whole); !defect.empty())
    throw Error("displacement of a mesh: " + defect + "; close it, or take convex_hull() of it");
  const Inertia<double> moments = volume_moments(whole);
  return {moments.m, moments.com()};
}

namespace {

// the tetrahedron of a triangle and the origin, by which volume and first moment are summed
void add_tetrahedron(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                     double& volume, Vec3<double>& moment) {
  const double v = dot(a, cross(b, c)) / 6;
  volume += v;
  moment += (a + b + c) * (v / 4);
}

}  // namespace

namespace {

// a point of the plane near the body, from which all is seen
Vec3<double> plane_origin(const Mesh& mesh, const SurfacePlane& surface) {
  const Vec3<double>&first = mesh.vertices[0], &n = surface.normal;
  return first + n * (surface.offset - dot(n, first));
}

// add(a, b, c) for the triangles below the plane, cut where they pass it; corners from `origin`
template <class F>
void for_wet_triangles(const Mesh& mesh, const SurfacePlane& surface, const Vec3<double>& origin,
                       F&& add) {
  for (const Mesh::Triangle& t : mesh.triangles) {
    Vec3<double> p[3];
    double height[3];
    int wet = 0;
    for (int k = 0; k < 3; ++k) {
      p[k] = mesh.vertices[t[static_cast<std::size_t>(k)]] - origin;
      height[k] = dot(surface.normal, p[k]);
      wet += height[k] < 0;
    }
    if (wet == 0) continue;
    if (wet == 3) {
      add(p[0], p[1], p[2]);
      continue;
    }
    // the corner that is alone on its side, and where the two edges from it pass the plane
    int k = 0;
    while ((height[k] < 0) != (wet == 1)) ++k;
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    const auto crossing = [&](int to) {
      return p[k] + (p[to] - p[k]) * (height[k] / (height[k] - height[to]));
    };
    const Vec3<double> b = crossing(next), c = crossing(last);
    if (wet == 1) {
      add(p[k], b, c);
    } else {
      add(b, p[next], p[last]);
      add(b, p[last], c);
    }
  }
}

}  // namespace

Displacement wet_part(const Mesh& mesh, const SurfacePlane& surface) {
  if (mesh.vertices.empty()) return {};
  const Vec3<double> origin = plane_origin(mesh, surface);
  double volume = 0;
  Vec3<double> moment;
  for_wet_triangles(mesh, surface, origin,
                    [&](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
                      add_tetrahedron(a, b, c, volume, moment);
                    });
  if (!(volume > 0)) return {};
  return {volume, origin + moment / volume};
}

Force<double> wet_volume_gradient(const Mesh& mesh, const SurfacePlane& surface) {
  if (mesh.vertices.empty()) return {};
  const Vec3<double> origin = plane_origin(mesh, surface);
  Force<double> sum;
  for_wet_triangles(mesh, surface, origin,
                    [&](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
                      const Vec3<double> area = cross(b - a, c - a) / 2.0;
                      sum += Force<double>{cross((a + b + c) / 3.0 + origin, area), area};
                    });
  return sum;
}

Force<double> wet_volume_gradient_of_sphere(const Vec3<double>& center, double radius,
                                            const SurfacePlane& surface) {
  // of the circle that the plane cuts out: its centre above that of the sphere, its area
  const double above = surface.offset - dot(surface.normal, center);
  if (std::abs(above) >= radius) return {};
  const Vec3<double> area =
      surface.normal * (-std::numbers::pi * (radius * radius - above * above));
  return {cross(center + surface.normal * above, area), area};
}

Displacement wet_part_of_sphere(const Vec3<double>& center, double radius,
                                const SurfacePlane& surface) {
  constexpr double pi = std::numbers::pi;
  // depth of the lowest point
  const double depth = surface.offset - dot(surface.normal, center) + radius;
  if (depth <= 0) return {};
  const double h = std::min(depth, 2 * radius);
  // of the cap of height h: volume and distance of its centre from that of the sphere
  const double from_center = 3 * (2 * radius - h) * (2 * radius - h) / (4 * (3 * radius - h));
  return {pi * h * h * (radius - h / 3), center - surface.normal * from_center};
}

namespace {

struct ProfilePoint {
  double radius, height;
};

// a surface around z from one pole to the other, with rings of corners where the profile says
Mesh turned(const std::vector<ProfilePoint>& rings, int around, double low, double high) {
  Mesh mesh;
  mesh.vertices.push_back({0, 0, low});
  for (const ProfilePoint& ring : rings)
    for (int j = 0; j < around; ++j) {
      const double angle = 2 * std::numbers::pi * j / around;
      mesh.vertices.push_back(
          {ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.height});
    }
  mesh.vertices.push_back({0, 0, high});
  const auto top = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  const int last = static_cast<int>(rings.size()) - 1;
  const auto at = [&](int i, int j) {
    return static_cast<std::uint32_t>(1 + i * around + j % around);
  };
  for (int j = 0; j < around; ++j) {
    mesh.triangles.push_back({0, at(0, j + 1), at(0, j)});
    for (int i = 0; i < last; ++i) {
      mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      mesh.triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    }
    mesh.triangles.push_back({top, at(last, j), at(last, j + 1)});
  }
  return mesh;
}

// a sphere, or two hemispheres with a cylinder of height 2 · half between them
Mesh round_surface(double radius, double half, int around) {
  const int quarter = std::max(around / 4, 1);
  std::vector<ProfilePoint> rings;
  for (int i = 1; i <= quarter; ++i) {
    const double angle = std::numbers::pi / 2 * i / quarter;
    rings.push_back({radius * std::sin(angle), -half - radius * std::cos(angle)});
  }
  rings.back() = {radius, -half};
  // the same upside down; without a cylinder the equator is there once
  for (std::size_t i = rings.size() - (half > 0 ? 0 : 1); i-- > 0;)
    rings.push_back({rings[i].radius, -rings[i].height});
  return turned(rings, around, -half - radius, half + radius);
}

}  // namespace

Mesh surface_of(const ShapeSpec& shape, int around) {
  check_solid("surface of shape", shape);
  if (around < 4 || around > 1000)
    throw Error(fmt::format("surface of shape '{}': {} corners around; give 4 to 1000", shape.name,
                            around));
  const Vec3<double>& s = shape.size;
  Mesh mesh;
  switch (shape.kind) {
    case ShapeSpec::Kind::box:
      for (int k = 0; k < 8; ++k)
        mesh.vertices.push_back(
            {s.x * (k & 1 ? 0.5 : -0.5), s.y * (k & 2 ? 0.5 : -0.5), s.z * (k & 4 ? 0.5 : -0.5)});
      mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
      break;
    case ShapeSpec::Kind::cylinder:
      mesh = turned({{s.x, -s.y / 2}, {s.x, s.y / 2}}, around, -s.y / 2, s.y / 2);
      break;
    case ShapeSpec::Kind::capsule:
      mesh = round_surface(s.x, s.y / 2, around);
      break;
    case ShapeSpec::Kind::sphere:
      mesh = round_surface(s.x, 0, around);
      break;
    default:
      mesh = scaled(round_surface(1, 0, around), s);
      break;
  }
  for (Vec3<double>& p : mesh.vertices) p = transform_point(shape.placement, p);
  return mesh;
}

}  // namespace limber
