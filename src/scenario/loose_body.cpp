#include "scenario/loose_body.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/solid.hpp"
#include "scenario/schema.hpp"

namespace limber {

Spec read_loose_body(const YamlMap& map) {
  const std::vector<std::size_t> counts = {3, 1, 2, 2, 3};
  ShapeSpec shape;
  const std::size_t kind =
      choice(map, "kind", {"box", "sphere", "cylinder", "capsule", "ellipsoid"});
  shape.kind = static_cast<ShapeSpec::Kind>(kind);
  shape.role = ShapeSpec::Role::both;
  std::vector<double> size = map.numbers("size", {counts[kind]});
  if (size.empty()) throw map.error("size", "is missing; add `size: […]`");
  for (const double one : size)
    if (!(one > 0)) throw map.error("size", fmt::format("{} found, a length is expected", one));
  size.resize(3, 0);
  shape.size = {size[0], size[1], size[2]};
  if (map.has("color")) {
    const std::vector<double> color = map.numbers("color", {4});
    std::copy(color.begin(), color.end(), shape.color.begin());
  }
  const double mass = map.number("mass");
  if (!(mass > 0)) throw map.error("mass", fmt::format("{} found, a mass is expected", mass));
  Spec spec;
  spec.name = "body";
  spec.source = map.source();
  const Inertia<double> solid = solid_inertia(shape, 1);
  BodySpec& body = spec.add_body("body", mass, {}, solid.rotational() * (mass / solid.m));
  body.shapes.push_back(shape);
  body.source = map.source();
  JointSpec& joint = map.has("slide") ? spec.add_joint("slide", JointKind::prismatic, "", "body",
                                                       map.vec3("slide", {}))
                                      : spec.add_joint("root", JointKind::free, "", "body");
  joint.source = map.source();
  return spec;
}

}  // namespace limber
