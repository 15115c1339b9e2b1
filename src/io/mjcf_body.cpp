// MJCF: the tree of bodies.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/mjcf_unfold.hpp"

namespace limber {

namespace {

class TreeReader {
 public:
  explicit TreeReader(MjcfReader& reader) : reader_(reader), unfolding_(reader) {}

  void read_world() {
    reader_.tree.body_pose["world"] = {};
    std::vector<MjcfItem> items;
    unfolding_.unfold_world({{}, "", "", &reader_.main()}, items);
    for (const MjcfItem& item : items) {
      if (item.element.tag() != "geom") continue;
      const MjcfGeom geom = read_geom(item);
      if (geom.is_drawn) reader_.spec.world_shapes.push_back(geom.shape);
    }
    for (const MjcfItem& item : items)
      if (item.element.tag() == "site") read_site(item, "world");
    for (const MjcfItem& item : items)
      if (item.element.tag() == "body") read_body(item, "world");
  }

 private:
  std::string name_of(const MjcfItem& item, const std::string& fallback) {
    const std::string name = item.place.scope->full(item.element.optional_name());
    if (name.empty()) return fallback;
    if (!item.place.suffix.empty()) reader_.tree.replicated.insert(name);
    const std::string tag(item.element.tag());
    const std::string kind = tag == "freejoint" ? "joint" : tag;
    MjcfReader::attached(*item.place.scope, kind, name + item.place.suffix);
    return name + item.place.suffix;
  }

  static MjcfElement resolve(const MjcfItem& item) {
    return item.place.scope->model.defaults.resolve(item.element, item.place.childclass);
  }

  MjcfGeom read_geom(const MjcfItem& item) {
    const std::string name = name_of(item, "");
    MjcfElement geom = resolve(item);
    if (!name.empty()) geom = geom.owned_by("geom '" + name + "'");
    if (!name.empty() && !geoms_.insert(name).second)
      throw geom.error(fmt::format("a second geom '{}'; names must differ", name));
    const MjcfScope& scope = *item.place.scope;
    MjcfGeom result =
        read_mjcf_geom(geom, item.place.pose, scope.model.compiler, scope.model.assets);
    result.shape.name = name;
    result.shape.material = scope.full(result.shape.material);
    return result;
  }

  void read_site(const MjcfItem& item, const std::string& body) {
    const std::string name = name_of(item, "");
    if (name.empty()) return item.element.ignore("<site> without a name");
    const MjcfElement site = resolve(item).owned_by("site '" + name + "'");
    expect_mjcf_attributes(site.own());
    FrameSpec frame;
    double length = 0;
    frame.placement =
        item.place.pose * mjcf_placement(site, item.place.scope->model.compiler, length);
    frame.body = body == "world" ? "" : body;
    frame.source = site.source();
    frame.name = name;
    sites_.push_back(frame);
    if (!reader_.tree.sites.emplace(name, MjcfTree::Site{body, name, frame.placement}).second)
      throw site.error(fmt::format("a second site '{}'; names must differ", name));
  }

  struct Content {
    std::vector<MjcfJoint> joints;
    std::vector<MjcfGeom> geoms;
    std::optional<XmlElement> inertial;
  };

  Content read_content(const std::vector<MjcfItem>& items, const Source& body) {
    Content content;
    for (const MjcfItem& item : items) {
      const std::string_view tag = item.element.tag();
      if (tag == "geom") content.geoms.push_back(read_geom(item));
      if (tag == "joint" || tag == "freejoint") content.joints.push_back(read_joint(item));
      if (tag == "inertial") {
        if (content.inertial) throw item.element.error("a second <inertial>; remove one of them");
        content.inertial = item.element.owned_by(body.element);
      }
    }
    return content;
  }

  MjcfJoint read_joint(const MjcfItem& item) {
    const std::string name = name_of(item, "");
    MjcfElement joint =
        item.element.tag() == "joint" ? resolve(item) : MjcfElement(item.element, {});
    if (!name.empty()) joint = joint.owned_by("joint '" + name + "'");
    MjcfJoint result = read_mjcf_joint(joint, item.place.pose, item.place.scope->model.compiler);
    result.joint.name = name;
    result.joint.source = joint.source();
    return result;
  }

