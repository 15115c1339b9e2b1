#pragma once
// Stresses in a beam. Slender beams of uniform section: plane sections stay plane (Euler,
// Bernoulli), torsion without hindered warping (Saint-Venant). Stress from shear forces is left
// out.
#include <limber/scenario/beam_section.hpp>

namespace limber {

/// Forces in a section: those of the inner part on the outer part, tension positive.
struct SectionForces {
  double normal = 0;                    ///< N, tension positive [N]
  double shear_y = 0, shear_z = 0;      ///< [N]
  double torsion = 0;                   ///< about x [N m]
  double bending_y = 0, bending_z = 0;  ///< about y and z [N m]
};

/// Stresses at the most loaded point, all ≥ 0 [Pa].
struct Stress {
  double normal = 0;     ///< bending and normal force together
  double torsion = 0;    ///< shear
  double von_mises = 0;  ///< √(σ² + 3 τ²); of a box on the safe side: both at one point
};
Stress stress_in(const BeamSection& section, const SectionForces& forces);

}  // namespace limber
