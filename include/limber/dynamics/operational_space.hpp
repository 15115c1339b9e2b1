#pragma once
// Dynamics as felt at a set of frames: with rows J of all frames stacked (six each, angular first),
//   Λ⁻¹ = J M⁻¹ Jᵀ,   ẍ = Λ⁻¹ f + J M⁻¹ (tau − bias) + J̇ v,   J̄ = M⁻¹ Jᵀ Λ.
// Λ⁻¹ by the factor of the mass matrix M = Lᵀ D L: with Y = L⁻ᵀ Jᵀ, which has entries only along
// the path to each frame, Λ⁻¹ = Yᵀ D⁻¹ Y.
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// Scratch and results for up to `frames` frames; one per thread.
template <class T>
struct BasicOperationalSpace {
  BasicOperationalSpace(const BasicModel<T>& model, int frames);

  ModelIdentity model;  ///< whose scratch this is
  int most_frames = 0;
  BasicTreeFactor<T> tree;  ///< of the mass matrix
  List<int> last;           ///< the freedom furthest out that moves each frame; −1: none
  int response_length = 0;  ///< of one frame's part of `response`
  List<T> response;         ///< L⁻ᵀ Jᵀ of each frame: its path × 6
  List<T> accelerations;    ///< M⁻¹ Jᵀ (nv × 6 frames)
  List<T> inverse_inertia;  ///< Λ⁻¹
  List<T> inertia;          ///< Λ
  List<T> factor;           ///< of Λ⁻¹
  List<T> consistent;       ///< J̄ (nv × 6 frames)
  List<T> bias;             ///< J̇ v

  T* response_of(int frame) { return response.data() + frame * response_length; }
  const T* response_of(int frame) const { return response.data() + frame * response_length; }
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
/// The same, and likewise below: written to `out` row by row.
template <class T>
void operational_space_inverse_inertia(const BasicModel<T>& model, In<T> q,
                                       std::span<const int> frames, Reference reference,
                                       BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os,
                                       Out<T> out);

/// Λ; throws Error where Λ⁻¹ is singular (to 1e-12 of its largest pivot), naming the frame and row.
template <class T>
MatrixView<T> operational_space_inertia(const BasicModel<T>& model, In<T> q,
                                        std::span<const int> frames, Reference reference,
                                        BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os);
template <class T>
void operational_space_inertia(const BasicModel<T>& model, In<T> q, std::span<const int> frames,
                               Reference reference, BasicWorkspace<T>& ws,
                               BasicOperationalSpace<T>& os, Out<T> out);

/// J̄ = M⁻¹ Jᵀ Λ (nv × 6 frames): J J̄ = 1, and forces in its null space do not move the frames.
template <class T>
MatrixView<T> dynamically_consistent_inverse(const BasicModel<T>& model, In<T> q,
                                             std::span<const int> frames, Reference reference,
                                             BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os);
template <class T>
void dynamically_consistent_inverse(const BasicModel<T>& model, In<T> q,
                                    std::span<const int> frames, Reference reference,
                                    BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os,
                                    Out<T> out);

/// J̇ v of all frames, stacked: jacobian_dot_times_v() of each.
template <class T>
std::span<const T> operational_space_bias(const BasicModel<T>& model, In<T> q, In<T> v,
                                          std::span<const int> frames, Reference reference,
                                          BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os);
template <class T>
void operational_space_bias(const BasicModel<T>& model, In<T> q, In<T> v,
                            std::span<const int> frames, Reference reference, BasicWorkspace<T>& ws,
                            BasicOperationalSpace<T>& os, Out<T> out);

}  // namespace limber
