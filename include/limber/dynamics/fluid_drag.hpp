#pragma once
// Drag and lift as numbers of a body and as forces, for every scalar: strips of cylinders, pieces
// of surfaces, spheres, foils, damping matrices. In the body's frame; v is the velocity of the body
// relative to the fluid. fluid/submerged.hpp makes them.
#include <array>

#include <limber/model/list.hpp>
#include <limber/scalar/scalar.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

/// Drag of a cylinder by strips at four points, and along its axis. [McM] (6.24)-(6.30)
template <class T>
struct StripDrag {
  Vec3<T> start;                  ///< end of the axis that the points are measured from [m]
  Vec3<T> axis, across, across2;  ///< unit vectors, a right-handed frame
  std::array<T, 4> place;         ///< of the points along the axis [m]
  std::array<T, 4> weight;        ///< −ρ C_D r times length and Gauss's weights [kg/m]
  T along = T(0);                 ///< −½ ρ (C_D π r² + C_f 2 π r l) [kg/m]
};

/// f_i = −Σ_j (linear_ij + quadratic_ij |ν_j|) ν_j in the axes of a frame; moments first, and ν
/// angular first. [Fos]
template <class T>
struct MarineDamping {
  Transform<T> frame;  ///< pose in the body's frame
  struct Entry {
    std::size_t i = 0, j = 0;
    T linear = T(0), quadratic = T(0);
  };
  List<Entry> entries;  ///< those that are not zero
};

/// Drag of a piece of a surface, where it moves into the fluid. [McM] (6.22), (6.23)
template <class T>
struct PatchDrag {
  Vec3<T> point;     ///< its centre [m]
  Vec3<T> pressure;  ///< −½ ρ C_D times area and normal [kg/m]
};

/// Friction along a piece of a surface.
template <class T>
struct SkinFriction {
  Vec3<T> point, normal;  ///< its centre [m], a unit vector
  T weight = T(0);        ///< −½ ρ C_f times area [kg/m]
};

/// Drag of a sphere: the integral over its surface in closed form.
template <class T>
struct SphereDrag {
  Vec3<T> center;                  ///< [m]
  T radius = T(0), weight = T(0);  ///< [m], −½ ρ C_D π r² [kg/m]
};

/// Lift and drag of a foil, as LiftingSurface.
template <class T>
struct FoilLift {
  Vec3<T> center, chord, normal;  ///< [m], unit vectors
  T weight = T(0);                ///< ½ ρ area [kg/m]
  T slope = T(0), most = T(0);    ///< C_L = slope · sin α cos α, |C_L| at most so much
  T drag = T(0), induced = T(0);  ///< C_D = drag + induced C_L²
};

/// x where it is negative, else zero.
template <class T>
[[gnu::always_inline]] inline T negative_part(const T& x) {
  return select(x < T(0), x, T(0));
}

