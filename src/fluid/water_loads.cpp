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
    if (!link.hydrodynamics.hull.triangles.empty())
      place.hull_volume = displacement_of(link.hydrodynamics.hull).volume;
    take_drag(link.hydrodynamics, place);
    places_.push_back(std::move(place));
  }
}

void WaterLoads::take_drag(const Hydrodynamics& body, Place& place) {
  for (const CylinderDrag& cylinder : body.cylinders)
    if (cylinder.rule == StripRule::four_points) place.strips.push_back(strip_drag(cylinder, 1));
    else place.rest.cylinders.push_back(cylinder);
  place.rest.surfaces = body.surfaces;
  place.rest.foils = body.foils;
  place.rest.linear_damping = body.linear_damping;
  place.rest.quadratic_damping = body.quadratic_damping;
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

Displacement WaterLoads::wet_part_of(std::size_t link, const Transform<double>& pose,
                                     const Water& water, double time) const {
  const Hydrodynamics& body = links_[link].hydrodynamics;
  const Displacement& whole = body.displacement;
  if (!water.level) return whole;
  const SurfacePlane world = water.surface_plane(transform_point(pose, whole.center), time);
  const SurfacePlane surface{transpose_times(pose.R, world.normal),
                             world.offset - dot(world.normal, pose.p)};
  if (!body.hull.triangles.empty()) {
    // a hull may hold more than the link displaces, as one with holes does
    Displacement wet = wet_part(body.hull, surface);
    if (wet.volume >= places_[link].hull_volume * (1 - 1e-12)) return whole;
    wet.volume *= whole.volume / places_[link].hull_volume;
    return wet;
  }
  if (whole.volume > 0) {
    const double radius = std::cbrt(0.75 * whole.volume / std::numbers::pi);
    return wet_part_of_sphere(whole.center, radius, surface);
  }
  return whole;
}

void WaterLoads::wet_link(std::size_t link, const Transform<double>& pose, const Water& water,
                          double time) {
  const Displacement& whole = links_[link].hydrodynamics.displacement;
  LinkState& state = states_[link];
  state.displaced = wet_part_of(link, pose, water, time);
  if (whole.volume > 0) {
    state.wet = std::min(state.displaced.volume / whole.volume, 1.0);
  } else {
    const bool is_below =
        transform_point(pose, whole.center).z < water.surface(pose.p.x, pose.p.y, time);
    state.wet = is_below ? 1.0 : 0.0;
  }
}

Loads<double> WaterLoads::update(const Model& model, const Velocities& bodies, const Water& water,
                                 double time, const Loads<double>& others) {
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
  if (is_uniform) flow = water.flow({}, time);
  // that there are velocities, for all links
  if (!places_.empty()) frame_velocity(model, bodies, places_[0].frame, Reference::body);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Hydrodynamics& body = links_[k].hydrodynamics;
    const Place& place = places_[k];
    LinkState& state = states_[k];
    const Transform<double> pose = bodies.X_W[place.body] * place.placement;
    const Motion<double> v = apply_inverse(place.placement, bodies.v[place.body]);
    if (!is_uniform) flow = water.flow(transform_point(pose, body.displacement.center), time);
    const Vec3<double> u = transpose_times(pose.R, flow.velocity),
                       a_f = transpose_times(pose.R, flow.acceleration),
                       g = transpose_times(pose.R, model.gravity);
    state.displaced = body.displacement;
    state.wet = 1;
    if (water.level) wet_link(k, pose, water, time);
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
    const Displacement wet = wet_part_of(k, pose, water, time);
    energy +=
        water.density * wet.volume * dot(model.gravity, transform_point(pose, wet.center) - zero);
  }
  return energy;
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
