// libFuzzer target: any bytes are either a mesh or an Error, never anything else. The first byte
// says which format they are read as.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <limber/error.hpp>
#include <limber/io/mesh_files.hpp>

#include "support/assimp_leaks.hpp"

namespace {

constexpr const char* files[] = {"fuzz.stl", "fuzz.obj", "fuzz.dae", "fuzz.gltf", "fuzz.glb"};

// what is done with a mesh
void use(const limber::Mesh& mesh) {
  for (const limber::Mesh::Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= mesh.vertices.size()) std::abort();
  try {
    limber::mass_of_mesh(mesh);
  } catch (const limber::Error&) {
    // open ones have none
  }
  const limber::Mesh small = limber::simplified(mesh, 8);
  if (small.triangles.size() > 8 || small.triangles.empty()) std::abort();
  try {
    if (!limber::convex_hull(mesh.vertices).triangles.empty()) return;
    std::abort();
  } catch (const limber::Error&) {
    // flat ones have none
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view content(reinterpret_cast<const char*>(data + 1), size - 1);
  limber::MeshLimits limits;
  limits.triangles = 10'000;
  try {
    use(limber::parse_mesh(content, files[data[0] % std::size(files)], limits));
  } catch (const limber::Error&) {
    // a refusal is an answer
  }
  return 0;
}
