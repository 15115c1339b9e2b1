#include <cmath>
#include <limits>

#include <limber/spatial/inertia.hpp>

namespace limber {

namespace {

bool finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool finite(const Sym3<double>& A) {
  return finite(Vec3<double>{A.xx, A.yy, A.zz}) && finite(Vec3<double>{A.xy, A.xz, A.yz});
}

}  // namespace

InertiaDefect physical_defect(const Inertia<double>& inertia, double tolerance) {
  if (!std::isfinite(inertia.m) || !finite(inertia.h) || !finite(inertia.J))
    return InertiaDefect::not_finite;
  if (inertia.m < 0) return InertiaDefect::negative_mass;
  // a first moment without mass belongs to no body
  if (inertia.m == 0 && norm(inertia.h) > 0) return InertiaDefect::not_positive;

  const Sym3<double> J = inertia.central_second_moment();
  if (!finite(J)) return InertiaDefect::not_finite;  // h²/m overflowed: mass without size
  const Vec3<double> second = eigenvalues(J);
  // principal moments of inertia are the sums of two second moments each
  const double smallest = second.x + second.y, largest = second.y + second.z;
  // the move to the centre rounds at the size of the moments about the origin
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(trace(inertia.J));
  const double slack = tolerance * std::abs(largest) + rounding;
  if (smallest < -slack) return InertiaDefect::not_positive;
  // the triangle inequality of the principal moments says that no second moment is negative
  if (second.x < -slack) return InertiaDefect::triangle_inequality;
  return InertiaDefect::none;
}

}  // namespace limber
