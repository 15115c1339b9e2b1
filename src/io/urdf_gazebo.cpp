// URDF: what <gazebo> says about links and joints.
#include <fmt/format.h>

#include "io/gazebo_water.hpp"
#include "io/urdf.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// <mu1>0.5</mu1>, in older files <mu1 value="0.5"/>
std::string gazebo_text(const XmlElement& element) {
  return element.attribute("value") ? *element.attribute("value") : element.text();
}

double gazebo_number(const XmlElement& element) {
  return element.attribute("value") ? element.number("value") : element.text_number();
}

bool gazebo_flag(const XmlElement& element) {
  const std::string text = gazebo_text(element);
  if (text == "true" || text == "1" || text == "True") return true;
  if (text == "false" || text == "0" || text == "False") return false;
  throw element.error(
      fmt::format("<{0}>{1}</{0}> is neither true nor false", element.tag(), printable(text)));
}

// false: an element that is passed over
bool read_for_link(const XmlElement& element, BodySpec& body) {
  const std::string_view tag = element.tag();
  if (tag == "mu1" || tag == "mu") {
    const double friction = gazebo_number(element);
    for (ShapeSpec& shape : body.shapes)
      if (shape.role != ShapeSpec::Role::visual) shape.friction.x = friction;
  } else if (tag == "selfCollide" || tag == "self_collide") {
    body.family = gazebo_flag(element) ? 0 : 1;
  } else if (tag == "turnGravityOff" || tag == "gravity") {
    if (gazebo_flag(element) == (tag == "turnGravityOff"))
      element.warn(fmt::format("<{}> is not read: gravity acts on this link in full", tag));
  } else if (tag == "dampingFactor") {
    if (gazebo_number(element) != 0)
      element.warn("<dampingFactor> is not read; damping of joints is");
  } else {
    return false;
  }
  return true;
}

bool read_for_joint(const XmlElement& element, JointSpec& joint) {
  const std::string_view tag = element.tag();
  const bool stiffness = tag == "springStiffness" || tag == "spring_stiffness";
  if (!stiffness && tag != "springReference" && tag != "spring_reference") return false;
  const double value = gazebo_number(element);
  if (velocity_count(joint.kind) != 1) {
    if (value != 0)
      element.warn(fmt::format("<{}> is not read: the joint is {} and has not one freedom", tag,
                               name(joint.kind)));
    return true;
  }
  (stiffness ? joint.dof().stiffness : joint.dof().spring_reference) = value;
  return true;
}

// plug-ins that stand for the whole robot
void read_for_robot(const XmlElement& element, Spec& spec, const UrdfIndex& index) {
  const FindBody find = [&](const XmlElement& place, const std::string& name) -> BodySpec& {
    if (const auto link = index.links.find(name); link != index.links.end())
      return spec.bodies[link->second];
    std::vector<std::string> known;
    for (const auto& [link, place_in_spec] : index.links) known.push_back(link);
    throw place.error(
        fmt::format("there is no link '{}'{}", printable(name), did_you_mean(name, known)));
  };
  bool was_read = false;
  for (const XmlElement& plugin : element.children("plugin"))
    was_read |= read_water_plugin(plugin, find);
  if (!was_read) element.ignore("<gazebo> in <robot>");
}

}  // namespace

void read_urdf_gazebo(const XmlElement& element, Spec& spec, const UrdfIndex& index) {
  const std::string reference = element.attribute("reference").value_or("");
  if (reference.empty()) return read_for_robot(element, spec, index);
  const XmlElement owner = element.owned_by("gazebo '" + printable(reference) + "'");
  const auto link = index.links.find(reference), turn = index.joints.find(reference);
  BodySpec* body = link == index.links.end() ? nullptr : &spec.bodies[link->second];
  JointSpec* joint = turn == index.joints.end() ? nullptr : &spec.joints[turn->second];
  if (!body && !joint)
    return owner.warn("there is no link and no joint of this name; the element is not read");
  for (const XmlElement& child : owner.children()) {
    const bool was_read =
        (body && read_for_link(child, *body)) || (joint && read_for_joint(child, *joint));
    if (!was_read) child.ignore(fmt::format("<{}> in <gazebo>", child.tag()));
  }
}

}  // namespace limber
