// What is in mesh files, by Assimp (Collada apart). Only here are its headers included.
#include <array>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <set>

#include <assimp/BaseImporter.h>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/io/mesh_files.hpp>

#include "io/mesh_content.hpp"
#include "io/text_file.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

// the files that Assimp may see: the mesh itself, and for glTF what lies beside it
class MeshFiles final : public Assimp::IOSystem {
 public:
  MeshFiles(std::string_view content, const MeshLimits& limits, fs::path folder)
      : content_(content), limits_(limits), folder_(std::move(folder)) {}

  bool Exists(const char* name) const override { return name == main; }
  char getOsSeparator() const override { return '/'; }
  void Close(Assimp::IOStream* stream) override { delete stream; }
  Assimp::IOStream* Open(const char* name, const char*) override {
    if (name == main) return stream(content_);
    return open_beside(name);
  }

  std::string main;  // what Assimp calls the mesh: no path, but its extension

 private:
  static Assimp::IOStream* stream(std::string_view bytes) {
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                      bytes.size());
  }
  Assimp::IOStream* open_beside(const fs::path& name) {
    const fs::path path = name.lexically_normal();
    const bool is_beside = !path.is_absolute() && !path.empty() && *path.begin() != "..";
    if (folder_.empty() || !is_beside || path.extension() != ".bin") return nullptr;
    const fs::path file = folder_ / path;
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(file, missing);
    if (missing || !fs::is_regular_file(file)) return nullptr;
    total_ += size;
    if (total_ + content_.size() > limits_.bytes) return nullptr;
    beside_.push_back(read_text_file(file.string()));
    return stream(beside_.back());
  }

  std::string_view content_;
  const MeshLimits& limits_;
  fs::path folder_;
  std::uintmax_t total_ = 0;
  std::deque<std::string> beside_;  // what streams point to stays where it is
};

// readers of other formats are taken away: a file is what its extension says
void keep_one_format(Assimp::Importer& importer, const std::string& extension) {
  std::vector<Assimp::BaseImporter*> others;
  for (std::size_t k = 0; k < importer.GetImporterCount(); ++k) {
    std::string known = fmt::format(" {} ", importer.GetImporterInfo(k)->mFileExtensions);
    if (known.find(" " + extension + " ") == std::string::npos)
      others.push_back(importer.GetImporter(k));
  }
  for (Assimp::BaseImporter* other : others) {
    importer.UnregisterLoader(other);
    delete other;
  }
}

class SceneReader {
 public:
  SceneReader(const aiScene& scene, const std::string& file, const MeshLimits& limits)
      : scene_(scene), file_(file), limits_(limits) {}

  Mesh read() {
    std::vector<std::pair<const aiNode*, aiMatrix4x4>> open{{scene_.mRootNode, aiMatrix4x4()}};
    while (!open.empty()) {
      const auto [node, above] = open.back();
      open.pop_back();
      const aiMatrix4x4 pose = above * node->mTransformation;
      for (unsigned k = 0; k < node->mNumMeshes; ++k) add(*scene_.mMeshes[node->mMeshes[k]], pose);
      for (unsigned k = 0; k < node->mNumChildren; ++k) open.emplace_back(node->mChildren[k], pose);
    }
    if (mesh_.triangles.empty()) throw Error({file_, 0, ""}, "has no triangles");
    return std::move(mesh_);
  }

