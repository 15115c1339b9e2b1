#pragma once
// Forward dynamics with loops by cross-inertias. Each row of a loop is a stiff spring for the
// accelerations of its bodies: it adds to their inertias and couples them by a cross-inertia E, the
// force on one body that an acceleration of the other takes. Bodies are eliminated from the leaves
// on, in an order found once: of the leaves that are left the one with the fewest neighbours; its
// neighbours become neighbours of its parent and of each other. So the cost grows with the number
// of bodies where each has few neighbours, as in ladders and trusses, whose loops all meet at a far
// carrier. The springs' error is taken out by corrections of the forces, each a pass over forces
// and accelerations alone. [RDA] §9.5 with cross-inertias; Sathya and Carpentier 2026.
#include <array>
#include <cstdint>

#include <limber/constraint/mechanism.hpp>
#include <limber/dynamics/kinematics.hpp>

namespace limber {

/// The order of the bodies, and who is whose neighbour then.
struct CrossPlan {
  /// A body that is eliminated after this one, and is coupled to it.
  struct Neighbour {
    int body = 0;
    int block = 0;         ///< of the pair
    int with_parent = -1;  ///< block of the neighbour and the parent; −1: the parent is the world
                           ///< or the neighbour itself
    int first_product = 0;  ///< of columns: where y of this neighbour begins
  };
  struct Pair {                  ///< of two neighbours of one body
    int later = 0, earlier = 0;  ///< places among its neighbours, by when they are eliminated
    int block = 0;
  };
  List<int> order;                        ///< bodies
  List<int> place;                        ///< of each body in the order
  List<int> neighbour_start, pair_start;  ///< per place in the order
  List<Neighbour> neighbours;
  List<Pair> pairs;
  int blocks = 0, products = 0;
  /// Bodies that a row acts on, of each loop; −1: none. A coupling of joints acts on these joints'
  /// bodies and on their parents.
  List<std::array<int, 4>> bodies;
  /// Blocks of pairs of these bodies, 0 1, 0 2, 0 3, 1 2, 1 3, 2 3; −1: none.
  List<std::array<int, 6>> loop_blocks;
  /// Multiplications of one call, about: for the choice of the method.
  double cost = 0;
  /// Why it cannot be done; empty: it can.
  std::string reason;

  CrossPlan() = default;
  explicit CrossPlan(const Mechanism& mechanism);
};

/// Scratch and results; one per thread.
struct CrossInertia {
  CrossInertia() = default;
  explicit CrossInertia(const Mechanism& mechanism);

  CrossPlan plan;
  int rank = 0;
  int iterations = 0;  ///< corrections
  double inconsistency = 0;
  int inconsistent_row = -1;
  List<double> force;                 ///< λ of the rows [N or N m]
  List<std::uint8_t> is_determinate;  ///< as in RowSolver

  // --- scratch ---
  BasicAccelerations<double> motion;     ///< poses and velocities
  List<ArticulatedInertia<double>> IA;   ///< per body
  List<Force<double>> p;                 ///< per body
  List<Motion<double>> a, change;        ///< per body
  List<std::array<Force<double>, 6>> E;  ///< per block, see cross_inertia.cpp
  List<Force<double>> U;                 ///< per column
  List<double> D_inverse, u, tau, x;     ///< per column
  List<Force<double>> y;                 ///< per neighbour and column: E S
  List<std::array<Force<double>, 4>> K;  ///< per row, on its bodies
  List<double> bias, weight, left;       ///< per row: beside Σ K a; stiffness; Σ K a + bias
  List<double> open, probe;              ///< per row: what is left at the end
  List<double> zeros;
  List<double> null;  ///< forces without effect, orthonormal (many × rows)
};

/// How many directions of forces without effect are looked for.
inline constexpr int few_null_forces = 4;

/// Accelerations with all loops closed, as closed_forward_dynamics() says. False where corrections
/// do not converge, as near singular positions, or more than `most_null` combinations of forces
/// have no effect. wanted (rows), tau and a (nv). Throws Error where plan.reason says so.
bool cross_inertia_dynamics(const Mechanism& mechanism, double t, std::span<const double> q,
                            std::span<const double> v, std::span<const double> tau,
                            std::span<const double> wanted, Workspace& ws, CrossInertia& cross,
                            std::span<double> a, int most_null, const Loads<double>& loads = {});

}  // namespace limber
