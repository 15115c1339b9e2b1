#pragma once
// What `limber info --water` says: the numbers that simulations in water would have, of the file or
// from shapes.
#include <string>

#include "output.hpp"
#include "water.hpp"

namespace limber::app {

/// A table of the links in water, and how they float together. `rows`: at most.
std::string computed_water_to_text(const Robot& robot, double density, std::size_t rows);
/// The same with all numbers.
Json computed_water_to_json(const Robot& robot, double density);

}  // namespace limber::app
