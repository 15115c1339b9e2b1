#pragma once
// The rows of a mechanism's loops at one instant: J v + drift = 0, J a + bias = 0. [RDA] (9.2),
// (9.8), (9.12)
#include <limber/constraint/mechanism.hpp>
#include <limber/dynamics/kinematics.hpp>

namespace limber {

/// Room for the rows of a mechanism, and what they are at one instant.
template <class T>
struct BasicLoopRows {
  BasicLoopRows() = default;
  explicit BasicLoopRows(const BasicMechanism<T>& mechanism);

  ModelIdentity model;
  int rows = 0;
  int stride = 0;  ///< of JT: rows and one more column, padded
  /// Force of each row on body b: world axes, about `point` of its loop (rows of loops between
  /// bodies)
  List<Force<T>> F;
  List<Vec3<T>> point;  ///< origin of frame b in the world (loops)
  /// Jᵀ (nv × stride): row k of it belongs to freedom k
  AlignedVector<T> JT;
  List<T> drift;  ///< the part of the rate that is not J v: motions of targets
  List<T> bias;   ///< d/dt (J v + drift) at a = 0
  List<T> gap;    ///< by loop_gaps()
  /// What the squares of a row's entries in J would add up to if every joint moved the point of the
  /// loop along the row; 0: not known. In built-in numbers alone. In singular positions a row can
  /// vanish, and only this says what it is small against.
  List<T> reach;

  // scratch
  BasicAccelerations<T> motion;
  List<T> zeros, custom_J, spare;

  T& jt(int freedom, int row) { return JT[freedom * stride + row]; }
  const T& jt(int freedom, int row) const { return JT[freedom * stride + row]; }
};
/// In double precision.
using LoopRows = BasicLoopRows<double>;

/// F, Jᵀ, drift and bias at (t, q, v). No allocation. t [s] matters where targets move.
template <class T>
void loop_rows(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t, In<T> q, In<T> v,
               BasicWorkspace<T>& ws, BasicLoopRows<T>& out);

/// F and Jᵀ alone, at q, for the row's rates and impulses; drift as well.
template <class T>
void loop_jacobian(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t, In<T> q,
                   BasicWorkspace<T>& ws, BasicLoopRows<T>& out);

/// gap: how far the loops are from closed, one number for each row [m or rad]; zero for rows that
/// hold velocities alone. Turns are rotation vectors, so that a gap of any size has a direction.
template <class T>
std::span<const T> loop_gaps(const BasicMechanism<T>& mechanism, std::type_identity_t<T> t, In<T> q,
                             BasicWorkspace<T>& ws, BasicLoopRows<T>& out);

}  // namespace limber
