#include <cmath>

#include <limber/math/quat.hpp>

namespace limber {

Vec3<double> log_quat(Quat<double> a) {
  // a and −a are the same rotation; w ≥ 0 gives the one with angle ≤ π
  if (a.w < 0) a = {-a.x, -a.y, -a.z, -a.w};
  const double sine = std::hypot(a.x, a.y, a.z);  // of half the angle; no underflow for tiny turns
  if (sine == 0) return {};
  return a.vec() * (2 * std::atan2(sine, a.w) / sine);
}

}  // namespace limber
