// Drag over surfaces: of a sphere in closed form, of others by patches, as few as are needed.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <limber/error.hpp>
#include <limber/fluid/hydrodynamics.hpp>

#include "fluid/gauss.hpp"
#include "fluid/panel.hpp"

namespace limber {

namespace {

constexpr double half_turn = std::numbers::pi;

// (6.22) over the sphere, where v·n is that of its centre: with the velocity c of the centre the
// half that faces the flow has ∫ c·n dA = π r²|c|, ∫ (c·n) n dA = 2π/3 r² c and
// ∫ (c·n) n nᵀ dA = π/4 r²|c| (1 + ĉ ĉᵀ)
Force<double> sphere_drag(const SphereSurface& sphere, const Motion<double>& v, double half) {
  const Vec3<double>& w = v.angular;
  const Vec3<double> c = v.linear + cross(w, sphere.center);
  const double r = sphere.radius, speed = norm(c);
  if (speed == 0) return {};
  const Vec3<double> force = (c * speed + cross(w, c) * (2 * r / 3)) * (-half * half_turn * r * r);
  const Vec3<double> moment =
      (w * (3 * speed) - c * (dot(c, w) / speed)) * (-half * half_turn / 4 * r * r * r * r);
  return {moment + cross(sphere.center, force), force};
}

// four by four points of Gauss's rule on each face: exact where a face moves into the water with
// all of it
std::vector<SurfacePatch> box_patches(const Vec3<double>& edges) {
  std::vector<SurfacePatch> patches;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5}) {
      const int j = (axis + 1) % 3, k = (axis + 2) % 3;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          SurfacePatch patch;
          patch.point[axis] = side * edges[axis];
          patch.point[j] = (gauss_node[a] - 0.5) * edges[j];
          patch.point[k] = (gauss_node[b] - 0.5) * edges[k];
          patch.area[axis] = 2 * side * gauss_weight[a] * gauss_weight[b] * edges[j] * edges[k];
          patches.push_back(patch);
        }
    }
  return patches;
}

// points of a spiral on the unit sphere, each with the same part of it, made those of the ellipsoid
std::vector<SurfacePatch> ellipsoid_patches(const Vec3<double>& half) {
  constexpr int count = 150;
  const double turn = half_turn * (3 - std::sqrt(5.0)),
               volume = half.x * half.y * half.z * 4 * half_turn / count;
  std::vector<SurfacePatch> patches;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - 2 * (i + 0.5) / count, r = std::sqrt(1 - z * z);
    const Vec3<double> u{r * std::cos(turn * i), r * std::sin(turn * i), z};
    patches.push_back({{half.x * u.x, half.y * u.y, half.z * u.z},
                       {volume / half.x * u.x, volume / half.y * u.y, volume / half.z * u.z}});
  }
  return patches;
}

// motions that patches are compared in, about the middle of the body: translations, turns, both
std::vector<Motion<double>> trial_motions(double size) {
  std::vector<Motion<double>> all;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const Vec3<double> d{x + 0.1 * y, y + 0.1 * z, z + 0.1 * x};
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3<double> n = d / norm(d);
        all.push_back({{}, n});
        all.push_back({n / size, {}});
        all.push_back({n / size, Vec3<double>{n.y, n.z, n.x}});
      }
  return all;
}

struct PatchGroup {
  std::size_t begin = 0, end = 0;  // of the list of patches
  int axis = 0;                    // along which it spreads most: place, then normal
  double middle = 0, spread = 0;   // there: the mean, and the variance times the area
};

// groups of patches by place and direction, each as one patch
class PatchGroups {
 public:
  PatchGroups(std::vector<SurfacePatch> patches, double size)
      : patches_(std::move(patches)), size_(size) {
    groups_.push_back(measured({0, patches_.size()}));
  }

  // the groups that spread most are cut at their means until there are `count`
  void cut(std::size_t count) {
    const auto less = [](const PatchGroup& a, const PatchGroup& b) { return a.spread < b.spread; };
    while (groups_.size() < count) {
      const auto widest = std::max_element(groups_.begin(), groups_.end(), less);
      if (!(widest->spread > 0)) return;
      const PatchGroup whole = *widest;
      const auto first = patches_.begin() + static_cast<std::ptrdiff_t>(whole.begin);
      const auto last = patches_.begin() + static_cast<std::ptrdiff_t>(whole.end);
      const auto middle = std::stable_partition(first, last, [&](const SurfacePatch& p) {
        return feature(p, whole.axis) < whole.middle;
      });
      const std::size_t at = whole.begin + static_cast<std::size_t>(middle - first);
      if (at == whole.begin || at == whole.end) {  // equal but for rounding
        widest->spread = 0;
        continue;
      }
      *widest = measured({whole.begin, at});
      groups_.push_back(measured({at, whole.end}));
    }
  }

