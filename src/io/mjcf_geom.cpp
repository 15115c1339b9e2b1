// MJCF: geoms, meshes and materials.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "io/solid.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

using Kind = ShapeSpec::Kind;

const std::vector<std::string> geom_types{"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                          "cylinder", "box",    "mesh",   "sdf"};
constexpr Kind geom_kinds[] = {Kind::plane,   Kind::height_field, Kind::sphere,
                               Kind::capsule, Kind::ellipsoid,    Kind::cylinder,
                               Kind::box,     Kind::mesh,         Kind::mesh};

// half sizes as MuJoCo counts them; the length of a fromto comes with it, else −1
std::array<double, 3> half_sizes(const MjcfElement& element, Kind kind, double length) {
  std::array<double, 3> size{0, 0, 0};
  element.fill("size", size);
  std::size_t count = 0;  // numbers that must be positive
  switch (kind) {
    case Kind::sphere:
      count = 1;
      break;
    case Kind::capsule:
    case Kind::cylinder:
      count = 2;
      if (length >= 0) size[1] = length / 2;
      break;
    case Kind::box:
    case Kind::ellipsoid:
      count = 3;
      if (length >= 0) size = {size[0], size[0], length / 2};
      break;
    default:
      return size;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!(size[i] > 0))
      throw element.holder("size").error(fmt::format(
          "a {} needs {} positive number{} for its size, number {} is {}",
          element.text("type", "sphere"), count, count == 1 ? "" : "s", i + 1, size[i]));
  return size;
}

// the sizes of a ShapeSpec
Vec3<double> shape_size(Kind kind, const std::array<double, 3>& half) {
  switch (kind) {
    case Kind::sphere:
      return {half[0], 0, 0};
    case Kind::capsule:
    case Kind::cylinder:
      return {half[0], 2 * half[1], 0};
    case Kind::box:
    case Kind::plane:
      return {2 * half[0], 2 * half[1], 2 * half[2]};
    default:
      return {half[0], half[1], half[2]};
  }
}

// the inertia in the frame of the body, or why it is not known
void add_inertia(const MjcfElement& element, const std::array<double, 3>& half, MjcfGeom& geom) {
  const Kind kind = geom.shape.kind;
  if (kind == Kind::plane || kind == Kind::height_field) return;
  const bool has_mass = element.has("mass");
  const double given = has_mass ? element.number("mass", 0) : element.number("density", 1000);
  if (!(given >= 0))
    throw element.holder(has_mass ? "mass" : "density")
        .error("mass and density must not be negative");
  if (given == 0) {
    geom.unknown_inertia.clear();  // it adds none
    return;
  }
  if (geom.mesh && kind == Kind::mesh) {
    if (element.flag("shellinertia", false))
      throw element.error(
          "shellinertia is not for geoms of type mesh; write inertia=\"shell\" in its <mesh>");
    geom.has_mass = has_mass;
    geom.mass_or_density = given;
    return;
  }
  if (!geom.is_drawn) return;  // not fitted
  if (element.flag("shellinertia", false)) {
    geom.unknown_inertia =
        "of a shell (shellinertia) is not known, as Limber does not compute it yet";
    return;
  }
  const double mass = has_mass ? given : given * solid_volume(kind, half);
  const Vec3<double> J = solid_moments(kind, half) * mass;
  const Inertia<double> own{mass, {}, {J.x, J.y, J.z, 0, 0, 0}};
  geom.inertia = geom.shape.placement * own;
}

void paint(const MjcfElement& element, const MjcfAssets& assets, ShapeSpec& shape) {
  shape.material = element.text("material");
  shape.color = {0.5, 0.5, 0.5, 1};
  if (const auto found = assets.materials.find(shape.material); found != assets.materials.end())
    shape.color = found->second;
  if (element.has("rgba")) element.fill("rgba", shape.color, MjcfElement::Count::all);
}

// the mesh that a geom names
const MjcfAssets::Mesh& mesh_of(const MjcfElement& element, const MjcfAssets& assets) {
  const std::string name = element.text("mesh");
  if (name.empty()) throw element.error("a geom of type mesh names no mesh; write mesh=\"…\"");
  const auto found = assets.meshes.find(name);
  if (found == assets.meshes.end()) {
    std::vector<std::string> names;
    for (const auto& [one, mesh] : assets.meshes) names.push_back(one);
    throw element.error(fmt::format("mesh '{}' does not exist among the assets{}", name,
                                    did_you_mean(name, names)));
  }
  return found->second;
}

// the geom shows its mesh from the file; MuJoCo moves it by its reference, then turns and scales it
bool show_mesh(const MjcfElement& element, const MjcfAssets::Mesh& mesh, ShapeSpec& shape) {
  const Vec3<double>& s = mesh.scale;
  const bool is_turned = mesh.reference.R.xx + mesh.reference.R.yy + mesh.reference.R.zz < 3;
  const bool is_even = s.x == s.y && s.y == s.z;
  if (mesh.file.empty() || (is_turned && !is_even)) {
    element.warn(mesh.file.empty()
                     ? "a mesh that is given in this file itself has its mass, but is not drawn"
                     : "a mesh that is turned (refquat) and scaled unevenly is not drawn");
    return false;
  }
  shape.mesh_file = mesh.file;
  shape.size = s;
  const Vec3<double> p = transpose_times(mesh.reference.R, mesh.reference.p);
  shape.placement = shape.placement * Transform<double>{transpose(mesh.reference.R),
                                                        {-p.x * s.x, -p.y * s.y, -p.z * s.z}};
  return true;
}

// half sizes of a primitive that takes the place of a mesh; it is left out where they are not known
std::array<double, 3> fit_to_mesh(const MjcfElement& element, const MjcfCompiler& compiler,
                                  const MjcfAssets& assets, MjcfGeom& geom) {
  try {
    if (compiler.fit_to_box) throw Error("Limber does not fit to the box around a mesh (fitaabb)");
    MjcfFit fit = mjcf_fit(*geom.mesh, geom.shape.kind, assets.search);
    geom.shape.placement = geom.shape.placement * fit.placement;
    for (double& one : fit.half) one *= element.number("fitscale", 1);
    return fit.half;
  } catch (const Error& error) {
    const std::string why =
        fmt::format("of a primitive that is fitted to mesh '{}' is not known: {}", geom.mesh->name,
                    error.what());
    element.warn("left out, as the size " + why);
    geom.is_drawn = false;
    geom.unknown_inertia = why;
    return {};
  }
}

}  // namespace

