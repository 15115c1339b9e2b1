// Spec to MJCF: the file as a whole, and the tree of bodies.
#include "io/write_hydrodynamics.hpp"
#include "io/write_mjcf.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <limber/math/quat.hpp>
#include <limber/model/joint_kind.hpp>

#include "io/text_file.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// bodies within each other: XML that Limber reads is at most 100 deep
constexpr int deepest_body = 95;
// of one body, in MuJoCo
constexpr int most_freedoms = 6;

// a ball turns in the axes of the body, and a free body is placed by its own frame
bool mjcf_must_move(const JointSpec& joint) {
  if (joint.kind == JointKind::free) return true;
  return facts(joint.kind).quaternion >= 0 &&
         !same_bits(joint.child_placement.R, Mat3<double>::identity());
}

std::string mesh_key(const ShapeSpec& shape) {
  return shape.mesh_file + "\n" + format_numbers(shape.size);
}

}  // namespace

std::string write_mjcf(Spec spec, Losses& losses) {
  expand_joints(spec, RobotFormat::mjcf, losses);
  settle_child_frames(spec, mjcf_must_move, losses);
  resolve_world_link(spec, "MJCF", losses);
  rename_parts(spec, NameScope::bodies_and_joints_apart, without_placeholders, "MJCF", losses);
  return MjcfWriter(spec, losses).write();
}

MjcfWriter::MjcfWriter(const Spec& spec, Losses& losses) : spec_(spec), losses_(losses) {
  for (const BodySpec& body : spec.bodies) bodies_.emplace(body.name, &body);
  for (const JointSpec& joint : spec.joints) {
    joints_.emplace(joint.name, &joint);
    carriers_.emplace(joint.child, &joint);
    leaving_[joint.parent].push_back(&joint);
    if (joint.kind == JointKind::free && !joint.parent.empty())
      throw Error(joint.source,
                  fmt::format("MJCF has free joints for bodies of the world only, and this one "
                              "hangs from '{}'; write YAML or URDF instead, or let it hang from "
                              "the world",
                              joint.parent));
  }
  for (const FrameSpec& frame : spec.frames) {
    referenced_.insert(frame.body);
    sites_[frame.body].push_back({frame.name, frame.placement});
    site_names_.take(frame.name);
  }
  for (const LoopSpec& loop : spec.loops) referenced_.insert({loop.body_a, loop.body_b});
  for (const auto& pair : spec.exclusions) referenced_.insert(pair.begin(), pair.end());
  for (const ContactPairSpec& pair : spec.contact_pairs)
    referenced_.insert(pair.bodies.begin(), pair.bodies.end());
  for (const SensorSpec& sensor : spec.sensors)
    if (sensor.object_kind.ends_with("body")) referenced_.insert(sensor.object);
}

// a body without mass and without anything on it, between two joints: MuJoCo has both joints in the
// body after it
bool MjcfWriter::is_between(const std::string& name) const {
  const BodySpec& body = *bodies_.at(name);
  const auto leaving = leaving_.find(name);
  if (!is_massless(body.inertia) || !body.shapes.empty() || referenced_.contains(name) ||
      leaving == leaving_.end() || leaving->second.size() != 1)
    return false;
  const JointKind after = leaving->second.front()->kind;
  return after != JointKind::fixed && after != JointKind::free;
}

MjcfNode MjcfWriter::node_of(const JointSpec& first) const {
  MjcfNode node;
  node.pose = first.placement * first.child_placement;
  if (first.kind != JointKind::fixed) node.joints.push_back({&first, {}});
  const JointSpec* last = &first;
  int freedoms = velocity_count(first.kind);
  const bool may_have_more = first.kind != JointKind::fixed && first.kind != JointKind::free;
  while (may_have_more && is_between(last->child)) {
    const JointSpec& next = *leaving_.at(last->child).front();
    freedoms += velocity_count(next.kind);
    if (freedoms > most_freedoms) break;
    node.pose = node.pose * next.placement * next.child_placement;
    node.joints.push_back({&next, {}});
    last = &next;
  }
  node.body = bodies_.at(last->child);
  // from the last to the first: what lies between a joint's moved frame and the body
  Transform<double> rest;
  for (auto joint = node.joints.rbegin(); joint != node.joints.rend(); ++joint) {
    rest = joint->joint->child_placement * rest;
    joint->frame = inverse(rest);
    rest = joint->joint->placement * rest;
  }
  return node;
}

// a free body stands where the state `qpos0` has it, which readers of MJCF make of the file's poses
void MjcfWriter::place_free(MjcfNode& node) const {
  if (node.joints.empty() || node.joints.front().joint->kind != JointKind::free) return;
  if (!reference_) return;
  const std::vector<double> q = position_of(*reference_, *node.joints.front().joint);
  node.pose = {to_matrix(Quat<double>{q[4], q[5], q[6], q[3]}), {q[0], q[1], q[2]}};
}

std::string MjcfWriter::write() {
  for (const KeyframeSpec& key : spec_.keyframes)
    if (key.name == "qpos0") reference_.emplace(key);
  xml_.open("mujoco");
  if (!spec_.name.empty()) xml_.attribute("model", spec_.name);
  write_settings();
  write_assets();
  place_loop_sites();
  write_world();
  write_equalities();
  write_actuators();
  write_sensors();
  write_contact();
  write_keyframes();
  list_losses();
  return xml_.close().text();
}