  std::vector<SurfacePatch> patches() const {
    std::vector<SurfacePatch> result;
    for (const PatchGroup& group : groups_) {
      SurfacePatch sum;
      double area = 0;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const double own = norm(patches_[i].area);
        area += own;
        sum.point += patches_[i].point * own;
        sum.area += patches_[i].area;
      }
      sum.point = sum.point / area;
      // both sides of a thin plate together have no direction, and do nothing
      if (norm(sum.area) > 1e-12 * area) result.push_back(sum);
    }
    return result;
  }

 private:
  double feature(const SurfacePatch& p, int axis) const {
    return axis < 3 ? p.point[axis] / size_ : p.area[axis - 3] / norm(p.area);
  }
  PatchGroup measured(PatchGroup group) const {
    for (int axis = 0; axis < 6; ++axis) {
      double area = 0, mean = 0, square = 0;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const double own = norm(patches_[i].area), x = feature(patches_[i], axis);
        area += own, mean += own * x, square += own * x * x;
      }
      mean /= area;
      const double spread = square - area * mean * mean;
      if (axis == 0 || spread > group.spread)
        group.axis = axis, group.middle = mean, group.spread = spread;
    }
    return group;
  }

  std::vector<SurfacePatch> patches_;
  double size_;
  std::vector<PatchGroup> groups_;
};

void place_patches(const Transform<double>& placement, std::vector<SurfacePatch>& patches) {
  for (SurfacePatch& patch : patches) {
    patch.point = transform_point(placement, patch.point);
    patch.area = placement.R * patch.area;
  }
}

}  // namespace

Force<double> drag_force(const SurfaceDrag& surface, const Motion<double>& v, double density) {
  Force<double> sum;
  if (surface.sphere) sum = sphere_drag(*surface.sphere, v, 0.5 * density * surface.coefficient);
  for (const SurfacePatch& patch : surface.patches) {
    const Vec3<double> at = v.linear + cross(v.angular, patch.point);
    const double flux = dot(at, patch.area);
    Vec3<double> force;
    if (flux > 0 && !surface.sphere) force = at * (-0.5 * density * surface.coefficient * flux);
    if (surface.skin_coefficient != 0) {
      const double area = norm(patch.area);
      const Vec3<double> along = at - patch.area * (flux / (area * area));
      force -= along * (0.5 * density * surface.skin_coefficient * norm(along) * area);
    }
    sum += Force<double>{cross(patch.point, force), force};
  }
  return sum;
}

std::vector<SurfacePatch> patches_of(const Mesh& mesh, int patches) {
  const Mesh whole = welded(mesh);
  if (const std::string defect = defect_of(whole); !defect.empty())
    throw Error("surface of a mesh: " + defect + "; close it, or take convex_hull() of it");
  std::vector<SurfacePatch> result;
  for (const Panel& p : panels_of(whole, patches)) result.push_back({p.center, p.normal * p.area});
  return result;
}

std::vector<SurfacePatch> gathered(const std::vector<SurfacePatch>& patches, double tolerance) {
  if (patches.empty()) return {};
  double area = 0, size = 0;
  Vec3<double> middle;
  for (const SurfacePatch& p : patches) area += norm(p.area), middle += p.point * norm(p.area);
  middle = middle / area;
  std::vector<SurfacePatch> fine = patches;
  for (SurfacePatch& p : fine) p.point -= middle, size = std::max(size, norm(p.point));
  const std::vector<Motion<double>> trials = trial_motions(size);
  const auto forces = [&](const std::vector<SurfacePatch>& some) {
    std::vector<Force<double>> all;
    for (const Motion<double>& v : trials) all.push_back(drag_force(SurfaceDrag{some}, v, 2));
    return all;
  };
  const std::vector<Force<double>> expected = forces(fine);
  PatchGroups groups(fine, size);
  for (std::size_t count = 12; count < fine.size(); count += std::max<std::size_t>(count / 4, 4)) {
    groups.cut(count);
    const std::vector<SurfacePatch> few = groups.patches();
    const std::vector<Force<double>> found = forces(few);
    bool is_near = true;
    for (std::size_t k = 0; k < trials.size() && is_near; ++k) {
      const Force<double> off = found[k] - expected[k];
      const double scale =
          std::max(norm(expected[k].linear) + norm(expected[k].angular) / size, 1e-3 * area);
      const double allowed = norm(trials[k].angular) > 0 ? 2 * tolerance : tolerance;
      is_near = norm(off.linear) + norm(off.angular) / size <= allowed * scale;
    }
    if (!is_near) continue;
    std::vector<SurfacePatch> result = few;
    for (SurfacePatch& p : result) p.point += middle;
    return result;
  }
  return patches;
}

SurfaceDrag surface_drag_of(const ShapeSpec& shape, double coefficient) {
  SurfaceDrag drag;
  drag.coefficient = coefficient;
  switch (shape.kind) {
    case ShapeSpec::Kind::sphere:
      drag.sphere = {shape.placement.p, shape.size.x};
      return drag;
    case ShapeSpec::Kind::box:
      drag.patches = box_patches(shape.size);
      break;
    case ShapeSpec::Kind::ellipsoid:
      drag.patches = ellipsoid_patches(shape.size);
      break;
    default:
      return surface_drag_of(surface_of(shape), coefficient);
  }
  place_patches(shape.placement, drag.patches);
  return drag;
}

SurfaceDrag surface_drag_of(const Mesh& mesh, double coefficient) {
  constexpr double tolerance = 0.01;
  return {gathered(patches_of(mesh), tolerance), coefficient};
}

}  // namespace limber
