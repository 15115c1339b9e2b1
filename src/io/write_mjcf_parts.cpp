// Spec to MJCF: equalities, actuators, sensors, contact, named states.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/math/quat.hpp>

#include "io/write_mjcf.hpp"

namespace limber {

namespace {

// the coefficients of Σ cₖ (x − x₀)ᵏ + y₀ as a polynomial of x
std::array<double, 5> moved_polynomial(const LoopSpec& loop) {
  std::array<double, 5> c = loop.polynomial;
  if (loop.leader.empty()) c = {c[0], 0, 0, 0, 0};
  // Horner's scheme, once for each coefficient
  for (std::size_t i = 0; i < c.size() && loop.leader_reference != 0; ++i)
    for (std::size_t k = c.size() - 1; k-- > i;) c[k] -= loop.leader_reference * c[k + 1];
  c[0] += loop.joint_reference;
  return c;
}

// by what attribute a sensor of each kind names its object; none: by objtype and objname
struct SensorObject {
  std::string_view kind, attribute;
};
constexpr SensorObject sensor_objects[] = {{"touch", "site"},
                                           {"accelerometer", "site"},
                                           {"velocimeter", "site"},
                                           {"gyro", "site"},
                                           {"force", "site"},
                                           {"torque", "site"},
                                           {"magnetometer", "site"},
                                           {"rangefinder", "site"},
                                           {"jointpos", "joint"},
                                           {"jointvel", "joint"},
                                           {"jointactuatorfrc", "joint"},
                                           {"ballquat", "joint"},
                                           {"ballangvel", "joint"},
                                           {"jointlimitpos", "joint"},
                                           {"jointlimitvel", "joint"},
                                           {"jointlimitfrc", "joint"},
                                           {"actuatorpos", "actuator"},
                                           {"actuatorvel", "actuator"},
                                           {"actuatorfrc", "actuator"},
                                           {"subtreecom", "body"},
                                           {"subtreelinvel", "body"},
                                           {"subtreeangmom", "body"},
                                           {"framepos", ""},
                                           {"framequat", ""},
                                           {"framexaxis", ""},
                                           {"frameyaxis", ""},
                                           {"framezaxis", ""},
                                           {"framelinvel", ""},
                                           {"frameangvel", ""},
                                           {"framelinacc", ""},
                                           {"frameangacc", ""}};

// what tells places on bodies apart
std::string place_key(const std::string& body, const Transform<double>& placement) {
  std::string key = body;
  for (int i = 0; i < 3; ++i) key += "\n" + format_numbers(placement.R.row(i));
  return key + "\n" + format_numbers(placement.p);
}

}  // namespace

// a frame that stands there already, or a new site
std::string MjcfWriter::site_of_loop(const std::string& body, const Transform<double>& placement,
                                     const std::string& wanted) {
  const auto [place, is_new] = site_at_.try_emplace(place_key(body, placement));
  if (is_new) {
    place->second = site_names_(wanted);
    sites_[body].push_back({place->second, placement});
  }
  return place->second;
}

void MjcfWriter::place_loop_sites() {
  for (const auto& [body, sites] : sites_)
    for (const Site& site : sites) site_at_.emplace(place_key(body, site.placement), site.name);
  for (const LoopSpec& loop : spec_.loops) {
    const bool has_ends = loop.kind == LoopSpec::Kind::connect || loop.kind == LoopSpec::Kind::weld;
    loop_sites_.push_back({});
    if (!has_ends) continue;
    loop_sites_.back() = {site_of_loop(loop.body_a, loop.placement_a, loop.name + "_a"),
                          site_of_loop(loop.body_b, loop.placement_b, loop.name + "_b")};
  }
}

void MjcfWriter::write_equalities() {
  const bool mimics = std::any_of(spec_.joints.begin(), spec_.joints.end(),
                                  [](const JointSpec& joint) { return joint.mimic.has_value(); });
  if (spec_.loops.empty() && !mimics) return;
  xml_.open("equality");
  FreshNames names;
  for (const LoopSpec& loop : spec_.loops) names.take(loop.name);
  for (const JointSpec& joint : spec_.joints) {
    if (!joint.mimic || joint.kind == JointKind::fixed) continue;
    const double polynomial[] = {joint.mimic->offset, joint.mimic->multiplier, 0, 0, 0};
    xml_.open("joint").attribute("name", names(joint.name + "_mimic"));
    xml_.attribute("joint1", joint.name).attribute("joint2", joint.mimic->joint);
    xml_.attribute("polycoef", format_numbers(polynomial)).close();
  }
  for (std::size_t i = 0; i < spec_.loops.size(); ++i) {
    const LoopSpec& loop = spec_.loops[i];
    if (loop.kind == LoopSpec::Kind::distance || loop.kind >= LoopSpec::Kind::joint) {
      losses_.dynamics("loop '" + loop.name + "'",
                       loop.kind == LoopSpec::Kind::distance ? "left open: MJCF keeps no distance"
                       : loop.kind == LoopSpec::Kind::joint
                           ? "left open: MJCF has no joints that close loops"
                           : std::string("left open: MJCF has no ") + name(loop.kind));
      continue;
    }
    if (loop.kind == LoopSpec::Kind::coupling) {
      xml_.open("joint").attribute("name", loop.name).attribute("joint1", loop.joint);
      if (!loop.leader.empty()) xml_.attribute("joint2", loop.leader);
      xml_.attribute("polycoef", format_numbers(moved_polynomial(loop)));
    } else {
      xml_.open(loop.kind == LoopSpec::Kind::weld ? "weld" : "connect");
      xml_.attribute("name", loop.name).attribute("site1", loop_sites_[i][0]);
      xml_.attribute("site2", loop_sites_[i][1]);
    }
    if (!loop.is_active) xml_.attribute("active", "false");
    xml_.close();
  }
  xml_.close();
}

void MjcfWriter::write_actuators() {
  std::vector<const ActuatorSpec*> written;
  for (const ActuatorSpec& actuator : spec_.actuators) {
    const bool needs_more = actuator.kind == "muscle" || actuator.kind == "intvelocity" ||
                            actuator.kind == "adhesion" || actuator.kind == "plugin" ||
                            actuator.kind == "dcmotor" || actuator.kind == "pid";
    if (actuator.joint.empty() || needs_more)
      losses_.description(
          "actuator '" + actuator.name + "'",
          actuator.joint.empty()
              ? fmt::format("left out: it acts on {}", actuator.target)
              : fmt::format("left out: a {} has more numbers than Limber keeps", actuator.kind));
    else written.push_back(&actuator);
  }
  if (written.empty()) return;
  xml_.open("actuator");
  for (const ActuatorSpec* actuator : written) write_actuator(*actuator);
  xml_.close();
  actuators_ = std::move(written);
  for (const ActuatorSpec* actuator : actuators_) actuator_names_.insert(actuator->name);
}

void MjcfWriter::write_actuator(const ActuatorSpec& actuator) {
  const std::array<double, 3>&gain = actuator.gain, &bias = actuator.bias;
  const bool constant_gain = gain[1] == 0 && gain[2] == 0;
  const bool has_bias = bias[0] != 0 || bias[1] != 0 || bias[2] != 0;
  const bool filters = actuator.time_constant > 0;
  std::string tag = "general";
  if (actuator.kind == "motor" && gain[0] == 1 && constant_gain && !has_bias && !filters)
    tag = "motor";
  if (actuator.kind == "position" && constant_gain && bias[0] == 0 && bias[1] == -gain[0])
    tag = "position";
  if (actuator.kind == "velocity" && constant_gain && bias[0] == 0 && bias[1] == 0 &&
      bias[2] == -gain[0] && !filters)
    tag = "velocity";
  if (tag != actuator.kind)
    losses_.description(
        "actuator '" + actuator.name + "'",
        fmt::format("a {} is written as <general>, with the same force", actuator.kind));
  xml_.open(tag).attribute("name", actuator.name).attribute("joint", actuator.joint);
  if (actuator.gear != ActuatorSpec{}.gear) xml_.attribute("gear", format_numbers(actuator.gear));
  const auto range = [&](const char* name, double lower, double upper) {
    const double ends[] = {lower, upper};
    if (std::isfinite(lower) && std::isfinite(upper)) xml_.attribute(name, format_numbers(ends));
    else if (std::isfinite(lower) || std::isfinite(upper))
      losses_.description("actuator '" + actuator.name + "'",
                          fmt::format("{} on one side only is left out", name));
  };
  range("ctrlrange", actuator.control_lower, actuator.control_upper);
  range("forcerange", actuator.force_lower, actuator.force_upper);
  if (tag == "position") {
    xml_.attribute("kp", gain[0]);
    if (bias[2] != 0) xml_.attribute("kv", -bias[2]);
    if (filters) xml_.attribute("timeconst", actuator.time_constant);
  } else if (tag == "velocity") {
    xml_.attribute("kv", gain[0]);
  } else if (tag == "general") {
    if (!constant_gain) xml_.attribute("gaintype", "affine");
    xml_.attribute("gainprm", format_numbers(gain));
    if (has_bias) xml_.attribute("biastype", "affine").attribute("biasprm", format_numbers(bias));
    if (filters) xml_.attribute("dyntype", "filter").attribute("dynprm", actuator.time_constant);
  }
  xml_.close();
}

// true if what the sensor measures is in the file; `attribute` would name it
bool MjcfWriter::has_object(const SensorSpec& sensor, std::string_view attribute) const {
  const std::string kind = sensor.object_kind == "frame" ? "site" : sensor.object_kind;
  if (!attribute.empty() && attribute != kind) return false;
  if (kind == "site") return site_names_.contains(sensor.object);
  if (kind == "joint") return joints_.contains(sensor.object);
  if (kind == "body" || kind == "xbody") return bodies_.contains(sensor.object);
  return kind == "actuator" && actuator_names_.contains(sensor.object);
}

void MjcfWriter::write_sensors() {
  bool is_open = false;
  for (const SensorSpec& sensor : spec_.sensors) {
    const auto found =
        std::find_if(std::begin(sensor_objects), std::end(sensor_objects),
                     [&](const SensorObject& one) { return one.kind == sensor.kind; });
    const bool is_known = found != std::end(sensor_objects);
    if (!is_known || !has_object(sensor, found->attribute)) {
      losses_.description(
          "sensor '" + (sensor.name.empty() ? sensor.kind : sensor.name) + "'",
          is_known
              ? fmt::format("left out: in MJCF it cannot measure {} '{}'", sensor.object_kind,
                            sensor.object)
              : fmt::format("left out: Limber does not write sensors of kind '{}'", sensor.kind));
      continue;
    }
    if (!is_open) xml_.open("sensor");
    is_open = true;
    xml_.open(sensor.kind);
    if (!sensor.name.empty()) xml_.attribute("name", sensor.name);
    if (found->attribute.empty())
      xml_.attribute("objtype", sensor.object_kind == "frame" ? "site" : sensor.object_kind)
          .attribute("objname", sensor.object);
    else xml_.attribute(found->attribute, sensor.object);
    if (sensor.noise != 0) xml_.attribute("noise", sensor.noise);
    if (sensor.cutoff != 0) xml_.attribute("cutoff", sensor.cutoff);
    xml_.close();
  }
  if (is_open) xml_.close();
}

void MjcfWriter::write_contact_pair(const ContactPairSpec& pair) {
  std::array<std::string, 2> geoms;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto body = bodies_.find(pair.bodies[k]);
    for (const ShapeSpec& shape : body == bodies_.end() ? spec_.world_shapes : body->second->shapes)
      if (const auto found = geom_names_.find(&shape);
          shape.name == pair.shapes[k] && found != geom_names_.end())
        geoms[k] = found->second;
    if (geoms[k].empty())
      return losses_.description(
          fmt::format("contact pair '{}' and '{}'", pair.shapes[0], pair.shapes[1]),
          fmt::format("left out, as the file has no geom '{}'", pair.shapes[k]));
  }
  xml_.open("pair").attribute("geom1", geoms[0]).attribute("geom2", geoms[1]);
  if (const std::optional<Vec3<double>>& f = pair.friction)
    xml_.attribute("friction", format_numbers(std::array{f->x, f->x, f->y, f->z, f->z}));
  xml_.close();
}

