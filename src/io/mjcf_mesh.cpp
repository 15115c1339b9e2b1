// MJCF: meshes, and what MuJoCo says that they weigh.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "io/numbers.hpp"
#include "io/text_file.hpp"
#include "math/principal.hpp"

namespace limber {

namespace {

using Rule = MjcfAssets::Rule;

// MuJoCo keeps vertices in single precision
Vec3<double> single(const Vec3<double>& p) {
  const auto to_float = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  return {to_float(p.x), to_float(p.y), to_float(p.z)};
}

// a list of numbers in threes
std::vector<double> threes(const XmlElement& element, const char* name) {
  if (!element.attribute(name)) return {};
  std::vector<double> values = mjcf_numbers(element, name, std::size_t{3} * 1'000'000);
  if (values.size() % 3 != 0)
    throw element.error(
        fmt::format("{} has {} numbers, which are not three for each", name, values.size()));
  return values;
}

Mesh inline_mesh(const MjcfAssets::Mesh& source) {
  Mesh mesh;
  for (std::size_t k = 0; k < source.vertices.size(); k += 3)
    mesh.vertices.push_back(
        single({source.vertices[k], source.vertices[k + 1], source.vertices[k + 2]}));
  for (std::size_t k = 0; k < source.faces.size(); k += 3) {
    Mesh::Triangle triangle{};
    for (std::size_t j = 0; j < 3; ++j) {
      const double corner = source.faces[k + j];
      if (!(corner >= 0) || corner >= static_cast<double>(mesh.vertices.size()) ||
          corner != std::floor(corner))
        throw Error(
            fmt::format("a face has vertex {}, there are {}", corner, mesh.vertices.size()));
      triangle[j] = static_cast<std::uint32_t>(corner);
    }
    mesh.triangles.push_back(triangle);
  }
  return source.faces.empty() ? convex_hull(mesh.vertices) : mesh;
}

Mesh read_mesh(const MjcfAssets::Mesh& source, const MeshSearch& search) {
  if (source.file.empty()) return inline_mesh(source);
  const FoundMesh found = find_mesh(source.file, search);
  if (found.file.empty())
    throw Error(fmt::format("file '{}': {}; --meshes FOLDER names a folder that has it",
                            source.file, describe(found)));
  return load_mesh(found.file);
}

// pyramids over the faces whose tops are in one point; all counted as positive, as MuJoCo's legacy
// rule does
Inertia<double> pyramids(const Mesh& mesh, const Vec3<double>& top) {
  Inertia<double> sum;
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    const Vec3<double> a = mesh.vertices[triangle[0]] - top, b = mesh.vertices[triangle[1]] - top,
                       c = mesh.vertices[triangle[2]] - top, s = a + b + c;
    const double volume = std::abs(dot(a, cross(b, c))) / 6;
    sum.m += volume;
    sum.h += s * (volume / 4);
    sum.J += (square(a) + square(b) + square(c) + square(s)) * (volume / 20);
  }
  return shifted(sum, top);
}

Inertia<double> surface(const Mesh& mesh) {
  Inertia<double> sum;
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    const Vec3<double> a = mesh.vertices[triangle[0]], b = mesh.vertices[triangle[1]],
                       c = mesh.vertices[triangle[2]], s = a + b + c;
    const double area = norm(cross(b - a, c - a)) / 2;
    sum.m += area;
    sum.h += s * (area / 3);
    sum.J += (square(a) + square(b) + square(c) + square(s)) * (area / 12);
  }
  return sum;
}

// MuJoCo takes the pyramids about the centre of the faces to find the centre of mass, and those
// about this centre for volume and inertia, which it places there whatever their own centre is
Inertia<double> legacy_moments(const Mesh& mesh) {
  const Inertia<double> faces = surface(mesh);
  if (!(faces.m > 0)) throw Error("its faces have no area");
  const Inertia<double> first = pyramids(mesh, faces.com());
  if (!(first.m > 0)) throw Error("its faces enclose no volume");
  const Vec3<double> com = first.com();
  Inertia<double> about = shifted(pyramids(mesh, com), -com);
  about.h = {};
  return shifted(about, com);
}

Inertia<double> moments_by_rule(const Mesh& mesh, const MjcfAssets::Mesh& source) {
  switch (source.rule) {
    case Rule::convex:
      return mass_of_mesh(convex_hull(mesh.vertices), 1);
    case Rule::exact:
      return mass_of_mesh(mesh, 1);
    case Rule::shell:
      return surface(mesh);
    case Rule::legacy:
      break;
  }
  if (const std::string defect = defect_of(mesh); !defect.empty() && source.element)
    source.element->warn(fmt::format(
        "mesh '{}' encloses no volume ({}); MuJoCo's rule (inertia=\"legacy\") takes the sum of "
        "pyramids over its faces",
        source.name, defect));
  return legacy_moments(mesh);
}

}  // namespace

