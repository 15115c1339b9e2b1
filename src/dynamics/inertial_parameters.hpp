#pragma once
// The ten inertial parameters of a body as control engineers write them: m, m c, and the rotational
// inertia about the origin (xx, xy, xz, yy, yz, zz).
#include <limber/spatial/inertia.hpp>

namespace limber {

/// Ten parameters as an inertia about the origin of their frame.
template <class T>
Inertia<T> from_parameters(const T* p) {
  return {
      p[0], {p[1], p[2], p[3]}, Inertia<T>::second_moment({p[4], p[7], p[9], p[5], p[6], p[8]})};
}

}  // namespace limber
