#pragma once
// Articulated bodies with loops: what its parts share.
#include "constraint/articulated_loops.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// One call: the mechanism, its plan and where the numbers are.
template <class T>
struct LoopPass {
  const BasicMechanism<T>& m;
  BasicArticulatedLoops<T>& d;
  BasicWorkspace<T>& ws;
  In<T> q, v, wanted;
  bool world_turns = false;  ///< its angular velocity or acceleration is not zero

  int rows(int k) const { return m.closures[k].rows; }
  RowForces<T> K(int end) const { return {&d.K[end * 6 * row_places]}; }
  T* e(int x) const { return &d.e[x * row_places]; }
  T* bias(int k) const { return &d.bias[k * row_places]; }
  T* A(int k) const { return &d.A[k * 6 * row_places]; }
  T* block(int b) const { return &d.coupling[b * 6 * row_places]; }
  T* reduced(int k, int row) const { return &d.reduced[(k * 6 + row) * row_places]; }
  T* lambda(int k) const { return &d.lambda[k * row_places]; }
  T* scale(int k) const { return &d.scale[k * row_places]; }
};

}  // namespace LIMBER_REGISTERS
}  // namespace limber