/// Force on a body that moves with v relative to the fluid. Each |flow| is a square root.
template <class T>
[[gnu::always_inline]] inline Force<T> drag_force(const StripDrag<T>& s, const Motion<T>& v) {
  const Vec3<T> at_start = v.linear + cross(v.angular, s.start);
  // flow across: at the start, and how it changes along the axis
  const T y0 = dot(s.across, at_start), z0 = dot(s.across2, at_start);
  const T dy = dot(s.across2, v.angular), dz = -dot(s.across, v.angular);
  T fy(0), fz(0), my(0), mz(0);
  for (std::size_t k = 0; k < 4; ++k) {
    const T y = y0 + dy * s.place[k], z = z0 + dz * s.place[k];
    const T strength = sqrt(y * y + z * z) * s.weight[k];
    const T py = y * strength, pz = z * strength;
    fy += py, fz += pz;
    my += py * s.place[k], mz += pz * s.place[k];
  }
  // along the axis every point of it has the same speed
  const T x = dot(s.axis, at_start);
  const T fx = select(x < T(0), -x, x) * x * s.along;
  const Vec3<T> force = s.axis * fx + s.across * fy + s.across2 * fz;
  return {cross(s.start, force) + s.across2 * my - s.across * mz, force};
}
template <class T, class N>
[[gnu::always_inline]] inline Force<T> drag_force(const MarineDamping<N>& d, const Motion<T>& v) {
  const Transform<T> frame = cast<T>(d.frame);
  const Motion<T> own = apply_inverse(frame, v);
  const T nu[6] = {own.angular.x, own.angular.y, own.angular.z,
                   own.linear.x,  own.linear.y,  own.linear.z};
  T f[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
  for (const auto& [i, j, linear, quadratic] : d.entries) {
    const T speed = select(nu[j] < T(0), -nu[j], nu[j]);
    f[i] -= (T(linear) + T(quadratic) * speed) * nu[j];
  }
  return frame * Force<T>{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}
template <class T>
[[gnu::always_inline]] inline Force<T> drag_force(const PatchDrag<T>& p, const Motion<T>& v) {
  const Vec3<T> at = v.linear + cross(v.angular, p.point);
  const Vec3<T> force = at * negative_part(dot(at, p.pressure));
  return {cross(p.point, force), force};
}
template <class T>
[[gnu::always_inline]] inline Force<T> drag_force(const SkinFriction<T>& s, const Motion<T>& v) {
  const Vec3<T> at = v.linear + cross(v.angular, s.point);
  const Vec3<T> along = at - s.normal * dot(at, s.normal);
  const Vec3<T> force = along * (norm(along) * s.weight);
  return {cross(s.point, force), force};
}
/// With the velocity c of the centre the half that faces the flow has ∫ c·n dA = π r²|c|,
/// ∫ (c·n) n dA = 2π/3 r² c and ∫ (c·n) n nᵀ dA = π/4 r²|c| (1 + ĉ ĉᵀ).
template <class T>
[[gnu::always_inline]] inline Force<T> drag_force(const SphereDrag<T>& s, const Motion<T>& v) {
  const Vec3<T>& w = v.angular;
  const Vec3<T> c = v.linear + cross(w, s.center);
  const T square = dot(c, c), speed = sqrt(square);
  const T per_speed = speed / select(T(0) < square, square, T(1));  // 1/|c|; 0 at rest
  const Vec3<T> force = (c * speed + cross(w, c) * (s.radius * T(2) / T(3))) * s.weight;
  const Vec3<T> moment =
      (w * (speed * T(3)) - c * (dot(c, w) * per_speed)) * (s.weight * s.radius * s.radius / T(4));
  return {moment + cross(s.center, force), force};
}
template <class T>
[[gnu::always_inline]] inline Force<T> drag_force(const FoilLift<T>& f, const Motion<T>& v) {
  const Vec3<T> at = v.linear + cross(v.angular, f.center);
  const T c = dot(at, f.chord), n = dot(at, f.normal);
  const T square = c * c + n * n, strength = sqrt(square) * f.weight;
  const T steady = f.slope * n * c / select(T(0) < square, square, T(1));  // without stall
  const T at_most = select(f.most < steady, f.most, steady);
  const T C_L = select(at_most < -f.most, -f.most, at_most);
  const T C_D = f.drag + f.induced * C_L * C_L;
  const Vec3<T> force =
      f.chord * ((C_L * n - C_D * c) * strength) - f.normal * ((C_L * c + C_D * n) * strength);
  return {cross(f.center, force), force};
}

/// The same numbers as another scalar.
template <class U, class T>
StripDrag<U> cast(const StripDrag<T>& s) {
  StripDrag<U> r{cast<U>(s.start), cast<U>(s.axis), cast<U>(s.across), cast<U>(s.across2), {}, {},
                 U(s.along)};
  for (std::size_t k = 0; k < 4; ++k) r.place[k] = U(s.place[k]), r.weight[k] = U(s.weight[k]);
  return r;
}
template <class U, class T>
MarineDamping<U> cast(const MarineDamping<T>& d) {
  MarineDamping<U> r{cast<U>(d.frame), {}};
  for (const auto& [i, j, linear, quadratic] : d.entries)
    r.entries.push_back({i, j, U(linear), U(quadratic)});
  return r;
}
template <class U, class T>
PatchDrag<U> cast(const PatchDrag<T>& p) {
  return {cast<U>(p.point), cast<U>(p.pressure)};
}
template <class U, class T>
SkinFriction<U> cast(const SkinFriction<T>& s) {
  return {cast<U>(s.point), cast<U>(s.normal), U(s.weight)};
}
template <class U, class T>
SphereDrag<U> cast(const SphereDrag<T>& s) {
  return {cast<U>(s.center), U(s.radius), U(s.weight)};
}
template <class U, class T>
FoilLift<U> cast(const FoilLift<T>& f) {
  return {cast<U>(f.center), cast<U>(f.chord), cast<U>(f.normal), U(f.weight),
          U(f.slope),        U(f.most),        U(f.drag),         U(f.induced)};
}

}  // namespace limber