void MjcfWriter::write_contact() {
  if (spec_.exclusions.empty() && spec_.contact_pairs.empty()) return;
  xml_.open("contact");
  for (const ContactPairSpec& pair : spec_.contact_pairs) write_contact_pair(pair);
  for (const auto& [first, second] : spec_.exclusions)
    xml_.open("exclude").attribute("body1", first).attribute("body2", second).close();
  xml_.close();
}

// --- states ---

// a number of a joint with one freedom: its own, or that of the joint which it follows
double MjcfWriter::follow(const ValuesByName& values, const JointSpec& joint, double offset,
                          int depth) const {
  if (joint.mimic && depth < 100) {
    const JointSpec& master = *joints_.at(joint.mimic->joint);
    return joint.mimic->multiplier * follow(values, master, offset, depth + 1) +
           offset * joint.mimic->offset;
  }
  const std::vector<double>* own = values.find(joint.name);
  return own && own->size() == 1 ? own->front() : 0;
}

// MuJoCo's numbers: quaternions begin with w, free bodies are placed in the world
std::vector<double> MjcfWriter::position_of(const StateByName& key, const JointSpec& joint) const {
  if (position_count(joint.kind) == 1) return {follow(key.position, joint, 1, 0)};
  const std::vector<double>* own = key.position.find(joint.name);
  if (joint.kind != JointKind::free) {  // a ball
    if (!own) return {1, 0, 0, 0};
    return {(*own)[3], (*own)[0], (*own)[1], (*own)[2]};
  }
  Transform<double> pose = joint.placement;
  if (own)
    pose = pose *
           Transform<double>{to_matrix(Quat<double>{(*own)[3], (*own)[4], (*own)[5], (*own)[6]}),
                             {(*own)[0], (*own)[1], (*own)[2]}};
  const Quat<double> turn = to_quat(pose.R);
  return {pose.p.x, pose.p.y, pose.p.z, turn.w, turn.x, turn.y, turn.z};
}

