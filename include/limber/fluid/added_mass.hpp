#pragma once
// Added mass: the inertia of the ideal, unbounded fluid that a body must move, from its shape.
//
// All functions return a symmetric matrix in the form of Loads::body_inertia, about the centre of
// the shape and in its axes, unless they say otherwise; `X * matrix` gives it in another frame
// (X: pose of the shape in that frame). density: of the fluid [kg/m³].
#include <array>
#include <string>
#include <vector>

#include <limber/mesh/mesh.hpp>
#include <limber/model/spec.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

/// Ellipsoid with semi-axes along x, y, z [m]: exact (Lamb, Hydrodynamics, §114 and §115), with
/// Carlson's integrals. Also spheroids and spheres: a sphere's is half of the displaced mass.
ArticulatedInertia<double> ellipsoid_added_mass(const Vec3<double>& semi_axes, double density);
/// The integrals κ of an ellipsoid, κ_x + κ_y + κ_z = 2: m_x = ρ V κ_x / (2 − κ_x).
Vec3<double> ellipsoid_integrals(const Vec3<double>& semi_axes);

/// How a cylinder ends, for its added mass.
enum class CylinderEnds {
  open,  ///< strips alone: nothing along and about the axis
  flat,  ///< each end is half of a disc: 8/3 ρ r³ along the axis, 16/45 ρ r⁵ about the others
  round  ///< a hemisphere beyond each end; exact for length 0, a sphere
};
/// Circular cylinder of this length along z, by strips: ρ π r² per length across the axis.
/// Fluid also flows around the ends: for a length of 15 r flat ends are 9 % too high across the
/// axis, 28 % about it and 40 % too low along it, round ends 4 %, 14 % and 22 %; where that counts,
/// take mesh_added_mass().
ArticulatedInertia<double> cylinder_added_mass(double radius, double length, CylinderEnds ends,
                                               double density);

/// Box with these edges along x, y, z [m], by a table of panel solutions: masses within 0.5 %,
/// moments within 4 %. Throws Error for ratios of edges beyond 8: take mesh_added_mass() for these.
ArticulatedInertia<double> box_added_mass(const Vec3<double>& edges, double density);

/// By the function for its kind, in the frame of its body; boxes beyond the table by panels. Throws
/// Error for planes, height fields, meshes and sizes that are not positive.
ArticulatedInertia<double> added_mass_of(const ShapeSpec& shape, double density);

/// How many panels mesh_added_mass() works with.
struct PanelSettings {
  int panels = 1000;  ///< triangles are cut in two, the longest first, until there are so many
  int most = 6000;    ///< more are refused: memory grows with the square
};
/// Result of mesh_added_mass().
struct PanelAddedMass {
  ArticulatedInertia<double> inertia;  ///< about the origin and in the axes of the mesh
  double asymmetry = 0;  ///< of the matrix before its symmetric part was taken, in parts of it; far
                         ///< below the error of the panels, so a large one says that they are bad
  int panels = 0;
};
/// Any closed mesh, by potential flow: constant panels, Green's third identity at their centres,
/// (1/2 + K) φ = −S ∂φ/∂n for six unit motions, inertia = −ρ ∫ φ ∂φ/∂n dA. The error falls with the
/// square of the size of the panels on smooth bodies, more slowly at edges: with 1000 panels masses
/// are within 1 % on an ellipsoid and 6 % on boxes. Throws Error if the mesh is not closed.
PanelAddedMass mesh_added_mass(const Mesh& mesh, double density,
                               const PanelSettings& settings = {});

/// The symmetric part of a matrix, as an inertia; `warnings` gets a line if the matrix is not
/// symmetric to 1e-6 of its size, or has a negative eigenvalue: such a fluid gives energy away.
/// name: of the body, for messages.
ArticulatedInertia<double> added_mass_from(const MarineMatrix& matrix, const std::string& name,
                                           std::vector<std::string>& warnings);
/// The same matrix in the order of marine craft.
MarineMatrix marine_matrix(const ArticulatedInertia<double>& inertia);
/// Its eigenvalues, rising; lengths count as metres.
std::array<double, 6> eigenvalues(const ArticulatedInertia<double>& inertia);

}  // namespace limber
