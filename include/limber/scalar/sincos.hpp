#pragma once
// Sine and cosine of many angles at once: one loop that the compiler turns into SIMD code.
#include <limber/scalar/scalar.hpp>

namespace limber {

/// sine[i], cosine[i] of angle[i] [rad], i < n; error below 2 units in the last place. Angles
/// beyond ±1e5 rad and non-finite ones go to the standard library one by one. Arrays must not
/// overlap.
void sincos_all(const double* angle, double* sine, double* cosine, int n);

/// The same for any other scalar, one by one.
template <class T>
void sincos_all(const T* angle, T* sine, T* cosine, int n) {
  for (int i = 0; i < n; ++i) sincos(angle[i], sine[i], cosine[i]);
}

}  // namespace limber
