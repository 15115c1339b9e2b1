// URDF: <hydrodynamics> of a robot, as some marine packages write it, for the root link.
#include <fmt/format.h>

#include "io/urdf.hpp"

namespace limber {

namespace {

// of the sea, to turn a buoyant force into a volume
constexpr double sea_density = 1025, usual_gravity = 9.81;

// a diagonal of derivatives of forces, which are negative where water resists
MarineMatrix read_derivatives(const XmlElement& element, const std::array<const char*, 6>& names) {
  element.expect_attributes({names[0], names[1], names[2], names[3], names[4], names[5]});
  std::array<double, 6> diagonal{};
  for (std::size_t k = 0; k < 6; ++k) {
    const double value = element.number(names[k], 0);
    diagonal[k] = 0 - value;
    if (value > 0)
      element.warn(
          fmt::format("{} of <{}> is positive: derivatives of forces are negative where water "
                      "resists; turn the sign unless water is to drive the robot",
                      names[k], element.tag()));
  }
  return diagonal_matrix(diagonal);
}

Vec3<double> read_point(const XmlElement& element) {
  element.expect_attributes({"x", "y", "z"});
  return {element.number("x", 0), element.number("y", 0), element.number("z", 0)};
}

// a file without links describes one body
BodySpec body_of(const XmlElement& inertial, const std::string& name) {
  BodySpec body;
  body.name = name;
  body.source = inertial.source();
  const std::optional<XmlElement> mass = inertial.child("mass"),
                                  moments = inertial.child("inertia"),
                                  com = inertial.child("center_of_gravity");
  if (!mass)
    throw inertial.error(
        "the robot has no <link>, and <inertial> of <hydrodynamics> no <mass>; add one of them");
  Sym3<double> inertia;
  if (moments)
    inertia = {moments->number("ixx", 0), moments->number("iyy", 0), moments->number("izz", 0),
               moments->number("ixy", 0), moments->number("ixz", 0), moments->number("iyz", 0)};
  body.inertia = Inertia<double>::from_com(mass->number("value"),
                                           com ? read_point(*com) : Vec3<double>{}, inertia);
  return body;
}

BodySpec& root_body(const XmlElement& inertial, Spec& spec, const UrdfIndex& index) {
  if (spec.bodies.empty()) {
    inertial.warn(
        fmt::format("the robot has no <link>; it becomes one body '{}' with this mass and inertia, "
                    "fixed to the world unless the base is freed (--floating)",
                    spec.name));
    spec.bodies.push_back(body_of(inertial, spec.name));
    return spec.bodies.back();
  }
  for (const char* tag : {"mass", "inertia", "center_of_gravity"})
    if (inertial.child(tag)) inertial.ignore(fmt::format("<{}> in <hydrodynamics>", tag));
  for (BodySpec& body : spec.bodies)
    if (!index.carriers.contains(body.name)) return body;
  throw inertial.error("every link hangs from another; the joints go round in a circle");
}

void read_hydrostatics(const XmlElement& hydrostatics, HydrodynamicsSpec& water) {
  hydrostatics.expect_children({"buoyancy", "center_of_buoyancy"});
  if (const std::optional<XmlElement> buoyancy = hydrostatics.child("buoyancy")) {
    const double force = buoyancy->number("value");
    if (force < 0) throw buoyancy->error(fmt::format("<buoyancy value=\"{}\"> is negative", force));
    water.volume = force / (sea_density * usual_gravity);
    buoyancy->warn(fmt::format(
        "<buoyancy> of {:g} N is taken as a volume of {:.6g} m³, that of {:g} kg/m³ and {:g} m/s²",
        force, *water.volume, sea_density, usual_gravity));
  }
  if (const std::optional<XmlElement> center = hydrostatics.child("center_of_buoyancy"))
    water.center_of_buoyancy = read_point(*center);
}

}  // namespace

void read_urdf_hydrodynamics(const XmlElement& element, Spec& spec, const UrdfIndex& index) {
  const XmlElement owner = element.owned_by("hydrodynamics");
  owner.expect_children({"inertial", "damping", "hydrostatics"});
  const std::optional<XmlElement> inertial = owner.child("inertial");
  if (inertial) inertial->expect_children({"mass", "inertia", "center_of_gravity", "added_mass"});
  BodySpec& body = root_body(inertial ? *inertial : owner, spec, index);
  HydrodynamicsSpec& water =
      body.hydrodynamics ? *body.hydrodynamics : body.hydrodynamics.emplace();
  if (const auto mass = inertial ? inertial->child("added_mass") : std::nullopt)
    water.added_mass = read_derivatives(*mass, {"Xdu", "Ydv", "Zdw", "Kdp", "Mdq", "Ndr"});
  if (const std::optional<XmlElement> damping = owner.child("damping")) {
    damping->expect_children({"linear", "quadratic"});
    if (const std::optional<XmlElement> linear = damping->child("linear"))
      water.linear_damping = read_derivatives(*linear, {"Xu", "Yv", "Zw", "Kp", "Mq", "Nr"});
    if (const std::optional<XmlElement> quadratic = damping->child("quadratic"))
      water.quadratic_damping =
          read_derivatives(*quadratic, {"Xuu", "Yvv", "Zww", "Kpp", "Mqq", "Nrr"});
  }
  if (const std::optional<XmlElement> hydrostatics = owner.child("hydrostatics"))
    read_hydrostatics(*hydrostatics, water);
}

}  // namespace limber
