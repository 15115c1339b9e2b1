#pragma once
// ContactRows: contacts between bodies of a model (and its world) as rows on the factor of the mass
// matrix, with the loops of the mechanism kept closed. [RDA] (9.43)-(9.53)
//
//   rows.place(…)               J and W of all contacts at q, islands
//   rows.set_free_velocity(…)   b: velocities of the rows if no contact acted
//   solve_contacts(rows.problem, …)                                 (contact/cone_solver.hpp)
//   rows.velocity(…)            what the contacts make of the free velocity
//   rows.generalized_impulse(…) Jᵀ λ: forces back to the tree
//
// u = J v: velocity of body a against body b at the point, along the normal and two tangents. A
// contact pushes body a along its normal, from b to a. Rows of loops are no rows of the problem:
// each row of a contact is taken in the directions that the loops leave free.
#include <cstdint>
#include <span>

#include <limber/constraint/loop_rows.hpp>
#include <limber/constraint/row_solver.hpp>
#include <limber/contact/contact_problem.hpp>
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// A contact as its rows are made of it. World axes.
struct RowContact {
  int body_a = 0, body_b = 0;  ///< bodies of the model; 0 or less: the world
  Vec3<double> point;          ///< [m]
  Vec3<double> normal;         ///< unit vector, from b to a
  ContactLaw law;
  /// The least normal velocity [m/s]: restitution, or how fast an overlap shall go. Negative: how
  /// fast a gap may close.
  double target = 0;
  /// Added to the relative velocity: how the surfaces move by themselves, a's less b's (belts), and
  /// what has changed of it where it is meant to hold.
  Vec3<double> drift;
  Vec3<double> start;       ///< impulse on body a to start with [N s]
  Vec3<double> start_turn;  ///< moment to start with, where there is torsion or rolling [N m s]
  /// The direction of a slip that is given, see ContactLaw: a unit vector along the surface; zero:
  /// none is.
  Vec3<double> slip{};
  bool start_is_shared = false;  ///< ContactProblem::shared of `start`
};

/// Two unit vectors square to a unit vector and to each other, by a rule that is the same
/// everywhere: tangents of a contact.
void tangents_of(const Vec3<double>& normal, Vec3<double>& t1, Vec3<double>& t2);

/// Rows of contacts of one mechanism; one per thread. Allocates only where there are more contacts
/// than ever before.
class ContactRows {
 public:
  ContactRows() = default;
  /// most_contacts: room for so many.
  ContactRows(const Mechanism& mechanism, int most_contacts);

  ContactProblem problem;

  /// Rows at (t, q). factor: that of M(q), with whatever is added to it; the functions below use
  /// it, so it must stay as it is. Throws Error for a body that does not exist, a normal that is no
  /// unit vector, and as forward_dynamics() does.
  void place(const Mechanism& mechanism, double t, In<double> q, const TreeFactor& factor,
             std::span<const RowContact> contacts, Workspace& ws);
  /// b for the velocity that there would be without contacts (nv). Loops: what the rates of the
  /// rows shall be (rows of the mechanism); empty: those of their targets. The free velocity is
  /// first made one that the loops allow.
  void set_free_velocity(In<double> v, In<double> loop_rates = {});
  /// v⁺ for the solution in `problem` (nv).
  void velocity(Out<double> v) const;
  /// Jᵀ λ (nv), without the loops' share.
  void generalized_impulse(Out<double> tau) const;
  /// The loops' impulses for the solution in `problem` (rows of the mechanism) [N s or N m s], as a
  /// view; their rank and which are determinate are in `loop_solver`.
  std::span<const double> loop_impulses();
  /// J v of a contact (nv): along the normal and two tangents, as along_rows() has a velocity of
  /// body a against b in world axes.
  Vec3<double> row_velocity(int contact, In<double> v) const;
  Vec3<double> along_rows(int contact, const Vec3<double>& velocity) const;
  /// Adds to the drift of a contact, along its rows; before set_free_velocity().
  void shift(int contact, const Vec3<double>& more) { drift_[contact] += more; }
  /// What the solution in `problem` does at a contact where the velocities are v (nv) [J].
  double work(int contact, In<double> v) const;
  /// Of it, what torsion and rolling do.
  double turn_work(int contact, In<double> v) const;
  /// Impulse of a contact on body a, world axes.
  Vec3<double> impulse(int contact) const;
  Vec3<double> turn_impulse(int contact) const;
  /// Relative velocity of a contact with the solution in `problem`: a against b, world axes.
  Vec3<double> slip(int contact) const;

  /// The tree of a body: bodies that are joined by joints or by loops. −1: the world.
  int tree_of_body(int body) const { return body <= 0 ? -1 : tree_of_body_[body]; }
  int trees() const { return trees_; }
  /// The island of a tree at the last place(): −1: no contact touches it.
  int island_of_tree(int tree) const { return island_of_tree_[tree]; }

  LoopRows loops;         ///< at the last place()
  RowSolver loop_solver;  ///< of the loops

 private:
  struct Axes {
    Vec3<double> n, t1, t2;
  };
  /// Trees that loops tie together: the directions that their rows hold, orthonormal in z.
  struct LoopGroup {
    List<int> rows, freedoms;
    int rank = 0;
    List<double> Q;  ///< rows × freedoms, of which the first `rank` are used
  };
  void find_trees(const Mechanism& mechanism);
  void find_groups(const Mechanism& mechanism);
  void fill_columns(const Mechanism& mechanism, Workspace& ws);
  void hold_loops(LoopGroup& group);
  double size_of_spread(const LoopGroup& group) const;
  void add_contact(const Mechanism& mechanism, const RowContact& contact);
  void add_side(const Mechanism& mechanism, int contact, int body, double sign,
                const Vec3<double>& point);
  void spread_side(int contact, int body);
  void find_islands(std::span<const RowContact> contacts);
  std::span<const int> path_of_body(int body) const;
  std::span<const int> places_of_body(int body) const;

  const TreeFactor* factor_ = nullptr;
  Poses poses_;
  List<Motion<double>> S_;      ///< columns in world axes, about their body's origin (tree_nv)
  List<double> root_of_pivot_;  ///< D^-½ (nv)
  int trees_ = 0;
  List<int> tree_of_body_, tree_of_freedom_, last_freedom_, island_of_tree_, joined_;
  List<int> group_of_tree_;  ///< −1: no loop
  List<LoopGroup> groups_;
  // of the contacts
  List<Axes> axes_;
  List<double> target_;
  List<Vec3<double>> drift_;
  List<int> J_first_, J_place_;  ///< entries of J as those of W; a freedom may be there twice
  List<Vec3<double>> J_, J_turn_;
  List<int> J_turn_first_;
  List<double> free_velocity_, loop_rates_, loop_right_, scratch_;
  List<Vec3<double>> X_, X_turn_;            ///< scratch: rows along one path
  List<Vec3<double>> spread_, spread_turn_;  ///< scratch: rows over all freedoms (nv)
  List<int> merged_;
};

}  // namespace limber
