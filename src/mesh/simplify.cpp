// Fewer triangles, by meshoptimizer.
#include <limber/mesh/mesh.hpp>

#include <algorithm>

#include <meshoptimizer.h>

namespace limber {

namespace {

Mesh with_triangles(const Mesh& mesh, const std::vector<unsigned>& indices) {
  Mesh result{mesh.vertices, {}};
  for (std::size_t k = 0; k < indices.size(); k += 3)
    result.triangles.push_back({indices[k], indices[k + 1], indices[k + 2]});
  return welded(result);
}

std::vector<unsigned> indices_of(const Mesh& mesh) {
  std::vector<unsigned> indices;
  indices.reserve(3 * mesh.triangles.size());
  for (const Mesh::Triangle& triangle : mesh.triangles)
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  return indices;
}

}  // namespace

Mesh ordered(const Mesh& mesh) {
  const std::vector<unsigned> indices = indices_of(mesh);
  std::vector<unsigned> together(indices.size());
  meshopt_optimizeVertexCache(together.data(), indices.data(), indices.size(),
                              mesh.vertices.size());
  return with_triangles(mesh, together);
}

Mesh simplified(const Mesh& mesh, std::size_t most_triangles) {
  if (mesh.triangles.size() <= most_triangles || mesh.vertices.empty()) return mesh;
  // meshoptimizer computes in single precision: about a corner of the mesh, in units of its extent
  Vec3<double> low = mesh.vertices[0];
  double extent = 0;
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]);
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) extent = std::max(extent, p[k] - low[k]);
  std::vector<float> places;
  places.reserve(3 * mesh.vertices.size());
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k)
      places.push_back(extent > 0 ? static_cast<float>((p[k] - low[k]) / extent) : 0.0F);
  const std::vector<unsigned> indices = indices_of(mesh);
  constexpr std::size_t stride = 3 * sizeof(float);
  constexpr float any_error = 1;
  std::vector<unsigned> fewer(indices.size());
  std::size_t count =
      meshopt_simplify(fewer.data(), indices.data(), indices.size(), places.data(),
                       mesh.vertices.size(), stride, 3 * most_triangles, any_error, 0, nullptr);
  // it keeps the borders of open surfaces; what cannot be thinned out so is gathered in cells
  if (count > 3 * most_triangles)
    count = meshopt_simplifySloppy(fewer.data(), indices.data(), indices.size(), places.data(),
                                   mesh.vertices.size(), stride, 3 * most_triangles, any_error,
                                   nullptr);
  // nothing may be left of scattered triangles
  if (count == 0) fewer = indices;
  fewer.resize(std::min(count == 0 ? indices.size() : count, 3 * most_triangles));
  return with_triangles(mesh, fewer);
}

}  // namespace limber
