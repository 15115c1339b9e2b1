#pragma once
// The functions that work in lanes, compiled once for each width of vector registers. A matrix
// workspace says which of them fits it (matrix_functions.cpp); nothing else of what is compiled for
// wide registers is called from outside.
#include <limber/dynamics/coriolis.hpp>
#include <limber/dynamics/derivatives.hpp>

#include "dynamics/lanes.hpp"

namespace limber {

/// Bytes of the registers of a chosen instruction set.
inline int register_bytes(InstructionSet set) {
  return set == InstructionSet::avx512 ? 64 : set == InstructionSet::avx2 ? 32 : 16;
}

/// Arguments are checked. tree_q, tree_v, tree_a: tree variables. The results are in `mw`, see
/// MatrixWorkspace::rows; those of functions that solve only if they return true: there is a finite
/// solution.
template <class T, int Bytes>
struct MatrixFunctions {
  static void inverse_dynamics_derivatives(const BasicModel<T>& m, const T* tree_q, const T* tree_v,
                                           const T* tree_a, const Loads<T>& loads,
                                           BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw);
  /// The acceleration is in ws.acceleration.
  static bool forward_dynamics_derivatives(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                           const T* tree_q, const T* tree_v, const Loads<T>& loads,
                                           BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw);
  static void coriolis_matrix(const BasicModel<T>& m, const T* tree_q, const T* tree_v,
                              BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw);
  static bool inverse_mass_matrix(const BasicModel<T>& m, const T* tree_q, BasicWorkspace<T>& ws,
                                  BasicMatrixWorkspace<T>& mw);
};

/// Calls f with the MatrixFunctions that fit the workspace. A scalar that is a class is compiled
/// for one width of registers.
template <class T, class F>
decltype(auto) with_matrix_functions([[maybe_unused]] const BasicMatrixWorkspace<T>& mw, F&& f) {
  if constexpr (!std::is_class_v<T>) {
#ifdef LIMBER_HAS_REGISTERS_64
    if (mw.registers == 64) return f(MatrixFunctions<T, 64>{});
#endif
#ifdef LIMBER_HAS_REGISTERS_32
    if (mw.registers == 32) return f(MatrixFunctions<T, 32>{});
#endif
    return f(MatrixFunctions<T, 16>{});
  } else {
    return f(MatrixFunctions<T, vector_bytes>{});
  }
}

}  // namespace limber
