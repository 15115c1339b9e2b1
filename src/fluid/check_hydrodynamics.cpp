// Numbers of hydrodynamics that cannot be, or are suspicious.
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/fluid/hydrodynamics.hpp>

namespace limber {

namespace {

struct HydroChecks {
  std::string link;

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("hydrodynamics of link '{}': {}", link, what));
  }
  void is_number(const char* what, double value) const {
    if (!std::isfinite(value)) refuse(fmt::format("{} is {}; give a number", what, value));
  }
  void is_vector(const char* what, const Vec3<double>& value) const {
    for (int k = 0; k < 3; ++k) is_number(what, value[k]);
  }
  void not_negative(const char* what, double value) const {
    is_number(what, value);
    if (value < 0) refuse(fmt::format("{} is {:g}; it must not be negative", what, value));
  }
  void is_positive(const char* what, double value) const {
    not_negative(what, value);
    if (value == 0) refuse(fmt::format("{} is zero; it must be positive", what));
  }
  void is_unit(const char* what, const Vec3<double>& value) const {
    is_vector(what, value);
    if (std::abs(norm(value) - 1) > 1e-6)
      refuse(fmt::format("{} has the length {:g}; it must be a unit vector", what, norm(value)));
  }
};

// vᵀ D v ≥ 0 for all v: the symmetric part, as an inertia, has no negative eigenvalue
bool brakes(const MarineMatrix& damping) {
  std::vector<std::string> warnings;
  const auto least = eigenvalues(added_mass_from(damping, "", warnings))[0];
  double largest = 0;
  for (const auto& row : damping)
    for (const double value : row) largest = std::max(largest, std::abs(value));
  return least >= -1e-9 * largest;
}

}  // namespace

std::vector<std::string> check_hydrodynamics(const Hydrodynamics& body, const std::string& link) {
  const HydroChecks check{link};
  check.not_negative("the displaced volume", body.displacement.volume);
  check.is_vector("the centre of buoyancy", body.displacement.center);
  for (const auto& row : marine_matrix(body.added_mass))
    for (const double value : row) check.is_number("an entry of the added mass", value);
  for (const MarineMatrix* matrix : {&body.linear_damping, &body.quadratic_damping})
    for (const auto& row : *matrix)
      for (const double value : row) check.is_number("an entry of the damping", value);
  check.is_vector("the origin of the frame of damping", body.damping_frame.p);
  for (const CylinderDrag& c : body.cylinders) {
    check.is_vector("the start of a cylinder", c.start);
    check.is_vector("the end of a cylinder", c.end);
    check.is_positive("the radius of a cylinder", c.radius);
    check.is_positive("the length of a cylinder", norm(c.end - c.start));
    check.not_negative("the drag coefficient of a cylinder", c.coefficient);
    check.not_negative("the drag coefficient of a cylinder's ends", c.end_coefficient);
    check.not_negative("the friction coefficient of a cylinder", c.skin_coefficient);
  }
  for (const SurfaceDrag& s : body.surfaces) {
    check.not_negative("the drag coefficient of a surface", s.coefficient);
    check.not_negative("the friction coefficient of a surface", s.skin_coefficient);
    if (s.sphere) {
      check.is_vector("the centre of a sphere", s.sphere->center);
      check.is_positive("the radius of a sphere", s.sphere->radius);
      if (s.skin_coefficient > 0 && s.patches.empty())
        throw Error(fmt::format(
            "link '{}': a sphere in closed form has no skin friction; set_skin_friction() gives it "
            "patches for that",
            link));
    }
    for (const SurfacePatch& patch : s.patches) {
      check.is_vector("the centre of a patch", patch.point);
      check.is_positive("the area of a patch", norm(patch.area));
    }
  }
  for (const LiftingSurface& foil : body.foils) {
    check.is_vector("the centre of a foil", foil.center);
    check.is_unit("the chord of a foil", foil.chord);
    check.is_unit("the normal of a foil", foil.normal);
    if (std::abs(dot(foil.chord, foil.normal)) > 1e-6)
      check.refuse("chord and normal of a foil are not perpendicular; turn one of them");
    check.not_negative("the area of a foil", foil.area);
    check.is_number("the lift slope of a foil", foil.slope);
    check.not_negative("the drag coefficient of a foil", foil.drag_coefficient);
    check.not_negative("the induced drag of a foil", foil.induced_drag);
    if (!(foil.most_lift > 0))
      check.refuse("the largest lift coefficient of a foil is not positive; leave it out for none");
  }
  if (!body.hull.triangles.empty())
    if (const std::string defect = defect_of(body.hull); !defect.empty())
      check.refuse("its hull: " + defect + "; close it, or take convex_hull() of it");

  std::vector<std::string> warnings;
  const auto eigen = eigenvalues(body.added_mass);
  if (eigen[5] <= 0 && eigen[2] < 0)
    check.refuse(
        "its added mass is negative in all directions; positive numbers resist: give those of "
        "hydrodynamic derivatives with their signs changed (m = −X_u̇)");
  if (eigen[0] < -1e-9 * std::abs(eigen[5]))
    warnings.push_back(fmt::format(
        "added mass of '{}' has the negative eigenvalue {:g}: motion could take energy out of "
        "still fluid; are the signs those of hydrodynamic derivatives (X_u̇ = −m)?",
        link, eigen[0]));
  if (!brakes(body.linear_damping))
    warnings.push_back(fmt::format(
        "linear damping of '{}' gives energy to some motions: positive numbers brake; are the "
        "signs those of hydrodynamic derivatives (X_u = −d)?",
        link));
  for (std::size_t k = 0; k < 6; ++k)
    if (body.quadratic_damping[k][k] < 0)
      warnings.push_back(fmt::format(
          "quadratic damping of '{}', row {}, is negative: positive numbers brake; are the signs "
          "those of hydrodynamic derivatives (X_|u|u = −d)?",
          link, k + 1));
  return warnings;
}

}  // namespace limber
