#pragma once
// What a robot file says about a link in water, in place of what its shapes give.
#include <string>
#include <vector>

#include <limber/fluid/hydrodynamics.hpp>
#include <limber/model/spec.hpp>

namespace limber {

/// A cylinder as a file describes it.
CylinderDrag cylinder_of(const CylinderDragSpec& c);

/// Puts the numbers of the file in place of those from shapes (none if its hull is empty). Returns
/// which are which; empty: all are the file's. notes: what is strange about the numbers.
std::string take_given_water(const BodySpec& body, Hydrodynamics& water,
                             std::vector<std::string>& notes);

}  // namespace limber
