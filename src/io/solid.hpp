#pragma once
// The inertia of homogeneous solids, for robot files that give a density instead of an inertia.
#include <array>

#include <limber/model/spec.hpp>

namespace limber {

/// [m³], of a sphere, capsule, cylinder, ellipsoid or box with these half sizes: radius; radius and
/// half of the length (without the half balls of a capsule); semi-axes; half edges. 0 of other
/// kinds.
double solid_volume(ShapeSpec::Kind kind, const std::array<double, 3>& half);

/// The diagonal of ∫ r rᵀ dm about the centre, of mass 1 [m²].
Vec3<double> solid_moments(ShapeSpec::Kind kind, const std::array<double, 3>& half);

/// Of a shape at its placement, about the origin of its body. Zero for other kinds.
Inertia<double> solid_inertia(const ShapeSpec& shape, double density);

}  // namespace limber
