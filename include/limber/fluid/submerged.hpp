#pragma once
// A robot deep in water that moves alike everywhere, as Loads::fluid: no surface, no waves, no
// shear. All is constant but the fluid's velocity and acceleration, so that algorithms need no
// update beforehand and every scalar may be used (operation counts, expressions of the model
// compiler). WaterLoads takes any water.
#include <span>

#include <limber/fluid/water_loads.hpp>

namespace limber {

/// The numbers of all bodies in a fluid of this density [kg/m³], at rest: set velocity and
/// acceleration, then hand it to the algorithms as Loads::fluid. Offered: added mass, displacement,
/// damping matrices, cylinders by StripRule::four_points. Throws Error for the rest, by name: drag
/// over surfaces, foils, adaptive strips; for frames that the robot has not, and as
/// check_hydrodynamics().
FluidLoad<double> submerged(const Model& model, std::span<const LinkHydrodynamics> links,
                            double density = 1025);

/// The cylinder's drag as numbers.
StripDrag<double> strip_drag(const CylinderDrag& cylinder, double density);

template <class U>
FluidLoad<U> cast(const FluidLoad<double>& fluid);

// --- implementation ------------------------------------------------------------------------------

template <class U>
StripDrag<U> cast(const StripDrag<double>& s) {
  StripDrag<U> r{cast<U>(s.start), cast<U>(s.axis), cast<U>(s.across), cast<U>(s.across2), {}, {},
                 U(s.along)};
  for (std::size_t k = 0; k < 4; ++k) r.place[k] = U(s.place[k]), r.weight[k] = U(s.weight[k]);
  return r;
}
template <class U>
MarineDamping<U> cast(const MarineDamping<double>& d) {
  MarineDamping<U> r{cast<U>(d.frame), {}};
  for (const auto& [i, j, linear, quadratic] : d.entries)
    r.entries.push_back({i, j, U(linear), U(quadratic)});
  return r;
}
template <class U>
FluidLoad<U> cast(const FluidLoad<double>& fluid) {
  List<FluidBody<U>> bodies;
  for (const FluidBody<double>& body : fluid.bodies()) {
    FluidBody<U>& to = bodies.emplace_back();
    to.is_wet = body.is_wet;
    to.added_mass = cast<U>(body.added_mass);
    to.displaced_mass = U(body.displaced_mass);
    to.displaced_moment = cast<U>(body.displaced_moment);
    for (const auto& strip : body.strips) to.strips.push_back(cast<U>(strip));
    for (const auto& damping : body.dampings) to.dampings.push_back(cast<U>(damping));
  }
  FluidLoad<U> r(std::move(bodies));
  r.velocity = cast<U>(fluid.velocity), r.acceleration = cast<U>(fluid.acceleration);
  return r;
}

}  // namespace limber
