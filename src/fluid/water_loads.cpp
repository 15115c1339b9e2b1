// What water does to a robot, as Loads.
#include <limber/fluid/water_loads.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/fluid/submerged.hpp>

namespace limber {

namespace {

ArticulatedInertia<double> part_of(const ArticulatedInertia<double>& B, double part) {
  return {B.I * part, B.H * part, B.M * part};
}

bool is_zero(const Motion<double>& v) {
  return dot(v.angular, v.angular) + dot(v.linear, v.linear) == 0;
}

// a plane of the world in the axes of a link at this pose
SurfacePlane in_axes_of(const Transform<double>& pose, const SurfacePlane& world) {
  return {transpose_times(pose.R, world.normal), world.offset - dot(world.normal, pose.p)};
}

// as seen by what is moved by `shift`
SurfacePlane shifted(const SurfacePlane& surface, const Vec3<double>& shift) {
  return {surface.normal, surface.offset - dot(surface.normal, shift)};
}

template <class V>
void check_water_size(const char* what, const std::string& name, const V& values,
                      std::size_t bodies) {
  if (!values.empty() && values.size() != bodies)
    throw Error(fmt::format("WaterLoads: {} has {} entries, robot '{}' needs {}", what,
                            values.size(), name, bodies));
}

}  // namespace

WaterLoads::WaterLoads(const Model& model, std::vector<LinkHydrodynamics> links)
    : links_(std::move(links)),
      states_(links_.size()),
      forces_(static_cast<std::size_t>(model.bodies())),
      inertias_(static_cast<std::size_t>(model.bodies())),
      model_name_(model.name) {
  for (const LinkHydrodynamics& link : links_) {
    for (std::string& line : check_hydrodynamics(link.hydrodynamics, link.link))
      warnings_.push_back(std::move(line));
    Place place;
    place.frame = model.frame(link.link);
    const BasicFrame<double>& frame = model.frames[place.frame];
    place.body = frame.body;
    place.placement = frame.placement;
    place.in_body = inverse(model.body_placement[place.body]) * frame.placement;
    place.mass = place.in_body * link.hydrodynamics.added_mass;
    place_hull(link.hydrodynamics, place);
    take_drag(link.hydrodynamics, place);
    places_.push_back(std::move(place));
  }
}

void WaterLoads::place_hull(const Hydrodynamics& body, Place& place) {
  const Displacement& whole = body.displacement;
  place.reach = std::cbrt(0.75 * whole.volume / std::numbers::pi);
  if (body.hull.triangles.empty()) return;
  const Inertia<double> hull = volume_moments(body.hull);  // which is closed
  const Vec3<double> middle = hull.com();
  place.hull_volume = hull.m;
  place.hull_shift = whole.center - middle;
  place.reach = 0;
  for (const Vec3<double>& p : body.hull.vertices)
    place.reach = std::max(place.reach, norm(p - middle));
}

void WaterLoads::take_drag(const Hydrodynamics& body, Place& place) {
  for (const CylinderDrag& cylinder : body.cylinders)
    if (cylinder.rule == StripRule::four_points) place.strips.push_back(strip_drag(cylinder, 1));
    else place.rest.cylinders.push_back(cylinder);
  place.rest.surfaces = body.surfaces;
  place.rest.foils = body.foils;
  place.rest.linear_damping = body.linear_damping;
  place.rest.quadratic_damping = body.quadratic_damping;
  place.rest.damping_frame = body.damping_frame;
  place.is_damped =
      body.linear_damping != MarineMatrix{} || body.quadratic_damping != MarineMatrix{};
}

Force<double> WaterLoads::viscous_force_on(const Place& place, const Motion<double>& v,
                                           double density) {
  Force<double> f;
  for (const StripDrag<double>& strip : place.strips) f += drag_force(strip, v);
  f = f * density;
  const Hydrodynamics& rest = place.rest;
  if (place.is_damped) f += damping_force(rest, v);
  for (const CylinderDrag& cylinder : rest.cylinders) f += drag_force(cylinder, v, density);
  for (const SurfaceDrag& surface : rest.surfaces) f += drag_force(surface, v, density);
  for (const LiftingSurface& foil : rest.foils) f += lift_force(foil, v, density);
  return f;
}

SurfacePlane WaterLoads::surface_at(std::size_t link, const Transform<double>& pose,
                                    const Water& water, double time) const {
  const Vec3<double>& center = links_[link].hydrodynamics.displacement.center;
  return in_axes_of(pose, water.surface_plane(transform_point(pose, center), time));
}

SurfacePlane WaterLoads::mean_surface(const Transform<double>& pose, const Water& water) {
  return in_axes_of(pose, {{0, 0, 1}, *water.level});
}

WaterLoads::Cut WaterLoads::cut_of(std::size_t link, const SurfacePlane& surface) const {
  const Vec3<double>& center = links_[link].hydrodynamics.displacement.center;
  const double height = dot(surface.normal, center) - surface.offset, reach = places_[link].reach;
  if (height > reach) return Cut::dry;
  return height < -reach ? Cut::whole : Cut::cut;
}

Displacement WaterLoads::wet_part_of(std::size_t link, const SurfacePlane& surface) const {
  const Hydrodynamics& body = links_[link].hydrodynamics;
  const Displacement& whole = body.displacement;
  const Place& place = places_[link];
  if (!(whole.volume > 0)) return whole;
  switch (cut_of(link, surface)) {
    case Cut::whole:
      return whole;
    case Cut::dry:
      return {};
    case Cut::cut:
      break;
  }
  if (body.hull.triangles.empty()) return wet_part_of_sphere(whole.center, place.reach, surface);
  // a hull may hold more than the link displaces, as one with holes does
  Displacement wet = wet_part(body.hull, shifted(surface, place.hull_shift));
  if (wet.volume >= place.hull_volume * (1 - 1e-12)) return whole;
  wet.volume *= whole.volume / place.hull_volume;
  wet.center += place.hull_shift;
  return wet;
}

// as wet_volume_gradient(), of the displaced volume
Force<double> WaterLoads::wet_gradient_of(std::size_t link, const SurfacePlane& surface) const {
  const Hydrodynamics& body = links_[link].hydrodynamics;
  const Displacement& whole = body.displacement;
  const Place& place = places_[link];
  if (!(whole.volume > 0) || cut_of(link, surface) != Cut::cut) return {};
  if (body.hull.triangles.empty())
    return wet_volume_gradient_of_sphere(whole.center, place.reach, surface);
  Force<double> sum = wet_volume_gradient(body.hull, shifted(surface, place.hull_shift));
  sum.angular += cross(place.hull_shift, sum.linear);
  return sum * (whole.volume / place.hull_volume);
}

// the part of a link that is in the water; without volume all or nothing of it
double WaterLoads::wet_share(std::size_t link, const Displacement& wet,
                             const SurfacePlane& surface) const {
  const Displacement& whole = links_[link].hydrodynamics.displacement;
  if (whole.volume > 0) return std::min(wet.volume / whole.volume, 1.0);
  return dot(surface.normal, whole.center) < surface.offset ? 1.0 : 0.0;
}

Loads<double> WaterLoads::update(const Model& model, const Velocities& bodies, const Water& water,
                                 double time, const Loads<double>& others,
                                 const Vec3<double>& more_current) {
  const auto count = static_cast<std::size_t>(model.bodies());
  if (count != forces_.size())
    throw Error(fmt::format("WaterLoads: made for robot '{}' with {} bodies, not for '{}' with {}",
                            model_name_, forces_.size(), model.name, count));
  check_water_size("body_forces", model.name, others.body_forces, count);
  check_water_size("body_inertia", model.name, others.body_inertia, count);
  if (!is_zero(others.base_velocity) || !is_zero(others.base_acceleration))
    throw Error(
        "WaterLoads: the world frame, in which the water is given, must be at rest; move the robot "
        "by a joint instead of base_velocity and base_acceleration");
  if (others.fluid)
    throw Error("WaterLoads: the other loads have a fluid already; leave out one of the two");
  std::fill(forces_.begin(), forces_.end(), Force<double>{});
  std::fill(inertias_.begin(), inertias_.end(), ArticulatedInertia<double>{});
  std::copy(others.body_forces.begin(), others.body_forces.end(), forces_.begin());
  std::copy(others.body_inertia.begin(), others.body_inertia.end(), inertias_.begin());
  // without waves and shear the flow is the same everywhere
  const bool is_uniform = water.profile.empty() && water.waves.empty();
  Flow flow;
  if (is_uniform) flow = water.flow({}, time, more_current);
  // that there are velocities, for all links
  if (!places_.empty()) frame_velocity(model, bodies, places_[0].frame, Reference::body);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Hydrodynamics& body = links_[k].hydrodynamics;
    const Place& place = places_[k];
    LinkState& state = states_[k];
    const Transform<double> pose = bodies.X_W[place.body] * place.placement;
    const Motion<double> v = apply_inverse(place.placement, bodies.v[place.body]);
    if (!is_uniform)
      flow = water.flow(transform_point(pose, body.displacement.center), time, more_current);
    const Vec3<double> u = transpose_times(pose.R, flow.velocity),
                       a_f = transpose_times(pose.R, flow.acceleration),
                       g = transpose_times(pose.R, model.gravity);
    state.displaced = body.displacement;
    state.wet = 1;
    if (water.level) {
      const SurfacePlane surface = surface_at(k, pose, water, time);
      state.displaced = wet_part_of(k, surface);
      state.wet = wet_share(k, state.displaced, surface);
    }
    state.relative_velocity = {v.angular, v.linear - u};
    const Vec3<double> lift = (a_f - g) * (water.density * state.displaced.volume);
    state.buoyancy = {cross(state.displaced.center, lift), lift};
    state.current = current_force(body.added_mass, v, u, a_f);
    state.viscous = viscous_force_on(place, state.relative_velocity, water.density);
    if (state.wet < 1) {
      state.current = state.current * state.wet;
      state.viscous = state.viscous * state.wet;
    }
    const auto b = static_cast<std::size_t>(place.body);
    forces_[b] += place.in_body * (state.buoyancy + state.current + state.viscous);
    inertias_[b] += state.wet < 1 ? part_of(place.mass, state.wet) : place.mass;
  }
  Loads<double> loads = others;
  loads.body_forces = forces_;
  loads.body_inertia = inertias_;
  return loads;
}

