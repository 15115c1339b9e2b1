#pragma once
// A robot deep in water that moves alike everywhere, as Loads::fluid: no surface, no waves, no
// shear. All is constant but the fluid's velocity and acceleration, so that algorithms need no
// update beforehand and every scalar may be used (operation counts, expressions of the model
// compiler). WaterLoads takes any water.
#include <span>

#include <limber/fluid/water_loads.hpp>

namespace limber {

/// The numbers of all bodies in a fluid of this density [kg/m³], at rest: set velocity and
/// acceleration, then hand it to the algorithms as Loads::fluid. Everything that a link may have is
/// in it but cylinders with adaptive strips, for which it throws Error by name; it throws Error for
/// frames that the robot has not, too, and as check_hydrodynamics().
FluidLoad<double> submerged(const Model& model, std::span<const LinkHydrodynamics> links,
                            double density = 1025);

/// The cylinder's drag as numbers.
StripDrag<double> strip_drag(const CylinderDrag& cylinder, double density);
/// The foil's lift and drag as numbers.
FoilLift<double> foil_lift(const LiftingSurface& foil, double density);
/// Adds the surface's drag and friction to a body. X: pose of the surface's axes in the body's
/// frame.
void add_surface(const SurfaceDrag& surface, const Transform<double>& X, double density,
                 FluidBody<double>& body);

template <class U>
FluidLoad<U> cast(const FluidLoad<double>& fluid);

// --- implementation ------------------------------------------------------------------------------

template <class U, template <class> class Piece>
List<Piece<U>> cast(const List<Piece<double>>& pieces) {
  List<Piece<U>> r;
  for (const Piece<double>& piece : pieces) r.push_back(cast<U>(piece));
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
    to.strips = cast<U>(body.strips);
    to.dampings = cast<U>(body.dampings);
    to.patches = cast<U>(body.patches);
    to.skins = cast<U>(body.skins);
    to.spheres = cast<U>(body.spheres);
    to.foils = cast<U>(body.foils);
  }
  FluidLoad<U> r(std::move(bodies));
  r.velocity = cast<U>(fluid.velocity), r.acceleration = cast<U>(fluid.acceleration);
  return r;
}

}  // namespace limber
