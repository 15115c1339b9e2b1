// MJCF: <equality>, what closes loops and ties joints.
#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

class EqualityReader {
 public:
  EqualityReader(const MjcfReader& reader, const MjcfScope& scope)
      : reader_(reader), scope_(scope) {}

  LoopSpec read(const MjcfElement& element, const std::string& name) const {
    LoopSpec loop;
    loop.name = name;
    loop.source = element.source();
    loop.is_active = element.flag("active", true);
    if (element.tag() == "connect") read_connect(element, loop);
    else if (element.tag() == "weld") read_weld(element, loop);
    else read_coupling(element, loop);
    return loop;
  }

 private:
  // the name of a body that exists, "" for the world
  std::string body(const MjcfElement& element, const char* attribute) const {
    const std::string name =
        element.has(attribute) ? scope_.full(element.text(attribute)) : "world";
    if (!reader_.tree.body_pose.contains(name))
      throw reader_.unknown(element.own(), "body", name, keys_of(reader_.tree.body_pose));
    return name == "world" ? "" : name;
  }
  const Transform<double>& pose(const std::string& name) const {
    return reader_.tree.body_pose.at(name.empty() ? "world" : name);
  }

  // both ends at sites; false: the element names bodies
  bool read_sites(const MjcfElement& element, LoopSpec& loop) const {
    if (!element.has("site1") && !element.has("site2")) return false;
    if (!element.has("site1") || !element.has("site2") || element.has("body1") ||
        element.has("body2"))
      throw element.error("give body1 (and body2), or both site1 and site2");
    set_site(element, "site1", loop.body_a, loop.placement_a);
    set_site(element, "site2", loop.body_b, loop.placement_b);
    return true;
  }
  void set_site(const MjcfElement& element, const char* attribute, std::string& on,
                Transform<double>& placement) const {
    const std::string name = scope_.full(element.text(attribute));
    const auto found = reader_.tree.sites.find(name);
    if (found == reader_.tree.sites.end())
      throw reader_.unknown(element.own(), "site", name, keys_of(reader_.tree.sites));
    on = found->second.body == "world" ? "" : found->second.body;
    placement = found->second.placement;
  }

  void read_bodies(const MjcfElement& element, LoopSpec& loop) const {
    if (!element.has("body1")) throw element.error("body1 is missing; write body1=\"…\"");
    loop.body_a = body(element, "body1");
    loop.body_b = body(element, "body2");
  }

  // the anchor is given in the first body; in the second it is where it lies in the reference state
  void read_connect(const MjcfElement& element, LoopSpec& loop) const {
    element.own().expect_attributes(
        {"name", "class", "active", "body1", "body2", "anchor", "site1", "site2"},
        {"solref", "solimp"});
    loop.kind = LoopSpec::Kind::connect;
    if (read_sites(element, loop)) return;
    read_bodies(element, loop);
    if (!element.has("anchor")) throw element.error("anchor is missing; write anchor=\"x y z\"");
    loop.placement_a = Transform<double>::translation(element.vec3("anchor", {}));
    loop.placement_b = apply_inverse(pose(loop.body_b), pose(loop.body_a) * loop.placement_a);
    loop.placement_b.R = Mat3<double>::identity();
  }

  // the anchor is given in the second body
  void read_weld(const MjcfElement& element, LoopSpec& loop) const {
    element.own().expect_attributes(
        {"name", "class", "active", "body1", "body2", "relpose", "anchor", "site1", "site2"},
        {"solref", "solimp", "torquescale"});
    loop.kind = LoopSpec::Kind::weld;
    if (read_sites(element, loop)) return;
    read_bodies(element, loop);
    loop.placement_b = Transform<double>::translation(element.vec3("anchor", {}));
    std::array<double, 7> given{0, 1, 0, 0, 0, 0, 0};
    element.fill("relpose", given, MjcfElement::Count::all);
    const std::span<const double> turn = std::span<const double>(given).subspan(3);
    if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0) {
      loop.placement_a = apply_inverse(pose(loop.body_a), pose(loop.body_b)) * loop.placement_b;
    } else {
      loop.placement_a.R = to_matrix(mjcf_quaternion(element.own(), turn));
      loop.placement_a.p = {given[0], given[1], given[2]};
    }
  }

  double reference(const MjcfElement& element, const std::string& joint) const {
    const auto found = reader_.tree.joint_index.find(joint);
    if (found == reader_.tree.joint_index.end())
      throw reader_.unknown(element.own(), "joint", joint, keys_of(reader_.tree.joint_index));
    const MjcfTree::Joint& one = reader_.tree.joints[found->second];
    if (one.reference.size() != 1)
      throw element.error(fmt::format("joint '{}' is {}; only hinges and slides can be coupled",
                                      joint, limber::name(one.kind)));
    return one.reference[0];
  }

  void read_coupling(const MjcfElement& element, LoopSpec& loop) const {
    element.own().expect_attributes({"name", "class", "active", "joint1", "joint2", "polycoef"},
                                    {"solref", "solimp"});
    loop.kind = LoopSpec::Kind::coupling;
    if (!element.has("joint1")) throw element.error("joint1 is missing; write joint1=\"…\"");
    loop.joint = scope_.full(element.text("joint1"));
    loop.joint_reference = reference(element, loop.joint);
    loop.leader = scope_.full(element.text("joint2"));
    if (!loop.leader.empty()) loop.leader_reference = reference(element, loop.leader);
    element.fill("polycoef", loop.polynomial);
  }

  const MjcfReader& reader_;
  const MjcfScope& scope_;
};

// what a loop is called that has no name: by what it ties
std::string loop_name(const MjcfElement& element, const MjcfScope& scope) {
  for (const char* kind : {"body", "joint", "site"}) {
    const std::string first = scope.full(element.text((std::string(kind) + "1").c_str()));
    const std::string given = scope.full(element.text((std::string(kind) + "2").c_str()));
    const std::string second = given.empty() ? "world" : given;
    if (!first.empty()) return fmt::format("{} {} {}", element.tag(), first, second);
  }
  return std::string(element.tag());
}

}  // namespace

void MjcfReader::read_equality(const XmlElement& equality, MjcfScope& scope) {
  const EqualityReader reader(*this, scope);
  constexpr MjcfReference ends[] = {{"body1", "body"},   {"body2", "body"}, {"joint1", "joint"},
                                    {"joint2", "joint"}, {"site1", "site"}, {"site2", "site"}};
  for (const XmlElement& child : scope.model.files.children(equality)) {
    const std::string_view tag = child.tag();
    if (tag != "connect" && tag != "weld" && tag != "joint") {
      const std::string name = child.optional_name();
      if (tag == "distance")
        throw child.error("MuJoCo no longer has <distance> as an equality; remove it");
      child.warn(fmt::format("equality <{}{}> is not read and does not hold", tag,
                             name.empty() ? "" : " name=\"" + name + "\""));
      continue;
    }
    const MjcfElement element = scope.model.defaults.resolve(child, "", "equality");
    if (!comes_along(element, scope, ends)) continue;
    const std::string own = claim(child, "equality", scope);
    const std::string name = own.empty() ? loop_name(element, scope) : own;
    spec.loops.push_back(reader.read(element.owned_by("loop '" + name + "'"), name));
  }
}

}  // namespace limber
