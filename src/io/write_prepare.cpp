// From one Spec to another that moves in the same way and that a format can hold: joints.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/joint_kind.hpp>

#include "io/write.hpp"
#include "model/canonical.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// what URDF, MJCF and SDF call each kind, in the order of JointKind
struct JointTypes {
  const char* names[3];
};
constexpr JointTypes joint_types[] = {{{"fixed", "fixed", "fixed"}},
                                      {{"revolute", "hinge", "revolute"}},
                                      {{"prismatic", "slide", "prismatic"}},
                                      {{"", "", "screw"}},      // helical
                                      {{"", "", ""}},           // cylindrical
                                      {{"planar", "", ""}},     // planar
                                      {{"", "", "universal"}},  // universal
                                      {{"", "ball", "ball"}},   // spherical
                                      {{"", "", ""}},           // translation
                                      {{"floating", "free", "free"}},
                                      {{"", "", ""}}};  // custom
static_assert(std::size(joint_types) == static_cast<std::size_t>(JointKind::custom) + 1);

constexpr const char* titles[] = {"URDF", "MJCF", "SDF", "YAML"};

// bodies that are to stand before another one in the list
using Inserted = std::map<std::string, std::vector<BodySpec>>;

void insert_bodies(Spec& spec, Inserted& inserted) {
  std::vector<BodySpec> bodies;
  bodies.reserve(spec.bodies.size() + inserted.size());
  for (BodySpec& body : spec.bodies) {
    if (const auto found = inserted.find(body.name); found != inserted.end())
      for (BodySpec& before : found->second) bodies.push_back(std::move(before));
    bodies.push_back(std::move(body));
  }
  spec.bodies = std::move(bodies);
}

// one joint of a chain: it turns about or slides along an axis of the joint frame
struct Piece {
  JointKind kind;
  Vec3<double> axis;
};

std::vector<Piece> pieces_of(const JointSpec& joint) {
  constexpr JointKind turn = JointKind::revolute, slide = JointKind::prismatic;
  const Mat3<double> axes = joint_axes(joint);
  const Vec3<double> x = axes.column(0), y = axes.column(1), z = axes.column(2);
  switch (joint.kind) {
    case JointKind::helical:
    case JointKind::cylindrical:
      return {{turn, z}, {slide, z}};
    case JointKind::planar:
      return {{slide, x}, {slide, y}, {turn, z}};
    case JointKind::universal:
      return {{turn, x}, {turn, y}};
    case JointKind::translation:
      return {{slide, x}, {slide, y}, {slide, z}};
    default:
      return {};
  }
}

// the joints of the chain; the bodies between them go to `inserted`
std::vector<JointSpec> chain_of(const JointSpec& joint, FreshNames& fresh, Inserted& inserted) {
  const std::vector<Piece> pieces = pieces_of(joint);
  const bool screw = has_pitch(joint.kind);
  const std::span<const JointVariable> labels = facts(joint.kind).velocities;
  std::vector<JointSpec> chain;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    JointSpec one;
    one.kind = pieces[k].kind;
    one.axis = pieces[k].axis;
    one.source = joint.source;
    // a screw turns under its own name, and slides along with that
    if (screw && k == 0) one.name = joint.name;
    else one.name = fresh(fmt::format("{}_{}", joint.name, screw ? "slide" : labels[k].label));
    one.parent = k == 0 ? joint.parent : chain.back().child;
    if (k == 0) one.placement = joint.placement;
    if (screw && k == 1) one.mimic = MimicSpec{joint.name, joint.pitch, 0};
    else if (!joint.dofs.empty()) one.dofs = {dof_of(joint, static_cast<int>(k))};
    if (screw && k == 0) one.mimic = joint.mimic;
    if (k + 1 == pieces.size()) {
      one.child = joint.child;
      one.child_placement = joint.child_placement;
    } else {
      BodySpec between;
      between.name = one.child = fresh(joint.child + ":" + one.name);
      between.source = joint.source;
      between.is_between_joints = true;
      inserted[joint.child].push_back(std::move(between));
    }
    chain.push_back(std::move(one));
  }
  return chain;
}

// the numbers of a joint in named states, divided among the joints of its chain
void divide_values(std::vector<KeyframeSpec::Values>& values, const std::string& joint,
                   const std::vector<JointSpec>& chain) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& one) { return one.name == joint; });
  if (found == values.end() || found->values.size() != chain.size()) return;
  std::vector<KeyframeSpec::Values> parts;
  for (std::size_t k = 0; k < chain.size(); ++k)
    parts.push_back({chain[k].name, {found->values[k]}});
  values.insert(values.erase(found), parts.begin(), parts.end());
}

