// Spec to SDF: poses and shapes.
#include <fmt/format.h>

#include "io/write_sdf.hpp"

namespace limber {

void write_sdf_pose(const Transform<double>& X, const std::string& relative_to, XmlWriter& xml) {
  if (is_identity(X) && relative_to.empty()) return;
  const Vec3<double> rpy = to_rpy(X.R).rpy;
  const Vec3<double> p = X.p + Vec3<double>{};  // no −0
  const std::string numbers = format_numbers(p) + " " + format_numbers(rpy);
  if (relative_to.empty()) {
    xml.leaf("pose", numbers);
  } else {
    xml.leaf("pose", numbers, "relative_to", relative_to);
  }
}

namespace {

void write_sdf_geometry(const ShapeSpec& shape, XmlWriter& xml) {
  using Kind = ShapeSpec::Kind;
  constexpr const char* tags[] = {"box",       "sphere", "cylinder", "capsule",
                                  "ellipsoid", "mesh",   "plane"};
  xml.open("geometry").open(tags[static_cast<std::size_t>(shape.kind)]);
  if (shape.kind == Kind::box) xml.leaf("size", format_numbers(shape.size));
  if (shape.kind == Kind::ellipsoid) xml.leaf("radii", format_numbers(shape.size));
  if (shape.kind == Kind::sphere || shape.kind == Kind::cylinder || shape.kind == Kind::capsule)
    xml.leaf("radius", shape.size.x);
  if (shape.kind == Kind::cylinder || shape.kind == Kind::capsule) xml.leaf("length", shape.size.y);
  if (shape.kind == Kind::mesh)
    xml.leaf("uri", shape.mesh_file).leaf("scale", format_numbers(shape.size));
  if (shape.kind == Kind::plane) {
    const double edges[] = {shape.size.x, shape.size.y};
    xml.leaf("normal", "0 0 1").leaf("size", format_numbers(edges));
  }
  xml.close().close();
}

void write_sdf_surface(const ShapeSpec& shape, XmlWriter& xml) {
  const ShapeSpec plain;
  const bool has_friction =
      shape.friction.x != plain.friction.x || shape.friction.y != plain.friction.y;
  if (!has_friction && shape.collides_as == 1) return;
  xml.open("surface");
  if (has_friction) {
    xml.open("friction");
    xml.open("torsional").leaf("coefficient", shape.friction.y).close();
    xml.open("ode").leaf("mu", shape.friction.x).leaf("mu2", shape.friction.x).close();
    xml.close();
  }
  if (shape.collides_as != 1)
    xml.open("contact").leaf("collide_bitmask", shape.collides_as).close();
  xml.close();
}

// names of shapes need not differ in a Spec
void write_sdf_shape(const ShapeSpec& shape, const char* tag, const std::string& name,
                     XmlWriter& xml) {
  xml.open(tag).attribute("name", shape.name.empty() ? name : shape.name + "_" + name);
  write_sdf_pose(shape.placement, "", xml);
  write_sdf_geometry(shape, xml);
  if (std::string_view(tag) == "visual") {
    const std::string color = format_numbers(shape.color);
    xml.open("material").leaf("ambient", color).leaf("diffuse", color).close();
  } else {
    write_sdf_surface(shape, xml);
  }
  xml.close();
}

}  // namespace

void write_sdf_shapes(const ShapeSpec& shape, int number, const std::string& owner, XmlWriter& xml,
                      Losses& losses) {
  if (shape.role != ShapeSpec::Role::collision)
    write_sdf_shape(shape, "visual", fmt::format("visual_{}", number), xml);
  if (shape.role == ShapeSpec::Role::visual) return;
  write_sdf_shape(shape, "collision", fmt::format("collision_{}", number), xml);
  const ShapeSpec plain;
  if (shape.friction.z != plain.friction.z || shape.group != 0 ||
      shape.collides_as != shape.collides_with)
    losses.description(owner,
                       "rolling friction, group or different collision bits of a shape are left "
                       "out");
}

}  // namespace limber
