#pragma once
// What a fluid does to one body (Loads::fluid) beside added mass.
#include <limber/dynamics/fluid_load.hpp>

#include "scalar/registers.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Damping matrices, surfaces and foils. Out of line: few bodies have them, and the recursions stay
/// short.
template <class T>
[[gnu::noinline]] Force<T> other_drag(const FluidBody<T>& body, const Motion<T>& v) {
  Force<T> f;
  body.for_others([&](const auto& piece)
                      __attribute__((always_inline)) { f += drag_force(piece, v); });
  return f;
}

/// Force of the fluid on a body beside that of added mass: v its velocity relative to the fluid, g
/// as in buoyancy(), in its frame. [McM] (6.22)-(6.35)
template <class T>
[[gnu::always_inline]] inline Force<T> fluid_force(const FluidBody<T>& body, const Motion<T>& v,
                                                   const Vec3<T>& g) {
  Force<T> f = buoyancy(body, g);
  for (const StripDrag<T>& strip : body.strips) f += drag_force(strip, v);
  if (body.has_others) f += other_drag(body, v);
  return f;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
