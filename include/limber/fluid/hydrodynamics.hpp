#pragma once
// Hydrodynamics: what a fluid does to one link, as numbers and as forces. [McM] ch. 6
//
// All vectors are in the axes and about the origin of the link's frame. `v` below is the velocity
// of the link relative to the fluid, ω and the velocity of the origin less that of the fluid.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <limber/fluid/added_mass.hpp>
#include <limber/fluid/displacement.hpp>

namespace limber {

/// How drag is integrated along a cylinder.
enum class StripRule : std::uint8_t {
  four_points,  ///< Gauss-Legendre, [McM] (6.29); off by up to 2 % where the flow across turns
                ///< round
  adaptive      ///< to 1e-9: in closed form near where the flow across turns round
};

/// Pressure drag of a circular cylinder: strips across the axis and caps along it, independent of
/// each other. [McM] (6.24)-(6.30)
struct CylinderDrag {
  Vec3<double> start, end;      ///< ends of the axis [m]
  double radius = 0;            ///< [m]
  double coefficient = 1;       ///< C_D of the flow across, of the area 2 r l
  double end_coefficient = 1;   ///< C_D along the axis, of the area π r²; 0: no caps
  double skin_coefficient = 0;  ///< C_f of friction along the axis, of the mantle 2 π r l
  StripRule rule = StripRule::four_points;
};

/// A piece of a surface.
struct SurfacePatch {
  Vec3<double> point;  ///< its centre [m]
  Vec3<double> area;   ///< unit normal, out of the body, times area [m²]
};

/// A sphere, in the axes of the link.
struct SphereSurface {
  Vec3<double> center;  ///< [m]
  double radius = 0;    ///< [m]
};

/// Drag by an integral over the surface, [McM] (6.22), (6.23): where the surface moves into the
/// fluid, df = −½ ρ C_D (v·n) v dA, which is −½ ρ C_D |v| v times the projected area. Skin friction
/// everywhere: df = −½ ρ C_f |v_t| v_t dA, v_t along the surface.
struct SurfaceDrag {
  std::vector<SurfacePatch> patches;
  double coefficient = 1;
  double skin_coefficient = 0;  ///< of the patches
  /// Pressure drag is the integral over this surface, in closed form; patches have friction alone.
  std::optional<SphereSurface> sphere{};
};
/// The triangles of a closed mesh, the longest cut in two until there are `patches` of them.
std::vector<SurfacePatch> patches_of(const Mesh& mesh, int patches = 200);
/// As few patches, each the sum of neighbours that point alike, as give drag forces and moments
/// (over the size of the body) to the tolerance, in parts of them, in translations in 26
/// directions, and to twice of it in turns. All of them, where none less do.
std::vector<SurfacePatch> gathered(const std::vector<SurfacePatch>& patches, double tolerance);
/// Drag of a shape: of a sphere in closed form; of a box by 16 points of Gauss's rule on each face,
/// which is exact unless a face moves into the fluid with a part of it only (within 2.5 %, where it
/// turns about its middle); of an ellipsoid by 150 patches, within 0.5 % where it does not turn;
/// of others as of their surface.
SurfaceDrag surface_drag_of(const ShapeSpec& shape, double coefficient = 1);
/// Of a closed mesh: patches gathered() with a tolerance of 1 %.
SurfaceDrag surface_drag_of(const Mesh& mesh, double coefficient = 1);

/// A foil, lumped at a point: lift ½ ρ A C_L V² with C_L = slope · sin α cos α, cut off where it
/// stalls, across the flow in the plane of chord and normal, so without power; drag
/// −½ ρ A (C_D0 + k C_L²) |w| w of that flow w.
struct LiftingSurface {
  Vec3<double> center;           ///< [m]
  Vec3<double> chord{1, 0, 0};   ///< unit vector towards the leading edge
  Vec3<double> normal{0, 0, 1};  ///< unit vector, perpendicular to the chord
  double area = 0;               ///< [m²]
  double slope = 0;              ///< dC_L/dα at α = 0 [1/rad]
  double drag_coefficient = 0;   ///< C_D0
  double induced_drag = 0;       ///< k
  double most_lift = HUGE_VAL;   ///< largest |C_L|
};

/// Everything of one link. What is left out does nothing.
struct Hydrodynamics {
  ArticulatedInertia<double> added_mass;  ///< [kg, kg m, kg m²]
  Displacement displacement;              ///< displaced volume, centre of buoyancy
  std::vector<CylinderDrag> cylinders;
  std::vector<SurfaceDrag> surfaces;
  std::vector<LiftingSurface> foils;
  /// Damping of marine craft: force_i = −Σ_j (linear_ij + quadratic_ij |ν_j|) ν_j, ν: surge, sway,
  /// heave, roll, pitch, yaw relative to the fluid. [Fos] Positive numbers brake.
  MarineMatrix linear_damping{}, quadratic_damping{};
  /// Pose in the link's frame of the frame that these matrices are given in.
  Transform<double> damping_frame{};
  /// Closed surface, for the wet part of a link at the surface of the fluid. Empty: a sphere of the
  /// displaced volume about the centre of buoyancy.
  Mesh hull;
};

/// Coefficients from a shape: added mass, displacement, drag (cylinders and capsules by strips,
/// others over the surface) and hull.
Hydrodynamics hydrodynamics_of(const ShapeSpec& shape, double density, double drag_coefficient = 1);
/// The same for a closed mesh.
Hydrodynamics hydrodynamics_of(const Mesh& mesh, double density, double drag_coefficient = 1,
                               const PanelSettings& panels = {});

/// Gives cylinders and surfaces this coefficient C_f of friction; spheres get patches for it.
void set_skin_friction(Hydrodynamics& body, double coefficient);

/// What is suspicious about the numbers, one line each: added mass that is not positive, damping
/// that drives. Throws Error for what cannot be: numbers that are not finite, negative volumes,
/// radii and coefficients, cylinders without length, directions that are not unit vectors, an open
/// hull. link: for messages.
std::vector<std::string> check_hydrodynamics(const Hydrodynamics& body, const std::string& link);

/// Force of the fluid on the link; v as above. [N m, N]
Force<double> drag_force(const CylinderDrag& cylinder, const Motion<double>& v, double density);
Force<double> drag_force(const SurfaceDrag& surface, const Motion<double>& v, double density);
Force<double> lift_force(const LiftingSurface& foil, const Motion<double>& v, double density);
/// Of the damping matrices.
Force<double> damping_force(const Hydrodynamics& body, const Motion<double>& v);
/// Sum of all of these.
Force<double> viscous_force(const Hydrodynamics& body, const Motion<double>& v, double density);

/// Vortices behind a cylinder across the flow.
struct VortexShedding {
  double reynolds = 0;   ///< V 2r / ν
  double strouhal = 0;   ///< f 2r / V; 0 where no vortices are shed regularly
  double frequency = 0;  ///< of the force across flow and axis [Hz]
  double force = 0;      ///< its amplitude, with a lift coefficient of 0.5 [N]
};
/// For the speed across the axis [m/s]; kinematic viscosity [m²/s]. Strouhal number of Roshko
/// (1954), 0.212 (1 − 21.2/Re) for Re 50 to 300 and 0.212 (1 − 12.7/Re) to 2·10⁵; none below, and
/// none in the drag crisis up to 3.5·10⁶; 0.27 beyond.
VortexShedding vortex_shedding(const CylinderDrag& cylinder, double speed, double density,
                               double viscosity);
/// A warning if vortices are shed within 30 % of a natural frequency [Hz], where motion and
/// vortices lock; empty if not.
std::string resonance_warning(const VortexShedding& shedding, double natural_frequency,
                              const std::string& link);

}  // namespace limber
