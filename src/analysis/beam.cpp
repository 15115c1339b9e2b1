#include <limber/analysis/beam.hpp>

#include <cmath>

namespace limber {

Stress stress_in(const BeamSection& section, const SectionForces& f) {
  Stress stress;
  const double bending = section.round
                             ? std::hypot(f.bending_y, f.bending_z) * section.edge_z / section.I_y
                             : std::abs(f.bending_y) * section.edge_z / section.I_y +
                                   std::abs(f.bending_z) * section.edge_y / section.I_z;
  stress.normal = std::abs(f.normal) / section.area + bending;
  stress.torsion = std::abs(f.torsion) / section.torsion_modulus;
  stress.von_mises = std::sqrt(stress.normal * stress.normal + 3 * stress.torsion * stress.torsion);
  return stress;
}

}  // namespace limber
