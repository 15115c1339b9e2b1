#pragma once
// The recursion of hybrid dynamics, which is in hybrid_dynamics.ipp and compiled with
// hybrid_dynamics.cpp, for whoever calls it only.
#include <limber/dynamics/hybrid_dynamics.hpp>

namespace limber {

/// q, v: tree variables of a model without mimic joints. known: what is given of each; null: all
/// forces. qdd and tau: the given entries are read, the others written.
template <class T>
void hybrid_articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, const Known* known,
                               BasicWorkspace<T>& ws, const Loads<T>& loads, T* qdd, T* tau);

}  // namespace limber
