#pragma once
// MatrixWorkspace: scratch and results of the functions that return whole matrices over the tree
// (derivatives, Coriolis matrix, …). Apart from Workspace, because its size grows with nv². One per
// thread; a view is valid until the next call that writes it.
#include <array>

#include <limber/model/workspace.hpp>
#include <limber/scalar/instruction_set.hpp>

namespace limber {

template <class T>
struct BasicMatrixWorkspace {
  /// The instruction set is for double and float: how many columns the functions compute at once.
  /// Throws Error for one that this processor does not have.
  explicit BasicMatrixWorkspace(const BasicModel<T>& model,
                                InstructionSet instruction_set = InstructionSet::best);

  ModelIdentity model;  ///< whose scratch this is
  int registers = 0;    ///< bytes of the vector registers in use, see matrix_functions.hpp
  int lanes = 1;        ///< numbers that go together

  // Strips: component by component, padded, in absolute coordinates: those of a frame that rests in
  // the world where the first body is.
  int body_stride = 0;         ///< of the strips over bodies
  int column_stride = 0;       ///< of the strips over tree velocity variables
  AlignedVector<T> inertia;    ///< constant: inertia in canonical frames, 10 strips over bodies
  AlignedVector<T> bodies;     ///< pose, velocity, acceleration, composites; see absolute.ipp
  AlignedVector<T> columns;    ///< S and what is derived from it
  std::vector<int> lane_body;  ///< body of each column, padded
  int units = 0;  ///< columns of a floating base: unit vectors of the absolute frame, 6 or none
  int lead = 0;   ///< padding before the first column, so that the base has a block for itself

  /// Where the bodies of eight columns lie.
  enum class BlockBodies { same, neighbours, scattered };
  /// Eight neighbouring columns. Of its rows below, in ascending order, inner … own − 1 carry
  /// columns of the block, own … outer − 1 belong to the joints of its columns, outer … end − 1 are
  /// carried.
  struct Block {
    int column;
    BlockBodies bodies;
    int inner, own, outer, end;
  };
  /// A row in which the block is not zero. Bits: which columns of the block the row's variable
  /// carries (itself among them) and which of them carry it.
  struct BlockRow {
    int row, carried, carrying;
  };
  std::vector<Block> blocks;
  std::vector<BlockRow> block_rows;

  // Rows of [∂/∂q | ∂/∂v | inertia or its inverse], each part row_stride long, `lead` included.
  int row_stride = 0;
  AlignedVector<T> rows;  ///< user's variables (nv × 3 row_stride)
  bool filled = false;    ///< there are numbers outside the pattern of the tree
  int tree_row_stride = 0;
  AlignedVector<T> tree_rows;  ///< tree variables; empty without mimic joints

  // The solve with L⁻ᵀ, eight columns (one block) at a time: rows in which the block is zero take
  // no part. For each block the rows block_start[b] …; for each of these its variable and the
  // entries first … of the variables below it and their places in the factor.
  struct SolveRow {
    int variable, first, end;
  };
  std::vector<int> block_start;
  std::vector<SolveRow> solve_rows;
  std::vector<int> below, below_entry;

  // The solve by articulated bodies, see articulated_rows.ipp.
  AlignedVector<T> eliminations;  ///< what is kept of each eliminated column
  /// Columns first … end − 1 that carry each other without a branch. What the last one has for the
  /// runs that it carries, and what the first one has from there, is in `branches`; −1: there is
  /// none.
  struct Run {
    int first, end, from, to;
  };
  std::vector<Run> runs;
  AlignedVector<T> branches;
  std::vector<int> sources;  ///< for each block: where each row begins, or a row of zeros outside
                             ///< the pattern, of ∂/∂q and ∂/∂v and of the identity

  // The inverse of the mass matrix, see inverse_rows.ipp.
  /// Columns first … end − 1 that carry each other without a branch, in one chain or two, no more
  /// than lanes; they carry those up to carried_end. tree … tree_end − 1: columns of the whole
  /// tree. from, to: numbers of places, as those of runs.
  struct Piece {
    int first, end, carried_end, tree, tree_end;
    BlockBodies bodies;
    int from, to, chains;
  };
  std::vector<Piece> pieces;
  AlignedVector<T> reductions;     ///< what the articulated inertia lacks, 6 × 8 at each place
  AlignedVector<T> accelerations;  ///< for unit forces, 6 rows at each place
  AlignedVector<T> responses;      ///< what each piece gives and asks for, twice 6 × 8

  // Inertia and fluid of loads, see load_derivatives.cpp; the first call with such loads makes the
  // room.
  /// A body in world coordinates, in a fluid in those of a frame that moves with it; B, K, f and
  /// what is displaced: of its subtree.
  struct LoadedBody {
    Transform<T> X;             ///< pose
    Motion<T> v, a;             ///< velocity, spatial acceleration without gravity
    ArticulatedInertia<T> B;    ///< inertia of the loads
    std::array<Force<T>, 6> K;  ///< columns: slope of f for velocities
    Force<T> f;                 ///< B a + v ×* B v, less buoyancy and drag
    T displaced_mass = T(0);    ///< of the fluid
    Vec3<T> displaced_moment;
  };
  std::vector<LoadedBody> loaded_bodies;
  std::vector<Motion<T>> loaded_S;  ///< columns, world coordinates
  std::vector<T> loaded_column;     ///< of a matrix (nv)
};

using MatrixWorkspace = BasicMatrixWorkspace<double>;

}  // namespace limber
