#pragma once
// Frictionless contact without approximation: forces α ≥ 0 with accelerations w = C α + d ≥ 0 and
// αᵀ w = 0. [RDA] §9.6-9.8
//
// C = Fᵀ M⁻¹ F is symmetric and positive semidefinite. Definite: exactly one solution, found by the
// book's recursion. Semidefinite (contacts that depend on each other, four corners of a box): there
// are one, infinitely many or no solutions, and the status says which. The accelerations are the
// same for all solutions.
#include <cstdint>
#include <span>

#include <limber/contact/contact_rows.hpp>

namespace limber {

/// What is known of a solution.
enum class ContactStatus : std::uint8_t {
  unique,      ///< these forces are the only ones
  not_unique,  ///< other forces give the same accelerations
  /// No finite forces keep all contacts: a second-order collision ([RDA] §9.8.2, fig. 9-8), or a
  /// contact that nothing can move. The accelerations are those that violate the contacts least;
  /// after a small motion the normals are others.
  infeasible
};

/// Forces of frictionless contacts; room for one size of problem, grown where needed.
class UnilateralSolver {
 public:
  UnilateralSolver() = default;
  explicit UnilateralSolver(int contacts) { reserve(contacts); }
  void reserve(int contacts);

  // --- results (contacts) ---
  ContactStatus status = ContactStatus::unique;
  std::span<const double> force() const { return {alpha_.data(), count_}; }
  std::span<const double> acceleration() const { return {w_.data(), count_}; }
  int rank = 0;           ///< of C
  int choices = 0;        ///< contacts that the recursion took to be closed
  int right_choices = 0;  ///< of which it was right about
  int iterations = 0;     ///< proximal ones, where C is not definite

  /// Solves for C (contacts × contacts, row by row) and d. Where C is definite by the recursion of
  /// [RDA] fig. 9-6 with the most negative d first; otherwise the recursion is applied to
  /// C + ε 1 with d − ε α again and again, which ends after finitely many times: at a solution, or
  /// on its way along a direction that shows that there is none. No allocation below the size that
  /// was reserved. Never ends without a status; numbers that are none give `infeasible`.
  void solve(std::span<const double> C, std::span<const double> d);

 private:
  bool solve_definite(int n, int level);
  bool iterate(int n);
  bool has_other_solutions(int n);
  int definite_rank(int n);
  double* matrix(int level) { return stack_C_.data() + level * most_ * most_; }
  double* vector(int level) { return stack_d_.data() + level * most_; }
  int* index(int level) { return stack_index_.data() + level * most_; }

  int most_ = 0;
  std::size_t count_ = 0;
  int leaves_ = 0;
  List<double> C_, d_, scale_, alpha_, w_, x_, step_, reduced_;
  List<double> stack_C_, stack_d_, found_;
  List<int> stack_index_, closed_, order_;
};

/// What can be said of contacts whose forces are not all determinate. [RDA] §9.8.2
enum class Dependency : std::uint8_t {
  cannot_break,  ///< all coefficients have one sign: these contacts hold each other, like joints
  redundant,     ///< one sign differs: that contact does nothing that the others cannot
  mixed,         ///< which of them carry depends on the load
  null           ///< one contact alone: nothing that it touches can move along its normal
};
/// A smallest set of contacts whose normals depend on each other: Σ coefficient · f = 0.
struct DependentContacts {
  Dependency kind = Dependency::mixed;
  std::vector<int> contacts;
  std::vector<double> coefficients;
  int redundant = -1;  ///< the contact that can be left out, where there is one
};
/// One smallest set for each contact that depends on others, by C alone.
std::vector<DependentContacts> dependent_contacts(std::span<const double> C, int contacts);

/// A contact of the exact law: a line of force and how it moves. World axes.
struct ExactContact {
  int body_a = 0, body_b = 0;            ///< bodies of the model; 0 or less: the world
  Vec3<double> point, normal;            ///< normal: unit, from b to a
  Vec3<double> point_rate, normal_rate;  ///< how both move: the geometry says so
};

/// Which of two bodies carries the normal.
enum class NormalOn : std::uint8_t { a, b };
/// The rates of a contact of a corner with a face: the point moves with the body of the corner, the
/// normal with that of the face, `normal_on`. (An edge that touches a face: one contact for each of
/// its ends. A polygon: one for each corner of its hull.)
void set_corner_rates(ExactContact& contact, NormalOn normal_on, const Velocities& bodies);

/// Dynamics with frictionless contacts; one per thread.
class ExactContactDynamics {
 public:
  ExactContactDynamics(const Mechanism& mechanism, int most_contacts);

  /// Below this [m/s] a normal velocity counts as zero.
  double velocity_tolerance = 1e-6;

  // --- results of the last call, one entry for each contact ---
  ContactStatus status = ContactStatus::unique;
  List<double> force;       ///< α [N]
  List<double> separation;  ///< acceleration along the normal [m/s²], ≥ 0 but for rounding
  List<double> approach;    ///< velocity along the normal [m/s]
  List<std::uint8_t> is_separate;  ///< 1: was left out, as it separates already
  List<std::uint8_t> breaks;       ///< 1: ends, since it separates now or from now on
  /// The first contact whose bodies approach each other: that is an impact (contact/impact.hpp),
  /// and forces cannot stop it. −1: none.
  int impact = -1;
  List<double> acceleration;  ///< (nv)

  /// Accelerations and forces at (t, q, v) under tau. Contacts that separate are left out; loops of
  /// the mechanism are kept.
  std::span<const double> compute(const Mechanism& mechanism, double t, In<double> q, In<double> v,
                                  In<double> tau, std::span<const ExactContact> contacts,
                                  const Loads<double>& loads = {});

  ContactRows rows;
  UnilateralSolver solver;

 private:
  void find_bias(const Mechanism& mechanism, std::span<const ExactContact> contacts);

  Workspace ws_;
  TreeFactor factor_;
  Accelerations motion_;
  LoopRows loop_rows_;
  std::vector<RowContact> row_contacts_;
  List<int> kept_;
  List<double> bias_, zeros_, loop_rates_, C_, d_;
};

}  // namespace limber
