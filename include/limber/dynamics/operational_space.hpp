#pragma once
// Dynamics as felt at a set of frames: with rows J of all frames stacked (six each, angular first),
//   Λ⁻¹ = J M⁻¹ Jᵀ,   ẍ = Λ⁻¹ f + J M⁻¹ (tau − bias) + J̇ v,   J̄ = M⁻¹ Jᵀ Λ.
// Λ⁻¹ by articulated bodies: each frame's unit forces run down to the world once, O(depth) for each
// frame. Models with mimic joints go by the factor of the inertia matrix.
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>

namespace limber {

/// Scratch and results for up to `frames` frames; one per thread.
template <class T>
struct BasicOperationalSpace {
  BasicOperationalSpace(const BasicModel<T>& model, int frames);

  ModelIdentity model;  ///< whose scratch this is
  int most_frames = 0;
  std::vector<T> J;                ///< Jacobians, stacked (6 frames × nv)
  std::vector<T> response;         ///< u of the unit forces, then M⁻¹ Jᵀ (nv × 6 frames)
  std::vector<T> inverse_inertia;  ///< Λ⁻¹
  std::vector<T> inertia;          ///< Λ
  std::vector<T> factor;           ///< of Λ⁻¹
  std::vector<T> consistent;       ///< J̄ (nv × 6 frames)
  std::vector<T> bias;             ///< J̇ v
};
/// In double precision.
using OperationalSpace = BasicOperationalSpace<double>;

/// Λ⁻¹ (6 frames × 6 frames): mobility of the frames, singular where they cannot move freely. Units
/// of acceleration per force. View into `os`.
template <class T>
MatrixView<T> operational_space_inverse_inertia(const BasicModel<T>& model, In<T> q,
                                                std::span<const int> frames, Reference reference,
                                                BasicWorkspace<T>& ws,
                                                BasicOperationalSpace<T>& os);

/// Λ; throws Error where Λ⁻¹ is singular (to 1e-12 of its largest pivot), naming the frame and row.
template <class T>
MatrixView<T> operational_space_inertia(const BasicModel<T>& model, In<T> q,
                                        std::span<const int> frames, Reference reference,
                                        BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os);

/// J̄ = M⁻¹ Jᵀ Λ (nv × 6 frames): J J̄ = 1, and forces in its null space do not move the frames.
template <class T>
MatrixView<T> dynamically_consistent_inverse(const BasicModel<T>& model, In<T> q,
                                             std::span<const int> frames, Reference reference,
                                             BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os);

/// J̇ v of all frames, stacked: jacobian_dot_times_v() of each.
template <class T>
std::span<const T> operational_space_bias(const BasicModel<T>& model, In<T> q, In<T> v,
                                          std::span<const int> frames, Reference reference,
                                          BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os);

}  // namespace limber
