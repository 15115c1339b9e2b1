#pragma once
// The algorithms that are timed, and what each of them answers.
#include <array>
#include <string_view>

namespace limber::bench {

enum class Algorithm {
  inverse_dynamics,        ///< q, v, a → tau
  mass_matrix,             ///< q → M
  forward_dynamics,        ///< q, v, tau → a
  forward_by_mass_matrix,  ///< q, v, tau → a, by the mass matrix
  bias_forces,             ///< q, v → tau for a = 0
  gravity_forces,          ///< q → tau for v = a = 0
  forward_kinematics,      ///< q → poses of all bodies
  factorize_and_solve,     ///< M, tau → M⁻¹ tau, with M given
  jacobian,                ///< q → J of the last body, world axes, about its origin
  energy                   ///< q, v → kinetic and potential energy
};

struct AlgorithmFacts {
  Algorithm algorithm;
  std::string_view key;    ///< in JSON
  std::string_view title;  ///< in tables
};

inline constexpr std::array<AlgorithmFacts, 10> all_algorithms{{
    {Algorithm::inverse_dynamics, "inverse_dynamics", "inverse dynamics"},
    {Algorithm::mass_matrix, "mass_matrix", "mass matrix"},
    {Algorithm::forward_dynamics, "forward_dynamics", "forward dynamics, articulated bodies"},
    {Algorithm::forward_by_mass_matrix, "forward_by_mass_matrix", "forward dynamics, mass matrix"},
    {Algorithm::bias_forces, "bias_forces", "bias forces"},
    {Algorithm::gravity_forces, "gravity_forces", "gravity forces"},
    {Algorithm::forward_kinematics, "forward_kinematics", "forward kinematics"},
    {Algorithm::factorize_and_solve, "factorize_and_solve", "factorise and solve"},
    {Algorithm::jacobian, "jacobian", "Jacobian of the last body"},
    {Algorithm::energy, "energy", "kinetic and potential energy"},
}};

inline const AlgorithmFacts& facts(Algorithm algorithm) {
  return all_algorithms[static_cast<std::size_t>(algorithm)];
}

}  // namespace limber::bench