Transform<double> mjcf_placement(const MjcfElement& element, const MjcfCompiler& compiler,
                                 double& length) {
  const std::vector<double> ends = element.holder("fromto").numbers("fromto", {6});
  length = -1;
  if (ends.empty()) return mjcf_pose(element, compiler);
  const Vec3<double> from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
  const Vec3<double> axis = from - to;  // z points from the second end to the first
  length = norm(axis);
  if (!(length > 1e-14) || !std::isfinite(length))
    throw element.holder("fromto").error("the two ends of fromto are one point");
  return {mjcf_rotation_to(axis / length), (from + to) * 0.5};
}

MjcfGeom read_mjcf_geom(const MjcfElement& element, const Transform<double>& frame,
                        const MjcfCompiler& compiler, const MjcfAssets& assets) {
  expect_mjcf_attributes(element.own());
  MjcfGeom geom;
  ShapeSpec& shape = geom.shape;
  shape.name = element.text("name");
  shape.kind = geom_kinds[element.choice("type", geom_types, 2)];
  double length = -1;
  shape.placement = frame * mjcf_placement(element, compiler, length);
  shape.collides_as = element.integer("contype", 1);
  shape.collides_with = element.integer("conaffinity", 1);
  shape.group = element.integer("group", 0);
  std::array<double, 3> friction{1, 0.005, 0.0001};
  element.fill("friction", friction);
  shape.friction = {friction[0], friction[1], friction[2]};
  paint(element, assets, shape);
  // MuJoCo shows the groups 0 to 2
  const bool collides = shape.collides_as != 0 || shape.collides_with != 0;
  shape.role = !collides          ? ShapeSpec::Role::visual
               : shape.group <= 2 ? ShapeSpec::Role::both
                                  : ShapeSpec::Role::collision;

  std::array<double, 3> half{};
  if (shape.kind == Kind::mesh || element.has("mesh")) geom.mesh = &mesh_of(element, assets);
  const Transform<double> placement = shape.placement;
  if (shape.kind == Kind::mesh) {
    geom.is_drawn = show_mesh(element, *geom.mesh, shape);
  } else if (geom.mesh) {
    half = fit_to_mesh(element, compiler, assets, geom);
    shape.size = shape_size(shape.kind, half);
  } else {
    half = half_sizes(element, shape.kind, length);
    shape.size = shape_size(shape.kind, half);
  }
  geom.placement = placement;
  geom.is_ellipsoid_in_fluid = element.text("fluidshape", "none") != "none";
  add_inertia(element, half, geom);
  return geom;
}

void read_mjcf_asset(const XmlElement& asset, MjcfFiles& files, const MjcfDefaults& defaults,
                     const MjcfCompiler& compiler, MjcfAssets& assets) {
  for (const XmlElement& child : files.children(asset)) {
    if (child.tag() == "mesh") {
      const MjcfElement mesh = defaults.resolve(child);
      MjcfAssets::Mesh entry = read_mjcf_mesh(mesh, compiler);
      const std::string name = entry.name;
      if (!assets.meshes.emplace(name, std::move(entry)).second)
        throw child.error(fmt::format("a second mesh '{}'; names must differ", name));
    } else if (child.tag() == "material") {
      const MjcfElement material = defaults.resolve(child);
      std::array<double, 4> color{1, 1, 1, 1};
      material.fill("rgba", color, MjcfElement::Count::all);
      assets.materials[material.text("name")] = color;
    } else if (child.tag() != "model") {  // it is opened before
      child.ignore(fmt::format("<{}> in <asset>", child.tag()));
    }
  }
}

}  // namespace limber
