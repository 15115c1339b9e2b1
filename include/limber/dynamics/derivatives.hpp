#pragma once
// Analytic first derivatives of inverse and forward dynamics, in tangent space: a derivative with
// respect to q is the change for a step of the size and in the axes of v, q ⊕ step (integrate()),
// so that all matrices are nv × nv and quaternions need no care. O(nv · depth), no allocation.
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/matrix_workspace.hpp>

namespace limber {

/// Views into a MatrixWorkspace.
template <class T>
struct InverseDynamicsDerivatives {
  MatrixView<T> tau_q;     ///< ∂tau/∂q, tangent space
  MatrixView<T> tau_v;     ///< ∂tau/∂v
  SymmetricView<T> tau_a;  ///< ∂tau/∂a: the mass matrix
};

/// Derivatives of inverse_dynamics(), damping and springs included if loads say so (Coulomb
/// friction has no slope). External forces stay fixed in the bodies' frames and turn with the
/// bodies, those on mounted rotors too; so does inertia that loads add to bodies. Of a fluid
/// (Loads::fluid) all is exact: added mass, buoyancy, which does not turn with the bodies, drag and
/// lift with the bodies' velocities relative to the fluid. Where drag has no slope, as that of a
/// surface along which the fluid flows, it is the mean of both sides. WaterLoads hands over forces
/// and inertia, which are taken as constant in the bodies' axes. With inertia or a fluid (double
/// and float alone) the first call allocates, and every call takes longer.
template <class T>
InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(const BasicModel<T>& model,
                                                                   In<T> q, In<T> v, In<T> a,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads = {});
/// The same, written to the caller's memory row by row, nv × nv numbers each, tau_a in full.
template <class T>
void inverse_dynamics_tangent_derivatives(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                                          BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw,
                                          Out<T> tau_q, Out<T> tau_v, Out<T> tau_a,
                                          const Loads<T>& loads = {});

/// Views into a MatrixWorkspace (a: into the Workspace).
template <class T>
struct ForwardDynamicsDerivatives {
  std::span<const T> a;  ///< the acceleration itself
  MatrixView<T> a_q;     ///< ∂a/∂q, tangent space
  MatrixView<T> a_v;     ///< ∂a/∂v
  MatrixView<T> a_tau;   ///< ∂a/∂tau: the inverse of the mass matrix
};

/// forward_dynamics() and its derivatives. Throws the same errors. Loads as above.
template <class T>
ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(const BasicModel<T>& model,
                                                                   In<T> q, In<T> v, In<T> tau,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads = {});
/// The same, written to the caller's memory: a (nv), the others row by row, nv × nv numbers each.
template <class T>
void forward_dynamics_tangent_derivatives(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau,
                                          BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw,
                                          Out<T> a, Out<T> a_q, Out<T> a_v, Out<T> a_tau,
                                          const Loads<T>& loads = {});

}  // namespace limber
