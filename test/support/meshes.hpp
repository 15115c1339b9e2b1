#pragma once
// Meshes of bodies whose volume is known, and mesh files, made here.
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include <limber/mesh/mesh.hpp>

namespace limber::test {

/// A surface over a grid of `rows` × `columns` cells that closes in both directions (a torus).
inline Mesh closed_grid(std::uint32_t rows, std::uint32_t columns,
                        const std::function<Vec3<double>(double, double)>& place) {
  Mesh mesh;
  const double turn = 2 * std::numbers::pi;
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j)
      mesh.vertices.push_back(place(turn * i / rows, turn * j / columns));
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns,
                          c = (i + 1) % rows * columns + (j + 1) % columns,
                          d = (i + 1) % rows * columns + j;
      mesh.triangles.push_back({a, d, c});
      mesh.triangles.push_back({a, c, b});
    }
  return mesh;
}

/// Around z, with radii R and r: 2 rows · columns triangles.
inline Mesh torus(double R, double r, std::uint32_t rows, std::uint32_t columns) {
  return closed_grid(rows, columns, [=](double u, double v) -> Vec3<double> {
    return {(R + r * std::cos(v)) * std::cos(u), (R + r * std::cos(v)) * std::sin(u),
            r * std::sin(v)};
  });
}

/// With these semi-axes; `rows` between its poles.
inline Mesh ellipsoid(const Vec3<double>& axes, std::uint32_t rows, std::uint32_t columns) {
  Mesh mesh;
  mesh.vertices.push_back({0, 0, -axes.z});
  for (std::uint32_t i = 1; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const double v = std::numbers::pi * i / rows, u = 2 * std::numbers::pi * j / columns;
      mesh.vertices.push_back({axes.x * std::sin(v) * std::cos(u),
                               axes.y * std::sin(v) * std::sin(u), -axes.z * std::cos(v)});
    }
  const auto top = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back({0, 0, axes.z});
  const auto at = [&](std::uint32_t i, std::uint32_t j) {
    return i == 0 ? 0 : i == rows ? top : 1 + (i - 1) * columns + j % columns;
  };
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      if (i > 0) mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      if (i + 1 < rows) mesh.triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    }
  return mesh;
}

/// Between two corners: 12 triangles.
inline Mesh box(const Vec3<double>& low, const Vec3<double>& high) {
  Mesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// --- as files ---

template <class T>
void put_bytes(std::string& text, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  text.append(bytes, sizeof value);
}

inline std::string binary_stl(const Mesh& mesh) {
  std::string text(80, ' ');
  put_bytes(text, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put_bytes(text, 0.0F);
    for (const std::uint32_t v : triangle)
      for (int k = 0; k < 3; ++k) put_bytes(text, static_cast<float>(mesh.vertices[v][k]));
    put_bytes(text, std::uint16_t{0});
  }
  return text;
}

inline std::string ascii_stl(const Mesh& mesh) {
  std::string text = "solid part\n";
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const std::uint32_t v : triangle)
      text += fmt::format("vertex {} {} {}\n", mesh.vertices[v].x, mesh.vertices[v].y,
                          mesh.vertices[v].z);
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid part\n";
}

inline std::string obj(const Mesh& mesh) {
  std::string text = "mtllib /etc/passwd\no part\n";
  for (const Vec3<double>& p : mesh.vertices) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  for (const Mesh::Triangle& t : mesh.triangles)
    text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

/// `matrix`: that of its only node, row by row.
inline std::string collada(const Mesh& mesh, const std::string& asset,
                           const std::string& matrix = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1") {
  std::string places, corners;
  for (const Vec3<double>& p : mesh.vertices) places += fmt::format("{} {} {} ", p.x, p.y, p.z);
  for (const Mesh::Triangle& t : mesh.triangles)
    corners += fmt::format("{} {} {} ", t[0], t[1], t[2]);
  return fmt::format(
      R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{}</asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="{}">{}</float_array>
<technique_common><accessor source="#a" count="{}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{}"><input semantic="VERTEX" source="#v" offset="0"/><p>{}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><matrix>{}</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
)",
      asset, 3 * mesh.vertices.size(), places, mesh.vertices.size(), mesh.triangles.size(), corners,
      matrix);
}

/// The numbers that glTF keeps in a buffer: vertices, then triangles.
inline std::string gltf_buffer(const Mesh& mesh) {
  std::string bytes;
  for (const Vec3<double>& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) put_bytes(bytes, static_cast<float>(p[k]));
  for (const Mesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) put_bytes(bytes, v);
  return bytes;
}
/// `nodes`: with node 0 in the scene, and mesh 0.
inline std::string gltf(const Mesh& mesh, const std::string& buffer_uri,
                        const std::string& nodes = R"([{"mesh":0}])") {
  const std::size_t split = 12 * mesh.vertices.size(), rest = 12 * mesh.triangles.size();
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{},
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]}},
{{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],
"buffers":[{{"uri":"{}","byteLength":{}}}]}})",
      nodes, mesh.vertices.size(), 3 * mesh.triangles.size(), split, split, rest, buffer_uri,
      split + rest);
}

inline std::string base64(const std::string& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += k + i <= bytes.size() ? digits[group >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

}  // namespace limber::test
