#pragma once
// Bias forces of all bodies in a fluid, a block of them (FluidBlock) at a time, as many at once as
// a register holds. Spatial accelerations, of a frame that moves with the fluid.
#include <utility>

#include <limber/scalar/pack.hpp>

#include "dynamics/added_inertia.hpp"
#include "dynamics/lanes.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Some lanes of a block.
struct FluidLanes {
  using P = Pack<double, lane_count<double>>;

  const double* numbers;
  const int* body;  // of each lane

  /// The next numbers of the block.
  template <class Numbers>
  [[gnu::always_inline]] Numbers next() {
    Numbers r;
    for_fluid_numbers(
        r, [&](P & x) __attribute__((always_inline)) {
          x = P::load(numbers);
          numbers += FluidBlock::width;
        });
    return r;
  }
  template <class Get>
  [[gnu::always_inline]] P gather(Get get) const {
    // as one expression: numbers that are stored one by one cannot be loaded together at once
    return [&]<int... L>(std::integer_sequence<int, L...>) __attribute__((always_inline)) {
      return P(typename P::Storage{get(body[L])...});
    }
    (std::make_integer_sequence<int, P::lanes>{});
  }
  template <class Get>
  [[gnu::always_inline]] Vec3<P> gather3(Get get) const {
    return {gather([&](int i) { return get(i).x; }), gather([&](int i) { return get(i).y; }),
            gather([&](int i) { return get(i).z; })};
  }
  template <class Get>
  [[gnu::always_inline]] Sym3<P> gather_symmetric(Get get) const {
    return {gather([&](int i) { return get(i).xx; }), gather([&](int i) { return get(i).yy; }),
            gather([&](int i) { return get(i).zz; }), gather([&](int i) { return get(i).xy; }),
            gather([&](int i) { return get(i).xz; }), gather([&](int i) { return get(i).yz; })};
  }
};

/// p = bias force of inertia and added mass, less buoyancy and drag of strips, of `count` bodies.
[[gnu::always_inline]] inline void set_bias_of_lanes(const Model& m, FluidLanes lanes, int strips,
                                                     int count, Workspace& ws) {
  using P = FluidLanes::P;
  const List<Inertia<double>>& own = m.inertia;
  const Motion<P> v{lanes.gather3([&](int i) -> auto& { return ws.load_v[i].angular; }),
                    lanes.gather3([&](int i) -> auto& { return ws.load_v[i].linear; })};
  const Vec3<P> g = lanes.gather3([&](int i) -> auto& { return ws.load_g[i]; });
  const Inertia<P> I{lanes.gather([&](int i) { return own[i].m; }),
                     lanes.gather3([&](int i) -> auto& { return own[i].h; }),
                     lanes.gather_symmetric([&](int i) -> auto& { return own[i].J; })};
  const auto mass = lanes.next<FluidMass<P>>();
  const ArticulatedInertia<P>& B = mass.added_mass;
  Force<P> p = cross(v, (B + I) * v) + Force<P>{B.H * g, B.M * g};
  p -= buoyancy(mass, g);
  for (int k = 0; k < strips; ++k) p -= drag_force(lanes.next<StripDrag<P>>(), v);
  for (int l = 0; l < count; ++l)
    ws.p[lanes.body[l]] = {{p.angular.x[l], p.angular.y[l], p.angular.z[l]},
                           {p.linear.x[l], p.linear.y[l], p.linear.z[l]}};
}

/// The same of all bodies, with the drag that few bodies have.
inline void set_fluid_bias(const Model& m, const FluidLoad<double>& fluid, Workspace& ws) {
  constexpr int at_once = FluidLanes::P::lanes;
  for (const FluidBlock& block : fluid.blocks()) {
    for (int l = 0; l < block.count; l += at_once)
      set_bias_of_lanes(m, {block.numbers.data() + l, block.body.data() + l}, block.strips,
                        std::min(at_once, block.count - l), ws);
    for (const int i : block.others) ws.p[i] -= other_drag(fluid.bodies()[i], ws.load_v[i]);
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
