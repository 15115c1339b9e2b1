#pragma once
// What is checked of a mesh file before its reader sees it.
#include <string>
#include <string_view>

#include <limber/io/mesh_files.hpp>

namespace limber {

/// Throws Error for files that are small and stand for much: glTF and Collada files whose parts
/// repeat each other (2ⁿ copies of a node), or claim more numbers than they have. `extension`:
/// stl, obj, dae, gltf or glb.
void expect_mesh_content(std::string_view content, const std::string& extension,
                         const std::string& file, const MeshLimits& limits);

}  // namespace limber
