#pragma once
// Solvers of the true Coulomb problem (contact/contact_problem.hpp): no cone is replaced by a
// convex problem, so a sliding body does not lift off and a body that sticks does not creep.
//
// Sweeps take the contacts one after the other, each solved exactly with the others' impulses as
// they are (Gauss-Seidel by contacts). The sliding of one contact is a root of one number: with α =
// |u_t| / |λ_t|, (S + α 1) λ_t = −c for the 2×2 matrix S that is left when u_n = 0 has eliminated
// the normal, and |λ_t(α)| = μ λ_n(α). Islands of not too many contacts that sweeps do not bring to
// the tolerance are finished by Newton's method, in two ways. With De Saxcé's term μ |u_t| held the
// problem is convex, and an augmented Lagrangian over the freedoms finds its solution from
// anywhere; the term follows from round to round. The equations of Alart and Curnier, over the
// rows, converge at once where it is known which contacts are open, stick and slide. Contacts that
// depend on each other (four corners of a box) are held by a proximal term that vanishes.
//
// The residual of a contact is |λ − Π(λ − ρ (u + μ |u_t| n))| / ρ with the projection Π on the cone
// and ρ = 1 / A_nn: zero exactly at a solution (De Saxcé's form of the law), in m/s: how much the
// velocity at the contact is off. That of torsion and rolling is |m − Π(m − ρ ω)| / ρ in rad/s.
#include <cstdint>

#include <limber/contact/contact_problem.hpp>
#include <limber/math/sym3.hpp>
#include <limber/model/tree_matrix.hpp>

namespace limber {

/// The shape of what friction bears: Coulomb's cone, or for comparison the pyramid
/// |λ_t1| ≤ μ λ_n, |λ_t2| ≤ μ λ_n, whose corners bear √2 times as much.
enum class FrictionShape : std::uint8_t { cone, pyramid };

/// How exactly problems are solved, and by what.
struct ConeSettings {
  double tolerance = 1e-9;  ///< residual to reach [m/s, rad/s]
  int most_sweeps = 200;
  int newton_contacts = 200;  ///< islands up to so many contacts are finished by Newton's methods
  int newton_first = 16;  ///< up to so many begin with it, where there are impulses to start with
  /// Islands up to so many contacts share the loads that nothing decides: of all forces with the
  /// same effect they have those of least Σ softness |λ|². 0: none do.
  int shared_contacts = 200;
  FrictionShape shape = FrictionShape::cone;
};

/// What became of an island, or of the worst of several.
struct ConeResult {
  double residual = 0;  ///< the largest of a contact [m/s, rad/s]
  int contact = -1;     ///< which one; −1: there are none
  int sweeps = 0;
  int newton_steps = 0;
  bool converged = true;  ///< the residual is not above the tolerance
};

/// Scratch of the solver; one per thread. Allocates only where problems are larger than ever
/// before.
struct ConeSolver {
  ConeSolver() = default;
  /// Room for so many contacts.
  explicit ConeSolver(int contacts);

  /// Of a contact: its own block of A, factored for the solution of one contact.
  struct Block {
    Sym3<double> A;           ///< (n, t1, t2), compliance included
    double s1 = 0, s2 = 0;    ///< eigenvalues of S = A_tt − A_tn A_nt / A_nn
    double e_x = 1, e_y = 0;  ///< its first eigenvector
    double alpha = 0;         ///< last root
    double weight = 0;        ///< 1 / ρ
    Sym3<double> A_turn;
    double roll1 = 0, roll2 = 0, roll_x = 1, roll_y = 0, roll_alpha = 0;
    double turn_weight = 0;
  };
  List<Block> blocks;
  List<Vec3<double>> begun;            ///< impulses of the island at the beginning
  List<Vec3<double>> kept, kept_turn;  ///< the best impulses of those that were looked at
  // Newton's method: dense, of the island
  AlignedVector<double> A, G;  ///< A of all its contacts; equations of those that are closed
  List<double> step;           ///< of the impulses (3 · contacts)
  List<int> rows, place;       ///< order of elimination; where a contact is in G, −1: open
  List<Vec3<double>> u, start, spread;
  // convex problems: over the freedoms of the island
  AlignedVector<double> H;         ///< upper triangle
  List<int> freedom, local, last;  ///< which number of z; the other way; last entry of each row
  List<double> z, gradient, d, linear, goal, diagonal;
  /// Three rows of a convex problem: of a contact's force, or of its turning.
  struct Rows {
    int contact = 0;
    const Vec3<double>* W = nullptr;  ///< at the contact's entries
    double R = 0;                     ///< softness
    bool turns = false;
    int last = 0;                     ///< of the columns of a root
    Vec3<double> center{}, b{};       ///< λ̄; u at z = 0, De Saxcé's term included
    double torsion = 0, rolling = 0;  ///< what moments can be, by the normal impulse of the round
    double least = 0;                 ///< normal impulse
    Vec3<double> ray{};               ///< the only direction of the force, a unit vector; zero: any
  };
  List<Rows> convex_rows;
  List<Vec3<double>> root;         ///< of W Wᵀ, where there are fewer rows than freedoms
  List<Vec3<double>> y, Wd, best;  ///< (convex_rows)
};

/// Solves all islands, or one of them. Islands share nothing, so that threads may solve different
/// ones of one problem with a ConeSolver each. The same problem gives the same numbers, bit for
/// bit. problem.impulse is where it starts and what it found; problem.z belongs to it. Where that
/// is not a solution it is the best that was met, made smaller where it would give energy.
ConeResult solve_contacts(ContactProblem& problem, const ConeSettings& settings,
                          ConeSolver& solver);
ConeResult solve_island(ContactProblem& problem, int island, const ConeSettings& settings,
                        ConeSolver& solver);

/// The residual of what is in the problem, with z made anew from the impulses.
ConeResult contact_residual(ContactProblem& problem, FrictionShape shape = FrictionShape::cone);

}  // namespace limber
