#pragma once
// Random: repeatable random values for tests. Everything is made here from plain arithmetic, so
// that a test shares no code with what it checks.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include <limber/math/quat.hpp>
#include <limber/spatial/transform.hpp>

namespace limber::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high); the same numbers with every standard library.
  double uniform(double low = -1, double high = 1) {
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low + (high - low) * unit;
  }
  /// Uniform among low, …, high.
  int integer(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<int>(engine_() % count);
  }
  /// Normal with mean 0 and deviation 1.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
    return radius * std::cos(2 * std::numbers::pi * uniform(0, 1));
  }
  double angle() { return uniform(-std::numbers::pi, std::numbers::pi); }

  /// Components uniform in [−size, size).
  Vec3<double> vec3(double size = 1) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  /// Unit vector, uniform on the sphere.
  Vec3<double> direction() {
    const double z = uniform(), turn = angle(), r = std::sqrt(1 - z * z);
    return {r * std::cos(turn), r * std::sin(turn), z};
  }
  /// Unit quaternion, uniform over the rotations; w of either sign.
  Quat<double> quat() {
    const double x = normal(), y = normal(), z = normal(), w = normal();
    const double n = std::sqrt(x * x + y * y + z * z + w * w);
    return {x / n, y / n, z / n, w / n};
  }
  /// Rotation matrix: one random direction, a second one made square to it, their vector product.
  Mat3<double> rotation() {
    const Vec3<double> a = direction(), b = direction();
    const double ab = a.x * b.x + a.y * b.y + a.z * b.z;
    const Vec3<double> c{b.x - ab * a.x, b.y - ab * a.y, b.z - ab * a.z};
    const double n = std::sqrt(c.x * c.x + c.y * c.y + c.z * c.z);
    if (n < 1e-3) return rotation();  // nearly parallel: draw again, for accuracy
    const Vec3<double> d{c.x / n, c.y / n, c.z / n};
    return {a.x, d.x, a.y * d.z - a.z * d.y,  //
            a.y, d.y, a.z * d.x - a.x * d.z,  //
            a.z, d.z, a.x * d.y - a.y * d.x};
  }
  Mat3<double> mat3() {
    return {uniform(), uniform(), uniform(), uniform(), uniform(),
            uniform(), uniform(), uniform(), uniform()};
  }
  Sym3<double> sym3() { return {uniform(), uniform(), uniform(), uniform(), uniform(), uniform()}; }

  Motion<double> motion() { return {vec3(), vec3()}; }
  Force<double> force() { return {vec3(), vec3()}; }
  Transform<double> transform() { return {rotation(), vec3()}; }

  /// Inertia of eight random point masses: physically possible, regular, centre off the origin.
  Inertia<double> inertia() {
    Inertia<double> I;
    const Vec3<double> centre = vec3();
    for (int i = 0; i < 8; ++i) {
      const double m = uniform(0.05, 0.5);
      const double x = centre.x + uniform(), y = centre.y + uniform(), z = centre.z + uniform();
      I.m += m;
      I.h.x += m * x, I.h.y += m * y, I.h.z += m * z;
      I.J.xx += m * x * x, I.J.yy += m * y * y, I.J.zz += m * z * z;
      I.J.xy += m * x * y, I.J.xz += m * x * z, I.J.yz += m * y * z;
    }
    return I;
  }

  /// A general positive definite articulated inertia: A Aᵀ + 0.1, nothing rigid about it.
  ArticulatedInertia<double> articulated() {
    double A[6][6], K[6][6];
    for (auto& row : A)
      for (double& x : row) x = uniform();
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        K[i][j] = i == j ? 0.1 : 0;
        for (int k = 0; k < 6; ++k) K[i][j] += A[i][k] * A[j][k];
      }
    return {{K[0][0], K[1][1], K[2][2], K[0][1], K[0][2], K[1][2]},
            {K[0][3], K[0][4], K[0][5], K[1][3], K[1][4], K[1][5], K[2][3], K[2][4], K[2][5]},
            {K[3][3], K[4][4], K[5][5], K[3][4], K[3][5], K[4][5]}};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace limber::test
