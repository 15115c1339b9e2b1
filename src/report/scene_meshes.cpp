#include "report/scene_meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "model/names.hpp"

namespace limber {

namespace {

using MeshList = nlohmann::ordered_json;

std::size_t content_hash(const Mesh& mesh) {
  std::uint64_t hash = 1469598103934665603U;
  const auto add = [&](std::uint64_t bits) {
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 31;
  };
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &p[k], sizeof bits);
      add(bits);
    }
  for (const Mesh::Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) add(corner);
  return hash;
}

bool is_same(const Mesh& a, const Mesh& b) {
  const auto equal = [](const Vec3<double>& p, const Vec3<double>& q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
  };
  return a.triangles == b.triangles && std::equal(a.vertices.begin(), a.vertices.end(),
                                                  b.vertices.begin(), b.vertices.end(), equal);
}

struct Extent {
  Vec3<double> low, edges;
};
Extent extent_of(const Mesh& mesh) {
  Vec3<double> low = mesh.vertices.at(0), high = low;
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  return {low, high - low};
}

// the most triangles that each mesh may have for all to have `budget` together: small ones stay
// whole
std::size_t share_of(std::vector<std::size_t> counts, std::size_t budget) {
  std::sort(counts.begin(), counts.end());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::size_t share = budget / (counts.size() - k);
    if (counts[k] > share) return std::max<std::size_t>(share, 4);
    budget -= counts[k];
  }
  return static_cast<std::size_t>(-1);
}

MeshList encode(const Mesh& mesh) {
  constexpr double steps = 65535;
  const Extent extent = extent_of(mesh);
  std::vector<unsigned char> vertices, triangles;
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) {
      const double part =
          extent.edges[k] > 0 ? (p[k] - extent.low[k]) / extent.edges[k] * steps : 0;
      const auto whole = static_cast<unsigned>(std::lround(part));
      vertices.push_back(static_cast<unsigned char>(whole & 255U));
      vertices.push_back(static_cast<unsigned char>(whole >> 8));
    }
  std::uint32_t next = 0;
  for (const Mesh::Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) {
      std::uint32_t back = next - corner;
      if (back == 0) ++next;
      for (; back >= 128; back >>= 7) triangles.push_back(static_cast<unsigned char>(back | 128U));
      triangles.push_back(static_cast<unsigned char>(back));
    }
  const Vec3<double>&low = extent.low, step = extent.edges / steps;
  return {{"low", {low.x, low.y, low.z}},
          {"step", {step.x, step.y, step.z}},
          {"vertices", "u16:" + base64(vertices)},
          {"triangles", "var:" + base64(triangles)}};
}

}  // namespace

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() * 4 / 3 + 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[k + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? digits[group >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> SceneMeshes::add(const std::string& name, const MeshSearch& search) {
  const FoundMesh found = find_mesh(name, search);
  const std::string& key = found.file.empty() ? name : found.file;
  if (refused_.contains(key)) return std::nullopt;
  if (index_.contains(key)) return key;
  std::string why;
  if (found.file.empty()) {
    why = describe(found);
  } else {
    try {
      const Mesh mesh = load_mesh(found.file);
      index_[key] = place_of(mesh);
      return key;
    } catch (const Error& error) {
      why = error.what();
    }
  }
  refused_[key] = why;
  warnings_.push_back(fmt::format("mesh '{}' is not drawn: {}", printable(name), why));
  return std::nullopt;
}

void SceneMeshes::add(const std::string& name, const Mesh& mesh) {
  if (!index_.contains(name)) index_[name] = place_of(mesh);
}

void SceneMeshes::warn(const std::string& text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end())
    warnings_.push_back(text);
}

std::size_t SceneMeshes::place_of(const Mesh& mesh) {
  Entry entry{ordered(simplified(mesh, most_drawn_triangles)), mesh.triangles.size(),
              content_hash(mesh)};
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (entries_[k].hash == entry.hash && is_same(entries_[k].mesh, entry.mesh)) return k;
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

Vec3<double> SceneMeshes::extent(const std::string& file) const {
  return extent_of(entries_[index(file)].mesh).edges;
}

MeshList SceneMeshes::encoded(std::size_t budget, std::size_t& bytes) {
  std::vector<std::size_t> counts;
  for (const Entry& entry : entries_) counts.push_back(entry.mesh.triangles.size());
  const std::size_t share = share_of(counts, budget);
  MeshList list = MeshList::array();
  bytes = drawn_ = whole_ = 0;
  for (const Entry& entry : entries_) {
    const bool is_whole = entry.mesh.triangles.size() <= share;
    const Mesh thin = is_whole ? Mesh{} : ordered(simplified(entry.mesh, share));
    const Mesh& drawn = is_whole ? entry.mesh : thin;
    list.push_back(encode(drawn));
    bytes += list.back()["vertices"].get_ref<const std::string&>().size() +
             list.back()["triangles"].get_ref<const std::string&>().size();
    drawn_ += drawn.triangles.size();
    whole_ += entry.triangles;
  }
  return list;
}

MeshList SceneMeshes::to_json() {
  std::size_t budget = most_drawn_triangles, bytes = 0;
  MeshList list = encoded(budget, bytes);
  while (bytes > most_mesh_text && budget > 1000) {
    budget = budget * 9 / 10 * most_mesh_text / bytes;
    list = encoded(budget, bytes);
  }
  return list;
}

std::string SceneMeshes::note() const {
  if (drawn_ == whole_) return "";
  return fmt::format("meshes simplified from {} to {} triangles", whole_, drawn_);
}

}  // namespace limber
