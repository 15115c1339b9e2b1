#pragma once
// ContactProblem: what the solvers of contact see. No robot, only rows:
//
//   u = A λ + b,   A = W Wᵀ + R,   λ_c in Coulomb's cone,   u_c separates, or sticks, or slides
//
// for each contact c:  λ_n ≥ 0,  u_n ≥ 0,  λ_n u_n = 0;  |λ_t| ≤ μ λ_n;  u_t = 0, or λ_t is
// opposite to u_t and as large as it can be. u are velocities [m/s] and λ impulses [N s], or
// accelerations and forces. A is never made as a matrix of all contacts: W = J L⁻¹ D^-½ has entries
// only along the paths that carry the two bodies, so that z = Wᵀ λ, one number for each freedom,
// says all that the other contacts need. Contacts of different islands share no freedom.
//
// Torsion and rolling: three more rows, the relative turning about the normal and the tangents,
// with |m_n| ≤ torsion · λ_n and |m_t| ≤ rolling · λ_n, each opposite to its turning where there is
// any.
#include <cstdint>
#include <span>

#include <limber/math/vec3.hpp>
#include <limber/model/list.hpp>

namespace limber {

/// What a contact bears.
struct ContactLaw {
  double friction = 0;    ///< |tangential force| ≤ friction · normal force
  double torsion = 0;     ///< |moment about the normal| ≤ torsion · normal force [m]
  double rolling = 0;     ///< |moment about tangents| ≤ rolling · normal force [m]
  double compliance = 0;  ///< R of the normal: u_n grows by this times λ_n [1/kg]
  /// The direction of a slip that is given, along the two tangents (a unit vector; zero: none is).
  /// Then λ_t = −μ λ_n · slip whatever u_t is: accelerations of what slides already.
  double slip_1 = 0, slip_2 = 0;
  /// The normal impulse that is there in any case (restitution) [N s]; what is more keeps u_n = 0.
  double least = 0;

  /// How soft the surfaces are, beside those of other contacts [1]: what the laws leave open of the
  /// forces is shared as between springs. They give way by nothing.
  double softness = 1;

  bool has_slip() const { return slip_1 != 0 || slip_2 != 0; }
};

/// The coefficient of a contact for one step: `sticking` where its slip [m/s] was below
/// `stick_speed` when the step began, `sliding` above. A contact that breaks loose slides from the
/// next step on.
inline double friction_of(double sticking, double sliding, double slip, double stick_speed) {
  return slip > stick_speed ? sliding : sticking;
}

/// Contacts that move each other.
struct ContactIsland {
  int first = 0, contacts = 0;  ///< contacts order[first] … of the problem
};

/// Contacts as rows. Components x, y, z of rows, velocities and impulses: normal and two tangents.
struct ContactProblem {
  int size = 0;          ///< numbers of z
  List<ContactLaw> law;  ///< one for each contact
  /// Entries of contact c: first[c] … first[c + 1] − 1 of `place` and `W` (contacts + 1).
  List<int> first;
  List<int> place;       ///< which number of z
  List<Vec3<double>> W;  ///< what it counts in the three rows
  List<int> turn;        ///< first entry of the contact's rows of turning in W_turn; −1: none
  List<Vec3<double>> W_turn;
  List<Vec3<double>> b;       ///< velocity of the rows at λ = 0 (contacts)
  List<Vec3<double>> b_turn;  ///< of turning [rad/s] (contacts)
  /// In: where to start (zero, or the last step's). Out: the solution (contacts).
  List<Vec3<double>> impulse, turn_impulse;
  /// Whether the laws leave a contact's force open, so that it is a share by softness. In: of where
  /// to start. Out: of the solution (contacts).
  List<std::uint8_t> shared;
  List<double> z;  ///< out: Wᵀ λ (size)
  List<ContactIsland> islands;
  List<int> order;  ///< contacts, island by island; those that nothing can move are in none

  int contacts() const { return law.count(); }
  bool turns(int contact) const { return turn[contact] >= 0; }

  /// Room for so many contacts with so many entries each: below that nothing is allocated.
  void reserve(int contacts, int entries, int numbers);
  void clear();
  /// Adds a contact whose W and b are zero: `places` says which numbers of z it has. Its rows of
  /// turning are there if its law has torsion or rolling. Returns its index.
  int add(const ContactLaw& contact_law, std::span<const int> places);
  /// One island of all contacts, for problems without a robot.
  void join_all();
  /// u of a contact for the z and the impulses that are there.
  Vec3<double> velocity(int contact) const;
  Vec3<double> turn_velocity(int contact) const;
  /// z := Wᵀ λ of one island.
  void fill_response(const ContactIsland& island);
};

/// The problem with a symmetric, positive semidefinite matrix A (3 contacts × 3 contacts, row by
/// row), b (3 · contacts) and a coefficient of friction for each contact, as one island. Throws
/// Error for sizes that do not fit and for a matrix that is not symmetric or not semidefinite.
ContactProblem contact_problem(std::span<const double> A, std::span<const double> b,
                               std::span<const double> friction);

}  // namespace limber
