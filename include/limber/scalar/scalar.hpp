#pragma once
// What every algorithm asks of its scalar type, found by argument-dependent look-up:
//   arithmetic, comparison by `<`, construction from double, and
//   sincos(x, s, c), sqrt(x), select(condition, a, b).
// float and double are served here; Dual and Counted bring their own.
#include <cmath>

namespace limber {

/// Sine and cosine of one angle [rad].
inline void sincos(double angle, double& sine, double& cosine) {
  sine = std::sin(angle);
  cosine = std::cos(angle);
}
inline void sincos(float angle, float& sine, float& cosine) {
  sine = std::sin(angle);
  cosine = std::cos(angle);
}

using std::sqrt;

/// `a` where the condition holds, else `b`; the branch-free form that lanes and graphs need.
inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline float select(bool condition, float a, float b) { return condition ? a : b; }

}  // namespace limber
