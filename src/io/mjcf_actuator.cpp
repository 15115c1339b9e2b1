// MJCF: actuators and sensors.
#include <cmath>

#include <fmt/format.h>

#include "io/mjcf.hpp"

namespace limber {

namespace {

// The fields of MuJoCo's general actuator. The shortcuts (motor, position, …) set some of them, in
// defaults too, and leave the others as they are.
struct General {
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  bool has_bias = false;
  double time_constant = 1;
  bool is_filter = false;
};

const std::vector<std::string> dynamics_types{"none",   "integrator", "filter",  "filterexact",
                                              "muscle", "user",       "dcmotor", "pid"};

void apply_general(const XmlElement& xml, General& general) {
  const MjcfElement element(xml, {});
  const auto take = [&](const char* name, std::array<double, 3>& values) {
    const std::vector<double> given = mjcf_numbers(xml, name, 10);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, given.size()); ++i) values[i] = given[i];
  };
  take("gainprm", general.gain);
  take("biasprm", general.bias);
  if (xml.attribute("biastype")) general.has_bias = element.text("biastype") == "affine";
  if (xml.attribute("dyntype")) {
    const std::size_t type = element.choice("dyntype", dynamics_types, 0);
    general.is_filter = type == 2 || type == 3;
  }
  if (const std::vector<double> given = mjcf_numbers(xml, "dynprm", 10); !given.empty())
    general.time_constant = given[0];
}

void apply_position(const XmlElement& xml, General& general) {
  const double kp = xml.number("kp", general.gain[0]);
  general.gain = {kp, 0, 0};
  general.bias = {0, -kp, general.bias[2]};
  if (xml.attribute("kv")) general.bias[2] = -xml.number("kv");
  general.has_bias = true;
  if (const double constant = xml.number("timeconst", 0); constant > 0) {
    general.is_filter = true;
    general.time_constant = constant;
  }
  if (xml.attribute("dampratio"))
    xml.warn("dampratio is not read; write the kv that it stands for");
}

// torque K/R (u − K ω) of constant K and resistance R
void apply_dcmotor(const XmlElement& xml, General& general) {
  for (const char* name : {"nominal", "saturation", "inductance", "cogging", "controller",
                           "thermal", "lugre", "input"})
    if (xml.attribute(name))
      xml.warn(fmt::format("{} of a <dcmotor> is not read; motorconst and resistance are", name));
  const std::vector<double> constants = mjcf_numbers(xml, "motorconst", 2);
  if (constants.empty() || !xml.attribute("resistance")) {
    xml.warn("a <dcmotor> without motorconst and resistance is not read: it acts with gain 1");
    return;
  }
  const double square = constants.front() * constants.back(), ohm = xml.number("resistance");
  if (!(square >= 0) || !(ohm > 0))
    throw xml.error("the motorconst of a <dcmotor> must not be negative, its resistance positive");
  general.gain = {std::sqrt(square) / ohm, 0, 0};
  general.bias = {0, 0, -square / ohm};
  general.has_bias = true;
  general.is_filter = false;
}

void apply_actuator(const XmlElement& xml, General& general) {
  const std::string_view tag = xml.tag();
  if (tag == "general") {
    apply_general(xml, general);
  } else if (tag == "motor") {
    general.gain = {1, 0, 0};
    general.has_bias = general.is_filter = false;
  } else if (tag == "dcmotor") {
    apply_dcmotor(xml, general);
  } else if (tag == "position" || tag == "intvelocity") {
    apply_position(xml, general);
  } else if (tag == "velocity") {
    const double kv = xml.number("kv", general.gain[0]);
    general.gain = {kv, 0, 0};
    general.bias = {0, 0, -kv};
    general.has_bias = true;
    general.is_filter = false;
  } else if (tag == "damper") {
    general.gain = {0, 0, -xml.number("kv", 1)};
    general.has_bias = general.is_filter = false;
  } else if (tag == "cylinder") {
    general.gain = {xml.number("area", general.gain[0]), 0, 0};
    const std::vector<double> bias = mjcf_numbers(xml, "bias", 3);
    std::copy(bias.begin(), bias.end(), general.bias.begin());
    general.has_bias = general.is_filter = true;
    general.time_constant = xml.number("timeconst", general.time_constant);
  }
}

void read_range(const MjcfElement& element, const MjcfCompiler& compiler, const char* range,
                const char* limited, double& lower, double& upper) {
  std::array<double, 2> values{0, 0};
  element.fill(range, values, MjcfElement::Count::all);
  const std::size_t choice = element.choice(limited, {"false", "true", "auto"}, 2);
  if (choice == 0 || !element.has(range)) return;
  if (choice == 2 && !compiler.auto_limits)
    throw element.holder(range).error(fmt::format(
        "{0}, but not {1}, while the compiler's autolimits is false; write {1}", range, limited));
  if (!(values[0] < values[1])) {
    if (values[0] > values[1]) warn_of_falling_range(element, range);
    return;
  }
  lower = values[0];
  upper = values[1];
}

// what an actuator acts on besides joints
constexpr const char* transmissions[] = {"tendon", "site", "body", "cranksite", "slidersite"};

