#pragma once
// What is checked of a mesh file before Assimp sees it, and what is read without Assimp.
#include <string>
#include <string_view>

#include <limber/io/mesh_files.hpp>

namespace limber {

/// Throws Error for files that are small and stand for much: glTF files whose nodes repeat each
/// other (2ⁿ copies), or that claim more numbers than the limits allow. `extension`: stl, obj, gltf
/// or glb.
void expect_mesh_content(std::string_view content, const std::string& extension,
                         const std::string& file, const MeshLimits& limits);

/// The triangles of a Collada file in its unit, vertices not welded. Throws Error.
Mesh read_collada(std::string_view content, const std::string& file, const MeshLimits& limits);

}  // namespace limber
