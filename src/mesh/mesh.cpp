// Meshes: shared vertices, closed surfaces, and what is within.
#include <limber/mesh/mesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

namespace {

struct VertexHash {
  std::size_t operator()(const Vec3<double>& p) const {
    std::uint64_t bits[3];
    std::memcpy(bits, &p, sizeof bits);
    std::uint64_t hash = 0;
    for (const std::uint64_t one : bits) hash = (hash ^ one ^ (hash >> 29)) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 32);
  }
};
struct SameVertex {
  bool operator()(const Vec3<double>& a, const Vec3<double>& b) const {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

// −0 and 0 are one place
Vec3<double> without_negative_zero(const Vec3<double>& p) {
  return {p.x + 0.0, p.y + 0.0, p.z + 0.0};
}

// the middle of the box around the mesh, about which the least digits are lost
Vec3<double> middle_of(const Mesh& mesh) {
  if (mesh.vertices.empty()) return {};
  Vec3<double> low = mesh.vertices[0], high = low;
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  return (low + high) * 0.5;
}

}  // namespace

Mesh welded(const Mesh& mesh) {
  Mesh result;
  std::unordered_map<Vec3<double>, std::uint32_t, VertexHash, SameVertex> index;
  std::vector<std::uint32_t> place(mesh.vertices.size());
  std::vector<bool> is_used(mesh.vertices.size(), false);
  result.triangles.reserve(mesh.triangles.size());
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    Mesh::Triangle corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = triangle[k];
      if (!is_used[v]) {
        const Vec3<double> p = without_negative_zero(mesh.vertices[v]);
        const auto [found, is_new] =
            index.try_emplace(p, static_cast<std::uint32_t>(result.vertices.size()));
        if (is_new) result.vertices.push_back(p);
        place[v] = found->second;
        is_used[v] = true;
      }
      corners[k] = place[v];
    }
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      result.triangles.push_back(corners);
  }
  return result;
}

Mesh scaled(const Mesh& mesh, const Vec3<double>& factors) {
  Mesh result = mesh;
  for (Vec3<double>& p : result.vertices) p = {p.x * factors.x, p.y * factors.y, p.z * factors.z};
  if (factors.x * factors.y * factors.z < 0)
    for (Mesh::Triangle& triangle : result.triangles) std::swap(triangle[1], triangle[2]);
  return result;
}

std::string defect_of(const Mesh& mesh) {
  if (mesh.triangles.empty()) return "it has no triangles";
  // edges by their ends, the lower first; +1 for each way up, −1 for each way down
  std::unordered_map<std::uint64_t, int> balance;
  balance.reserve(mesh.triangles.size() * 2);
  for (const Mesh::Triangle& triangle : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t from = triangle[k], to = triangle[(k + 1) % 3];
      balance[from < to ? from << 32 | to : to << 32 | from] += from < to ? 1 : -1;
    }
  const auto uneven = std::count_if(balance.begin(), balance.end(),
                                    [](const auto& edge) { return edge.second != 0; });
  if (uneven > 0)
    return fmt::format(
        "it is not closed: {} of its {} edges do not have a triangle on each side, or have two "
        "that "
        "face different ways",
        uneven, balance.size());
  const double volume = volume_moments(mesh).m;
  if (volume < 0) return fmt::format("it is inside out: its volume is {:.4g}", volume);
  if (!(volume > 0) || !std::isfinite(volume)) return fmt::format("its volume is {}", volume);
  return "";
}

Inertia<double> volume_moments(const Mesh& mesh) {
  const Vec3<double> middle = middle_of(mesh);
  Inertia<double> sum;
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    const Vec3<double> a = mesh.vertices[triangle[0]] - middle,
                       b = mesh.vertices[triangle[1]] - middle,
                       c = mesh.vertices[triangle[2]] - middle, s = a + b + c;
    // the tetrahedron of the triangle and the middle, with the sign of the side it is seen from:
    // ∫ r dV = V s/4, ∫ r rᵀ dV = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
    const double volume = dot(a, cross(b, c)) / 6;
    sum.m += volume;
    sum.h = sum.h + s * (volume / 4);
    sum.J += (square(a) + square(b) + square(c) + square(s)) * (volume / 20);
  }
  return shifted(sum, middle);
}

Inertia<double> mass_of_mesh(const Mesh& mesh, double density) {
  if (const std::string defect = defect_of(mesh); !defect.empty())
    throw Error("the mesh has no mass: " + defect + "; close it, or give mass and inertia");
  const Inertia<double> moments = volume_moments(mesh);
  return {moments.m * density, moments.h * density, moments.J * density};
}

}  // namespace limber
