// Forces of a fluid on one link.
#include <limber/fluid/hydrodynamics.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "fluid/gauss.hpp"
#include "fluid/shape_water.hpp"

namespace limber {

namespace {

constexpr double circle = std::numbers::pi;

// Flow across a cylinder at the distance s from its start, and ∫ |v| v ds, ∫ s |v| v ds of it
struct CrossFlow {
  Vec3<double> at_start, per_length;
  Vec3<double> at(double s) const { return at_start + per_length * s; }
};
struct StripSums {
  Vec3<double> plain, moment;
};
StripSums four_point_sums(const CrossFlow& flow, double from, double to) {
  StripSums sum;
  for (int k = 0; k < 4; ++k) {
    const double s = from + (to - from) * gauss_node[k];
    const Vec3<double> v = flow.at(s);
    const Vec3<double> part = v * (norm(v) * gauss_weight[k] * (to - from));
    sum.plain += part;
    sum.moment += part * s;
  }
  return sum;
}
// With t the distance from where the flow across is least, v = v₀ + b t and v₀ ⊥ b, so that
// |v| = R = √(A t² + D), A = b², D = v₀², and the sums are v₀ and b times
//   K₀ = ∫ R dt = ½ (t R + D/√A asinh(t √(A/D))),  K₁ = ∫ t R dt = R³/(3 A),
//   K₂ = ∫ t² R dt = (t R³ − D K₀)/(4 A).
// Far from there differences of these lose digits, and R is so smooth that four points are exact.
StripSums exact_sums(const CrossFlow& flow, double length) {
  constexpr double far = 3;  // lengths; four points are off by 1e-9 there
  const Vec3<double>& b = flow.per_length;
  const double A = dot(b, b), least = A > 0 ? -dot(flow.at_start, b) / A : HUGE_VAL;
  if (!(least > -far * length && least < (1 + far) * length))
    return four_point_sums(flow, 0, length);
  const Vec3<double> v0 = flow.at(least);
  const double D = dot(v0, v0), root = std::sqrt(A);
  double K[3] = {};
  for (const auto& [t, sign] : {std::pair{length - least, 1.0}, std::pair{-least, -1.0}}) {
    const double R = std::sqrt(A * t * t + D), cube = R * R * R;
    const double bent = D > 0 ? D / root * std::asinh(t * root / std::sqrt(D)) : 0;
    const double K0 = (t * R + bent) / 2;
    K[0] += sign * K0;
    K[1] += sign * cube / (3 * A);
    K[2] += sign * (t * cube - D * K0) / (4 * A);
  }
  const Vec3<double> plain = v0 * K[0] + b * K[1];
  return {plain, v0 * K[1] + b * K[2] + plain * least};
}

Force<double> at_point(const Vec3<double>& point, const Vec3<double>& force) {
  return {cross(point, force), force};
}

}  // namespace

Force<double> drag_force(const CylinderDrag& c, const Motion<double>& v, double density) {
  const Vec3<double> whole = c.end - c.start;
  const double length = norm(whole);
  const Vec3<double> axis = whole / length;
  const auto across = [&](const Vec3<double>& x) { return x - axis * dot(axis, x); };
  const Vec3<double> start = v.linear + cross(v.angular, c.start);
  const CrossFlow flow{across(start), cross(v.angular, axis)};
  const StripSums sums =
      c.rule == StripRule::adaptive ? exact_sums(flow, length) : four_point_sums(flow, 0, length);
  const double strip = -density * c.coefficient * c.radius;
  // along the axis every point of it has the same speed
  const double along = dot(axis, start);
  const double caps = -0.5 * density * std::abs(along) * along *
                      (c.end_coefficient * circle * c.radius * c.radius +
                       c.skin_coefficient * 2 * circle * c.radius * length);
  Force<double> f = at_point(c.start, sums.plain * strip + axis * caps);
  f.angular += cross(axis, sums.moment * strip);
  return f;
}

Force<double> lift_force(const LiftingSurface& foil, const Motion<double>& v, double density) {
  const Vec3<double> at = v.linear + cross(v.angular, foil.center);
  const double c = dot(at, foil.chord), n = dot(at, foil.normal), speed = std::hypot(c, n);
  if (speed == 0) return {};
  const double half = 0.5 * density * foil.area;
  const double C_L =
      std::clamp(foil.slope * n * c / (speed * speed), -foil.most_lift, foil.most_lift);
  const double C_D = foil.drag_coefficient + foil.induced_drag * C_L * C_L;
  const Vec3<double> lift = (foil.chord * n - foil.normal * c) * (half * C_L * speed);
  const Vec3<double> drag = (foil.chord * c + foil.normal * n) * (-half * C_D * speed);
  return at_point(foil.center, lift + drag);
}

Force<double> damping_force(const Hydrodynamics& body, const Motion<double>& v) {
  const auto& [w, u] = apply_inverse(body.damping_frame, v);
  const double nu[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
  double f[6] = {};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      f[i] -= (body.linear_damping[i][j] + body.quadratic_damping[i][j] * std::abs(nu[j])) * nu[j];
  return body.damping_frame * Force<double>{{f[3], f[4], f[5]}, {f[0], f[1], f[2]}};
}

Force<double> viscous_force(const Hydrodynamics& body, const Motion<double>& v, double density) {
  Force<double> f = damping_force(body, v);
  for (const CylinderDrag& cylinder : body.cylinders) f += drag_force(cylinder, v, density);
  for (const SurfaceDrag& surface : body.surfaces) f += drag_force(surface, v, density);
  for (const LiftingSurface& foil : body.foils) f += lift_force(foil, v, density);
  return f;
}

Hydrodynamics shape_without_added_mass(const ShapeSpec& shape, double drag_coefficient) {
  Hydrodynamics body;
  body.displacement = displacement_of(shape);
  body.hull = surface_of(shape);
  const bool is_capsule = shape.kind == ShapeSpec::Kind::capsule;
  if (is_capsule || shape.kind == ShapeSpec::Kind::cylinder) {
    // a capsule has the area of its projection: half a circle more at each end
    const double radius = shape.size.x,
                 half = shape.size.y / 2 + (is_capsule ? circle / 4 * radius : 0);
    body.cylinders.push_back({transform_point(shape.placement, {0, 0, -half}),
                              transform_point(shape.placement, {0, 0, half}), radius,
                              drag_coefficient, drag_coefficient});
  } else {
    body.surfaces.push_back(surface_drag_of(shape, drag_coefficient));
  }
  return body;
}

Hydrodynamics hydrodynamics_of(const ShapeSpec& shape, double density, double drag_coefficient) {
  Hydrodynamics body = shape_without_added_mass(shape, drag_coefficient);
  body.added_mass = added_mass_of(shape, density);
  return body;
}

Hydrodynamics hydrodynamics_of(const Mesh& mesh, double density, double drag_coefficient,
                               const PanelSettings& panels) {
  Hydrodynamics body;
  body.added_mass = mesh_added_mass(mesh, density, panels).inertia;
  body.displacement = displacement_of(mesh);
  body.hull = welded(mesh);
  body.surfaces.push_back(surface_drag_of(mesh, drag_coefficient));
  return body;
}

void set_skin_friction(Hydrodynamics& body, double coefficient) {
  for (CylinderDrag& cylinder : body.cylinders) cylinder.skin_coefficient = coefficient;
  for (SurfaceDrag& surface : body.surfaces) {
    surface.skin_coefficient = coefficient;
    if (!surface.sphere || !surface.patches.empty() || coefficient == 0) continue;
    const double r = surface.sphere->radius;
    ShapeSpec ball;
    ball.kind = ShapeSpec::Kind::ellipsoid;
    ball.size = {r, r, r};
    ball.placement.p = surface.sphere->center;
    surface.patches = surface_drag_of(ball).patches;
  }
}

VortexShedding vortex_shedding(const CylinderDrag& cylinder, double speed, double density,
                               double viscosity) {
  const double diameter = 2 * cylinder.radius;
  VortexShedding result;
  result.reynolds = std::abs(speed) * diameter / viscosity;
  const double Re = result.reynolds;
  if (Re < 50 || (Re > 2e5 && Re < 3.5e6)) return result;
  result.strouhal = Re < 300 ? 0.212 * (1 - 21.2 / Re) : Re <= 2e5 ? 0.212 * (1 - 12.7 / Re) : 0.27;
  result.frequency = result.strouhal * std::abs(speed) / diameter;
  constexpr double lift_coefficient = 0.5;
  result.force = 0.5 * density * lift_coefficient * speed * speed * diameter *
                 norm(cylinder.end - cylinder.start);
  return result;
}

std::string resonance_warning(const VortexShedding& shedding, double natural_frequency,
                              const std::string& link) {
  if (!(shedding.frequency > 0.7 * natural_frequency &&
        shedding.frequency < 1.3 * natural_frequency))
    return "";
  return fmt::format(
      "link '{}' sheds vortices at {:.3g} Hz (Reynolds number {:.2g}, force ±{:.3g} N), near its "
      "natural frequency {:.3g} Hz: it may vibrate across the flow, which is not simulated; change "
      "its stiffness, its diameter or the speed",
      link, shedding.frequency, shedding.reynolds, shedding.force, natural_frequency);
}

}  // namespace limber
