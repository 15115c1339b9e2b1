#pragma once
// MatrixWorkspace: scratch and results of the functions that return whole matrices over the tree
// (derivatives, Coriolis matrix, …). Apart from Workspace, because its size grows with nv². One per
// thread; a view is valid until the next call that writes it.
#include <limber/model/workspace.hpp>

namespace limber {

template <class T>
struct BasicMatrixWorkspace {
  explicit BasicMatrixWorkspace(const BasicModel<T>& model);

  // Strips: component by component, padded, in absolute coordinates: those of a frame that rests in
  // the world where the first body is.
  int body_stride = 0;    ///< of the strips over bodies
  int column_stride = 0;  ///< of the strips over tree velocity variables
  std::vector<T> inertia;      ///< constant: inertia in canonical frames, 10 strips over bodies
  std::vector<T> bodies;       ///< pose, velocity, acceleration, composites; see absolute.ipp
  std::vector<T> columns;      ///< S and what is derived from it
  std::vector<int> lane_body;  ///< body of each column, padded

  // Rows of [∂/∂q | ∂/∂v | inertia or its inverse], each part row_stride long.
  int row_stride = 0;
  std::vector<T> rows;        ///< user's variables (nv × 3 row_stride)
  int tree_row_stride = 0;
  std::vector<T> tree_rows;   ///< tree variables; empty without mimic joints
  std::vector<T> mirrored;    ///< columns below the diagonal while they are made

  // Who lies below a variable in the elimination tree: entries below_start[t] … of `below` and of
  // `below_entry` (place of L[k][t] in the factor).
  std::vector<int> below_start, below, below_entry;
};

using MatrixWorkspace = BasicMatrixWorkspace<double>;

}  // namespace limber
