#pragma once
// How drag and lift of a body in a fluid change with its velocity, by the forces' own text: a
// scalar that carries six slopes. Pieces of surfaces have a closed form.
#include <array>
#include <type_traits>

#include <limber/dynamics/fluid_load.hpp>

#include "scalar/registers.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// A number and its slopes along six directions. Where it has none, at the root of zero, it is said
/// to be zero: of |x| x that is right.
template <class T>
struct Slopes {
  T value = T(0);
  std::array<T, 6> slope{};

  Slopes() = default;
  explicit Slopes(const T& constant) : value(constant) {}

  /// f of this value and another's, with the slopes da · slope + db · the other's.
  [[gnu::always_inline]] Slopes with(const T& f, const T& da, const Slopes& b, const T& db) const {
    Slopes r(f);
    for (std::size_t k = 0; k < 6; ++k) r.slope[k] = da * slope[k] + db * b.slope[k];
    return r;
  }
  [[gnu::always_inline]] Slopes with(const T& f, const T& da) const {
    Slopes r(f);
    for (std::size_t k = 0; k < 6; ++k) r.slope[k] = da * slope[k];
    return r;
  }

  friend Slopes operator+(const Slopes& a, const Slopes& b) {
    return a.with(a.value + b.value, T(1), b, T(1));
  }
  friend Slopes operator-(const Slopes& a, const Slopes& b) {
    return a.with(a.value - b.value, T(1), b, T(-1));
  }
  friend Slopes operator-(const Slopes& a) { return a.with(-a.value, T(-1)); }
  friend Slopes operator*(const Slopes& a, const Slopes& b) {
    return a.with(a.value * b.value, b.value, b, a.value);
  }
  friend Slopes operator/(const Slopes& a, const Slopes& b) {
    const T quotient = a.value / b.value;
    return a.with(quotient, T(1) / b.value, b, -quotient / b.value);
  }
  Slopes& operator+=(const Slopes& b) { return *this = *this + b; }
  Slopes& operator-=(const Slopes& b) { return *this = *this - b; }
  friend bool operator<(const Slopes& a, const Slopes& b) { return a.value < b.value; }

  friend Slopes sqrt(const Slopes& x) {
    const T root = std::sqrt(x.value);
    return x.with(root, root > T(0) ? T(0.5) / root : T(0));
  }
  friend Slopes select(bool condition, const Slopes& a, const Slopes& b) {
    return condition ? a : b;
  }
};

/// The pieces' numbers as constants; of damping matrices they are as they are.
template <class T, template <class> class Piece>
Piece<Slopes<T>> constants_of(const Piece<T>& piece) {
  return cast<Slopes<T>>(piece);
}
template <class T>
const MarineDamping<T>& constants_of(const MarineDamping<T>& damping) {
  return damping;
}

/// Slopes of the drag of pieces of a surface, which are many, in closed form. With the velocity c
/// of a point p and its pressure n the force (n·c) c changes by (n·δc) c and (n·c) δc: a product of
/// six numbers with six, and what the inertia of a mass n·c at the point would do.
template <class T>
struct PatchSlopes {
  std::array<Force<T>, 6> product{};
  Inertia<T> inertia;

  void add(const PatchDrag<T>& patch, const Motion<T>& v) {
    const Vec3<T>&p = patch.point, &n = patch.pressure;
    const Vec3<T> c = v.linear + cross(v.angular, p), moment = cross(p, n);
    const T flux = dot(n, c);
    if (flux > T(0)) return;
    // at zero the mean of both sides: the slope of a box that moves along opposite faces
    const Force<T> f = Force<T>{cross(p, c), c} * (flux < T(0) ? T(1) : T(0.5));
    for (int i = 0; i < 3; ++i) {
      product[static_cast<std::size_t>(i)] += f * moment[i];
      product[static_cast<std::size_t>(i + 3)] += f * n[i];
    }
    inertia += Inertia<T>::from_com(flux, p, {});
  }
  Force<T> operator*(const Motion<T>& x) const {
    Force<T> sum = inertia * x;
    for (int i = 0; i < 3; ++i)
      sum += product[static_cast<std::size_t>(i)] * x.angular[i] +
             product[static_cast<std::size_t>(i + 3)] * x.linear[i];
    return sum;
  }
};

/// How the forces of drag and lift change if the body at pose X, which moves with v relative to the
/// fluid, gains the unit velocities: all in world coordinates.
template <class T>
std::array<Force<T>, 6> drag_slopes(const FluidBody<T>& body, const Transform<T>& X,
                                    const Motion<T>& v) {
  const Motion<T> own = apply_inverse(X, v);
  std::array<Motion<T>, 6> units;
  Motion<Slopes<T>> u{cast<Slopes<T>>(own.angular), cast<Slopes<T>>(own.linear)};
  for (std::size_t k = 0; k < 6; ++k) {
    Motion<T> unit;
    (k < 3 ? unit.angular : unit.linear)[static_cast<int>(k % 3)] = T(1);
    units[k] = apply_inverse(X, unit);
    for (int i = 0; i < 3; ++i) {
      u.angular[i].slope[k] = units[k].angular[i];
      u.linear[i].slope[k] = units[k].linear[i];
    }
  }
  Force<Slopes<T>> f;
  PatchSlopes<T> patches;
  for (const StripDrag<T>& strip : body.strips) f += drag_force(constants_of(strip), u);
  body.for_others([&](const auto& piece) {
    if constexpr (std::is_same_v<decltype(piece), const PatchDrag<T>&>) patches.add(piece, own);
    else f += drag_force(constants_of(piece), u);
  });
  std::array<Force<T>, 6> result;
  for (std::size_t k = 0; k < 6; ++k) {
    Force<T> change = patches * units[k];
    for (int i = 0; i < 3; ++i) {
      change.angular[i] += f.angular[i].slope[k];
      change.linear[i] += f.linear[i].slope[k];
    }
    result[k] = X * change;
  }
  return result;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
