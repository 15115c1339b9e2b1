#include "collision/contact_list.hpp"

#include <algorithm>
#include <utility>

#include "collision/solid.hpp"

namespace limber {

namespace {

bool is_same_direction(const Vector& a, const Vector& b) { return dot(a, b) > 0.9999; }

std::span<ContactPoint> points_of(Manifold& list) {
  return {list.points.data(), static_cast<std::size_t>(list.count)};
}

}  // namespace

int keep_four(const Vector& normal, std::span<ContactPoint> points) {
  if (points.size() <= 4) return static_cast<int>(points.size());
  const auto squared = [](const Vector& v) { return dot(v, v); };
  // the deepest; of those that are practically as deep, the one farthest out
  Vector middle;
  double deepest = -HUGE_VAL, size = 0;
  for (const ContactPoint& p : points) {
    middle += p.point / static_cast<double>(points.size());
    deepest = std::max(deepest, p.depth);
  }
  for (const ContactPoint& p : points) size = std::max(size, squared(p.point - middle));
  const double practically = 1e-10 * std::sqrt(size);
  std::size_t best = 0;
  double farthest = -1;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (const double out = squared(points[k].point - middle);
        points[k].depth >= deepest - practically && out > farthest * (1 + 1e-9))
      farthest = out, best = k;
  std::swap(points[0], points[best]);
  const Vector first = points[0].point;
  // the farthest from it
  best = 1;
  for (std::size_t k = 2; k < points.size(); ++k)
    if (squared(points[k].point - first) > squared(points[best].point - first)) best = k;
  std::swap(points[1], points[best]);
  // the ones that lie farthest to either side
  const Vector across = cross(normal, points[1].point - first);
  std::size_t left = 0, right = 0;
  // what lies on the line between the first two adds nothing
  double most = 1e-4 * dot(across, across), least = -most;
  for (std::size_t k = 2; k < points.size(); ++k) {
    const double side = dot(across, points[k].point - first);
    if (side > most) most = side, left = k;
    if (side < least) least = side, right = k;
  }
  int count = 2;
  const ContactPoint left_point = points[left], right_point = points[right];
  if (left > 0) points[static_cast<std::size_t>(count++)] = left_point;
  if (right > 0) points[static_cast<std::size_t>(count++)] = right_point;
  return count;
}

namespace {

// leaves out what lies on the line between two others and is not deeper
int without_inner_points(std::span<ContactPoint> points) {
  std::size_t count = points.size();
  for (std::size_t k = 0; k < count && count > 2;) {
    bool is_inner = false;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j) {
        if (i == k || j == k) continue;
        const Vector way = points[j].point - points[i].point, r = points[k].point - points[i].point;
        const double squared = dot(way, way), s = dot(r, way) / squared;
        const Vector beside = r - s * way;
        is_inner = is_inner || (s > 0 && s < 1 && dot(beside, beside) < 1e-8 * squared &&
                                points[k].depth <= std::max(points[i].depth, points[j].depth));
      }
    if (is_inner)
      std::copy(points.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                points.begin() + static_cast<std::ptrdiff_t>(count--),
                points.begin() + static_cast<std::ptrdiff_t>(k));
    else ++k;
  }
  return static_cast<int>(count);
}

}  // namespace

void keep_four_of_each_normal(Manifold& list) {
  const std::span<ContactPoint> points = points_of(list);
  std::size_t begin = 0, kept = 0;
  while (begin < points.size()) {
    // those with the normal of the first one to the front, in their order
    const Vector normal = points[begin].normal;
    std::size_t end = begin + 1;
    for (std::size_t k = end; k < points.size(); ++k)
      if (is_same_direction(points[k].normal, normal)) {
        std::rotate(points.begin() + static_cast<std::ptrdiff_t>(end),
                    points.begin() + static_cast<std::ptrdiff_t>(k),
                    points.begin() + static_cast<std::ptrdiff_t>(k) + 1);
        ++end;
      }
    const std::span<ContactPoint> group = points.subspan(begin, end - begin);
    const int count =
        without_inner_points(group.first(static_cast<std::size_t>(keep_four(normal, group))));
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      points[kept++] = points[begin + k];
    begin = end;
  }
  list.count = static_cast<int>(kept);
}

void add_apart(Manifold& list, const ContactPoint& point, double close) {
  for (ContactPoint& known : points_of(list)) {
    const Vector way = known.point - point.point;
    const Vector across = way - dot(way, point.normal) * point.normal;
    if (dot(across, across) > close * close || !is_same_direction(known.normal, point.normal))
      continue;
    if (point.depth > known.depth) known = point;
    return;
  }
  if (list.count == Manifold::capacity) keep_four_of_each_normal(list);
  if (list.count == Manifold::capacity) {
    const auto shallowest = std::min_element(
        list.points.begin(), list.points.end(),
        [](const ContactPoint& a, const ContactPoint& b) { return a.depth < b.depth; });
    if (shallowest->depth < point.depth) *shallowest = point;
    return;
  }
  list.points[static_cast<std::size_t>(list.count++)] = point;
}

void give_unique_features(Manifold& list) {
  const std::span<ContactPoint> points = points_of(list);
  for (std::size_t k = 1; k < points.size(); ++k)
    for (std::size_t i = 0; i < k;) {
      if (points[i].feature == points[k].feature) {
        points[k].feature += 0x01000000U;
        i = 0;
      } else {
        ++i;
      }
    }
}

}  // namespace limber