  void read_body(const MjcfItem& item, const std::string& parent) {
    const std::string name =
        name_of(item, fmt::format("unnamed_body_{}", reader_.tree.body_pose.size()));
    const XmlElement element = item.element.owned_by("body '" + name + "'");
    element.expect_attributes({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis",
                               "euler", "mocap", "gravcomp"},
                              {"user", "sleep"});
    if (name == "world") throw element.error("'world' is the world itself; choose another name");
    if (element.number("gravcomp", 0) != 0)
      element.warn("gravcomp is not read: gravity acts on this body in full");
    if (element.attribute("mocap").value_or("false") == "true")
      element.warn("a mocap body is fixed where it stands");

    MjcfScope& scope = *item.place.scope;
    const MjcfCompiler& compiler = scope.model.compiler;
    const std::size_t first_joint = reader_.tree.joints.size();
    std::vector<MjcfItem> items;
    unfolding_.unfold(
        element,
        {{}, mjcf_class_of(element, item.place), item.place.suffix, &scope, item.place.level + 1},
        items);
    Content content = read_content(items, element.source());
    const Transform<double> pose = item.place.pose * mjcf_pose({element, {}}, compiler);
    const Transform<double> in_world = reader_.tree.body_pose.at(parent) * pose;
    if (!reader_.tree.body_pose.emplace(name, in_world).second)
      throw element.error(fmt::format("a second body '{}'; names must differ", name));

    BodySpec body;
    body.name = name;
    body.source = element.source();
    body.inertia = mjcf_body_inertia(body.source, pose.p, content.inertial, content.geoms, compiler,
                                     scope.model.assets.search);
    damp_in_fluid(reader_.fluid, content.inertial, content.geoms, compiler, body);
    for (const MjcfGeom& geom : content.geoms)
      if (geom.is_drawn) body.shapes.push_back(geom.shape);
    add_joints(body, parent, pose, content.joints, scope);
    reader_.spec.bodies.push_back(std::move(body));
    for (const MjcfItem& inner : items)
      if (inner.element.tag() == "site") read_site(inner, name);
    for (const MjcfItem& inner : items)
      if (inner.element.tag() == "body") read_body(inner, name);
    reader_.tree.joints_below[name] = {first_joint, reader_.tree.joints.size()};
  }

  // one after the other, with massless bodies between them that have the body's frame
  void add_joints(const BodySpec& body, const std::string& parent, const Transform<double>& pose,
                  std::vector<MjcfJoint>& joints, const MjcfScope& scope) {
    std::string carrier = parent == "world" ? "" : parent;
    if (joints.empty()) {
      JointSpec& weld = reader_.spec.joints.emplace_back();
      weld.name = body.name + "_fixed";
      weld.parent = carrier;
      weld.child = body.name;
      weld.placement = pose;
      weld.source = body.source;
      return;
    }
    check_joints(body, parent, joints);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      JointSpec joint = std::move(joints[k].joint);
      if (joint.name.empty())
        joint.name =
            fmt::format("{}_{}{}", body.name, joint.kind == JointKind::free ? "free" : "joint",
                        joints.size() > 1 ? std::to_string(k + 1) : "");
      if (joint.source.element.empty()) joint.source.element = "joint '" + joint.name + "'";
      joint.parent = carrier;
      if (joint.kind == JointKind::free) {
        // its position is the pose of the body in the world
        const Quat<double> turn = to_quat(pose.R);
        joints[k].reference = {pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w};
      } else if (k == 0) {
        joint.placement = pose * joint.placement;
      }
      const bool last = k + 1 == joints.size();
      joint.child = last ? body.name : body.name + ":" + joint.name;
      if (!last) {
        BodySpec between;
        between.name = joint.child;
        between.source = joint.source;
        between.is_between_joints = true;
        reader_.spec.bodies.push_back(std::move(between));
      }
      carrier = joint.child;
      MjcfTree& tree = reader_.tree;
      if (!tree.joint_index.emplace(joint.name, tree.joints.size()).second)
        throw Error(joint.source,
                    fmt::format("a second joint '{}'; names must differ", joint.name));
      tree.joints.push_back({joint.name, joint.kind, std::move(joints[k].reference), &scope});
      reader_.spec.joints.push_back(std::move(joint));
    }
  }

  static void check_joints(const BodySpec& body, const std::string& parent,
                           const std::vector<MjcfJoint>& joints) {
    for (const MjcfJoint& one : joints) {
      if (one.joint.kind != JointKind::free) continue;
      if (parent != "world")
        throw Error(one.joint.source,
                    fmt::format("body '{}' has a free joint and hangs from body '{}'; only bodies "
                                "of the world can be free",
                                body.name, parent));
      if (joints.size() > 1)
        throw Error(one.joint.source,
                    fmt::format("body '{}' has a free joint and others; a free joint stands alone",
                                body.name));
    }
  }

 public:
  // sites as frames; one that has the name of a body is called otherwise
  void add_sites() {
    std::set<std::string> taken;
    for (const BodySpec& body : reader_.spec.bodies) taken.insert(body.name);
    taken.insert("world");
    for (FrameSpec& site : sites_) {
      const std::string name = site.name;
      while (!taken.insert(site.name).second) site.name = "site:" + site.name;
      reader_.tree.sites.at(name).frame = site.name;
      reader_.spec.frames.push_back(std::move(site));
    }
  }

 private:
  MjcfReader& reader_;
  MjcfUnfolding unfolding_;
  std::vector<FrameSpec> sites_;
  std::set<std::string> geoms_;  // names
};

}  // namespace

void MjcfReader::read_tree() {
  TreeReader bodies(*this);
  bodies.read_world();
  bodies.add_sites();
  scale_mjcf_masses(main().model.compiler, spec);
  for (MjcfScope& scope : scopes) in_order.push_back(&scope);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const MjcfScope* a, const MjcfScope* b) { return a->order < b->order; });
}

}  // namespace limber