// what a sensor refers to
std::vector<MjcfReference> references_of(const XmlElement& sensor) {
  std::vector<MjcfReference> found{{"site", "site"},
                                   {"joint", "joint"},
                                   {"actuator", "actuator"},
                                   {"body", "body", "world"},
                                   {"tendon", "tendon"},
                                   {"geom", "geom"},
                                   {"body1", "body", "world"},
                                   {"body2", "body", "world"},
                                   {"geom1", "geom"},
                                   {"geom2", "geom"},
                                   {"subtreebody", "body", "world"},
                                   {"subtree1", "body", "world"},
                                   {"camera", "camera"},
                                   {"subtree2", "body", "world"}};
  constexpr std::array<const char*, 2> typed[] = {{"objname", "objtype"}, {"refname", "reftype"}};
  for (const auto& [name, type] : typed) {
    const std::string kind = sensor.attribute(type).value_or("");
    for (const char* known : {"body", "geom", "site", "camera", "joint", "tendon", "actuator"})
      if (kind == known) found.push_back({name, known, "world"});
    if (kind == "xbody") found.push_back({name, "body", "world"});
  }
  return found;
}

}  // namespace

void MjcfReader::read_actuators(const XmlElement& section, MjcfScope& scope) {
  constexpr MjcfReference references[] = {
      {"joint", "joint"}, {"jointinparent", "joint"}, {"tendon", "tendon"},   {"site", "site"},
      {"body", "body"},   {"cranksite", "site"},      {"slidersite", "site"}, {"refsite", "site"}};
  for (const XmlElement& child : scope.model.files.children(section)) {
    if (!is_mjcf_actuator(child.tag()))
      throw child.error(fmt::format("unknown element <{}> in <actuator>", child.tag()));
    ActuatorSpec actuator;
    actuator.kind = child.tag();
    MjcfElement element = scope.model.defaults.resolve(child, "", "actuator");
    if (!comes_along(element, scope, references)) continue;
    for (const char* attribute : {"joint", "jointinparent"})
      if (element.has(attribute)) actuator.joint = scope.full(element.text(attribute));
    for (const char* kind : transmissions)
      if (actuator.target.empty() && element.has(kind))
        actuator.target = fmt::format("{} '{}'", kind, scope.full(element.text(kind)));
    actuator.name = claim(child, "actuator", scope);
    std::string there = actuator.name;
    if (actuator.name.empty()) {
      const std::string wanted =
          fmt::format("{}_{}", actuator.joint.empty() ? "unnamed" : actuator.joint, actuator.kind);
      if (scope.around) there = fresh_there_(wanted);
      actuator.name = fresh_(wanted);
    }
    if (scope.around) actuator_names_[there] = actuator.name;
    attached(scope, "actuator", actuator.name);
    element = element.owned_by("actuator '" + actuator.name + "'");
    actuator.source = element.source();
    expect_mjcf_attributes(element.own());
    if (actuator.joint.empty() == actuator.target.empty())
      throw element.error("an actuator acts on one thing: a joint, tendon, site or body");
    if (!actuator.joint.empty() && !tree.joint_index.contains(actuator.joint)) {
      std::vector<std::string> known;
      for (const MjcfTree::Joint& joint : tree.joints) known.push_back(joint.name);
      throw unknown(element.own(), "joint", actuator.joint, known);
    }
    element.fill("gear", actuator.gear);
    read_range(element, scope.model.compiler, "ctrlrange", "ctrllimited", actuator.control_lower,
               actuator.control_upper);
    read_range(element, scope.model.compiler, "forcerange", "forcelimited", actuator.force_lower,
               actuator.force_upper);
    General general;
    for (const XmlElement& one : element.defaults()) apply_actuator(one, general);
    apply_actuator(element.own(), general);
    actuator.gain = general.gain;
    if (general.has_bias) actuator.bias = general.bias;
    if (general.is_filter) actuator.time_constant = general.time_constant;
    spec.actuators.push_back(std::move(actuator));
  }
}

void MjcfReader::reserve_actuator_names(const XmlElement& section, MjcfScope& scope) {
  for (const XmlElement& child : scope.model.files.children(section)) {
    const std::string name = scope.full(child.optional_name());
    if (name.empty()) continue;
    fresh_.take(name);
    if (scope.around) fresh_there_.take(name);
  }
}

void MjcfReader::read_sensors(const XmlElement& section, MjcfScope& scope) {
  // what a sensor refers to: attribute, and the word for it
  constexpr std::array<const char*, 2> objects[] = {
      {"site", "frame"},    {"joint", "joint"}, {"actuator", "actuator"}, {"body", "body"},
      {"tendon", "tendon"}, {"geom", "geom"},   {"body1", "body"},        {"subtreebody", "body"}};
  for (const XmlElement& child : scope.model.files.children(section)) {
    if (!comes_along({child, {}}, scope, references_of(child))) continue;
    SensorSpec sensor;
    sensor.kind = child.tag();
    sensor.name = claim(child, "sensor", scope);
    const XmlElement element =
        child.owned_by(fmt::format("sensor '{}'", sensor.name.empty() ? sensor.kind : sensor.name));
    sensor.source = element.source();
    if (element.attribute("objname")) {
      sensor.object_kind = element.required("objtype");
      sensor.object = element.name("objname");
    }
    for (const auto& [attribute, kind] : objects)
      if (sensor.object.empty() && element.attribute(attribute)) {
        sensor.object_kind = kind;
        sensor.object = element.name(attribute);
      }
    if (sensor.object != "world") sensor.object = scope.full(sensor.object);
    if (sensor.object_kind == "site") sensor.object_kind = "frame";
    if (sensor.object_kind == "frame") {
      const auto site = tree.sites.find(sensor.object);
      if (site == tree.sites.end()) {
        std::vector<std::string> known;
        for (const auto& [name, entry] : tree.sites) known.push_back(name);
        throw unknown(element, "site", sensor.object, known);
      }
      sensor.object = site->second.frame;
    }
    sensor.noise = element.number("noise", 0);
    sensor.cutoff = element.number("cutoff", 0);
    if (sensor.noise < 0 || sensor.cutoff < 0)
      throw element.error("noise and cutoff must not be negative");
    spec.sensors.push_back(std::move(sensor));
  }
}

}  // namespace limber
