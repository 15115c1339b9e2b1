#pragma once
// Other ways to the motion of a team of arms, for comparison: all give what team_dynamics() gives.
#include <limber/constraint/arm_team.hpp>

namespace limber {

/// The mobility of the hands by articulated bodies, O(m N), as Lilly and Orin do it: unit forces on
/// the hand, sent inward, meet each joint with Y = Sᵀ p; then Λ⁻¹ = Σ Yᵀ Y / D. No allocation.
/// [McM] §2.5, [RDA] (6.47)-(6.55). Throws Error for models with mimic joints or mounted rotors,
/// whose columns are not eliminated one by one.
template <class T>
void articulated_team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> arms,
                               const ObjectState<T>& object, BasicTeamMotion<T>& out);

/// One dense system of all accelerations and forces, O(m³ N³), as Oh and Orin have it. [McM] §2.1.
/// Elimination with full pivoting, so that singular arms need no care. Allocates.
template <class T>
void augmented_team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> arms,
                             const ObjectState<T>& object, BasicTeamMotion<T>& out);

/// One dense system of the object's acceleration and all hand forces, O(m³), whatever arms are
/// singular. [McM] (4.3). Allocates.
template <class T>
void block_team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> arms,
                         const ObjectState<T>& object, BasicTeamMotion<T>& out);

/// Two arms with rigid grasps and an object in its principal axes about its mass centre: forces of
/// the hands and acceleration of the object from what the open chains give. [McM] §4.6
template <class T>
struct DualArm {
  Small6<T> mobility_1, mobility_2;  ///< Λ⁻¹, lower triangles
  std::array<T, 6> x_1, x_2;         ///< ẍ
  std::array<T, 6> inertia;          ///< of the object: I_x, I_y, I_z, m, m, m
  std::array<T, 6> force;            ///< on it, besides the hands: weight, −ω × I ω

  std::array<T, 6> a, f_1, f_2;  ///< results
  int indeterminate = 0;         ///< second method: forces that nothing decides; they are zero
};
/// Both mobilities are inverted: none must be singular. [McM] table 8
template <class T>
void dual_arm_method_1(DualArm<T>& arms);
/// Nothing that can be singular is inverted. [McM] tables 7 and 9
template <class T>
void dual_arm_method_2(DualArm<T>& arms);

}  // namespace limber
