#pragma once
// What a robot file says about a link in water, in place of what its shapes give.
#include <string>
#include <vector>

#include <limber/fluid/hydrodynamics.hpp>
#include <limber/model/spec.hpp>

namespace limber {

/// A cylinder as a file describes it.
CylinderDrag cylinder_of(const CylinderDragSpec& c);

/// Puts the numbers of the file in place of those from shapes (none if its hull is empty), and says
/// which are which.
void take_given_water(const BodySpec& body, Hydrodynamics& water, std::vector<std::string>& notes);

}  // namespace limber
