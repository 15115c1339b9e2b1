#pragma once
// How much fluid a body displaces, and where its buoyancy acts: whole bodies, and the wet part of a
// body that a plane cuts.
#include <limber/mesh/mesh.hpp>
#include <limber/model/spec.hpp>
#include <limber/spatial/vector.hpp>

namespace limber {

/// Displaced volume and centre of buoyancy.
struct Displacement {
  double volume = 0;    ///< [m³]
  Vec3<double> center;  ///< of buoyancy; the origin if the volume is zero [m]
};

/// Of both together.
Displacement operator+(const Displacement& a, const Displacement& b);

/// Of a box, sphere, cylinder, capsule or ellipsoid, in the frame of its body. Throws Error for
/// other kinds (a mesh: load_mesh() and the function below) and for sizes that are not positive.
Displacement displacement_of(const ShapeSpec& shape);
/// Of what a closed mesh encloses. Throws Error if it is not closed.
Displacement displacement_of(const Mesh& mesh);

/// A plane: the points r with normal · r = offset. The fluid is where normal · r is less.
struct SurfacePlane {
  Vec3<double> normal{0, 0, 1};  ///< unit vector, out of the fluid
  double offset = 0;             ///< [m]
};

/// The part of a closed mesh below the plane, exact but for rounding: tetrahedra of the cut
/// triangles and a point of the plane, so that the lid in the plane adds nothing. The mesh is not
/// checked.
Displacement wet_part(const Mesh& mesh, const SurfacePlane& surface);
/// The part of a sphere below the plane.
Displacement wet_part_of_sphere(const Vec3<double>& center, double radius,
                                const SurfacePlane& surface);

/// How the wet volume changes as the body moves below a plane that rests: the rate is the product
/// with the body's velocity in the same frame (the wet surface's area, and its moment about the
/// origin). [m³, m²]
Force<double> wet_volume_gradient(const Mesh& mesh, const SurfacePlane& surface);
/// The same for a sphere.
Force<double> wet_volume_gradient_of_sphere(const Vec3<double>& center, double radius,
                                            const SurfacePlane& surface);

/// The surface of a box, sphere, cylinder, capsule or ellipsoid as a closed mesh with its corners
/// on the surface, in the frame of its body. `around`: corners on a circle; a box has eight
/// corners. Throws Error as displacement_of().
Mesh surface_of(const ShapeSpec& shape, int around = 32);

}  // namespace limber
