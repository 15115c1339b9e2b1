#include "collision/contact_faces.hpp"

#include <algorithm>

namespace limber {

namespace {

// a face whose normal is farther from the direction than this cosine says is not one to stand on
constexpr double steep = 0.3;

void box_face(const Solid& s, const Vector& d, ContactFace& out) {
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(d[i]) > std::abs(d[axis])) axis = i;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const bool is_upper = d[axis] > 0;
  for (int k = 0; k < 4; ++k) {
    const bool has_u = k == 1 || k == 2, has_v = k >= 2;
    Vector corner;
    corner[axis] = is_upper ? s.half[axis] : -s.half[axis];
    corner[u] = has_u ? s.half[u] : -s.half[u];
    corner[v] = has_v ? s.half[v] : -s.half[v];
    out.add(corner, (is_upper ? 1 << axis : 0) | (has_u ? 1 << u : 0) | (has_v ? 1 << v : 0));
  }
  out.id = static_cast<std::uint16_t>(2 * axis + (is_upper ? 1 : 0));
}

// a cap by its lowest point and seven others around it, or the lowest line of the side
void cylinder_face(const Solid& s, const Vector& d, ContactFace& out) {
  const double across = std::hypot(d.x, d.y), r = s.half.x;
  const double x = across > 1e-9 ? d.x / across : 1, y = across > 1e-9 ? d.y / across : 0;
  if (std::abs(d.z) < across) {
    out.add({r * x, r * y, -s.half.z}, 16);
    out.add({r * x, r * y, s.half.z}, 17);
    out.id = 2;
    return;
  }
  const double z = std::copysign(s.half.z, d.z);
  constexpr double h = 0.70710678118654752;
  constexpr std::array<double, 8> cosine{1, h, 0, -h, -1, -h, 0, h},
      sine{0, h, 1, h, 0, -h, -1, -h};
  for (std::size_t k = 0; k < 8; ++k)
    out.add({r * (x * cosine[k] - y * sine[k]), r * (y * cosine[k] + x * sine[k]), z},
            static_cast<int>(k) + (d.z > 0 ? 8 : 0));
  out.id = d.z > 0 ? 1 : 0;
}

void polyhedron_face(const ConvexPolyhedron& hull, const Vector& d, ContactFace& out) {
  const int lowest = hull.farthest(d);
  const ConvexPolyhedron::Face* best = nullptr;
  double most = steep;
  for (const int f : hull.faces_at(lowest)) {
    const ConvexPolyhedron::Face& face = hull.faces()[static_cast<std::size_t>(f)];
    if (const double value = dot(face.normal, d); value > most) {
      most = value, best = &face;
      out.id = static_cast<std::uint16_t>(f);
    }
  }
  if (best == nullptr) return out.add(hull.vertex(lowest), lowest);
  // of a face with many corners some, evenly, the lowest among them
  const std::span<const int> corners = hull.corners(*best);
  const int count = best->count, kept = std::min(count, 16);
  int first = 0;
  while (first < count - 1 && corners[static_cast<std::size_t>(first)] != lowest) ++first;
  for (int k = 0; k < kept; ++k) {
    const int corner = corners[static_cast<std::size_t>((first + k * count / kept) % count)];
    out.add(hull.vertex(corner), corner);
  }
}

void triangle_face(const Solid& s, const Vector& d, ContactFace& out) {
  const Vector n = cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0]);
  if (std::abs(dot(n, d)) > steep * norm(n)) {
    for (std::size_t k = 0; k < 3; ++k) out.add(s.corners[k], static_cast<int>(k));
    return;
  }
  // seen from the edge: the edge of the two farthest corners
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int k) {
    return dot(d, s.corners[static_cast<std::size_t>(i)]) >
           dot(d, s.corners[static_cast<std::size_t>(k)]);
  });
  for (int k = 0; k < 2; ++k) {
    const int corner = order[static_cast<std::size_t>(k)];
    out.add(s.corners[static_cast<std::size_t>(corner)], corner);
  }
  out.id = static_cast<std::uint16_t>(1 + order[2]);
}

}  // namespace

void find_contact_face(const Solid& s, const Vector& d, ContactFace& out) {
  out.count = 0, out.id = 0;
  switch (s.kind) {
    case Solid::Kind::segment:
      if (std::abs(d.z) < 0.7) {
        out.add(Vector{0, 0, -s.half.z} + s.rounding * d, 0);
        out.add(Vector{0, 0, s.half.z} + s.rounding * d, 1);
      } else {
        out.add(support(s, d) + s.rounding * d, d.z > 0 ? 1 : 0);
      }
      return;
    case Solid::Kind::box:
      return box_face(s, d, out);
    case Solid::Kind::cylinder:
      return cylinder_face(s, d, out);
    case Solid::Kind::polyhedron:
      return polyhedron_face(*s.polyhedron, d, out);
    case Solid::Kind::triangle:
      return triangle_face(s, d, out);
    case Solid::Kind::point:
    case Solid::Kind::ellipsoid:
      break;
  }
  out.add(support(s, d) + s.rounding * d, 0);
}

}  // namespace limber
