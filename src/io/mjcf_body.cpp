// MJCF: the tree of bodies, with frames and replicated parts.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// elements of the tree, those that <replicate> makes included
constexpr std::size_t most_elements = 500'000;

// where the content of a body stands: <frame> and <replicate> within it are gone through
struct Place {
  Transform<double> pose;  // of the present frame in the body's
  std::string childclass;
  std::string suffix;  // of names, by <replicate>
};

struct Item {
  XmlElement element;
  Place place;
};

class TreeReader {
 public:
  explicit TreeReader(MjcfReader& reader) : reader_(reader) {}

  void read_world(const std::vector<XmlElement>& worldbodies) {
    reader_.tree.body_pose["world"] = {};
    std::vector<Item> items;
    for (const XmlElement& world : worldbodies) {
      world.expect_attributes({"childclass"});
      flatten(world, {{}, class_of(world, ""), ""}, items);
    }
    for (const Item& item : items) {
      const std::string_view tag = item.element.tag();
      if (tag == "geom") {
        const MjcfGeom geom = read_geom(item);
        if (geom.is_drawn) reader_.spec.world_shapes.push_back(geom.shape);
      } else if (tag == "joint" || tag == "freejoint" || tag == "inertial") {
        throw item.element.error(fmt::format("the world has no <{}>", tag));
      }
    }
    for (const Item& item : items)
      if (item.element.tag() == "site") read_site(item, "world");
    for (const Item& item : items)
      if (item.element.tag() == "body") read_body(item, "world");
  }

 private:
  std::string class_of(const XmlElement& element, const std::string& inherited) const {
    const std::optional<std::string> own = element.attribute("childclass");
    if (!own) return inherited;
    reader_.defaults.expect(element, *own);
    return *own;
  }

