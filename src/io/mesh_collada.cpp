// Collada files (.dae): the triangles of the scene. Read here and not by Assimp, whose reader of
// this format trusts the counts that a file gives.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include <fmt/format.h>
#include <tinyxml2.h>

#include <limber/error.hpp>
#include <limber/math/quat.hpp>
#include <limber/spatial/transform.hpp>

#include "io/mesh_content.hpp"
#include "io/text_file.hpp"

namespace limber {

namespace {

using Xml = tinyxml2::XMLElement;
using Affine = Transform<double>;  // R is any matrix

constexpr std::size_t most_nodes = 100'000;
constexpr int deepest_node = 100;
constexpr double degree = 0.017453292519943295;

bool has_tag(const Xml& element, const char* tag) { return std::strcmp(element.Name(), tag) == 0; }

class ColladaReader {
 public:
  ColladaReader(const Xml& root, const std::string& file, const MeshLimits& limits)
      : root_(root), file_(file), limits_(limits) {}

  Mesh read() {
    gather(root_);
    const Affine unit{Mat3<double>::identity() * unit_length(), {}};
    if (const Xml* scene = visual_scene()) add_nodes(*scene, unit, 0);
    if (mesh_.triangles.empty()) throw Error({file_, 0, ""}, "has no triangles in its scene");
    return std::move(mesh_);
  }

 private:
  Error wrong(const Xml& element, const std::string& text) const {
    return Error({file_, element.GetLineNum(), ""}, fmt::format("<{}> {}", element.Name(), text));
  }
  template <class Use>
  static void each(const Xml& parent, const char* tag, const Use& use) {
    for (const Xml* child = parent.FirstChildElement(tag); child;
         child = child->NextSiblingElement(tag))
      use(*child);
  }

