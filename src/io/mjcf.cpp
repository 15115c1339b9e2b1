// MJCF: the file as a whole, states, contact.
#include "io/mjcf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include <limber/io/load.hpp>

#include "io/text_file.hpp"
#include "model/loops.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// MuJoCo's numbers of one joint, in Limber's order: the quaternion's w last
std::vector<double> to_position(const XmlElement& key, JointKind kind,
                                std::span<const double> numbers) {
  std::vector<double> result(numbers.begin(), numbers.end());
  const int quaternion = kind == JointKind::free ? 3 : kind == JointKind::spherical ? 0 : -1;
  if (quaternion < 0) return result;
  const auto start = static_cast<std::size_t>(quaternion);
  const Quat<double> turn = mjcf_quaternion(key, numbers.subspan(start, 4));
  const double values[] = {turn.x, turn.y, turn.z, turn.w};
  std::copy(std::begin(values), std::end(values), result.begin() + quaternion);
  return result;
}

// MuJoCo's velocity of a free body is that of its origin in the axes of the world, then the angular
// one in its own axes; Limber's is angular, then linear, both in its own axes
std::vector<double> to_velocity(JointKind kind, const std::vector<double>& position,
                                std::span<const double> numbers) {
  if (kind != JointKind::free) return {numbers.begin(), numbers.end()};
  const Quat<double> turn{position[3], position[4], position[5], position[6]};
  const Vec3<double> linear =
      transpose(to_matrix(turn)) * Vec3<double>{numbers[0], numbers[1], numbers[2]};
  return {numbers[3], numbers[4], numbers[5], linear.x, linear.y, linear.z};
}

// the numbers of a key: none, or as many as the robot has
std::vector<double> key_numbers(const XmlElement& key, const char* name, std::size_t count) {
  if (!key.attribute(name)) return {};
  return key.numbers(name, {count});
}

// ranges that look like radians where degrees are read: all of them within a turn of radians
void warn_of_small_ranges(const MjcfModel& model, const Spec& spec) {
  if (!model.compiler.degrees) return;
  double furthest = 0;  // [rad]
  for (const JointSpec& joint : spec.joints)
    if (joint.kind == JointKind::revolute && !joint.dofs.empty() &&
        std::isfinite(joint.dofs[0].lower))
      furthest = std::max({furthest, std::abs(joint.dofs[0].lower), std::abs(joint.dofs[0].upper)});
  constexpr double degree = std::numbers::pi / 180;
  if (furthest > 0 && furthest < 2 * std::numbers::pi * degree)
    model.files.root().warn(fmt::format(
        "no hinge may turn by more than {:.3g}°: ranges are in degrees unless the file says "
        "<compiler angle=\"radian\"/>; were radians meant?",
        furthest / degree));
}

Spec read_mujoco(std::string_view text, const std::string& file, MjcfFiles::Includes includes,
                 const MeshSearch& meshes) {
  const MjcfModels models(text, file, includes, meshes);
  MjcfModel& model = models.main();
  MjcfReader reader(model);
  Spec& spec = reader.spec;
  spec.name = model.name;
  spec.source = {file, model.files.root().source().line, "robot '" + spec.name + "'"};
  spec.timestep = 0.002;

  for (const XmlElement& section : model.sections_of("option"))
    read_mjcf_option(section, model.files, spec, reader.fluid);
  reader.read_tree();
  warn_of_small_ranges(model, spec);
  reader.each("equality", &MjcfReader::read_equality);
  reader.each("tendon", &MjcfReader::name_tendons);
  reader.each("actuator", &MjcfReader::reserve_actuator_names);
  reader.each("actuator", &MjcfReader::read_actuators);
  reader.each("sensor", &MjcfReader::read_sensors);
  reader.each("contact", &MjcfReader::read_contact);
  reader.add_reference_state();
  for (const XmlElement& section : model.sections_of("keyframe")) reader.read_keyframes(section);
  for (MjcfScope* scope : std::span(reader.in_order).subspan(1))
    reader.add_attached_keyframes(*scope);
  if (spec.bodies.empty())
    throw Error(spec.source, "there is no <body> in this model; a robot needs at least one");

  const std::vector<std::string> known{"compiler",  "option",   "default", "asset",
                                       "worldbody", "equality", "tendon",  "actuator",
                                       "sensor",    "contact",  "keyframe"};
  const std::vector<std::string> harmless{"visual", "statistic", "size", "custom"};
  for (const XmlElement& section : model.sections) {
    const std::string tag(section.tag());
    if (std::find(harmless.begin(), harmless.end(), tag) != harmless.end())
      section.ignore(fmt::format("<{}>", tag));
    else if (std::find(known.begin(), known.end(), tag) == known.end())
      section.warn(fmt::format("unknown element <{}> in <mujoco> is not read{}", tag,
                               did_you_mean(tag, known)));
  }
  spec.warnings = models.warnings();
  spec.ignored = models.ignored();
  spec.format = "MJCF, by the rules of MuJoCo 3";
  return std::move(spec);
}

}  // namespace

