#pragma once
// What the readers of robot files share about links in a fluid.
#include <span>
#include <string>

#include <limber/model/spec.hpp>

namespace limber {

/// A matrix from its diagonal (6 numbers), its upper triangle by rows (21) or all of it by rows
/// (36).
MarineMatrix marine_matrix_of(std::span<const double> numbers);

/// How elements for entry (i, j) of a matrix are called: <xx> … <rr> of SDF's <fluid_added_mass>,
/// and in Gazebo's plug-in Hydrodynamics <xDotU> … <nDotR>, <xU> … <nR>, <xUabsU> … <nRabsR>.
std::string added_mass_name(std::size_t i, std::size_t j);
std::string added_mass_derivative(std::size_t i, std::size_t j);
std::string linear_derivative(std::size_t i, std::size_t j);
std::string quadratic_derivative(std::size_t i, std::size_t j);

/// Takes the symmetric part of an added mass; the warning if it had another, else nothing.
std::string make_symmetric(MarineMatrix& added_mass);

}  // namespace limber
