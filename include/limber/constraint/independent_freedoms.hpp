#pragma once
// Coordinate partitioning: which freedoms of a closed mechanism can be chosen freely, so that the
// loops determine the others. [RDA] §9.6
#include <limber/constraint/closed_dynamics.hpp>

namespace limber {

/// chosen (nv): Known::force for the freedoms that the loops determine at q, as many as the rows'
/// rank, and Known::acceleration for those that move independently. The former are chosen by
/// elimination with the largest entry of J as pivot, freedoms measured by √M_kk. Freedoms whose
/// motion is known already (known: nv, or empty) are never determined by loops. Depends on nothing
/// but its arguments. No allocation.
void choose_independent(const Mechanism& mechanism, double t, std::span<const double> q,
                        std::span<const Known> known, ClosedDynamics& closed,
                        std::span<Known> chosen);

}  // namespace limber