Error MjcfReader::unknown(const XmlElement& element, const std::string& what,
                          const std::string& name, const std::vector<std::string>& known) const {
  if (tree.replicated.contains(name))
    return element.error(
        fmt::format("{} '{}' is within <replicate>, which makes copies with other names; Limber "
                    "does not copy the elements that refer to it: name one of the copies",
                    what, name));
  return element.error(
      fmt::format("{} '{}' does not exist{}", what, name, did_you_mean(name, known)));
}

// of one type with the readers of the other sections
// NOLINTNEXTLINE(readability-make-member-function-const)
void MjcfReader::name_tendons(const XmlElement& section, MjcfScope& scope) {
  std::vector<std::string> names;
  std::optional<XmlElement> first;
  constexpr MjcfReference path[] = {
      {"joint", "joint"}, {"site", "site"}, {"geom", "geom"}, {"sidesite", "site"}};
  for (const XmlElement& tendon : scope.model.files.children(section)) {
    const std::vector<XmlElement> pieces = scope.model.files.children(tendon);
    if (!std::all_of(pieces.begin(), pieces.end(), [&](const XmlElement& piece) {
          return comes_along({piece, {}}, scope, path);
        }))
      continue;
    if (!first) first = tendon;
    const std::string name = scope.full(tendon.optional_name());
    attached(scope, "tendon", name);
    names.push_back(name.empty() ? std::string(tendon.tag()) : name);
  }
  if (first)
    first->warn(fmt::format(
        "{} ({}) {} not read: springs, limits and friction of tendons have no "
        "effect",
        count_of(names.size(), "tendon"), quoted_names(names), names.size() == 1 ? "is" : "are"));
}

// a pair may name geoms whose bits say that they touch nothing: they are touched all the same
void MjcfReader::read_contact_pair(const XmlElement& element, const MjcfScope& scope) {
  element.expect_attributes({"name", "class", "geom1", "geom2", "friction"},
                            {"condim", "solref", "solreffriction", "solimp", "gap", "margin"});
  ContactPairSpec pair;
  std::array<ShapeSpec*, 2> found{};
  const auto look_in = [&](std::vector<ShapeSpec>& shapes, const std::string& body) {
    for (ShapeSpec& shape : shapes)
      for (std::size_t k = 0; k < 2; ++k)
        if (shape.name == pair.shapes[k]) found[k] = &shape, pair.bodies[k] = body;
  };
  pair.shapes = {scope.full(element.name("geom1")), scope.full(element.name("geom2"))};
  look_in(spec.world_shapes, "");
  for (BodySpec& body : spec.bodies) look_in(body.shapes, body.name);
  for (std::size_t k = 0; k < 2; ++k)
    if (!found[k])
      return element.warn(
          fmt::format("left out, as there is no geom '{}' to touch", pair.shapes[k]));
  claim(element, "pair", scope);
  for (ShapeSpec* shape : found)
    if (shape->role == ShapeSpec::Role::visual) {
      shape->role = ShapeSpec::Role::both;
      shape->collides_as = shape->collides_with = 0;
    }
  const MjcfElement own{element, {}};
  if (own.has("friction")) {
    // two tangents, spinning, rolling about two
    std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};
    own.fill("friction", friction);
    pair.friction = Vec3<double>{friction[0], friction[2], friction[3]};
  }
  spec.contact_pairs.push_back(std::move(pair));
}

