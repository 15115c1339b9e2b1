#pragma once
// WaterLoads: what water does to a robot, as Loads, so that every algorithm that takes loads is
// exact under water: inverse, forward and hybrid dynamics, mass matrix, closed mechanisms. [McM]
// §7.3
//
// Kirchhoff's equations of a link with added mass B in a fluid that moves with velocity u and
// acceleration a_f (the same all around the link), link axes:
//   f = −(B (a − (0, d/dt u)) + v_r ×* B v_r) + ρ V (a_f − g) at the centre of buoyancy + drag(v_r)
// with v_r = v − (0, u) and d/dt u = a_f − ω × u in link axes. Loads::body_inertia makes
// B a + v ×* B v of it, for the true spatial acceleration a; the rest is a force. So added mass is
// inertia in all algorithms and steps stay stable however large it is.
#include <string>
#include <vector>

#include <limber/dynamics/kinematics.hpp>
#include <limber/fluid/hydrodynamics.hpp>
#include <limber/fluid/water.hpp>

namespace limber {

/// What is left of Kirchhoff's equations beside −(B a + v ×* B v) where the fluid moves: link axes,
/// u its velocity, a_f its acceleration.
template <class T>
constexpr Force<T> current_force(const ArticulatedInertia<T>& B, const Motion<T>& v,
                                 const Vec3<T>& u, const Vec3<T>& a_f) {
  // v ×* B v − v_r ×* B v_r, where v_r is v less the motion (0, u)
  const Vec3<T> rate = a_f - cross(v.angular, u);
  const Force<T> carried{B.H * u, B.M * u};
  const Force<T> relative = B * v - carried;
  return Force<T>{B.H * rate + cross(u, relative.linear), B.M * rate} + cross(v, carried);
}

/// The hydrodynamics of one link of a robot.
struct LinkHydrodynamics {
  std::string link;  ///< or any other frame of the robot, in which the numbers are given
  Hydrodynamics hydrodynamics;
};

/// The water's loads on the links of one robot, renewed for each state.
class WaterLoads {
 public:
  /// What acts on one link, in its frame, as of the last update.
  struct LinkState {
    Motion<double> relative_velocity;  ///< to the fluid at the centre of buoyancy
    Force<double> buoyancy;            ///< ρ V (a_f − g)
    Force<double> current;             ///< current_force()
    Force<double> viscous;             ///< drag, lift and damping
    double wet = 1;                    ///< part of the displaced volume that is in the water
    Displacement displaced;            ///< of that part
  };

  /// Throws Error for frames that the robot has not, and as check_hydrodynamics().
  WaterLoads(const Model& model, std::vector<LinkHydrodynamics> links);

  /// The loads at a state. They point into this object and are true until the next update. `others`
  /// are added; a moving base is refused. Added mass, drag and damping of a link at the surface are
  /// taken in proportion to its wet volume, and the change of added mass with it pushes nothing.
  /// more_current: world axes, as in Water::flow(). No allocation. Cost: that of the drag.
  Loads<double> update(const Model& model, const Velocities& bodies, const Water& water,
                       double time, const Loads<double>& others = {},
                       const Vec3<double>& more_current = {});

  /// Potential energy of buoyancy in water at rest: Σ ρ V g · b of the wet parts; zero at the mean
  /// surface, or at the world origin if there is none. [J]
  double potential_energy(const Model& model, const Poses& bodies, const Water& water,
                          double time) const;
  /// The energy that the water would have if it were at rest below a flat surface: potential energy
  /// of buoyancy as above, and ½ Σ v · B v of the wet parts. Without currents and waves buoyancy
  /// and added mass take nothing else, but for links whose wet part changes: what added mass comes
  /// and goes with it. [J]
  double still_energy(const Model& model, const Velocities& bodies, const Water& water) const;
  /// Its derivative in time. [W]
  double still_energy_rate(const Model& model, const Accelerations& bodies,
                           const Water& water) const;
  /// ½ Σ v_r · B v_r at the last update: kinetic energy of the fluid relative to its flow. [J]
  double fluid_energy() const;
  /// Σ v_r · viscous force at the last update: what the fluid takes, negative. [W]
  double viscous_power() const;

  const std::vector<LinkHydrodynamics>& links() const { return links_; }
  const std::vector<LinkState>& states() const { return states_; }  ///< by link
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Place {
    int frame = 0, body = 0;
    Transform<double> placement;      ///< pose in the body's canonical frame
    Transform<double> in_body;        ///< pose in the user's body frame
    ArticulatedInertia<double> mass;  ///< added mass in that frame
    double hull_volume = 0;
    Vec3<double> hull_shift;                ///< that brings the hull's centre to that of buoyancy
    double reach = 0;                       ///< of the hull from there
    std::vector<StripDrag<double>> strips;  ///< cylinders by four points, for a density of 1
    Hydrodynamics rest;                     ///< what else brakes and lifts
    bool is_damped = false;                 ///< damping matrices have numbers
  };
  static void place_hull(const Hydrodynamics& body, Place& place);
  static void take_drag(const Hydrodynamics& body, Place& place);
  static Force<double> viscous_force_on(const Place& place, const Motion<double>& v,
                                        double density);
  /// The surface near a link, in its axes; the water must have one.
  SurfacePlane surface_at(std::size_t link, const Transform<double>& pose, const Water& water,
                          double time) const;
  /// The same for the flat mean surface.
  static SurfacePlane mean_surface(const Transform<double>& pose, const Water& water);
  enum class Cut : std::uint8_t { dry, cut, whole };
  Cut cut_of(std::size_t link, const SurfacePlane& surface) const;
  Displacement wet_part_of(std::size_t link, const SurfacePlane& surface) const;
  Force<double> wet_gradient_of(std::size_t link, const SurfacePlane& surface) const;
  double wet_share(std::size_t link, const Displacement& wet, const SurfacePlane& surface) const;

  std::vector<LinkHydrodynamics> links_;
  std::vector<Place> places_;
  std::vector<LinkState> states_;
  std::vector<std::string> warnings_;
  std::vector<Force<double>> forces_;
  std::vector<ArticulatedInertia<double>> inertias_;
  std::string model_name_;
};

}  // namespace limber