  void gather(const Xml& element) {
    if (const char* id = element.Attribute("id")) ids_.emplace(id, &element);
    for (const Xml* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
      gather(*child);  // tinyxml2 bounds the depth
  }
  // what an attribute like url="#name" points to
  const Xml& target(const Xml& element, const char* attribute, const char* tag) const {
    const char* value = element.Attribute(attribute);
    const std::string id = value && value[0] == '#' ? value + 1 : value ? value : "";
    const auto found = ids_.find(id);
    if (found == ids_.end() || !has_tag(*found->second, tag))
      throw wrong(element, fmt::format("{}=\"{}\" is no <{}> of this file", attribute, id, tag));
    return *found->second;
  }
  const Xml* visual_scene() const {
    const Xml* scene = root_.FirstChildElement("scene");
    const Xml* instance = scene ? scene->FirstChildElement("instance_visual_scene") : nullptr;
    if (instance) return &target(*instance, "url", "visual_scene");
    const Xml* library = root_.FirstChildElement("library_visual_scenes");
    return library ? library->FirstChildElement("visual_scene") : nullptr;
  }
  double unit_length() const {
    const Xml* asset = root_.FirstChildElement("asset");
    const Xml* unit = asset ? asset->FirstChildElement("unit") : nullptr;
    if (!unit || !unit->Attribute("meter")) return 1;
    const std::vector<double> meter = numbers<double>(*unit, unit->Attribute("meter"));
    if (meter.size() != 1 || !(meter[0] > 0))
      throw wrong(*unit, "needs a positive length in metres");
    return meter[0];
  }

  static std::string text_of(const Xml& element) {
    std::string text;
    for (const tinyxml2::XMLNode* child = element.FirstChild(); child; child = child->NextSibling())
      if (const tinyxml2::XMLText* part = child->ToText()) text += part->Value();
    return text;
  }
  template <class T>
  std::vector<T> numbers(const Xml& element, const std::string& text) const {
    std::vector<T> values;
    const char *at = text.data(), *const end = at + text.size();
    for (;;) {
      while (at != end && std::strchr(" \t\r\n+", *at)) ++at;
      if (at == end) return values;
      T value{};
      const auto [rest, error] = std::from_chars(at, end, value);
      if (rest == at || error != std::errc{} || (rest != end && !std::strchr(" \t\r\n", *rest)))
        throw wrong(element, fmt::format("holds '{:.20}', which is no number",
                                         std::string_view(at, static_cast<std::size_t>(end - at))));
      values.push_back(value);
      at = rest;
    }
  }
  std::vector<double> numbers_of(const Xml& element, std::size_t count) const {
    std::vector<double> values = numbers<double>(element, text_of(element));
    if (values.size() != count)
      throw wrong(element, fmt::format("has {} numbers, {} expected", values.size(), count));
    return values;
  }
  std::size_t whole(const Xml& element, const char* name, std::size_t fallback) const {
    const char* text = element.Attribute(name);
    if (!text) return fallback;
    const std::vector<std::uint32_t> value = numbers<std::uint32_t>(element, text);
    if (value.size() != 1) throw wrong(element, fmt::format("{} is no whole number", name));
    return value[0];
  }

  // --- the tree of nodes ---

  void add_nodes(const Xml& parent, const Affine& pose, int depth) {
    each(parent, "node", [&](const Xml& node) { add_node(node, pose, depth + 1); });
  }
  void add_node(const Xml& node, const Affine& above, int depth) {
    if (++nodes_ > most_nodes || depth > deepest_node)
      throw wrong(node, fmt::format("repeats others: more than {} nodes, or {} deep", most_nodes,
                                    deepest_node));
    Affine pose = above;
    for (const Xml* child = node.FirstChildElement(); child; child = child->NextSiblingElement())
      pose = pose * transform_of(*child);
    each(node, "instance_geometry",
         [&](const Xml& one) { add(geometry(target(one, "url", "geometry")), pose, one); });
    each(node, "instance_controller", [&](const Xml& one) {
      const Xml* skin = target(one, "url", "controller").FirstChildElement("skin");
      if (skin) add(geometry(target(*skin, "source", "geometry")), pose, one);
    });
    each(node, "instance_node",
         [&](const Xml& one) { add_node(target(one, "url", "node"), pose, depth + 1); });
    add_nodes(node, pose, depth);
  }
  Affine transform_of(const Xml& element) const {
    if (has_tag(element, "matrix")) {
      const std::vector<double> m = numbers_of(element, 16);
      return {{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, {m[3], m[7], m[11]}};
    }
    if (has_tag(element, "translate")) {
      const std::vector<double> p = numbers_of(element, 3);
      return Affine::translation({p[0], p[1], p[2]});
    }
    if (has_tag(element, "scale")) {
      const std::vector<double> s = numbers_of(element, 3);
      return {{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}, {}};
    }
    if (has_tag(element, "rotate")) {
      const std::vector<double> r = numbers_of(element, 4);
      const Vec3<double> axis{r[0], r[1], r[2]};
      if (!(norm(axis) > 0)) return {};
      return Affine::rotation(rotation(axis / norm(axis), r[3] * degree));
    }
    if (has_tag(element, "lookat") || has_tag(element, "skew"))
      throw wrong(element, "is not read; write it as <matrix>");
    return {};
  }
  void add(const Mesh& part, const Affine& pose, const Xml& instance) {
    if (mesh_.triangles.size() + part.triangles.size() > limits_.triangles ||
        mesh_.vertices.size() + part.vertices.size() > 3 * limits_.triangles)
      throw Error({file_, instance.GetLineNum(), ""},
                  fmt::format("has more than {} triangles, which is the most that is read; "
                              "simplify it",
                              limits_.triangles));
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (const Vec3<double>& p : part.vertices) {
      mesh_.vertices.push_back(transform_point(pose, p));
      if (!std::isfinite(norm(mesh_.vertices.back())))
        throw Error({file_, instance.GetLineNum(), ""}, "has a vertex that is not finite");
    }
    const bool is_mirrored = determinant(pose.R) < 0;
    for (Mesh::Triangle triangle : part.triangles) {
      for (std::uint32_t& corner : triangle) corner += first;
      if (is_mirrored) std::swap(triangle[1], triangle[2]);
      mesh_.triangles.push_back(triangle);
    }
  }

  // --- one geometry ---

  // where the positions of a source begin among the vertices, and how many they are
  using Placed = std::map<const Xml*, std::pair<std::uint32_t, std::size_t>>;

  const Mesh& geometry(const Xml& element) {
    const auto [found, is_new] = geometries_.try_emplace(&element);
    if (!is_new) return found->second;
    const Xml* mesh = element.FirstChildElement("mesh");
    if (!mesh) return found->second;
    Placed placed;
    for (const Xml* list = mesh->FirstChildElement(); list; list = list->NextSiblingElement())
      for (const char* tag : {"triangles", "polylist", "polygons", "tristrips", "trifans"})
        if (has_tag(*list, tag)) add_list(*list, found->second, placed);
    return found->second;
  }
  // a list of polygons over the positions that its input VERTEX leads to
  void add_list(const Xml& list, Mesh& mesh, Placed& placed) const {
    std::size_t stride = 0, offset = 0;
    const Xml* positions = nullptr;
    each(list, "input", [&](const Xml& input) {
      const std::size_t at = whole(input, "offset", 0);
      stride = std::max(stride, at + 1);
      const char* semantic = input.Attribute("semantic");
      if (!semantic || std::strcmp(semantic, "VERTEX") != 0) return;
      offset = at;
      each(target(input, "source", "vertices"), "input", [&](const Xml& one) {
        const char* what = one.Attribute("semantic");
        if (what && std::strcmp(what, "POSITION") == 0)
          positions = &target(one, "source", "source");
      });
    });
    if (!positions) throw wrong(list, "has no positions of its vertices");
    // lists share the positions of a source
    const auto [place, is_new] =
        placed.try_emplace(positions, static_cast<std::uint32_t>(mesh.vertices.size()), 0);
    if (is_new) {
      add_positions(*positions, mesh);
      place->second.second = mesh.vertices.size() - place->second.first;
    }
    const std::uint32_t first = place->second.first;
    const std::size_t count = place->second.second;
    std::vector<std::uint32_t> sizes;
    if (const Xml* vcount = list.FirstChildElement("vcount"))
      sizes = numbers<std::uint32_t>(*vcount, text_of(*vcount));
    each(list, "p", [&](const Xml& p) {
      const std::vector<std::uint32_t> all = numbers<std::uint32_t>(p, text_of(p));
      std::vector<std::uint32_t> corners;
      for (std::size_t k = offset; k < all.size(); k += stride) {
        if (all[k] >= count)
          throw wrong(p, fmt::format("names vertex {}, there are {}", all[k], count));
        corners.push_back(first + all[k]);
      }
      add_polygons(list, corners, sizes, mesh);
    });
  }
  void add_positions(const Xml& source, Mesh& mesh) const {
    const Xml* common = source.FirstChildElement("technique_common");
    const Xml* accessor = common ? common->FirstChildElement("accessor") : nullptr;
    if (!accessor) throw wrong(source, "has no <accessor>");
    const Xml& array = target(*accessor, "source", "float_array");
    const std::vector<double> values = numbers<double>(array, text_of(array));
    const std::size_t count = whole(*accessor, "count", 0), stride = whole(*accessor, "stride", 1),
                      start = whole(*accessor, "offset", 0);
    if (stride < 3 || count > limits_.triangles * 3 || count * stride + start > values.size())
      throw wrong(*accessor, fmt::format("takes {} times {} numbers from number {} on, of {}",
                                         count, stride, start, values.size()));
    for (std::size_t k = 0; k < count; ++k) {
      const double* p = values.data() + start + k * stride;
      mesh.vertices.push_back({p[0], p[1], p[2]});
    }
  }
  void add_polygons(const Xml& list, std::span<const std::uint32_t> corners,
                    const std::vector<std::uint32_t>& sizes, Mesh& mesh) const {
    const auto fan = [&](std::span<const std::uint32_t> polygon) {
      for (std::size_t k = 2; k < polygon.size(); ++k)
        mesh.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
    };
    if (has_tag(list, "triangles")) {
      for (std::size_t k = 0; k + 2 < corners.size(); k += 3) fan(corners.subspan(k, 3));
    } else if (has_tag(list, "polylist")) {
      for (const std::uint32_t size : sizes) {
        if (size > corners.size()) throw wrong(list, "has fewer corners than <vcount> says");
        fan(corners.first(size));
        corners = corners.subspan(size);
      }
    } else if (has_tag(list, "tristrips")) {
      for (std::size_t k = 2; k < corners.size(); ++k)
        mesh.triangles.push_back({corners[k - 2], corners[k - 1 + k % 2], corners[k - k % 2]});
    } else {
      fan(corners);
    }
    if (mesh.triangles.size() > limits_.triangles)
      throw wrong(list, fmt::format("gives more than {} triangles", limits_.triangles));
  }

  const Xml& root_;
  const std::string& file_;
  const MeshLimits& limits_;
  std::map<std::string, const Xml*> ids_;
  std::map<const Xml*, Mesh> geometries_;
  std::size_t nodes_ = 0;
  Mesh mesh_;
};

}  // namespace

Mesh read_collada(std::string_view content, const std::string& file, const MeshLimits& limits) {
  expect_text(content, file, "Collada");
  tinyxml2::XMLDocument document;
  document.Parse(content.data(), content.size());
  const Xml* root = document.RootElement();
  if (document.Error() || !root)
    throw Error({file, document.ErrorLineNum(), ""}, "is no Collada file: its XML cannot be read");
  return ColladaReader(*root, file, limits).read();
}

}  // namespace limber
