#pragma once
// HydrodynamicsSpec: what a robot file says about one link in a fluid, as plain numbers. What it
// does not say is computed from the link's shapes, see robot_water().
#include <array>
#include <optional>
#include <vector>

#include <limber/spatial/transform.hpp>

namespace limber {

/// A 6×6 matrix by rows in the order of marine craft: surge, sway, heave, roll, pitch, yaw, which
/// are motions along and about x, y, z: first the three linear ones, then the three angular ones.
using MarineMatrix = std::array<std::array<double, 6>, 6>;
/// A matrix with these numbers on its diagonal, zero elsewhere.
MarineMatrix diagonal_matrix(const std::array<double, 6>& diagonal);
/// Its 36 numbers, by rows.
std::vector<double> numbers_of(const MarineMatrix& matrix);
/// True if all numbers beside the diagonal are zero, or all equal to their mirror images.
bool is_diagonal(const MarineMatrix& matrix);
bool is_symmetric(const MarineMatrix& matrix);
/// Half of the sum with its mirror image.
MarineMatrix symmetric_part(const MarineMatrix& matrix);

/// A circular cylinder for drag by strips, see CylinderDrag.
struct CylinderDragSpec {
  Vec3<double> start, end;      ///< ends of the axis, in the body frame [m]
  double radius = 0;            ///< [m]
  double drag_coefficient = 1;  ///< of the flow across, of the area 2 r l
  double end_coefficient = 1;   ///< of the flow along the axis, of the area π r²; 0: no ends
  double skin_coefficient = 0;  ///< of friction along the axis, of the mantle 2 π r l
};

/// All about the origin and in the axes of the body frame, for velocities relative to the fluid.
/// Added mass and damping are those in the fluid that the robot is meant for.
struct HydrodynamicsSpec {
  /// Maps acceleration (linear, angular) to (force, moment), positive for a body that must move
  /// fluid; its symmetric part counts. [kg, kg m, kg m²]
  std::optional<MarineMatrix> added_mass{};
  std::optional<double> volume{};                    ///< of displaced fluid, ≥ 0 [m³]
  std::optional<Vec3<double>> center_of_buoyancy{};  ///< [m]
  /// force_i = −Σ_j (linear_ij + quadratic_ij |ν_j|) ν_j, so positive numbers brake. [Fos] Either
  /// of them, and cylinders too, take the place of the drag of shapes.
  /// [N s/m, N s, N m s; N s²/m², N s², N m s²]
  std::optional<MarineMatrix> linear_damping{}, quadratic_damping{};
  /// Pose in the body frame of the frame that both are given in: ν and forces are in its axes, and
  /// moments about its origin. [m]
  Transform<double> damping_frame{};
  std::vector<CylinderDragSpec> cylinders{};
  /// Of the link's shapes. Given beside damping or cylinders, the drag of shapes acts too.
  std::optional<double> drag_coefficient{};
};

}  // namespace limber
