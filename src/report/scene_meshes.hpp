#pragma once
// SceneMeshes: the meshes of a report. Each file is read once, meshes of the same content are one,
// and all together are thinned out to what a page can hold.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <limber/io/mesh_files.hpp>

namespace limber {

/// Triangles that a report draws of all meshes, and the size of their text [bytes].
constexpr std::size_t most_drawn_triangles = 200'000;
constexpr std::size_t most_mesh_text = 2'000'000;

class SceneMeshes {
 public:
  /// The file of the mesh that a robot file calls `name`, which has been read; none where it is not
  /// found or cannot be read, which is noted.
  std::optional<std::string> add(const std::string& name, const MeshSearch& search);
  /// One that no file has, by a name of its own.
  void add(const std::string& name, const Mesh& mesh);
  /// Its number in the list of to_json().
  std::size_t index(const std::string& file) const { return index_.at(file); }
  /// Edges of the box around it [m].
  Vec3<double> extent(const std::string& file) const;

  /// [{low, step, vertices, triangles}]: a vertex is low + step · (whole numbers from 0 to 65535),
  /// packed in 16 bits each, little endian, as base64 behind "u16:". Corners of triangles, as
  /// base64 behind "var:", are the numbers of vertices counted back from the first one that has not
  /// been used yet, in groups of seven bits, the lowest first, all but the last with the bit 128.
  nlohmann::ordered_json to_json();
  /// What was simplified, for people, after to_json(); else empty.
  std::string note() const;
  /// Notes something about a mesh, once.
  void warn(const std::string& text);
  /// Of meshes that are not drawn, each once, and what was noted.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Entry {
    Mesh mesh;
    std::size_t triangles = 0;  ///< of the file
    std::size_t hash = 0;       ///< of the content of the file
  };
  nlohmann::ordered_json encoded(std::size_t budget, std::size_t& bytes);
  std::size_t place_of(const Mesh& mesh);

  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> index_;  // by file
  std::map<std::string, std::string> refused_;
  std::vector<std::string> warnings_;
  std::size_t whole_ = 0, drawn_ = 0;  // triangles
};

/// Base64 of bytes, little endian.
std::string base64(const std::vector<unsigned char>& bytes);

}  // namespace limber
