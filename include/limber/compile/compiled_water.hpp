#pragma once
// CompiledWater: a robot deep in water, in compiled functions. Added mass, displacement, drag and
// lift are constants of the code; the fluid's velocity and acceleration are those of the free
// parameter `fluid`, else zero.
//
// Offered: inverse and forward dynamics, bias forces, mass matrix and its factor, steps, with
// contact too, of trees of all joints. Refused by name: a surface, waves and shear (there is no
// place for them), what submerged() refuses (adaptive strips), robots with loops, derivatives.
#include <vector>

#include <limber/fluid/water_loads.hpp>

namespace limber {

/// The water of compiled functions. No links: none.
struct CompiledWater {
  std::vector<LinkHydrodynamics> links;
  double density = 1025;  ///< [kg/m³]

  bool exists() const { return !links.empty(); }
};

}  // namespace limber
