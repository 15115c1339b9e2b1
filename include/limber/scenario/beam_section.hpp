#pragma once
// Sections and materials of beams, as a scenario's `analyse` describes them.
#include <cstdint>
#include <optional>
#include <string>

namespace limber {

/// All lengths in m. Local axes: x along the beam, z along the height of a box, y its width.
struct SectionSettings {
  enum class Kind : std::uint8_t { round, tube, box };
  Kind kind = Kind::round;
  double diameter = 0;           ///< round, tube: outer diameter
  double width = 0, height = 0;  ///< box: outer sizes along y and z
  double thickness = 0;          ///< tube, box: of the wall; box: 0 means solid
};

/// Pa and kg/m³.
struct Material {
  double youngs_modulus = 0;  ///< E
  double shear_modulus = 0;   ///< G
  double density = 0;
  double yield_strength = 0;
};

/// By name: steel, aluminium, titanium, carbon_fibre; none for other names.
std::optional<Material> find_material(const std::string& name);
/// The names, for messages.
std::string material_names();

/// Stiffness and strength of a section, from its dimensions.
struct BeamSection {
  double area = 0;                ///< [m²]
  double I_y = 0, I_z = 0;        ///< second moments of area about y and z [m⁴]
  double torsion_constant = 0;    ///< J: twist per length = T / (G J) [m⁴]
  double edge_y = 0, edge_z = 0;  ///< farthest points from the middle along y and z [m]
  double torsion_modulus = 0;     ///< largest shear stress = T / torsion_modulus [m³]
  bool round = false;             ///< stress follows the resulting bending moment
};

/// Throws Error naming the invalid dimension.
BeamSection section_of(const SectionSettings& settings);

}  // namespace limber
