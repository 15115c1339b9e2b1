#pragma once
// FluidLoad: a fluid around all bodies that moves alike everywhere, as numbers of the bodies:
// Loads::fluid. The algorithms carry velocities relative to it from body to body, so a fluid that
// moves costs no more than one at rest. [McM] tables 13 to 15. fluid/submerged.hpp makes it.
#include <array>

#include <limber/model/tree_matrix.hpp>
#include <limber/scalar/scalar.hpp>
#include <limber/spatial/articulated.hpp>
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

/// Added mass and displacement of one body, in the body's canonical frame (that of Model::inertia).
template <class T>
struct FluidMass {
  ArticulatedInertia<T> added_mass;  ///< [kg m², kg m, kg]
  T displaced_mass = T(0);           ///< ρ V [kg]
  Vec3<T> displaced_moment;          ///< ρ V b, b: centre of buoyancy [kg m]
};

/// What the fluid does to one body, in the same frame.
template <class T>
struct FluidBody : FluidMass<T> {
  bool is_wet = false;  ///< false: nothing, all else is zero
  List<StripDrag<T>> strips;
  List<MarineDamping<T>> dampings;
};

/// Bodies side by side, for recursions that compute what the fluid does to them in lanes.
struct FluidBlock {
  static constexpr int width = 8;
  int count = 0;                  ///< of bodies
  std::array<int, width> body{};  ///< of each lane; lanes without one repeat the last
  int strips = 0;                 ///< the most that a body of the block has
  /// Eight of each number, in the order of for_fluid_numbers(): FluidMass, then strip after strip;
  /// zero where a lane has none.
  AlignedVector<double> numbers;
};
List<FluidBlock> fluid_blocks(const List<FluidBody<double>>& bodies);

/// The fluid and all bodies.
template <class T>
class FluidLoad {
 public:
  FluidLoad() = default;
  explicit FluidLoad(List<FluidBody<T>> bodies) : bodies_(std::move(bodies)) {
    if constexpr (std::is_same_v<T, double>) blocks_ = fluid_blocks(bodies_);
  }
  const List<FluidBody<T>>& bodies() const { return bodies_; }  ///< entry 0 is ignored
  const List<FluidBlock>& blocks() const { return blocks_; }    ///< of `double`

  Vec3<T> velocity, acceleration;  ///< of the fluid, world axes [m/s, m/s²]

 private:
  List<FluidBody<T>> bodies_;
  List<FluidBlock> blocks_;
};

/// Calls f for every number, in a fixed order.
template <class T, class F>
[[gnu::always_inline]] inline void for_fluid_numbers(Vec3<T>& a, F&& f) {
  f(a.x), f(a.y), f(a.z);
}
template <class T, class F>
[[gnu::always_inline]] inline void for_fluid_numbers(Sym3<T>& a, F&& f) {
  f(a.xx), f(a.yy), f(a.zz), f(a.xy), f(a.xz), f(a.yz);
}
template <class T, class F>
[[gnu::always_inline]] inline void for_fluid_numbers(FluidMass<T>& body, F&& f) {
  Mat3<T>& H = body.added_mass.H;
  for_fluid_numbers(body.added_mass.I, f);
  f(H.xx), f(H.xy), f(H.xz), f(H.yx), f(H.yy), f(H.yz), f(H.zx), f(H.zy), f(H.zz);
  for_fluid_numbers(body.added_mass.M, f);
  f(body.displaced_mass);
  for_fluid_numbers(body.displaced_moment, f);
}
template <class T, class F>
[[gnu::always_inline]] inline void for_fluid_numbers(StripDrag<T>& s, F&& f) {
  for (Vec3<T>* v : {&s.start, &s.axis, &s.across, &s.across2}) for_fluid_numbers(*v, f);
  for (std::size_t k = 0; k < 4; ++k) f(s.place[k]), f(s.weight[k]);
  f(s.along);
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
template <class T>
[[gnu::always_inline]] inline Force<T> damping_force(const MarineDamping<T>& d,
                                                     const Motion<T>& v) {
  const Motion<T> own = apply_inverse(d.frame, v);
  const T nu[6] = {own.angular.x, own.angular.y, own.angular.z,
                   own.linear.x,  own.linear.y,  own.linear.z};
  T f[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};
  for (const auto& [i, j, linear, quadratic] : d.entries) {
    const T speed = select(nu[j] < T(0), -nu[j], nu[j]);
    f[i] -= (linear + quadratic * speed) * nu[j];
  }
  return d.frame * Force<T>{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

/// Buoyancy: g is gravity less the fluid's acceleration, in the body's frame.
template <class T>
[[gnu::always_inline]] inline Force<T> buoyancy(const FluidMass<T>& body, const Vec3<T>& g) {
  return {cross(g, body.displaced_moment), g * -body.displaced_mass};
}

/// Force of the fluid on a body beside that of added mass: v its velocity relative to the fluid, g
/// as in buoyancy(), in its frame. [McM] (6.22)-(6.35)
template <class T>
[[gnu::always_inline]] inline Force<T> fluid_force(const FluidBody<T>& body, const Motion<T>& v,
                                                   const Vec3<T>& g) {
  Force<T> f = buoyancy(body, g);
  for (const StripDrag<T>& strip : body.strips) f += drag_force(strip, v);
  for (const MarineDamping<T>& damping : body.dampings) f += damping_force(damping, v);
  return f;
}

}  // namespace limber
