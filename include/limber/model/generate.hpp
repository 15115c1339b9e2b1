#pragma once
// Robots by recipe, for tests and benchmarks. The same seed gives the same robot on every machine.
#include <cstdint>

#include <limber/model/spec.hpp>

namespace limber {

/// A serial chain of n links with general geometry and inertia, joints all of one kind.
Spec generate_chain(int n, JointKind kind = JointKind::revolute, std::uint64_t seed = 1);

/// What a random tree may contain.
struct RandomTreeOptions {
  std::vector<JointKind>
      kinds;  ///< drawn with equal chance; empty: every kind except fixed and custom
  double branching =
      0.5;  ///< 0: a chain; 1: every body hangs from any earlier one with equal chance
  bool floating_base = false;
  double mimic = 0;    ///< chance that a one-freedom joint follows an earlier or later one
  double rotor = 0.3;  ///< chance that a degree of freedom carries a geared rotor
};

/// A random tree of n bodies; every body has a physically possible inertia.
Spec generate_tree(int n, std::uint64_t seed, const RandomTreeOptions& options = {});

/// A state with quaternions unit and everything else uniform: positions in ±π or ±1 m, velocities,
/// accelerations and forces in ±2 (all with the same generator, so the same on every machine).
struct RandomState {
  std::vector<double> q, v, a, tau;
};
template <class T>
struct BasicModel;
RandomState generate_state(const BasicModel<double>& model, std::uint64_t seed);

}  // namespace limber
