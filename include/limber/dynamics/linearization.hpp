#pragma once
// The linear system near a state: for small departures x = (step of q in tangent space, δv) and
// δtau
//   ẋ = A x + B δtau.
#include <limber/dynamics/derivatives.hpp>

namespace limber {

/// A (2nv × 2nv) and B (2nv × nv), row by row, about (q, v, tau); the acceleration there goes to
/// a view in `ws`. The upper left block of A is zero except for joints whose velocities are no
/// derivatives of positions (a turned frame sees a steady turn change). Damping and springs count
/// if loads say so (Coulomb friction has no slope); a fluid as in derivatives.hpp. Throws Error for
/// a non-holonomic joint, whose positions are more than its velocities.
template <class T>
std::span<const T> linearize(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau,
                             BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw, Out<T> A, Out<T> B,
                             const Loads<T>& loads = {});
/// The same, the acceleration written to `a` (nv).
template <class T>
void linearize(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
               BasicMatrixWorkspace<T>& mw, Out<T> A, Out<T> B, Out<T> a,
               const Loads<T>& loads = {});

}  // namespace limber