  // the content of a body, its frames and replicates unfolded
  void flatten(const XmlElement& element, const Place& place, std::vector<Item>& items) {
    for (const XmlElement& child : reader_.files.children(element)) {
      const std::string_view tag = child.tag();
      if (tag == "frame") {
        child.expect_attributes(
            {"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
        flatten(child,
                {place.pose * mjcf_pose({child, {}}, reader_.compiler),
                 class_of(child, place.childclass), place.suffix},
                items);
      } else if (tag == "replicate") {
        replicate(child, place, items);
      } else if (tag == "attach" || tag == "composite" || tag == "flexcomp") {
        throw child.error(
            fmt::format("<{}> is not read, and the robot would be another one without it; let "
                        "MuJoCo write the model out (mj_saveLastXML) and load that file",
                        tag));
      } else if (tag == "light" || tag == "camera") {
        child.ignore(fmt::format("<{}>", tag));
      } else if (tag == "plugin") {
        child.warn("<plugin> is not read");
      } else {
        expect_known(child);
        if (++elements_ > most_elements)
          throw child.error(
              fmt::format("more than {} elements, counting those that <replicate> "
                          "makes; such a file is not read",
                          most_elements));
        items.push_back({child, place});
      }
    }
  }

  static void expect_known(const XmlElement& child) {
    const std::vector<std::string> known{"body", "joint", "freejoint", "geom", "site", "inertial"};
    if (std::find(known.begin(), known.end(), child.tag()) == known.end())
      throw child.error(fmt::format("unknown element <{}> in a body{}", child.tag(),
                                    did_you_mean(child.tag(), known)));
  }

  // copies, each moved against the one before; names get the number of the copy
  void replicate(const XmlElement& element, const Place& place, std::vector<Item>& items) {
    element.expect_attributes({"count", "sep", "offset", "euler", "childclass"});
    const int count = MjcfElement(element, {}).integer("count", 0);
    if (count < 1) throw element.error("<replicate> needs a count of at least 1");
    std::vector<double> angles = element.numbers("euler", {3});
    for (double& angle : angles) angle = reader_.compiler.angle(angle);
    Transform<double> step = Transform<double>::translation(element.vec3("offset", {}));
    if (!angles.empty()) step.R = mjcf_euler(angles, reader_.compiler.euler_sequence);
    const std::string separator = element.attribute("sep").value_or("");
    const std::size_t digits = std::to_string(count).size();
    Place copy{place.pose, class_of(element, place.childclass), ""};
    for (int k = 0; k < count; ++k) {
      copy.suffix = separator + fmt::format("{:0{}}", k, digits) + place.suffix;
      if (++elements_ > most_elements)
        throw element.error(fmt::format("<replicate> makes more than {} elements", most_elements));
      flatten(element, copy, items);
      copy.pose = copy.pose * step;
    }
  }

  std::string name_of(const Item& item, const std::string& fallback) {
    const std::string name = item.element.optional_name();
    if (name.empty()) return fallback;
    if (!item.place.suffix.empty()) reader_.tree.replicated.insert(name);
    return name + item.place.suffix;
  }

  MjcfGeom read_geom(const Item& item) {
    const MjcfElement geom = reader_.defaults.resolve(item.element, item.place.childclass);
    const std::string name = name_of(item, "");
    MjcfGeom result = read_mjcf_geom(name.empty() ? geom : geom.owned_by("geom '" + name + "'"),
                                     item.place.pose, reader_.compiler, reader_.assets);
    result.shape.name = name;
    return result;
  }

  void read_site(const Item& item, const std::string& body) {
    const std::string name = name_of(item, "");
    if (name.empty()) return item.element.ignore("<site> without a name");
    const MjcfElement site = reader_.defaults.resolve(item.element, item.place.childclass)
                                 .owned_by("site '" + name + "'");
    expect_mjcf_attributes(site.own());
    FrameSpec frame;
    double length = 0;
    frame.placement = item.place.pose * mjcf_placement(site, reader_.compiler, length);
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

  Content read_content(const std::vector<Item>& items, const Source& body) {
    Content content;
    for (const Item& item : items) {
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

  MjcfJoint read_joint(const Item& item) {
    const std::string name = name_of(item, "");
    MjcfElement joint = item.element.tag() == "joint"
                            ? reader_.defaults.resolve(item.element, item.place.childclass)
                            : MjcfElement(item.element, {});
    if (!name.empty()) joint = joint.owned_by("joint '" + name + "'");
    MjcfJoint result = read_mjcf_joint(joint, item.place.pose, reader_.compiler);
    result.joint.name = name;
    result.joint.source = joint.source();
    return result;
  }

  void read_body(const Item& item, const std::string& parent) {
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

    std::vector<Item> items;
    flatten(element, {{}, class_of(element, item.place.childclass), item.place.suffix}, items);
    Content content = read_content(items, element.source());
    const Transform<double> pose = item.place.pose * mjcf_pose({element, {}}, reader_.compiler);
    const Transform<double> in_world = reader_.tree.body_pose.at(parent) * pose;
    if (!reader_.tree.body_pose.emplace(name, in_world).second)
      throw element.error(fmt::format("a second body '{}'; names must differ", name));

    BodySpec body;
    body.name = name;
    body.source = element.source();
    body.inertia = mjcf_body_inertia(body.source, pose.p, content.inertial, content.geoms,
                                     reader_.compiler, reader_.assets.search);
    for (const MjcfGeom& geom : content.geoms)
      if (geom.is_drawn) body.shapes.push_back(geom.shape);
    add_joints(body, parent, pose, content.joints);
    reader_.spec.bodies.push_back(std::move(body));
    for (const Item& inner : items)
      if (inner.element.tag() == "site") read_site(inner, name);
    for (const Item& inner : items)
      if (inner.element.tag() == "body") read_body(inner, name);
  }

  // one after the other, with massless bodies between them that have the body's frame
  void add_joints(const BodySpec& body, const std::string& parent, const Transform<double>& pose,
                  std::vector<MjcfJoint>& joints) {
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
      tree.joints.push_back({joint.name, joint.kind, std::move(joints[k].reference)});
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
  std::vector<FrameSpec> sites_;
  std::size_t elements_ = 0;
};

}  // namespace

void MjcfReader::read_tree(const std::vector<XmlElement>& worldbodies) {
  TreeReader bodies(*this);
  bodies.read_world(worldbodies);
  bodies.add_sites();
  scale_mjcf_masses(compiler, spec);
}

}  // namespace limber
