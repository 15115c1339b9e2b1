#include "collision/nearest.hpp"

#include <algorithm>

namespace limber {

namespace {

bool nearest_in_order(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out) {
  using Kind = Solid::Kind;
  if (a.kind == Kind::point && b.kind != Kind::polyhedron) out = nearest_of_point(a, b, X);
  else if (a.kind == Kind::segment && b.kind == Kind::segment) out = nearest_of_segments(a, b, X);
  else if (a.kind == Kind::segment && b.kind == Kind::box)
    out = nearest_of_segment_and_box(a, b, X);
  else if (a.kind == Kind::box && b.kind == Kind::box)
    return nearest_of_boxes(a, b, X, margin, out);
  else return nearest_of_any(a, b, X, margin, out);
  return out.depth >= -margin;
}

}  // namespace

bool nearest(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out) {
  if (a.kind <= b.kind) return nearest_in_order(a, b, X, margin, out);
  Nearest other;
  if (!nearest_in_order(b, a, inverse(X), margin, other)) return false;
  out.normal = -(X.R * other.normal);
  out.depth = other.depth;
  out.point_a = transform_point(X, other.point_b);
  out.point_b = transform_point(X, other.point_a);
  return true;
}

Nearest nearest_of_point(const Solid& a, const Solid& b, const Pose& X) {
  const SurfacePoint at = closest_on_surface(b, -transpose_times(X.R, X.p));
  Nearest out;
  out.normal = X.R * at.normal;
  out.depth = a.rounding + b.rounding - at.distance;
  out.point_a = -a.rounding * out.normal;
  out.point_b = transform_point(X, at.point) + b.rounding * out.normal;
  return out;
}

SegmentPair closest_of_segments(const Vector& p, const Vector& u, const Vector& q,
                                const Vector& v) {
  const Vector d = p - q;
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ud = dot(u, d), vd = dot(v, d);
  const double det = uu * vv - uv * uv;
  const auto clamp = [](double x) { return std::clamp(x, -1.0, 1.0); };
  const auto best_t = [&](double s) { return vv > 0 ? clamp((vd + s * uv) / vv) : 0; };
  const auto best_s = [&](double t) { return uu > 0 ? clamp((-ud + t * uv) / uu) : 0; };
  SegmentPair best;
  if (det > 1e-16 * uu * vv) {
    best.s = clamp((uv * vd - vv * ud) / det);
    best.t = best_t(best.s);
    best.s = best_s(best.t);
    return best;
  }
  // parallel: the middle of the part of u that lies beside v
  if (!(uu > 0)) return {0, best_t(0)};
  const double s1 = (-ud + uv) / uu, s2 = (-ud - uv) / uu;
  const double low = clamp(std::min(s1, s2)), high = clamp(std::max(s1, s2));
  best.s = (low + high) / 2;
  best.t = best_t(best.s);
  return best;
}

Nearest nearest_of_segments(const Solid& a, const Solid& b, const Pose& X) {
  const Vector u{0, 0, a.half.z}, v = X.R.column(2) * b.half.z;
  const SegmentPair at = closest_of_segments({}, u, X.p, v);
  const Vector on_a = at.s * u, on_b = X.p + at.t * v, way = on_a - on_b;
  const double distance = norm(way);
  Nearest out;
  const double scale = a.extent + b.extent;
  const Vector across = cross(u, v);
  const double sine = norm(across) / (norm(u) * norm(v));
  const bool is_crossing = std::abs(at.s) < 1 && std::abs(at.t) < 1 && sine > 1e-6;
  if (is_crossing && distance < 1e-6 * scale) {
    // the axes nearly meet: square to both, which rounding does not turn
    const Vector n = across / norm(across);
    out.normal = dot(n, way) < 0 ? -n : n;
  } else if (distance > 1e-12 * scale) {
    out.normal = way / distance;
  } else {
    out.normal = sine > 1e-9 ? across / norm(across) : square_to({0, 0, 1});
  }
  out.depth = a.rounding + b.rounding - dot(way, out.normal);
  out.point_a = on_a - a.rounding * out.normal;
  out.point_b = out.point_a + out.depth * out.normal;
  return out;
}

namespace {

// the parameter in [−1, 1] at which p + s u comes closest to a box: the derivative of the squared
// distance is piecewise linear and rises, with corners where a coordinate passes a face
double closest_to_box(const Vector& half, const Vector& p, const Vector& u) {
  const auto slope = [&](double s) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + s * u[i];
      sum += u[i] * (x - std::clamp(x, -half[i], half[i]));
    }
    return sum;
  };
  std::array<double, 8> at{-1, 1};
  std::size_t count = 2;
  for (int i = 0; i < 3; ++i)
    for (const double sign : {-1.0, 1.0}) {
      const double s = u[i] != 0 ? (sign * half[i] - p[i]) / u[i] : 1;
      if (!(s > -1 && s < 1)) continue;
      std::size_t k = count++;
      for (; at[k - 1] > s; --k) at[k] = at[k - 1];
      at[k] = s;
    }
  double low = -1, low_slope = slope(-1);
  if (low_slope >= 0) return -1;
  for (std::size_t k = 1; k < count; ++k) {
    const double high = at[k], high_slope = slope(high);
    if (high_slope >= 0)
      return high_slope > low_slope ? low + (high - low) * (-low_slope / (high_slope - low_slope))
                                    : high;
    low = high, low_slope = high_slope;
  }
  return 1;
}

