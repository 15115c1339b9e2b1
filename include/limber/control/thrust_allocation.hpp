#pragma once
// ThrustAllocation: which thruster pushes how much, so that together they give a wanted force:
//   minimise Σ_i (weight_i (B u − f)_i)² + Σ_j (effort_j u_j)²  with  lower ≤ u ≤ upper.
// Where the limits leave no u with B u = f, the least squares share what is missing.
#include <span>
#include <vector>

#include <limber/control/quadratic_program.hpp>

namespace limber {

/// One allocation of forces with six components; matrices row by row. The arrays are only read.
struct AllocationProblem {
  std::span<const double> B;             ///< 6 × n: force for a unit of each actuator
  std::span<const double> force;         ///< f (6)
  std::span<const double> weights;       ///< (6), not negative
  std::span<const double> effort;        ///< (n), positive
  std::span<const double> lower, upper;  ///< (n)
};

class ThrustAllocation {
 public:
  /// n: actuators. Throws Error for less than one.
  explicit ThrustAllocation(int n);
  /// u (n), valid until the next call. No allocation of memory. Throws Error for arrays of the
  /// wrong size and for bounds that do not rise.
  std::span<const double> solve(const AllocationProblem& problem);
  int actuators() const { return program_.variables(); }

 private:
  QuadraticProgram program_;
  std::vector<double> H_, g_, A_;
};

}  // namespace limber
