#pragma once
// FluidLoad: a fluid around all bodies that moves alike everywhere, as numbers of the bodies:
// Loads::fluid. The algorithms carry velocities relative to it from body to body, so a fluid that
// moves costs no more than one at rest. [McM] tables 13 to 15. fluid/submerged.hpp makes it.
#include <array>

#include <limber/dynamics/fluid_drag.hpp>
#include <limber/model/tree_matrix.hpp>
#include <limber/spatial/articulated.hpp>

namespace limber {

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
  List<PatchDrag<T>> patches;
  List<SkinFriction<T>> skins;
  List<SphereDrag<T>> spheres;
  List<FoilLift<T>> foils;
  bool has_others = false;  ///< than strips; FluidLoad sets it

  /// Calls f for each of these others.
  template <class F>
  [[gnu::always_inline]] void for_others(F&& f) const {
    for (const auto& piece : dampings) f(piece);
    for (const auto& piece : patches) f(piece);
    for (const auto& piece : skins) f(piece);
    for (const auto& piece : spheres) f(piece);
    for (const auto& piece : foils) f(piece);
  }
};

/// Bodies side by side, for recursions that compute what the fluid does to them in lanes.
struct FluidBlock {
  static constexpr int width = 8;
  int count = 0;                  ///< of bodies
  std::array<int, width> body{};  ///< of each lane; lanes without one repeat the last
  int strips = 0;                 ///< the most that a body of the block has
  List<int> others;               ///< bodies that have other drag, too
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
    for (FluidBody<T>& body : bodies_)
      body.for_others([&](const auto&) { body.has_others = true; });
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

/// Buoyancy of a displaced mass with this first moment: g is gravity less the fluid's acceleration,
/// in the same axes.
template <class T>
[[gnu::always_inline]] inline Force<T> buoyancy(const T& mass, const Vec3<T>& moment,
                                                const Vec3<T>& g) {
  return {cross(g, moment), g * -mass};
}
template <class T>
[[gnu::always_inline]] inline Force<T> buoyancy(const FluidMass<T>& body, const Vec3<T>& g) {
  return buoyancy(body.displaced_mass, body.displaced_moment, g);
}

}  // namespace limber