double WaterLoads::potential_energy(const Model& model, const Poses& bodies, const Water& water,
                                    double time) const {
  double energy = 0;
  const Vec3<double> zero{0, 0, water.level.value_or(0)};
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Transform<double> pose = frame_pose(model, bodies, places_[k].frame);
    const Displacement wet = water.level ? wet_part_of(k, surface_at(k, pose, water, time))
                                         : links_[k].hydrodynamics.displacement;
    energy +=
        water.density * wet.volume * dot(model.gravity, transform_point(pose, wet.center) - zero);
  }
  return energy;
}

double WaterLoads::still_energy(const Model& model, const Velocities& bodies,
                                const Water& water) const {
  double energy = 0;
  const Vec3<double> zero{0, 0, water.level.value_or(0)};
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Hydrodynamics& body = links_[k].hydrodynamics;
    const Place& place = places_[k];
    const Transform<double> pose = bodies.X_W[place.body] * place.placement;
    const Motion<double> v = apply_inverse(place.placement, bodies.v[place.body]);
    Displacement wet = body.displacement;
    double share = 1;
    if (water.level) {
      const SurfacePlane surface = mean_surface(pose, water);
      wet = wet_part_of(k, surface);
      share = wet_share(k, wet, surface);
    }
    energy +=
        water.density * wet.volume * dot(model.gravity, transform_point(pose, wet.center) - zero) +
        share / 2 * dot(v, body.added_mass * v);
  }
  return energy;
}