// out of a box through a face, or past an edge
Nearest way_out_of_box(const Solid& a, const Solid& b, const Vector& p, const Vector& u) {
  Nearest best;
  best.depth = HUGE_VAL;
  int edge_axis = -1;
  const auto consider = [&](const Vector& n, int axis) {
    const double reach = b.half.x * std::abs(n.x) + b.half.y * std::abs(n.y) +
                         b.half.z * std::abs(n.z) + std::abs(dot(n, u));
    const double side = dot(n, p), overlap = reach - std::abs(side);
    if (!(overlap < best.depth - 1e-12 * (a.extent + b.extent))) return;
    best.depth = overlap;
    best.normal = side < 0 ? -n : n;
    edge_axis = axis;
  };
  for (int i = 0; i < 3; ++i) {
    Vector n;
    n[i] = 1;
    consider(n, -1);
  }
  for (int i = 0; i < 3; ++i) {
    Vector e;
    e[i] = 1;
    const Vector n = cross(e, u);
    const double length = norm(n);
    if (length > 1e-9 * norm(u)) consider(n / length, i);
  }
  const Vector& n = best.normal;
  double s = std::abs(dot(n, u)) > 1e-12 * norm(u) ? (dot(n, u) > 0 ? -1 : 1) : 0;
  if (edge_axis >= 0) {
    // the point of the segment above the edge
    Vector corner{std::copysign(b.half.x, n.x), std::copysign(b.half.y, n.y),
                  std::copysign(b.half.z, n.z)};
    Vector e;
    e[edge_axis] = b.half[edge_axis];
    corner[edge_axis] = 0;
    s = closest_of_segments(p, u, corner + n * (dot(n, p) - dot(n, corner)), e).s;
  }
  best.point_a = p + s * u;
  best.point_b = best.point_a + best.depth * n;
  return best;
}

}  // namespace

Nearest nearest_of_segment_and_box(const Solid& a, const Solid& b, const Pose& X) {
  // in the box's frame
  const Vector p = -transpose_times(X.R, X.p), u = X.R.row(2) * a.half.z;
  const double s = closest_to_box(b.half, p, u);
  const Vector on_a = p + s * u;
  const Vector on_b{std::clamp(on_a.x, -b.half.x, b.half.x),
                    std::clamp(on_a.y, -b.half.y, b.half.y),
                    std::clamp(on_a.z, -b.half.z, b.half.z)};
  const double distance = norm(on_a - on_b);
  Nearest at;
  if (distance > 1e-10 * (a.extent + b.extent)) {
    at.normal = (on_a - on_b) / distance;
    at.depth = -distance;
    at.point_a = on_a, at.point_b = on_b;
  } else {
    at = way_out_of_box(a, b, p, u);
  }
  Nearest out;
  out.normal = X.R * at.normal;
  out.depth = at.depth + a.rounding;
  out.point_a = transform_point(X, at.point_a) - a.rounding * out.normal;
  out.point_b = transform_point(X, at.point_b);
  return out;
}

}  // namespace limber
