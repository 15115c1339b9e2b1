#include <limber/control/thrust_allocation.hpp>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"

namespace limber {

ThrustAllocation::ThrustAllocation(int n) : program_(n, n) {
  const std::size_t count = at_index(n);
  H_.resize(count * count);
  g_.resize(count);
  A_.assign(count * count, 0);
  for (std::size_t j = 0; j < count; ++j) A_[j * count + j] = 1;
}

std::span<const double> ThrustAllocation::solve(const AllocationProblem& p) {
  const std::size_t n = g_.size();
  const auto check = [](const char* what, std::span<const double> found, std::size_t expected) {
    if (found.size() != expected)
      throw Error(fmt::format("ThrustAllocation: {} has {} numbers, {} are needed", what,
                              found.size(), expected));
  };
  check("B", p.B, 6 * n);
  check("force", p.force, 6);
  check("weights", p.weights, 6);
  check("effort", p.effort, n);
  check("lower", p.lower, n);
  check("upper", p.upper, n);
  // H = Bᵀ W² B + effort², g = −Bᵀ W² f
  for (std::size_t j = 0; j < n; ++j) {
    g_[j] = 0;
    for (std::size_t i = 0; i < 6; ++i)
      g_[j] -= p.B[i * n + j] * p.weights[i] * p.weights[i] * p.force[i];
    for (std::size_t k = 0; k < n; ++k) {
      double sum = j == k ? p.effort[j] * p.effort[j] : 0;
      for (std::size_t i = 0; i < 6; ++i)
        sum += p.B[i * n + j] * p.weights[i] * p.weights[i] * p.B[i * n + k];
      H_[j * n + k] = sum;
    }
  }
  const QpResult found = program_.solve({H_, g_, A_, p.lower, p.upper});
  if (!found.solved())
    throw Error(fmt::format(
        "ThrustAllocation: the quadratic program of {} actuators is {}; bounds must rise and "
        "efforts be positive",
        n, name(found.status)));
  return found.x;
}

}  // namespace limber
