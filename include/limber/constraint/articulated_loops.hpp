#pragma once
// Forward dynamics with loops by articulated bodies. The unit forces K of a loop's rows are carried
// inward with the articulated inertias, as its two ends; where they meet, at the body that carries
// the loop, the rows are eliminated and the loop becomes part of that body's inertia:
//   IA += K A⁻¹ Kᵀ,   with A = Σ e D⁻¹ eᵀ,  e = Sᵀ K  over the joints within the loop.
// So the cost grows with the length of the loops and not with their number squared; loops that
// share joints are coupled by blocks of A until one of them is eliminated. [RDA] §9.5, with Λ and β
// of (9.27)-(9.29), and with the force propagation of Popov and Vereshchagin. A loop that ends on
// the world is eliminated as soon as its limb has freedoms enough, where this is well conditioned.
#include <cstdint>

#include <limber/constraint/mechanism.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// In which order the loops of a mechanism are eliminated, and what goes along; found once.
struct LoopPlan {
  LoopPlan() = default;
  template <class T>
  explicit LoopPlan(const BasicMechanism<T>& mechanism);

  /// An end of a loop, on its way from its body to the carrier.
  struct End {
    int loop = 0, body = 0;
    int side = 0;  ///< 0: a, 1: b
  };
  List<End> ends;
  struct Loop {
    int carrier = 0;
    int early = 0;  ///< body where it may be eliminated before; 0: none
    /// of sides a and b; −1: that side is on the world, or the loop is a coupling and has none
    /// there
    int end[2] = {-1, -1};
    bool needs_velocity = false;  ///< of frame b against frame a, for the bias
    bool rows_move = false;       ///< against body a
    bool is_short = false;        ///< neither: no pose is needed to start it
    /// from the carrier to body a, and to body b, without the carrier; into `outward`
    int first_in = 0, last_in = 0, first_out = 0, last_out = 0;
    /// its e: those of the columns further out than `early` come first
    int first_e = 0, early_e = 0, last_e = 0;
    int first_placed = 0, last_placed = 0;  ///< bodies that it places, into `placed`
    int first_pair = 0, last_pair = 0;  ///< of loops that are eliminated later and coupled to it
  };
  List<Loop> loops;
  List<int> order;            ///< loops as they are eliminated: those with one carrier side by side
  List<int> placed, outward;  ///< bodies, parents first
  List<int> e_column;         ///< column of the tree that each e belongs to
  /// A loop that is coupled to another one, which is eliminated before it.
  struct Pair {
    int later = 0;
    int end = 0;    ///< of the later one, where the earlier one is eliminated
    int block = 0;  ///< among the blocks of A
    int first_product = 0, last_product = 0;
  };
  List<Pair> pairs;
  int blocks = 0;
  struct Product {  ///< of two loops at a column: places of their e
    int first, second;
  };
  List<Product> products;
  // per body, begins at start[i]
  struct Passing {  ///< an end that passes the body's joint
    int end, loop, rows;
    int e;  ///< its place for the joint's first column
    bool is_coupling;
  };
  List<int> passing_start;
  List<Passing> passing;
  struct Elimination {  ///< of a loop at a body: those that the body carries come first
    int loop;
    bool is_early;
  };
  List<int> eliminated_start;
  List<Elimination> eliminated;
  bool eliminates_at(int body) const { return eliminated_start[body] < eliminated_start[body + 1]; }
  /// Why forward dynamics cannot go this way: constraints over all freedoms, joints that follow
  /// others; empty: it can.
  std::string reason;
};

/// Scratch and results; one per thread.
template <class T>
struct BasicArticulatedLoops {
  BasicArticulatedLoops() = default;
  explicit BasicArticulatedLoops(const BasicMechanism<T>& mechanism);

  LoopPlan plan;
  int rank = 0;
  T inconsistency = T(0);
  int inconsistent_row = -1;
  List<T> force;                      ///< λ of the rows [N or N m]
  List<std::uint8_t> is_determinate;  ///< as in RowSolver

  // --- scratch; rows of a loop in eight places ---
  AlignedVector<T> unit;          ///< of each loop: forces of its rows in the axes of body a
  AlignedVector<T> K;             ///< of each end: 6 components
  AlignedVector<T> bias;          ///< of each loop: row acceleration beside K a + A λ
  AlignedVector<T> A;             ///< of each loop: 6 rows; before, what other loops change in it
  AlignedVector<T> coupling;      ///< blocks of A between loops: 6 rows
  AlignedVector<T> e;             ///< Sᵀ K
  AlignedVector<T> reduced;       ///< of each loop: 6 rows of K, bias and 1/d after elimination
  AlignedVector<T> scale;         ///< of each loop: diagonal of A before elimination
  AlignedVector<T> lambda;        ///< of each loop
  List<int> closed_at;            ///< body where each loop was eliminated; −1: not yet
  List<int> last_e;               ///< of each loop, where it was eliminated
  List<std::uint8_t> is_coupled;  ///< of each block: it is not zero
  List<std::uint8_t> is_mixed;    ///< of each loop: an elimination has changed its rows
  List<Transform<T>> X;           ///< pose in the carrier's frame, of one loop (bodies)
  List<T> tau, target;
};
/// In double precision.
using ArticulatedLoops = BasicArticulatedLoops<double>;

/// Accelerations with all loops closed, as closed_forward_dynamics() says; O(bodies) where loops
/// are local. False where rows nearly depend on each other, or loops that do so share joints: that
/// needs more care than this has, and nothing is computed then. wanted (rows), tau and a (nv). v
/// must satisfy the loops. Throws Error where plan.reason says so.
template <class T>
bool closed_articulated_bodies(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                               In<T> q, In<T> v, In<T> tau, In<T> wanted, BasicWorkspace<T>& ws,
                               BasicArticulatedLoops<T>& loops, Out<T> a,
                               const Loads<T>& loads = {});

/// The same for scalars whose values are not known while the recursion runs (expressions, many
/// robots at once): rows are solved with a small weight on their forces, so that redundant ones
/// need no decision, and corrections that start from the forces before take its error out. The
/// weight is 1e-8 of what a row could have in double precision and 1e-5 in single precision.
/// residual (rows): what is left of the rows' accelerations [m/s² or rad/s²].
template <class T>
void closed_forward_dynamics_proximal(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                                      In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
                                      BasicArticulatedLoops<T>& loops, Out<T> a, Out<T> force,
                                      Out<T> residual, const Loads<T>& loads = {});

}  // namespace limber
