#pragma once
// How far the loops of a mechanism are from closed and how fast they open, for straight-line code:
// no value decides anything, and poses stand in the frame of the body that carries a loop, as in
// articulated_loops.hpp.
#include <limber/constraint/mechanism.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// Writes for each row its gap [m or rad], as loop_gaps() to first order, and its rate J v [m/s or
/// rad/s]. Targets do not move, and no joint follows another.
template <class T>
void loop_drift(const BasicMechanism<T>& mechanism, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                Out<T> gap, Out<T> rate);

}  // namespace limber
