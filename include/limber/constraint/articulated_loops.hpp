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
    int first = 0,
        last = 0;  ///< its path: path[first] … path[last − 1], bodies from the carrier out
  };
  List<End> ends;
  List<int> path;
  struct Loop {
    int carrier = 0;
    int early = 0;                ///< body where it may be eliminated before; 0: none
    int end[2] = {-1, -1};        ///< of sides a and b; −1: that side is on the carrier itself
    bool needs_velocity = false;  ///< of frame b against frame a, for the bias
    int first_pair = 0, last_pair = 0;  ///< of loops that are eliminated later and coupled to it
  };
  List<Loop> loops;
  /// A loop that is coupled to another one, which is eliminated before it.
  struct Pair {
    int later = 0;
    int end = 0;    ///< of the later one, where the earlier one is eliminated
    int block = 0;  ///< among the blocks of A
  };
  List<Pair> pairs;
  int blocks = 0;
  // per body, begins at start[i]
  List<int> passing_start, passing;  ///< ends that pass the body's joint
  List<int> passing_e;               ///< where their e begins, for each entry of `passing`
  int e_count = 0;
  struct Product {  ///< of two ends at a joint, places in `passing`
    int first, second, block;
  };
  List<int> product_start;
  List<Product> products;
  List<int> closing_start, closing;  ///< loops that the body carries, in their order
  List<int> early_start, early;
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
  AlignedVector<T> K;             ///< of each end: 6 components
  AlignedVector<T> bias;          ///< of each loop: row acceleration beside K a + A λ
  AlignedVector<T> A;             ///< of each loop: 6 rows
  AlignedVector<T> coupling;      ///< blocks of A between loops: 6 rows
  AlignedVector<T> e;             ///< Sᵀ K
  AlignedVector<T> reduced;       ///< of each loop: 6 rows of K, bias and 1/d after elimination
  AlignedVector<T> scale;         ///< of each loop: diagonal of A before elimination
  AlignedVector<T> lambda;        ///< of each loop
  List<int> closed_at;            ///< body where each loop was eliminated; −1: not yet
  List<std::uint8_t> is_coupled;  ///< of each block: both loops passed a joint together
  List<std::uint8_t> is_mixed;    ///< of each loop: an elimination has changed its rows
  List<Transform<T>> X;           ///< pose in the carrier's frame, of one loop (bodies)
  List<T> tau, target;
};
/// In double precision.
using ArticulatedLoops = BasicArticulatedLoops<double>;

/// Scalars whose values are not known while the recursion runs (expressions, many robots at once)
/// cannot tell which rows depend on others. They solve K a + A λ + w diag(A) (λ − λ₀) = …, with
/// this w and, in the first call, λ₀ = 0: as exact as w² after a second one, redundant rows or not.
template <class T>
inline constexpr double proximal_weight = 1e-8;

/// Accelerations with all loops closed, as closed_forward_dynamics() says; O(bodies) where loops
/// are local. False where rows nearly depend on each other, or loops that do so share joints: that
/// needs more care than this has, and nothing is computed then. wanted (rows), tau and a (nv). v
/// must satisfy the loops. Throws Error where plan.reason says so.
template <class T>
bool closed_articulated_bodies(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                               In<T> q, In<T> v, In<T> tau, In<T> wanted, BasicWorkspace<T>& ws,
                               BasicArticulatedLoops<T>& loops, Out<T> a,
                               const Loads<T>& loads = {});

/// The same for every scalar, without branches on values: two calls, the second of which starts
/// from the forces of the first. residual (rows): what is left of the rows' accelerations [m/s² or
/// rad/s²].
template <class T>
void closed_forward_dynamics_in_two(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                                    In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
                                    BasicArticulatedLoops<T>& loops, Out<T> a, Out<T> force,
                                    Out<T> residual, const Loads<T>& loads = {});

}  // namespace limber
