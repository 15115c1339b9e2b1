#pragma once
// What every algorithm needs of its scalar type, found by argument-dependent look-up:
//   arithmetic, comparison by `<`, construction from double, and
//   sincos(x, s, c), sqrt(x), select(condition, a, b), known_zero(x), is_regular_pivot(x),
//   finite(x).
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

/// True if x is zero whatever the state of the robot: what a model constant says of itself.
inline bool known_zero(double x) { return x == 0; }
inline bool known_zero(float x) { return x == 0; }

// What a recursion refuses. Scalars of which one value says nothing about a single state (many
// robots at once, an expression) answer yes to both, and their results show what went wrong.
/// True if x may be the inverse of a pivot: positive and finite.
inline bool is_regular_pivot(double x) { return x > 0 && x < HUGE_VAL; }
inline bool is_regular_pivot(float x) { return x > 0 && x < HUGE_VALF; }
inline bool finite(double x) { return std::isfinite(x); }
inline bool finite(float x) { return std::isfinite(x); }

}  // namespace limber
