#pragma once
// Mesh files: where a robot file's names of meshes lead, and what is in the files.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <limber/mesh/mesh.hpp>

namespace limber {

/// What is larger is refused.
struct MeshLimits {
  std::uintmax_t bytes = 200'000'000;  ///< of a file, and of all files that belong to it
  std::size_t triangles = 5'000'000;
};

/// Reads STL, OBJ, Collada (DAE) and glTF (with what it keeps in files beside it) by the extension
/// of the name, vertices welded. In metres and with the axes of robot files: STL and OBJ say
/// neither and are taken as they are; the unit of a Collada file counts, but not its `up_axis`, as
/// robot files are written for programs that pass over it; glTF is in metres, and its y becomes z.
/// Colours and textures are not read. Throws Error with the file's name.
Mesh load_mesh(const std::string& file, const MeshLimits& limits = {});

/// The same from the content of a file, which can name no others.
Mesh parse_mesh(std::string_view content, const std::string& file, const MeshLimits& limits = {});

/// Where the meshes of a robot are looked for.
struct MeshSearch {
  std::string robot_file;             ///< names are relative to its folder
  std::vector<std::string> folders;   ///< given by the user: --meshes
  std::vector<std::string> packages;  ///< folders of packages and models, of the variables below
};
/// With the folders that ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH and
/// GAZEBO_MODEL_PATH name.
MeshSearch mesh_search(const std::string& robot_file, const std::vector<std::string>& folders = {});

/// What a search has found.
struct FoundMesh {
  std::string file{};                   ///< empty: there is none
  std::vector<std::string> searched{};  ///< folders
  std::string reason{};  ///< why nothing was searched, e.g. for an address in the internet
};
/// The file of a mesh that a robot file calls `name`: package://PACKAGE/…, model://MODEL/…,
/// file://…, or a path. In this order, the first file wins:
/// - a path from the folder of the robot file, PACKAGE/… from there and from the folders above;
/// - PACKAGE/… in the packages;
/// - in each of the user's folders the longest ending of the name: `package://arm/meshes/a.stl` may
///   be `FOLDER/arm/meshes/a.stl`, `FOLDER/meshes/a.stl` or `FOLDER/a.stl`.
/// Nothing outside of these folders is found: a path may go up to the folder above that of the
/// robot file, or as far as its package (package.xml, model.config) reaches; nothing is fetched.
FoundMesh find_mesh(const std::string& name, const MeshSearch& search);

/// "not found; searched in …", for messages.
std::string describe(const FoundMesh& mesh);

}  // namespace limber