// the water at the edge of the wet part has no depth: there only the added mass changes
double WaterLoads::still_energy_rate(const Model& model, const Accelerations& bodies,
                                     const Water& water) const {
  double rate = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Hydrodynamics& body = links_[k].hydrodynamics;
    const Place& place = places_[k];
    const Transform<double> pose = bodies.X_W[place.body] * place.placement;
    const Motion<double> v = apply_inverse(place.placement, bodies.v[place.body]),
                         a = apply_inverse(place.placement, bodies.a[place.body]);
    Displacement wet = body.displacement;
    double share = 1, share_rate = 0;
    if (water.level) {
      const SurfacePlane surface = mean_surface(pose, water);
      wet = wet_part_of(k, surface);
      share = wet_share(k, wet, surface);
      if (wet.volume < body.displacement.volume)
        share_rate = dot(v, wet_gradient_of(k, surface)) / body.displacement.volume;
    }
    const Vec3<double> g = transpose_times(pose.R, model.gravity);
    rate += water.density * wet.volume * dot(g, v.linear + cross(v.angular, wet.center)) +
            share * dot(v, body.added_mass * a) + share_rate / 2 * dot(v, body.added_mass * v);
  }
  return rate;
}

double WaterLoads::fluid_energy() const {
  double twice = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Motion<double>& v = states_[k].relative_velocity;
    twice += states_[k].wet * dot(v, links_[k].hydrodynamics.added_mass * v);
  }
  return twice / 2;
}

double WaterLoads::viscous_power() const {
  double power = 0;
  for (const LinkState& state : states_) power += dot(state.relative_velocity, state.viscous);
  return power;
}

}  // namespace limber