 private:
  void add(const aiMesh& part, const aiMatrix4x4& pose) {
    if (mesh_.triangles.size() + part.mNumFaces > limits_.triangles ||
        mesh_.vertices.size() + part.mNumVertices > 3 * limits_.triangles)
      throw Error({file_, 0, ""}, fmt::format("has more than {} triangles, which is the most that "
                                              "is read; simplify it",
                                              limits_.triangles));
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (unsigned k = 0; k < part.mNumVertices; ++k) {
      const aiVector3D p = pose * part.mVertices[k];
      const Vec3<double> place{p.x, p.y, p.z};
      if (!std::isfinite(norm(place)))
        throw Error({file_, 0, ""}, "has a vertex that is not finite");
      mesh_.vertices.push_back(place);
    }
    const bool is_mirrored = pose.Determinant() < 0;
    for (unsigned k = 0; k < part.mNumFaces; ++k) {
      const aiFace& face = part.mFaces[k];
      if (face.mNumIndices != 3) continue;  // points and lines
      Mesh::Triangle triangle{};
      for (unsigned j = 0; j < 3; ++j) {
        if (face.mIndices[j] >= part.mNumVertices)
          throw Error({file_, 0, ""}, "has a triangle whose vertex does not exist");
        triangle[is_mirrored ? 2 - j : j] = first + face.mIndices[j];
      }
      mesh_.triangles.push_back(triangle);
    }
  }

  const aiScene& scene_;
  const std::string& file_;
  const MeshLimits& limits_;
  Mesh mesh_;
};

std::string extension_of(const std::string& file) {
  std::string extension = fs::path(file).extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const std::set<std::string> known{".stl", ".obj", ".dae", ".gltf", ".glb"};
  if (!known.contains(extension))
    throw Error({file, 0, ""},
                fmt::format("is no mesh that is read: its name ends in '{}', known are .stl, .obj, "
                            ".dae, .gltf and .glb; convert it",
                            extension));
  return extension.substr(1);
}

Mesh read_by_assimp(std::string_view content, const std::string& extension, const std::string& file,
                    const fs::path& folder, const MeshLimits& limits) {
  expect_mesh_content(content, extension, file, limits);
  auto* files = new MeshFiles(content, limits, folder);
  files->main = "mesh." + extension;
  const std::string main = files->main;
  Assimp::Importer importer;
  importer.SetIOHandler(files);  // which owns it from now on
  keep_one_format(importer, extension);
  const aiScene* scene =
      importer.ReadFile(main, aiProcess_ValidateDataStructure | aiProcess_Triangulate);
  if (!scene || !scene->mRootNode)
    throw Error({file, 0, ""},
                fmt::format("cannot be read as {}: {}", extension, importer.GetErrorString()));
  Mesh mesh = SceneReader(*scene, file, limits).read();
  if (extension == "gltf" || extension == "glb")
    for (Vec3<double>& p : mesh.vertices) p = {p.x, -p.z, p.y};
  return mesh;
}

Mesh read_content(std::string_view content, const std::string& file, const fs::path& folder,
                  const MeshLimits& limits) {
  const std::string extension = extension_of(file);
  if (content.empty()) throw Error({file, 0, ""}, "is empty");
  if (content.size() > limits.bytes)
    throw Error({file, 0, ""}, fmt::format("has more than {} MB, which is the most that is read of "
                                           "a mesh; simplify it",
                                           limits.bytes / 1'000'000));
  const Mesh mesh =
      welded(extension == "dae" ? read_collada(content, file, limits)
                                : read_by_assimp(content, extension, file, folder, limits));
  if (mesh.triangles.empty()) throw Error({file, 0, ""}, "has no triangles with an area");
  return mesh;
}

}  // namespace

Mesh parse_mesh(std::string_view content, const std::string& file, const MeshLimits& limits) {
  return read_or_explain(file, [&] { return read_content(content, file, {}, limits); });
}

Mesh load_mesh(const std::string& file, const MeshLimits& limits) {
  return read_or_explain(file, [&] {
    extension_of(file);
    expect_file(file);
    std::error_code ignored;
    if (const std::uintmax_t size = fs::file_size(file, ignored); size > limits.bytes)
      throw Error({file, 0, ""},
                  fmt::format("has {} MB, the most that is read of a mesh is {}; simplify it",
                              size / 1'000'000, limits.bytes / 1'000'000));
    return read_content(read_text_file(file), file, fs::path(file).parent_path(), limits);
  });
}

}  // namespace limber
