#include "io/mesh_content.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limber/error.hpp>

namespace limber {

namespace {

using MeshJson = nlohmann::json;

// copies of nodes that a scene may have
constexpr std::size_t most_scene_nodes = 100'000;
constexpr int deepest_scene = 100;

[[noreturn]] void refuse_mesh(const std::string& file, const std::string& why) {
  throw Error({file, 0, ""}, why);
}

// the JSON of a glTF file; of a binary one its first chunk
std::string_view gltf_text(std::string_view content, const std::string& file) {
  if (!content.starts_with("glTF")) return content;
  std::uint32_t length = 0;
  if (content.size() < 20) refuse_mesh(file, "ends within its header");
  std::memcpy(&length, content.data() + 12, 4);
  if (length > content.size() - 20) refuse_mesh(file, "ends within its first chunk");
  return content.substr(20, length);
}

std::size_t whole_number(const MeshJson& entry) {
  return entry.is_number_unsigned() ? entry.get<std::size_t>() : static_cast<std::size_t>(-1);
}

const MeshJson& list_of(const MeshJson& object, const char* key) {
  static const MeshJson none = MeshJson::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : none;
}

// nodes form trees: a node that is the child of two, or of itself, would be copied without end
void expect_tree(const MeshJson& nodes, const std::string& file) {
  std::vector<std::size_t> parent(nodes.size(), nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const MeshJson& entry : list_of(nodes[n], "children")) {
      const std::size_t child = whole_number(entry);
      if (child >= nodes.size()) refuse_mesh(file, "a node has a child that does not exist");
      if (parent[child] != nodes.size())
        refuse_mesh(file, fmt::format("node {} is the child of two nodes", child));
      parent[child] = n;
    }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    int depth = 0;
    for (std::size_t up = n; parent[up] != nodes.size(); up = parent[up])
      if (++depth > deepest_scene)
        refuse_mesh(file, fmt::format("its nodes are more than {} deep, or a node is within itself",
                                      deepest_scene));
  }
}

void expect_gltf(std::string_view content, const std::string& file, const MeshLimits& limits) {
  const MeshJson json = MeshJson::parse(gltf_text(content, file), nullptr, false);
  if (!json.is_object()) refuse_mesh(file, "is no glTF: its JSON cannot be read");
  const MeshJson& nodes = list_of(json, "nodes");
  if (nodes.size() > most_scene_nodes)
    refuse_mesh(file, fmt::format("has more than {} nodes", most_scene_nodes));
  expect_tree(nodes, file);
  for (const MeshJson& scene : list_of(json, "scenes")) {
    std::vector<std::size_t> roots;
    for (const MeshJson& root : list_of(scene, "nodes")) roots.push_back(whole_number(root));
    std::sort(roots.begin(), roots.end());
    if (std::adjacent_find(roots.begin(), roots.end()) != roots.end())
      refuse_mesh(file, "a scene lists a node twice");
    if (!roots.empty() && roots.back() >= nodes.size())
      refuse_mesh(file, "a scene lists a node that does not exist");
  }
  // numbers that accessors claim, which need memory even if the file does not have them
  std::size_t numbers = 0;
  const std::size_t most = 3 * limits.triangles;
  for (const MeshJson& accessor : list_of(json, "accessors")) {
    if (!accessor.is_object()) refuse_mesh(file, "an accessor is no object");
    const auto count = accessor.find("count");
    const std::size_t claimed = count == accessor.end() ? most + 1 : whole_number(*count);
    if (claimed > most || numbers + claimed > 4 * most)
      refuse_mesh(
          file,
          fmt::format("its accessors claim more than {} entries, or no number of them", most));
    numbers += claimed;
  }
}

}  // namespace

void expect_mesh_content(std::string_view content, const std::string& extension,
                         const std::string& file, const MeshLimits& limits) {
  if (extension == "gltf" || extension == "glb") expect_gltf(content, file, limits);
}

}  // namespace limber
