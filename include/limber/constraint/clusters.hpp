#pragma once
// Which joints of a closed mechanism are eliminated together. Two loops that share a joint belong
// to one cluster; a cluster hangs from one body, its carrier, and to everything further in it looks
// like one joint. Where loops are local, forward dynamics then costs as much per body as a tree's,
// whatever the number of loops.
#include <limber/constraint/mechanism.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

struct LoopCluster {
  int carrier = 0;                    ///< the body that carries all of it; 0: the world
  int first_body = 0, last_body = 0;  ///< its bodies: members[first_body] … members[last_body − 1]
  int first_loop = 0, last_loop = 0;  ///< its loops, likewise among `loops`
  int first_row = 0;                  ///< its rows: the mechanism's rows[first_row] and so on
  int columns = 0, rows = 0;
  int width = 0;  ///< numbers in a row of its systems, padded
};

/// The clusters of a mechanism, in the order of their first bodies.
struct LoopClusters {
  LoopClusters() = default;
  template <class T>
  explicit LoopClusters(const BasicMechanism<T>& mechanism);

  List<LoopCluster> clusters;
  List<int> members;  ///< bodies, rising within a cluster
  List<int> loops;    ///< of each cluster
  List<int> rows;     ///< of each cluster, in the order of its loops
  List<int> of_body;  ///< cluster of a body's joint; −1: none (bodies)
  List<int> column;   ///< place of a tree column within its cluster (columns of the tree)
  /// Columns column[v_index[i]] … columns_end[i] − 1 of its cluster move what body i carries within
  /// the cluster (bodies)
  List<int> columns_end;
  int most_columns = 0;  ///< of a cluster
  /// Why forward dynamics cannot go by clusters: constraints over all freedoms, joints that follow
  /// others; empty: it can.
  std::string reason;
};

/// Scratch and results of forward dynamics by clusters; one per thread.
template <class T>
struct BasicClusterDynamics {
  BasicClusterDynamics() = default;
  explicit BasicClusterDynamics(const BasicMechanism<T>& mechanism);

  LoopClusters plan;
  int rank = 0;
  T inconsistency = T(0);
  int inconsistent_row = -1;
  List<T> force;                      ///< of the rows
  List<std::uint8_t> is_determinate;  ///< as in RowSolver

  // --- scratch ---
  List<Transform<T>> X;  ///< pose in the carrier's frame (bodies)
  List<Motion<T>> a0;    ///< acceleration while carrier and joints do not accelerate (bodies)
  List<ArticulatedInertia<T>> Ic;  ///< of what a body carries within its cluster (bodies)
  List<Force<T>> f0;               ///< force that goes with a0 (bodies)
  List<Force<T>> F;                ///< Ic S of a cluster's columns
  List<Force<T>> row_force;        ///< of a loop's rows
  List<int> start;                 ///< where the numbers of each cluster begin, below
  /// Of each cluster: its columns × width: L⁻ᵀ (Jᵀ | Fᵀ | u); its columns²: L with 1/D; its rows +
  /// 7 times width: the system of its rows
  AlignedVector<T> numbers;
  List<T> bias, target;  ///< of the rows: J̇ v; acceleration of a target that moves
  List<T> scale;         ///< J H⁻¹ Jᵀ of a row alone, in the order of plan.rows
  List<T> lambda, null, gram;
  List<T> tau;
  List<T> solved;  ///< accelerations of a cluster's columns
};

/// Accelerations with all loops closed, as closed_forward_dynamics() says, by articulated bodies: a
/// cluster is eliminated as one joint, whose mass matrix and rows are dense. [RDA] §9.5 where it is
/// one body that closes on the world; the loops' cross-inertias never leave their cluster.
/// O(bodies) where loops are local. False where rows of a cluster nearly depend on each other, so
/// that more care is needed than this has; nothing is computed then. wanted (rows), tau and a (nv).
template <class T>
bool closed_articulated_bodies(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t,
                               In<T> q, In<T> v, In<T> tau, In<T> wanted, BasicWorkspace<T>& ws,
                               BasicClusterDynamics<T>& clusters, Out<T> a,
                               const Loads<T>& loads = {});

}  // namespace limber
