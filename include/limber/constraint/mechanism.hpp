#pragma once
// Mechanism: a robot with what closes its loops, as the functions of this room take it. The tree of
// its joints moves as every robot; each loop adds rows, scalar constraints J v + … = 0. [RDA] §9.2
//
// A loop holds frame b against frame a. Its rows, in the axes of frame a (`basis`), are turns that
// are held, then displacements that are held:
//
//   what closes it             turns held         displacements held
//   weld                       x, y, z            x, y, z
//   connect                    –                  x, y, z
//   joint                      what the kind of joint does not leave free: across its axis, …
//   slot, surface              –                  across the axis; along it
//   distance                   –                  along the line between the origins
//   rolling                    –                  the point of the wheel on the ground: x, y, z
//   coupling                   no bodies: one row over two freedoms
//
// The force of a row is a unit moment or force on body b at the origin of frame b (of a wheel: at
// the ground), the opposite one on body a.
#include <functional>
#include <span>
#include <string>

#include <limber/model/model.hpp>

namespace limber {

/// Numbers of a constraint that a program gives by a function of its own.
struct CustomRows {
  std::span<double> gap;   ///< φ(q, t), zero where it is satisfied
  std::span<double> J;     ///< rows × nv, row by row: the rate is J v + drift
  std::span<double> rate;  ///< the part of the rate that is not J v: ∂φ/∂t
  std::span<double> bias;  ///< the derivative of the rate at zero acceleration: J̇ v + …
  /// What the squares of a row's entries in J add up to where they are large, see LoopRows::reach;
  /// zero before the call, and you may leave it: not known. In singular positions a row vanishes,
  /// and this says what it is small against.
  std::span<double> reach;
};
/// A constraint over all freedoms: writes every number of `out` for the time t [s], q (nq), v (nv).
/// No allocation, no exception.
struct CustomConstraint {
  std::string name;
  int rows = 1;
  std::function<void(double t, std::span<const double> q, std::span<const double> v,
                     const CustomRows& out)>
      compute;
};

/// How the target of a loop moves: its displacements (coupling: the joint; distance: the length)
/// are not zero but these, with their first and second derivatives. Turns do not move.
struct LoopMotion {
  int loop = 0;
  /// Writes three numbers for each of the loop's displacements, in the order of its rows: value,
  /// rate, acceleration.
  std::function<void(double t, std::span<double> out)> compute;
};

/// A robot with what closes its loops.
template <class T>
struct BasicMechanism {
  /// The robot with all its loops. Throws Error for a Model that build() has not made.
  explicit BasicMechanism(const BasicModel<T>& model);

  BasicModel<T> tree;             ///< the robot with its loops open; shares the model's workspaces
  List<BasicLoop<T>> loops;       ///< in the order of their rows
  List<CustomConstraint> custom;  ///< their rows follow those of the loops
  List<LoopMotion> motions;

  /// What a loop holds, derived from its kind.
  struct Closure {
    int turns = 0, slides = 0;  ///< how many are held
    Mat3<T> basis;              ///< columns: directions in frame a, an axis of the joint last
    int first_row = 0, rows = 0;
  };
  List<Closure> closures;      ///< one for each loop
  List<int> custom_first_row;  ///< one for each custom constraint
  int rows = 0;

  /// Adds a loop; returns its index. In double precision also by its description, whose bodies and
  /// joints are looked up by name (throws Error).
  int add(const BasicLoop<T>& loop);
  int add(const LoopSpec& loop);
  /// Adds a constraint of your own; in double precision only.
  int add(CustomConstraint constraint);
  /// Lets the target of a loop move; a loop has at most one motion. In double precision only.
  void add(LoopMotion motion);

  /// The loop or custom constraint of a row: loops come first.
  int owner(int row) const;
  /// "loop 'pin', force along x": for messages and columns.
  std::string row_name(int row) const;
  std::string owner_name(int owner) const;
  /// "N" or "N m" of the row's force.
  const char* row_unit(int row) const;
  /// False for the two rows of a wheel that hold velocities but no position.
  bool holds_position(int row) const;
};

/// In double precision.
using Mechanism = BasicMechanism<double>;

}  // namespace limber