// actuators and sensors of a joint that is no longer there
void drop_users(Spec& spec, const std::string& joint, Losses& losses) {
  std::erase_if(spec.actuators, [&](const ActuatorSpec& actuator) {
    const bool gone = actuator.joint == joint;
    if (gone)
      losses.description("actuator '" + actuator.name + "'",
                         fmt::format("left out: its joint '{}' is a chain in the file", joint));
    return gone;
  });
  std::erase_if(spec.sensors, [&](const SensorSpec& sensor) {
    const bool gone = sensor.object_kind == "joint" && sensor.object == joint;
    if (gone)
      losses.description("sensor '" + sensor.name + "'",
                         fmt::format("left out: its joint '{}' is a chain in the file", joint));
    return gone;
  });
}

}  // namespace

const char* joint_type(JointKind kind, RobotFormat format) {
  return joint_types[static_cast<std::size_t>(kind)].names[static_cast<std::size_t>(format)];
}

void expand_joints(Spec& spec, RobotFormat format, Losses& losses) {
  const char* const title = titles[static_cast<std::size_t>(format)];
  FreshNames fresh(spec);
  Inserted inserted;
  std::vector<JointSpec> joints;
  joints.reserve(spec.joints.size());
  for (const JointSpec& joint : spec.joints) {
    if (*joint_type(joint.kind, format) != '\0') {
      joints.push_back(joint);
      continue;
    }
    std::vector<JointSpec> chain = chain_of(joint, fresh, inserted);
    if (chain.empty())
      throw Error(joint.source,
                  fmt::format("{} has no {} joint, and no chain of its joints has the same "
                              "variables; write another kind of file (YAML holds every kind)",
                              title, name(joint.kind)));
    std::vector<std::string> names;
    for (const JointSpec& one : chain) names.push_back(one.name);
    const std::string element = "joint '" + joint.name + "'";
    losses.description(
        element, fmt::format("{} has no {} joint; written as {} with the same motion{}", title,
                             name(joint.kind), quoted_names(names),
                             has_pitch(joint.kind) ? ", the second following the first" : ""));
    if (!has_pitch(joint.kind)) {
      for (KeyframeSpec& key : spec.keyframes) {
        divide_values(key.position, joint.name, chain);
        divide_values(key.velocity, joint.name, chain);
      }
      drop_users(spec, joint.name, losses);
    }
    std::move(chain.begin(), chain.end(), std::back_inserter(joints));
  }
  spec.joints = std::move(joints);
  insert_bodies(spec, inserted);
}

namespace {

// the child's frame moves into the placement; false: the motion would be another one
bool fold_child_frame(JointSpec& joint) {
  const Transform<double>& C = joint.child_placement;
  const bool slides = joint.kind == JointKind::prismatic || joint.kind == JointKind::fixed;
  const bool turns_in_place =
      joint.kind == JointKind::revolute && norm(cross(C.p, joint.axis)) <= 1e-16 * norm(joint.axis);
  if (!slides && !turns_in_place) return false;
  joint.placement = joint.placement * C;
  joint.axis = transpose_times(C.R, joint.axis);
  joint.child_placement = {};
  return true;
}

}  // namespace

void settle_child_frames(Spec& spec, bool (*must_move)(const JointSpec&), Losses& losses) {
  FreshNames fresh(spec);
  Inserted inserted;
  std::vector<JointSpec> joints;
  joints.reserve(spec.joints.size());
  for (JointSpec joint : spec.joints) {
    const bool settled =
        is_identity(joint.child_placement) || !must_move(joint) || fold_child_frame(joint);
    if (settled) {
      joints.push_back(std::move(joint));
      continue;
    }
    BodySpec moved;
    moved.name = fresh(joint.child + ":" + joint.name);
    moved.source = joint.source;
    JointSpec weld;
    weld.name = fresh(joint.name + "_child");
    weld.parent = moved.name;
    weld.child = joint.child;
    weld.placement = joint.child_placement;
    weld.source = joint.source;
    losses.description("joint '" + joint.name + "'",
                       fmt::format("carries '{}' away from its own frame; written with a body '{}' "
                                   "in the joint's frame, to which '{}' is welded",
                                   joint.child, moved.name, joint.child));
    joint.child = moved.name;
    joint.child_placement = {};
    inserted[weld.child].push_back(std::move(moved));
    joints.push_back(std::move(joint));
    joints.push_back(std::move(weld));
  }
  spec.joints = std::move(joints);
  insert_bodies(spec, inserted);
}

}  // namespace limber