// of a free body: the velocity of its origin in the axes of the world, then the angular one
std::vector<double> MjcfWriter::velocity_of(const StateByName& key, const JointSpec& joint) const {
  if (velocity_count(joint.kind) == 1) return {follow(key.velocity, joint, 0, 0)};
  const std::vector<double>* own = key.velocity.find(joint.name);
  if (!own) return std::vector<double>(static_cast<std::size_t>(velocity_count(joint.kind)), 0.0);
  if (joint.kind != JointKind::free) return *own;
  const std::vector<double> q = position_of(key, joint);
  const Vec3<double> linear = to_matrix(Quat<double>{q[4], q[5], q[6], q[3]}) *
                              Vec3<double>{(*own)[3], (*own)[4], (*own)[5]};
  return {linear.x, linear.y, linear.z, (*own)[0], (*own)[1], (*own)[2]};
}

// the state that readers make of the file's poses anyway
bool MjcfWriter::is_reference(const KeyframeSpec& key) const {
  if (key.name != "qpos0" || !key.velocity.empty() || !key.control.empty()) return false;
  const StateByName state(key);
  return std::all_of(order_.begin(), order_.end(), [&](const JointSpec* joint) {
    if (joint->kind == JointKind::free) return true;
    const std::vector<double> q = position_of(state, *joint);
    return q == (q.size() == 1 ? std::vector<double>{0} : std::vector<double>{1, 0, 0, 0});
  });
}

