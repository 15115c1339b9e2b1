#pragma once
// Loads: what acts on the robot besides its joints and gravity. All empty: nothing.
#include <cstdint>
#include <span>

#include <limber/dynamics/fluid_load.hpp>
#include <limber/spatial/articulated.hpp>

namespace limber {

/// Whether the joints' own damping, friction and springs (passive_forces()) count.
enum class Passive : std::uint8_t { left_out, included };

template <class T>
struct Loads {
  /// External force on each body (entry 0, the world, is ignored), in the user's body frame: moment
  /// about its origin [N m] and force [N], in its axes. Empty: none. Size: model.bodies(), rotors
  /// included (their entries are usually zero).
  std::span<const Force<T>> body_forces;
  /// Velocity of the world frame itself (a moving base), in its own axes. [rad/s, m/s]
  Motion<T> base_velocity;
  /// Spatial acceleration of the world frame, in its own axes. [rad/s², m/s²]
  Motion<T> base_acceleration;
  /// Damping, friction and springs of the joints: included, inverse dynamics adds them to what the
  /// drives must supply and forward dynamics subtracts them.
  Passive passive = Passive::left_out;
  /// Inertia that is added to each body (entry 0 is ignored): any symmetric 6×6 matrix B in the
  /// user's body frame, moment = I α + H a, force = Hᵀ α + M a. It adds the momentum B v, so the
  /// force B a + v ×* B v (a: spatial acceleration), and has no weight; what has weight adds it to
  /// body_forces. Empty: none. Size: model.bodies(). [kg m², kg m, kg]
  std::span<const ArticulatedInertia<T>> body_inertia = {};
  /// Inertia that is added to each freedom, as of a rotor without mount: tau += inertia · a. Empty:
  /// none. Size: model.nv. [kg m² or kg]
  std::span<const T> joint_inertia = {};

  /// A fluid that all bodies are in: added mass, buoyancy and drag; not beside body_inertia. It
  /// must live as long as the loads. Null: none.
  const FluidLoad<T>* fluid = nullptr;

  /// Bodies have inertia besides their own.
  bool adds_to_bodies() const { return !body_inertia.empty() || fluid; }
  bool has_inertia() const { return adds_to_bodies() || !joint_inertia.empty(); }
};

}  // namespace limber
