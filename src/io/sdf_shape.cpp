// SDF: shapes.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/numbers.hpp"
#include "io/sdf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// a length that is 1 by default and not negative
double sdf_length(const XmlElement& element, const char* tag) {
  const double value = sdf_number(element, tag, 1);
  if (value < 0) throw element.error(fmt::format("<{}> of <{}> is negative", tag, element.tag()));
  return value;
}

Vec3<double> sdf_lengths(const XmlElement& element, const char* tag) {
  const Vec3<double> size = sdf_vec3(element, tag, {1, 1, 1});
  if (size.x < 0 || size.y < 0 || size.z < 0)
    throw element.error(fmt::format("<{}> of <{}> has a negative number", tag, element.tag()));
  return size;
}

// z of the shape is the normal
void read_sdf_plane(const XmlElement& element, ShapeSpec& shape) {
  shape.kind = ShapeSpec::Kind::plane;
  const Vec3<double> normal = sdf_vec3(element, "normal", {0, 0, 1});
  const double across = std::hypot(normal.x, normal.y), length = norm(normal);
  if (!(length > 1e-14)) throw element.error("the <normal> of a <plane> is zero");
  const Vec3<double> axis =
      across > 0 ? Vec3<double>{-normal.y / across, normal.x / across, 0} : Vec3<double>{1, 0, 0};
  shape.placement.R = shape.placement.R * rotation(axis, std::atan2(across, normal.z));
  shape.size = {0, 0, 0};
  if (const std::optional<XmlElement> size = element.child("size")) {
    const std::vector<double> edges = sdf_numbers(*size, 2);
    shape.size = {edges[0], edges[1], 0};
  }
}

// false: a shape that is not read
bool read_sdf_geometry(const XmlElement& element, const SdfFiles& files, ShapeSpec& shape) {
  using Kind = ShapeSpec::Kind;
  const std::string_view tag = element.tag();
  if (tag == "box") {
    shape.kind = Kind::box;
    shape.size = sdf_lengths(element, "size");
  } else if (tag == "sphere") {
    shape.kind = Kind::sphere;
    shape.size = {sdf_length(element, "radius"), 0, 0};
  } else if (tag == "cylinder" || tag == "capsule") {
    shape.kind = tag == "cylinder" ? Kind::cylinder : Kind::capsule;
    shape.size = {sdf_length(element, "radius"), sdf_length(element, "length"), 0};
  } else if (tag == "ellipsoid") {
    shape.kind = Kind::ellipsoid;
    shape.size = sdf_lengths(element, "radii");
  } else if (tag == "plane") {
    read_sdf_plane(element, shape);
  } else if (tag == "mesh" || tag == "heightmap") {
    shape.kind = tag == "mesh" ? Kind::mesh : Kind::height_field;
    const std::string uri = sdf_text(element, "uri", "");
    if (uri.empty()) throw element.error(fmt::format("<{}> has no <uri>", tag));
    shape.mesh_file = files.beside_main(uri, element.source().file);
    shape.size = tag == "mesh" ? sdf_vec3(element, "scale", {1, 1, 1}) : Vec3<double>{1, 1, 1};
    if (element.child("submesh")) element.warn("<submesh> is not read: the whole mesh is taken");
  } else {
    return false;
  }
  return true;
}

// three or four numbers; the fourth is the opacity
void read_sdf_color(const XmlElement& color, ShapeSpec& shape) {
  const std::size_t count = split_words(color.text()).size();
  const std::vector<double> rgba = sdf_numbers(color, count == 3 ? 3 : 4);
  std::copy(rgba.begin(), rgba.end(), shape.color.begin());
}

void read_sdf_material(const XmlElement& material, ShapeSpec& shape) {
  const std::optional<XmlElement> diffuse = material.child("diffuse"),
                                  ambient = material.child("ambient");
  if (diffuse || ambient) read_sdf_color(diffuse ? *diffuse : *ambient, shape);
  if (const std::optional<XmlElement> script = material.child("script")) {
    shape.material = sdf_text(*script, "name", "");
    script->ignore("<script> in <material>, but for its name");
  }
}

void read_sdf_surface(const XmlElement& surface, ShapeSpec& shape) {
  surface.expect_children({"friction", "contact"}, {"bounce", "soft_contact"});
  if (const std::optional<XmlElement> friction = surface.child("friction")) {
    if (const std::optional<XmlElement> ode = friction->child("ode"))
      shape.friction.x = sdf_number(*ode, "mu", shape.friction.x);
    if (const std::optional<XmlElement> torsional = friction->child("torsional"))
      shape.friction.y = sdf_number(*torsional, "coefficient", shape.friction.y);
  }
  if (const std::optional<XmlElement> contact = surface.child("contact"))
    if (const std::optional<XmlElement> bits = contact->child("collide_bitmask")) {
      // decimal or 0x…
      const std::string text = bits->text();
      char* end = nullptr;
      const unsigned long mask = std::strtoul(text.c_str(), &end, 0);
      if (text.empty() || *end != '\0' || mask > 0xFFFF)
        throw bits->error("<collide_bitmask> is no number of 16 bits");
      shape.collides_as = shape.collides_with = static_cast<int>(mask);
    }
}

}  // namespace

std::optional<ShapeSpec> read_sdf_shape(const XmlElement& element, ShapeSpec::Role role,
                                        const Transform<double>& placement, const SdfFiles& files) {
  element.expect_attributes({"name"});
  element.expect_children({"pose", "geometry", "material", "surface", "density"},
                          {"laser_retro", "max_contacts", "cast_shadows", "transparency", "meta",
                           "plugin", "visibility_flags", "frame", "auto_inertia_params"});
  const std::optional<XmlElement> geometry = element.child("geometry");
  if (!geometry)
    throw element.error(fmt::format("<{}> has no <geometry>; add one or remove it", element.tag()));
  ShapeSpec shape;
  shape.role = role;
  shape.name = element.optional_name();
  shape.placement = placement;
  const std::vector<XmlElement> kinds = geometry->children();
  if (kinds.size() > 1) {
    geometry->warn("<geometry> holds several shapes, one expected; it is left out");
    return std::nullopt;
  }
  if (kinds.empty() || kinds.front().tag() == "empty") return std::nullopt;
  if (!read_sdf_geometry(kinds.front(), files, shape)) {
    const std::vector<std::string> known{"box",       "sphere", "cylinder", "capsule",
                                         "ellipsoid", "plane",  "mesh",     "heightmap"};
    geometry->warn(fmt::format("shape <{}> is left out{}", kinds.front().tag(),
                               did_you_mean(kinds.front().tag(), known)));
    return std::nullopt;
  }
  if (const std::optional<XmlElement> material = element.child("material"))
    read_sdf_material(*material, shape);
  if (const std::optional<XmlElement> surface = element.child("surface"))
    read_sdf_surface(*surface, shape);
  return shape;
}

}  // namespace limber
