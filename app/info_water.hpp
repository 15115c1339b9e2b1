#pragma once
// What `limber info` says about links in water.
#include <string>

#include <limber/model/spec.hpp>

#include "output.hpp"

namespace limber::app {

/// Gravity of the world, or 9.81 where it has none. [m/s²]
double gravity_of(const Spec& spec);
/// The diagonal of an added mass, and whether there is more.
std::string diagonal_text(const MarineMatrix& matrix);
/// Six rows.
Json matrix_json(const MarineMatrix& matrix);

/// A table of the links about which the file says something; empty without any. `rows`: at most.
std::string water_to_text(const Spec& spec, std::size_t rows);
/// The same as a list, with all numbers.
Json water_to_json(const Spec& spec);

}  // namespace limber::app
