#pragma once
// Inverse dynamics in two other forms: recursive in absolute coordinates, and as the explicit sum
// of inertial, velocity-product and gravity terms.
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// Recursive Newton-Euler in absolute coordinates. [RDA] (4.6)-(4.10), on a tree (7.2), (7.4),
/// joints with several columns (7.16). a (nv) [rad/s² or m/s²] → joint forces (nv) [N m or N].
template <class T>
std::vector<T> absolute_inverse_dynamics(const Tree<T>& tree, In<T> a);

/// The coefficients of Q_i = Σ H_ij q̈_j + Σ Σ C_ijk q̇_j q̇_k + g_i at one position. [RDA] (4.1)
template <class T>
struct ExplicitForm {
  std::string name;  ///< of the robot
  Matrix<T> H;       ///< n × n
  std::vector<T> C;  ///< C_ijk at (i n + j) n + k, symmetric in j and k
  std::vector<T> g;  ///< gravity, external forces and the base's acceleration

  int size() const { return static_cast<int>(g.size()); }
  const T& coefficient(int i, int j, int k) const {
    return C[static_cast<std::size_t>((i * size() + j) * size() + k)];
  }
};

/// C_ijk from the derivatives of the columns: in absolute coordinates ∂S_k/∂q_j = S_j ×̂ S_k when
/// joint j carries joint k, so that with r the outermost of i, j, k and D_jk the symmetric part of
/// ∂S_j/∂q_k
///   C_ijk = S_iᵀ (I^C_r D_jk + ½ S_j ×̂ I^C_r S_k + ½ S_k ×̂ I^C_r S_j)
/// and zero when they do not lie on one path. Where q̇ = v (every joint but spherical and free ones
/// and custom ones of that sort) these are Christoffel's symbols of the first kind,
/// ½ (∂H_ij/∂q_k + ∂H_ik/∂q_j − ∂H_jk/∂q_i). For quasi-velocities they are still the coefficients
/// of v_j v_k in the equations of motion, though no derivatives of H.
/// Throws Error when the base moves: its velocity brings terms that (4.1) has no place for.
template <class T>
ExplicitForm<T> explicit_form(const BasicModel<T>& model, In<T> q, const Loads<T>& loads = {});

/// The sums of (4.1), O(n³).
template <class T>
std::vector<T> inverse_dynamics(const ExplicitForm<T>& form, In<T> v, In<T> a);

}  // namespace limber::reference
