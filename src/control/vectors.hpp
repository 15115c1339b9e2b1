#pragma once
// Vectors of space that lie in arrays of numbers.
#include <limber/math/vec3.hpp>

namespace limber {

inline Vec3<double> read(const double* x) { return {x[0], x[1], x[2]}; }
inline void write(const Vec3<double>& x, double* out) { out[0] = x.x, out[1] = x.y, out[2] = x.z; }

}  // namespace limber
