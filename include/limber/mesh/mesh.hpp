#pragma once
// Meshes: surfaces of triangles, what they weigh, their convex hulls, and how they are thinned out.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <limber/spatial/inertia.hpp>

namespace limber {

/// Triangles over shared vertices. Seen from outside, the vertices of a triangle run
/// counter-clockwise.
struct Mesh {
  using Triangle = std::array<std::uint32_t, 3>;
  std::vector<Vec3<double>> vertices;  ///< [m]
  std::vector<Triangle> triangles;     ///< places in `vertices`
};

/// Makes vertices of exactly the same place one, and leaves out vertices that no triangle uses and
/// triangles that have lost a corner. Formats without shared vertices (STL) need it.
Mesh welded(const Mesh& mesh);

/// The same surface with every vertex multiplied by `factors`; a mirrored one is turned inside out
/// again.
Mesh scaled(const Mesh& mesh, const Vec3<double>& factors);

/// Why the surface encloses no volume; empty if it does. It encloses one if every edge is passed by
/// triangles as often in one direction as in the other, and if the volume within is positive.
std::string defect_of(const Mesh& mesh);

/// Volume, first and second moment of what the surface encloses: the inertia of a body of density
/// 1, about the origin. By the divergence theorem, exact but for rounding. The mesh is not checked:
/// the numbers mean something only if defect_of() finds nothing.
Inertia<double> volume_moments(const Mesh& mesh);

/// The inertia of a homogeneous body of this surface, about the origin and in the axes of the mesh.
/// Throws Error if the surface encloses no volume.
Inertia<double> mass_of_mesh(const Mesh& mesh, double density = 1000);

/// The convex hull of points: a closed mesh of some of them, exact but for 1e-9 of their extent.
/// Throws Error if all of them lie in one plane, to 1e-9 of their extent.
Mesh convex_hull(const std::vector<Vec3<double>>& points);

/// A mesh of at most `most_triangles` that looks much the same; the mesh itself if it has no more.
/// The shape of small parts is given up before their number. What is left need not be closed.
Mesh simplified(const Mesh& mesh, std::size_t most_triangles);

/// The same mesh with triangles that share vertices one after the other, and vertices in the order
/// of their first use: quick to draw, and short to write. Welded.
Mesh ordered(const Mesh& mesh);

}  // namespace limber