MjcfAssets::Mesh read_mjcf_mesh(const MjcfElement& element, const MjcfCompiler& compiler) {
  MjcfAssets::Mesh mesh;
  const XmlElement& own = element.own();
  own.expect_attributes({"name", "class", "file", "scale", "refpos", "refquat", "inertia", "vertex",
                         "face", "maxhullvert", "builtin"},
                        {"content_type", "normal", "texcoord", "smoothnormal", "params", "material",
                         "octree_maxdepth", "maxhullvert"});
  std::string file = element.text("file");
  if (compiler.strip_path) file = std::filesystem::path(file).filename().string();
  mesh.name = element.text("name", stem(file));
  if (mesh.name.empty()) throw element.error("a mesh has neither a name nor a file");
  mesh.element = own.owned_by("mesh '" + mesh.name + "'");
  if (!file.empty())
    mesh.file = compiler.mesh_folder.empty()
                    ? file
                    : (std::filesystem::path(compiler.mesh_folder) / file).string();
  mesh.scale = element.vec3("scale", mesh.scale);
  mesh.reference.p = element.vec3("refpos", {});
  if (const std::vector<double> turn = element.holder("refquat").numbers("refquat", {4});
      !turn.empty())
    mesh.reference.R = to_matrix(mjcf_quaternion(own, turn));
  mesh.rule =
      static_cast<Rule>(element.choice("inertia", {"convex", "exact", "legacy", "shell"}, 2));
  mesh.vertices = threes(own, "vertex");
  mesh.faces = threes(own, "face");
  if (element.has("builtin") && element.text("builtin") != "none")
    mesh.not_read = "it is built into MuJoCo (builtin)";
  else if (file.empty() && mesh.vertices.empty())
    mesh.not_read = "it has neither a file nor vertices";
  else if (mesh.rule == Rule::convex && element.has("maxhullvert"))
    mesh.not_read = "Limber's convex hulls have all vertices, whatever maxhullvert says";
  return mesh;
}

const Inertia<double>& mjcf_mesh_moments(const MjcfAssets::Mesh& source, const MeshSearch& search) {
  if (source.moments) return *source.moments;
  if (!source.not_read.empty()) throw Error(source.not_read);
  Mesh mesh = read_mesh(source, search);
  for (Vec3<double>& p : mesh.vertices)
    p = transpose_times(source.reference.R, p - source.reference.p);
  const Inertia<double> moments = moments_by_rule(scaled(mesh, source.scale), source);
  if (!(moments.m > 0) || !std::isfinite(moments.m)) throw Error("it has no volume");
  source.moments = moments;
  return *source.moments;
}

MjcfFit mjcf_fit(const MjcfAssets::Mesh& mesh, ShapeSpec::Kind kind, const MeshSearch& search) {
  const Inertia<double>& moments = mjcf_mesh_moments(mesh, search);
  const PrincipalAxes principal = principal_axes(moments.central_second_moment());
  std::array<int, 3> order{0, 1, 2};  // the longest edge is z
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return principal.values[a] < principal.values[b]; });
  MjcfFit fit;
  Vec3<double> axes[3];
  for (int k = 0; k < 3; ++k) {
    const int one = order[static_cast<std::size_t>(k)];
    // of a box with half edges b, ∫ x² dV = V b²/3
    fit.half[static_cast<std::size_t>(k)] =
        std::sqrt(std::max(0.0, 3 * principal.values[one] / moments.m));
    for (int row = 0; row < 3; ++row) axes[k][row] = principal.axes.row(row)[one];
  }
  // right-handed
  fit.placement = {transpose(Mat3<double>::from_rows(axes[0], axes[1], cross(axes[0], axes[1]))),
                   moments.com()};
  using Kind = ShapeSpec::Kind;
  auto& half = fit.half;
  const double across = (half[0] + half[1]) / 2;
  if (kind == Kind::sphere) half = {(half[0] + half[1] + half[2]) / 3, 0, 0};
  if (kind == Kind::cylinder) half = {across, half[2], 0};
  if (kind == Kind::capsule) half = {across, std::max(0.0, half[2] - across / 2), 0};
  return fit;
}

}  // namespace limber
