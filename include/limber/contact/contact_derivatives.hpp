#pragma once
// Derivatives of a contact step by implicit differentiation of what each contact does: open, stick
// or slide. With the modes held, a small change of the free velocity changes the impulses by a
// linear system,
//   open: dλ = 0;   sticking: du = 0;
//   sliding: du_n = 0,  dλ_t = −μ (dλ_n e + λ_n (1 − e eᵀ) du_t / |u_t|),  e = u_t / |u_t|,
// and with them v⁺. The derivative by the forces of the joints is ∂v⁺/∂v_free · h M⁻¹, that by the
// velocities ∂v⁺/∂v_free · ∂v_free/∂v. Derivatives by the position are not offered: they need those
// of the contact points and normals, which belong to the geometry.
#include <cstdint>

#include <limber/contact/contact_rows.hpp>

namespace limber {

/// What a contact does at a solution.
enum class ContactMode : std::uint8_t { open, sticking, sliding };

/// Room for the derivatives of one problem, and its last ones.
struct ContactDerivatives {
  List<double> velocity;   ///< ∂v⁺/∂v_free (nv × nv, row by row)
  List<ContactMode> mode;  ///< of each contact
  /// The contact that is nearest to another mode, if it is nearer than the tolerance: there the
  /// derivative is that of one side. −1: none.
  int at_border = -1;
};

/// For the solution in rows.problem. tolerance [m/s]: below it velocities count as zero, and
/// impulses times A_nn. Throws Error for contacts with torsion or rolling, whose derivatives are
/// not offered. Allocates.
ContactDerivatives contact_derivatives(const ContactRows& rows, double tolerance = 1e-7);

}  // namespace limber