void MjcfWriter::write_keyframes() {
  bool is_open = false;
  for (const KeyframeSpec& key : spec_.keyframes) {
    if (is_reference(key)) continue;
    std::string name = key.name;
    if (name == "qpos0") {
      name = "qpos0_given";
      losses_.description("state 'qpos0'",
                          "called 'qpos0_given' in the file: 'qpos0' is the one in which the file "
                          "itself places the bodies");
    }
    const StateByName state(key);
    std::vector<double> qpos, qvel, ctrl;
    for (const JointSpec* joint : order_) {
      const std::vector<double> q = position_of(state, *joint), v = velocity_of(state, *joint);
      qpos.insert(qpos.end(), q.begin(), q.end());
      qvel.insert(qvel.end(), v.begin(), v.end());
    }
    for (const ActuatorSpec* actuator : actuators_) {
      const std::vector<double>* value = state.control.find(actuator->name);
      ctrl.push_back(value && value->size() == 1 ? value->front() : 0);
    }
    if (!is_open) xml_.open("keyframe");
    is_open = true;
    xml_.open("key").attribute("name", name);
    if (key.time != 0) xml_.attribute("time", key.time);
    xml_.attribute("qpos", format_numbers(qpos));
    if (!key.velocity.empty()) xml_.attribute("qvel", format_numbers(qvel));
    if (!key.control.empty() && !ctrl.empty()) xml_.attribute("ctrl", format_numbers(ctrl));
    xml_.close();
  }
  if (is_open) xml_.close();
}

}  // namespace limber
