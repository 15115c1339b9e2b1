// URDF: links, their inertia and their shapes.
#include <fmt/format.h>

#include "io/urdf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// ixy and its mirror image iyx, where a file has both
double product_of_inertia(const XmlElement& inertia, const char* name, const char* mirrored) {
  const double value = inertia.number(name, 0);
  if (inertia.attribute(mirrored) && inertia.number(mirrored) != value)
    inertia.warn(fmt::format("inertia {0} and {1} differ, {0} is taken", name, mirrored));
  return value;
}

Sym3<double> read_rotational_inertia(const XmlElement& inertia) {
  inertia.expect_attributes({"ixx", "ixy", "ixz", "iyy", "iyz", "izz", "iyx", "izx", "izy"});
  return {inertia.number("ixx"),
          inertia.number("iyy"),
          inertia.number("izz"),
          product_of_inertia(inertia, "ixy", "iyx"),
          product_of_inertia(inertia, "ixz", "izx"),
          product_of_inertia(inertia, "iyz", "izy")};
}

Inertia<double> read_inertial(const XmlElement& inertial) {
  inertial.expect_children({"origin", "mass", "inertia"});
  const std::optional<XmlElement> mass = inertial.child("mass");
  if (!mass)
    throw inertial.error("<inertial> has no <mass>; add <mass value=\"…\"/> or remove <inertial>");
  mass->expect_attributes({"value"});
  Sym3<double> about_com;
  if (const std::optional<XmlElement> inertia = inertial.child("inertia"))
    about_com = read_rotational_inertia(*inertia);
  else inertial.warn("<inertial> has no <inertia>; the mass is taken as a point");
  // the inertia is about the centre of mass, in the axes of the inertial frame
  const Transform<double> frame = inertial.origin();
  return Inertia<double>::from_com(mass->number("value"), frame.p, rotated(frame.R, about_com));
}

double read_length(const XmlElement& element, const char* name) {
  const double length = element.number(name);
  if (length < 0)
    throw element.error(fmt::format("{} {}=\"{}\" is negative", element.tag(), name, length));
  return length;
}

// the size of a primitive, or file and scale of a mesh; false if the kind is not known
bool read_geometry(const XmlElement& element, ShapeSpec& shape) {
  const std::string_view tag = element.tag();
  if (tag == "box") {
    shape.kind = ShapeSpec::Kind::box;
    element.required("size");
    shape.size = element.vec3("size", {});
    if (shape.size.x < 0 || shape.size.y < 0 || shape.size.z < 0)
      throw element.error("box size has a negative number");
  } else if (tag == "sphere") {
    shape.kind = ShapeSpec::Kind::sphere;
    shape.size = {read_length(element, "radius"), 0, 0};
  } else if (tag == "cylinder" || tag == "capsule") {
    shape.kind = tag == "cylinder" ? ShapeSpec::Kind::cylinder : ShapeSpec::Kind::capsule;
    shape.size = {read_length(element, "radius"), read_length(element, "length"), 0};
  } else if (tag == "mesh") {
    shape.kind = ShapeSpec::Kind::mesh;
    shape.mesh_file = element.name("filename");
    shape.size = element.vec3("scale", {1, 1, 1});
  } else {
    return false;
  }
  return true;
}

void read_shape(const XmlElement& element, ShapeSpec::Role role, const UrdfMaterials& materials,
                std::vector<ShapeSpec>& shapes) {
  element.expect_children({"origin", "geometry", "material"}, {"verbose", "contact_coefficients"});
  const std::optional<XmlElement> geometry = element.child("geometry");
  if (!geometry)
    throw element.error(fmt::format("<{}> has no <geometry>; add one or remove it", element.tag()));
  ShapeSpec shape;
  shape.role = role;
  shape.name = element.optional_name();
  shape.placement = element.origin();
  if (const std::vector<XmlElement> here = element.children("material"); !here.empty()) {
    if (here.size() > 1) element.warn("several <material> for one shape; the first is taken");
    materials.paint(here.front(), shape);
  }

  const std::vector<XmlElement> kinds = geometry->children();
  if (kinds.size() != 1) {
    geometry->warn(
        fmt::format("<geometry> holds {} shapes, one expected; it is left out", kinds.size()));
  } else if (read_geometry(kinds.front(), shape)) {
    shapes.push_back(shape);
  } else {
    const std::vector<std::string> known{"box", "sphere", "cylinder", "capsule", "mesh"};
    geometry->warn(fmt::format("unknown shape <{}> is left out{}", kinds.front().tag(),
                               did_you_mean(kinds.front().tag(), known)));
  }
}

std::array<double, 4> read_color(const XmlElement& color) {
  color.required("rgba");
  const std::vector<double> rgba = color.numbers("rgba", {4});
  return {rgba[0], rgba[1], rgba[2], rgba[3]};
}

}  // namespace

void UrdfMaterials::read(const XmlElement& material) {
  material.expect_children({"color"}, {"texture"});
  const std::string name = material.optional_name();
  if (name.empty()) return;
  if (const std::optional<XmlElement> color = material.child("color"))
    colors_[name] = read_color(*color);
  else if (material.child("texture"))
    colors_.emplace(name, ShapeSpec{}.color);  // textures are not read, but the name is known
}

void UrdfMaterials::paint(const XmlElement& material, ShapeSpec& shape) const {
  if (const std::optional<XmlElement> color = material.child("color")) {
    shape.color = read_color(*color);
    return;
  }
  const std::string name = material.optional_name();
  if (const auto found = colors_.find(name); found != colors_.end()) shape.color = found->second;
  else if (!name.empty())
    material.warn(fmt::format("material '{}' has no colour anywhere; grey is taken", name));
}

BodySpec read_urdf_link(const XmlElement& element, const UrdfMaterials& materials) {
  BodySpec body;
  body.name = element.name();
  const XmlElement link = element.owned_by("link '" + body.name + "'");
  body.source = link.source();
  link.expect_attributes({"name"}, {"type"});
  link.expect_children({"inertial", "visual", "collision"},
                       {"contact", "sensor", "gazebo", "self_filter", "self_collision_checking"});
  if (const std::optional<XmlElement> inertial = link.child("inertial"))
    body.inertia = read_inertial(*inertial);
  for (const XmlElement& visual : link.children("visual"))
    read_shape(visual, ShapeSpec::Role::visual, materials, body.shapes);
  for (const XmlElement& collision : link.children("collision"))
    read_shape(collision, ShapeSpec::Role::collision, materials, body.shapes);
  return body;
}

}  // namespace limber