void MjcfReader::read_contact(const XmlElement& contact, MjcfScope& scope) {
  for (const XmlElement& child : scope.model.files.children(contact)) {
    if (child.tag() == "pair") {
      read_contact_pair(child, scope);
      continue;
    }
    if (child.tag() != "exclude") {
      child.ignore(fmt::format("<{}> in <contact>", child.tag()));
      continue;
    }
    child.expect_attributes({"name", "body1", "body2"});
    std::array<std::string, 2> pair{child.name("body1"), child.name("body2")};
    constexpr MjcfReference bodies[] = {{"body1", "body", "world"}, {"body2", "body", "world"}};
    if (!comes_along({child, {}}, scope, bodies)) continue;
    claim(child, "exclusion", scope);
    for (std::string& name : pair) {
      if (name != "world") name = scope.full(name);
      if (!tree.body_pose.contains(name)) {
        std::vector<std::string> known;
        for (const auto& [one, pose] : tree.body_pose) known.push_back(one);
        throw unknown(child, "body", name, known);
      }
    }
    spec.exclusions.push_back(std::move(pair));
  }
}

void MjcfReader::add_reference_state() {
  KeyframeSpec key;
  key.name = "qpos0";
  key.source = spec.source;
  for (const MjcfTree::Joint& joint : tree.joints)
    key.position.push_back({joint.name, joint.reference});
  spec.keyframes.push_back(std::move(key));
}

void MjcfReader::read_keyframes(const XmlElement& section) {
  std::size_t nq = 0, nv = 0;
  for (const MjcfTree::Joint& joint : tree.joints) {
    nq += static_cast<std::size_t>(position_count(joint.kind));
    nv += static_cast<std::size_t>(velocity_count(joint.kind));
  }
  const std::vector<XmlElement> keys = main().model.files.children(section);
  expect_few_states(section.source(), spec.keyframes.size() + keys.size(),
                    nq + nv + spec.actuators.size());
  for (const XmlElement& child : keys) {
    if (child.tag() != "key") {
      child.warn(fmt::format("unknown element <{}> in <keyframe> is not read", child.tag()));
      continue;
    }
    KeyframeSpec key;
    key.name = claim(child, "key", main());
    if (key.name.empty()) key.name = fmt::format("key{}", spec.keyframes.size() - 1);
    const XmlElement element = child.owned_by("key '" + key.name + "'");
    element.expect_attributes({"name", "time", "qpos", "qvel", "ctrl"}, {"act", "mpos", "mquat"});
    key.source = element.source();
    key.time = element.number("time", 0);
    const std::vector<double> qpos = key_numbers(element, "qpos", nq),
                              qvel = key_numbers(element, "qvel", nv),
                              ctrl = key_numbers(element, "ctrl", spec.actuators.size());
    if (qpos.empty()) resting_keys_.insert(key.name);
    std::size_t q = 0, v = 0;
    for (const MjcfTree::Joint& joint : tree.joints) {
      const auto nqj = static_cast<std::size_t>(position_count(joint.kind)),
                 nvj = static_cast<std::size_t>(velocity_count(joint.kind));
      std::vector<double> position =
          qpos.empty() ? joint.reference
                       : to_position(element, joint.kind, std::span(qpos).subspan(q, nqj));
      if (!qvel.empty())
        key.velocity.push_back(
            {joint.name, to_velocity(joint.kind, position, std::span(qvel).subspan(v, nvj))});
      key.position.push_back({joint.name, std::move(position)});
      q += nqj;
      v += nvj;
    }
    for (std::size_t i = 0; i < ctrl.size(); ++i)
      key.control.push_back({spec.actuators[i].name, {ctrl[i]}});
    spec.keyframes.push_back(std::move(key));
  }
}

Spec parse_mjcf(std::string_view text, const std::string& file) {
  return read_mujoco(text, file, MjcfFiles::Includes::refused, {});
}

Spec parse_mjcf_of_file(std::string_view text, const std::string& file,
                        const LoadOptions& options) {
  return read_mujoco(text, file, MjcfFiles::Includes::allowed,
                     mesh_search(file, options.mesh_folders));
}

Spec read_mjcf(const std::string& file) {
  return read_or_explain(file, [&] { return parse_mjcf_of_file(read_text_file(file), file, {}); });
}

}  // namespace limber