void MjcfWriter::write_settings() {
  xml_.open("compiler").attribute("angle", "radian").attribute("autolimits", "true");
  xml_.attribute("inertiafromgeom", "false").close();
  xml_.open("option").attribute("gravity", spec_.gravity);
  if (spec_.timestep > 0) xml_.attribute("timestep", spec_.timestep);
  xml_.close();
}

void MjcfWriter::write_assets() {
  FreshNames names;
  std::set<std::string> materials;
  std::vector<const ShapeSpec*> meshes;
  const auto collect = [&](const std::vector<ShapeSpec>& shapes) {
    for (const ShapeSpec& shape : shapes) {
      if (!shape.material.empty()) materials.insert(shape.material);
      if (shape.kind != ShapeSpec::Kind::mesh || meshes_.contains(mesh_key(shape))) continue;
      const std::string of_file = stem(shape.mesh_file);
      const std::string wanted = of_file.empty() ? "mesh" : of_file;
      meshes_.emplace(mesh_key(shape), names(wanted));
      meshes.push_back(&shape);
    }
  };
  collect(spec_.world_shapes);
  for (const BodySpec& body : spec_.bodies) collect(body.shapes);
  if (materials.empty() && meshes.empty()) return;
  xml_.open("asset");
  for (const std::string& material : materials)
    xml_.open("material").attribute("name", material).close();
  for (const ShapeSpec* shape : meshes)
    xml_.open("mesh")
        .attribute("name", mesh_name(*shape))
        .attribute("file", shape->mesh_file)
        .attribute("scale", shape->size)
        .close();
  xml_.close();
}

std::string MjcfWriter::mesh_name(const ShapeSpec& shape) const {
  return meshes_.at(mesh_key(shape));
}

void MjcfWriter::write_world() {
  xml_.open("worldbody");
  for (const ShapeSpec& shape : spec_.world_shapes) write_shape(shape, "the world");
  write_sites("");
  for (const BodySpec& body : spec_.bodies)
    if (!carriers_.contains(body.name)) write_node({&body, {}, {}}, 1);
  for (const JointSpec* joint : leaving_[""]) write_node(node_of(*joint), 1);
  xml_.close();
}

void MjcfWriter::write_node(const MjcfNode& given, int depth) {
  MjcfNode node = given;
  place_free(node);
  if (depth > deepest_body)
    throw Error(node.body->source,
                fmt::format("MJCF has bodies within each other, here more than {} deep, which "
                            "readers refuse; write URDF or YAML instead",
                            deepest_body));
  xml_.open("body").attribute("name", node.body->name);
  write_pose(node.pose);
  write_inertia(*node.body);
  if (!node.joints.empty() && !has_inertia(*node.body))
    losses_.description("body '" + node.body->name + "'",
                        "moves without a mass, or without an inertia, which MuJoCo refuses; Limber "
                        "reads it back");
  for (const MjcfNode::Joint& joint : node.joints) {
    write_joint(joint);
    order_.push_back(joint.joint);
    const BodySpec& carried = *bodies_.at(joint.joint->child);
    if (&carried != node.body && !carried.is_between_joints)
      losses_.description("body '" + carried.name + "'",
                          fmt::format("has no mass and is left out: its joint '{}' is one of the "
                                      "joints of '{}'",
                                      joint.joint->name, node.body->name));
  }
  const std::string owner = "body '" + node.body->name + "'";
  for (const ShapeSpec& shape : node.body->shapes) write_shape(shape, owner);
  write_sites(node.body->name);
  if (const auto leaving = leaving_.find(node.body->name); leaving != leaving_.end())
    for (const JointSpec* joint : leaving->second) write_node(node_of(*joint), depth + 1);
  xml_.close();
}

// itself, or something that is fixed to it
bool MjcfWriter::has_inertia(const BodySpec& body) const {
  constexpr double least = 1e-15;  // MuJoCo's
  const Sym3<double> I = body.inertia.rotational_about_com();
  if (body.inertia.m >= least && I.xx >= least && I.yy >= least && I.zz >= least) return true;
  const auto leaving = leaving_.find(body.name);
  if (leaving == leaving_.end()) return false;
  return std::any_of(leaving->second.begin(), leaving->second.end(), [&](const JointSpec* joint) {
    return joint->kind == JointKind::fixed && has_inertia(*bodies_.at(joint->child));
  });
}

void MjcfWriter::list_losses() {
  for (const BodySpec& body : spec_.bodies) {
    const std::string owner = "body '" + body.name + "'";
    if (body.family != 0)
      losses_.description(owner,
                          "does not collide with others of its family, which MJCF cannot say");
    list_lost_hydrodynamics(body, WaterPlugins::none, "MJCF", losses_);
  }
  for (const JointSpec& joint : spec_.joints) {
    const std::string owner = "joint '" + joint.name + "'";
    if (!joint.actuation.empty())
      losses_.description(owner, "its actuation is left out: MJCF has no place for it");
    if (joint.mimic && joint.kind != JointKind::fixed)
      losses_.dynamics(owner,
                       fmt::format("follows '{}' by a constraint (equality), and is a freedom of "
                                   "its own in MJCF",
                                   joint.mimic->joint));
    if (joint.kind == JointKind::fixed && joint.name != joint.child + "_fixed")
      losses_.description(owner, "has no name in MJCF, where a body without a joint is fixed");
    if (joint.kind == JointKind::free && !is_identity(joint.placement))
      losses_.description(owner,
                          "MJCF counts the position of a free body from the world, not from the "
                          "place of the joint");
  }
}

}  // namespace limber
