#pragma once
// Limber with Eigen vectors and matrices: conversions, and overloads of the algorithms that take
// Eigen::Ref<const VectorXd> (any vector or expression of double) and return Eigen types. Includes
// Eigen/Core only. Spatial vectors become six numbers, angular part first, as in Limber itself.
#include <Eigen/Core>

#include <limber/limber.hpp>

namespace limber {

using EigenVectorIn = const Eigen::Ref<const Eigen::VectorXd>&;  ///< an input vector
using EigenVectorView = Eigen::Map<const Eigen::VectorXd>;       ///< a view into a Workspace
using EigenVector6 = Eigen::Matrix<double, 6, 1>;                ///< angular, then linear
using EigenMatrix6 = Eigen::Matrix<double, 6, 6>;                ///< angular, then linear
/// Matrices row by row, as a Workspace keeps them.
using EigenRowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using EigenMatrixView =
    Eigen::Map<const EigenRowMajor, 0, Eigen::OuterStride<>>;  ///< a view into a Workspace
/// A Jacobian: rows angular, then linear; a column for each velocity.
using EigenJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>;
using EigenJacobianView = Eigen::Map<const EigenJacobian>;  ///< a view into a Workspace

// --- conversions ---------------------------------------------------------------------------------

/// Views, without a copy, of vectors that lie in memory in one piece. to_eigen() of small
/// fixed-size types copies.
inline std::span<const double> to_span(EigenVectorIn x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline EigenVectorView to_eigen(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Vector3d to_eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Eigen::Matrix3d to_eigen(const Mat3<double>& A) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&A.xx);
}
inline Eigen::Matrix3d to_eigen(const Sym3<double>& A) { return to_eigen(to_mat3(A)); }
inline EigenVector6 to_eigen(const Motion<double>& v) {
  EigenVector6 x;
  x << to_eigen(v.angular), to_eigen(v.linear);
  return x;
}
inline EigenVector6 to_eigen(const Force<double>& f) {
  EigenVector6 x;
  x << to_eigen(f.angular), to_eigen(f.linear);
  return x;
}
/// The homogeneous 4 × 4 matrix of a pose: takes b to a coordinates for X_ab.
inline Eigen::Matrix4d to_eigen(const Transform<double>& X) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = to_eigen(X.R);
  T.topRightCorner<3, 1>() = to_eigen(X.p);
  return T;
}
/// The symmetric 6 × 6 matrix of an articulated inertia, angular block first.
inline EigenMatrix6 to_eigen(const ArticulatedInertia<double>& IA) {
  EigenMatrix6 A;
  A.topLeftCorner<3, 3>() = to_eigen(IA.I);
  A.topRightCorner<3, 3>() = to_eigen(IA.H);
  A.bottomLeftCorner<3, 3>() = to_eigen(transpose(IA.H));
  A.bottomRightCorner<3, 3>() = to_eigen(IA.M);
  return A;
}
/// The 6 × 6 matrix of a rigid inertia about the frame origin, angular block first.
inline EigenMatrix6 to_eigen(const Inertia<double>& I) {
  return to_eigen(ArticulatedInertia<double>(I));
}
inline EigenMatrixView to_eigen(const MatrixView<double>& A) {
  return {A.data, A.rows, A.columns, Eigen::OuterStride<>(A.stride)};
}
/// Only the upper triangle of the view holds numbers: `.selfadjointView<Eigen::Upper>()`.
inline EigenMatrixView upper_triangle(const SymmetricView<double>& A) {
  return {A.data, A.size, A.size, Eigen::OuterStride<>(A.stride)};
}
/// A full symmetric copy.
inline Eigen::MatrixXd to_eigen(const TreeMatrixView<double>& A) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(A.size, A.size);
  for (int k = 0; k < A.size; ++k)
    for (int t = A.pattern->start[k]; t < A.pattern->end[k]; ++t)
      M(A.pattern->path[t], k) = M(k, A.pattern->path[t]) = A.values[t];
  return M;
}
inline Eigen::MatrixXd to_eigen(const SymmetricView<double>& A) {
  Eigen::MatrixXd M(A.size, A.size);
  for (int i = 0; i < A.size; ++i)
    for (int j = 0; j < A.size; ++j) M(i, j) = A(i, j);
  return M;
}
inline Vec3<double> to_vec3(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Mat3<double> to_mat3(const Eigen::Matrix3d& A) {
  return {A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0), A(2, 1), A(2, 2)};
}
inline Motion<double> to_motion(const EigenVector6& x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
inline Force<double> to_force(const EigenVector6& x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

// --- the algorithms; what they compute is said beside their namesakes in limber/dynamics ---------
// Forms that write into the caller's memory, and the JointForces that joint_reaction() takes, are
// those of limber/dynamics: `inverse_dynamics<double>(model, to_span(q), to_span(v), to_span(a),
// ws)`.

inline EigenVectorView inverse_dynamics(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                        EigenVectorIn a, Workspace& ws,
                                        const Loads<double>& loads = {}) {
  return to_eigen(inverse_dynamics<double>(model, to_span(q), to_span(v), to_span(a), ws, loads));
}
inline EigenVectorView bias_forces(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                   Workspace& ws, const Loads<double>& loads = {}) {
  return to_eigen(bias_forces<double>(model, to_span(q), to_span(v), ws, loads));
}
inline EigenVectorView gravity_forces(const Model& model, EigenVectorIn q, Workspace& ws) {
  return to_eigen(gravity_forces<double>(model, to_span(q), ws));
}
inline Eigen::VectorXd passive_forces(const Model& model, EigenVectorIn q, EigenVectorIn v) {
  Eigen::VectorXd out(model.nv);
  passive_forces<double>(model, to_span(q), to_span(v),
                         {out.data(), static_cast<std::size_t>(model.nv)});
  return out;
}
inline EigenVectorView forward_dynamics(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                        EigenVectorIn tau, Workspace& ws,
                                        const Loads<double>& loads = {}) {
  return to_eigen(forward_dynamics<double>(model, to_span(q), to_span(v), to_span(tau), ws, loads));
}
inline EigenVectorView forward_dynamics_by_mass_matrix(const Model& model, EigenVectorIn q,
                                                       EigenVectorIn v, EigenVectorIn tau,
                                                       Workspace& ws,
                                                       const Loads<double>& loads = {}) {
  return to_eigen(forward_dynamics_by_mass_matrix<double>(model, to_span(q), to_span(v),
                                                          to_span(tau), ws, loads));
}
inline EigenVectorView star_dynamics(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                     EigenVectorIn tau, StarMethod method, Workspace& ws,
                                     Star& star, const Loads<double>& loads = {}) {
  return to_eigen(
      star_dynamics<double>(model, to_span(q), to_span(v), to_span(tau), method, ws, star, loads));
}
/// All accelerations and all forces; views into the workspace.
struct EigenHybrid {
  EigenVectorView a, tau;
};
inline EigenHybrid hybrid_dynamics(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                   std::span<const Known> known, EigenVectorIn given, Workspace& ws,
                                   const Loads<double>& loads = {}) {
  const Hybrid<double> result =
      hybrid_dynamics<double>(model, to_span(q), to_span(v), known, to_span(given), ws, loads);
  return {to_eigen(result.a), to_eigen(result.tau)};
}
/// The full matrix, a copy.
inline Eigen::MatrixXd mass_matrix(const Model& model, EigenVectorIn q, Workspace& ws) {
  return to_eigen(mass_matrix<double>(model, to_span(q), ws));
}
inline EigenJacobianView jacobian(const Model& model, EigenVectorIn q, int frame,
                                  Reference reference, Workspace& ws) {
  return {jacobian<double>(model, to_span(q), frame, reference, ws).data, 6, model.nv};
}
inline EigenVector6 jacobian_dot_times_v(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                         int frame, Reference reference, Workspace& ws) {
  return to_eigen(
      jacobian_dot_times_v<double>(model, to_span(q), to_span(v), frame, reference, ws));
}
inline const Poses& forward_kinematics(const Model& model, EigenVectorIn q, Workspace& ws) {
  return forward_kinematics<double>(model, to_span(q), ws);
}
inline const Velocities& forward_kinematics(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                            Workspace& ws) {
  return forward_kinematics<double>(model, to_span(q), to_span(v), ws);
}
inline const Accelerations& forward_kinematics(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                               EigenVectorIn a, Workspace& ws) {
  return forward_kinematics<double>(model, to_span(q), to_span(v), to_span(a), ws);
}
inline double kinetic_energy(const Model& model, EigenVectorIn q, EigenVectorIn v, Workspace& ws) {
  return kinetic_energy<double>(model, to_span(q), to_span(v), ws);
}
inline double potential_energy(const Model& model, EigenVectorIn q, Workspace& ws) {
  return potential_energy<double>(model, to_span(q), ws);
}
inline EigenVector6 momentum(const Model& model, EigenVectorIn q, EigenVectorIn v, Workspace& ws) {
  return to_eigen(momentum<double>(model, to_span(q), to_span(v), ws));
}
inline Eigen::Vector3d center_of_mass(const Model& model, EigenVectorIn q, Workspace& ws) {
  return to_eigen(center_of_mass<double>(model, to_span(q), ws));
}
inline Eigen::Vector3d center_of_mass_velocity(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                               Workspace& ws) {
  return to_eigen(center_of_mass_velocity<double>(model, to_span(q), to_span(v), ws));
}

/// Derivatives of inverse dynamics in tangent space; views into `mw`, tau_a a copy.
struct EigenInverseDerivatives {
  EigenMatrixView tau_q, tau_v;
  Eigen::MatrixXd tau_a;
};
inline EigenInverseDerivatives inverse_dynamics_tangent_derivatives(
    const Model& model, EigenVectorIn q, EigenVectorIn v, EigenVectorIn a, Workspace& ws,
    MatrixWorkspace& mw, const Loads<double>& loads = {}) {
  const auto d = inverse_dynamics_tangent_derivatives<double>(model, to_span(q), to_span(v),
                                                              to_span(a), ws, mw, loads);
  return {to_eigen(d.tau_q), to_eigen(d.tau_v), to_eigen(d.tau_a)};
}
/// Forward dynamics and its derivatives in tangent space; views into `ws` and `mw`.
struct EigenForwardDerivatives {
  EigenVectorView a;
  EigenMatrixView a_q, a_v, a_tau;
};
inline EigenForwardDerivatives forward_dynamics_tangent_derivatives(
    const Model& model, EigenVectorIn q, EigenVectorIn v, EigenVectorIn tau, Workspace& ws,
    MatrixWorkspace& mw, const Loads<double>& loads = {}) {
  const auto d = forward_dynamics_tangent_derivatives<double>(model, to_span(q), to_span(v),
                                                              to_span(tau), ws, mw, loads);
  return {to_eigen(d.a), to_eigen(d.a_q), to_eigen(d.a_v), to_eigen(d.a_tau)};
}
inline EigenMatrixView coriolis_matrix(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                       Workspace& ws, MatrixWorkspace& mw) {
  return to_eigen(coriolis_matrix<double>(model, to_span(q), to_span(v), ws, mw));
}
inline EigenMatrixView inverse_mass_matrix(const Model& model, EigenVectorIn q, Workspace& ws,
                                           MatrixWorkspace& mw) {
  return to_eigen(inverse_mass_matrix<double>(model, to_span(q), ws, mw));
}
inline EigenMatrixView centroidal_momentum_matrix(const Model& model, EigenVectorIn q,
                                                  Workspace& ws) {
  return to_eigen(centroidal_momentum_matrix<double>(model, to_span(q), ws));
}
inline EigenVector6 centroidal_momentum_bias(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                             Workspace& ws) {
  return to_eigen(centroidal_momentum_bias<double>(model, to_span(q), to_span(v), ws));
}
inline EigenMatrixView operational_space_inverse_inertia(const Model& model, EigenVectorIn q,
                                                         std::span<const int> frames,
                                                         Reference reference, Workspace& ws,
                                                         OperationalSpace& os) {
  return to_eigen(
      operational_space_inverse_inertia<double>(model, to_span(q), frames, reference, ws, os));
}
inline EigenMatrixView operational_space_inertia(const Model& model, EigenVectorIn q,
                                                 std::span<const int> frames, Reference reference,
                                                 Workspace& ws, OperationalSpace& os) {
  return to_eigen(operational_space_inertia<double>(model, to_span(q), frames, reference, ws, os));
}
inline EigenMatrixView dynamically_consistent_inverse(const Model& model, EigenVectorIn q,
                                                      std::span<const int> frames,
                                                      Reference reference, Workspace& ws,
                                                      OperationalSpace& os) {
  return to_eigen(
      dynamically_consistent_inverse<double>(model, to_span(q), frames, reference, ws, os));
}
inline EigenRowMajor joint_torque_regressor(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                            EigenVectorIn a, Workspace& ws) {
  EigenRowMajor Y(model.nv, 10 * (model.bodies() - 1));
  joint_torque_regressor<double>(model, to_span(q), to_span(v), to_span(a), ws,
                                 {Y.data(), static_cast<std::size_t>(Y.size())});
  return Y;
}
inline Eigen::VectorXd generalized_momentum(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                            Workspace& ws) {
  Eigen::VectorXd p(model.nv);
  generalized_momentum<double>(model, to_span(q), to_span(v), ws,
                               {p.data(), static_cast<std::size_t>(p.size())});
  return p;
}
inline Eigen::VectorXd momentum_observer_bias(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                              Workspace& ws) {
  Eigen::VectorXd bias(model.nv);
  momentum_observer_bias<double>(model, to_span(q), to_span(v), ws,
                                 {bias.data(), static_cast<std::size_t>(bias.size())});
  return bias;
}
inline EigenVectorView static_forces(const Model& model, EigenVectorIn q, Workspace& ws,
                                     const Loads<double>& loads = {}) {
  return to_eigen(static_forces<double>(model, to_span(q), ws, loads));
}
/// A and B of the linear system about a state.
struct EigenLinearSystem {
  EigenRowMajor A, B;
};
inline EigenLinearSystem linearize(const Model& model, EigenVectorIn q, EigenVectorIn v,
                                   EigenVectorIn tau, Workspace& ws, MatrixWorkspace& mw,
                                   const Loads<double>& loads = {}) {
  EigenLinearSystem system{EigenRowMajor(2 * model.nv, 2 * model.nv),
                           EigenRowMajor(2 * model.nv, model.nv)};
  linearize<double>(model, to_span(q), to_span(v), to_span(tau), ws, mw,
                    {system.A.data(), static_cast<std::size_t>(system.A.size())},
                    {system.B.data(), static_cast<std::size_t>(system.B.size())}, loads);
  return system;
}

/// q moved with constant v for time dt [s].
inline Eigen::VectorXd integrate(const Model& model, EigenVectorIn q, EigenVectorIn v, double dt) {
  Eigen::VectorXd result(model.nq);
  integrate(model, to_span(q), to_span(v), dt,
            std::span<double>(result.data(), static_cast<std::size_t>(model.nq)));
  return result;
}
/// The step that takes q0 to q1 [rad, m].
inline Eigen::VectorXd difference(const Model& model, EigenVectorIn q0, EigenVectorIn q1) {
  Eigen::VectorXd step(model.nv);
  difference(model, to_span(q0), to_span(q1),
             std::span<double>(step.data(), static_cast<std::size_t>(model.nv)));
  return step;
}

}  // namespace limber
