#include <algorithm>
#include <cmath>
#include <limits>

#include <limber/math/sym3.hpp>

namespace limber {

namespace {

// One Jacobi rotation in the plane of axes I and J: makes entry (I, J) zero, keeps the eigenvalues.
template <int I, int J>
void zero_off_diagonal(Sym3<double>& A) {
  constexpr int K = 3 - I - J;
  const double off = A.get<I, J>();
  if (off == 0) return;
  // tangent of the smaller of the two angles: the rotation disturbs the rest least
  const double theta = (A.get<J, J>() - A.get<I, I>()) / (2 * off);
  const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
  const double c = 1 / std::hypot(t, 1.0), s = t * c;
  const double ik = A.get<I, K>(), jk = A.get<J, K>();
  A.get<I, I>() -= t * off;
  A.get<J, J>() += t * off;
  A.get<I, J>() = 0;
  A.get<I, K>() = c * ik - s * jk;
  A.get<J, K>() = s * ik + c * jk;
}

}  // namespace

Vec3<double> eigenvalues(Sym3<double> A) {
  const double entries[] = {A.xx, A.yy, A.zz, A.xy, A.xz, A.yz};
  double largest = 0;
  for (const double x : entries) {
    if (!std::isfinite(x)) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      return {nan, nan, nan};
    }
    largest = std::max(largest, std::abs(x));
  }
  if (largest == 0) return {};

  // a power of two brings the entries near one exactly, so that no square under- or overflows
  const int exponent = std::ilogb(largest);
  for (double* x : {&A.xx, &A.yy, &A.zz, &A.xy, &A.xz, &A.yz}) *x = std::scalbn(*x, -exponent);
  // cyclic Jacobi converges quadratically: 3x3 is done in four or five sweeps, ten are plenty
  for (int sweep = 0; sweep < 10; ++sweep) {
    zero_off_diagonal<0, 1>(A);
    zero_off_diagonal<0, 2>(A);
    zero_off_diagonal<1, 2>(A);
  }
  double roots[] = {A.xx, A.yy, A.zz};
  std::sort(roots, roots + 3);
  return {std::scalbn(roots[0], exponent), std::scalbn(roots[1], exponent),
          std::scalbn(roots[2], exponent)};
}

}  // namespace limber
