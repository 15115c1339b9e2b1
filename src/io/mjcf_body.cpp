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
// bodies and frames within one another, those of attached files included
constexpr int most_levels = 1000;

// where the content of a body stands: <frame> and <replicate> within it are gone through
struct Place {
  Transform<double> pose;  // of the present frame in the body's
  std::string childclass;
  std::string suffix;  // of names, by <replicate>
  MjcfScope* scope;
  int level = 0;
};

struct Item {
  XmlElement element;
  Place place;
};

class TreeReader {
 public:
  explicit TreeReader(MjcfReader& reader) : reader_(reader) {}

  void read_world() {
    reader_.tree.body_pose["world"] = {};
    std::vector<Item> items;
    flatten_world({{}, "", "", &reader_.main()}, items);
    for (const Item& item : items) {
      if (item.element.tag() != "geom") continue;
      const MjcfGeom geom = read_geom(item);
      if (geom.is_drawn) reader_.spec.world_shapes.push_back(geom.shape);
    }
    for (const Item& item : items)
      if (item.element.tag() == "site") read_site(item, "world");
    for (const Item& item : items)
      if (item.element.tag() == "body") read_body(item, "world");
  }

 private:
  static std::string class_of(const XmlElement& element, const Place& place) {
    const std::optional<std::string> own = element.attribute("childclass");
    if (!own) return place.childclass;
    place.scope->model.defaults.expect(element, *own);
    return *own;
  }

  // the content of a body, its frames and replicates unfolded
  void flatten(const XmlElement& element, const Place& place, std::vector<Item>& items) {
    if (place.level > most_levels)
      throw element.error(
          fmt::format("more than {} bodies and frames within one another, counting "
                      "those of attached files",
                      most_levels));
    for (const XmlElement& child : place.scope->model.files.children(element)) {
      const std::string_view tag = child.tag();
      if (tag == "frame") {
        child.expect_attributes(
            {"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
        flatten(child,
                {place.pose * mjcf_pose({child, {}}, place.scope->model.compiler),
                 class_of(child, place), place.suffix, place.scope, place.level + 1},
                items);
      } else if (tag == "replicate") {
        replicate(child, place, items);
      } else if (tag == "attach") {
        attach(child, place, items);
      } else if (tag == "composite" || tag == "flexcomp") {
        throw child.error(
            fmt::format("<{}> is not read, and the robot would be another one without it; let "
                        "MuJoCo write the model out (mj_saveLastXML) and load that file",
                        tag));
      } else if (tag == "light" || tag == "camera") {
        if (const std::string name = child.optional_name(); !name.empty())
          MjcfReader::attached(*place.scope, std::string(tag), place.scope->prefix + name);
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

  // all that is in the world of a model
  void flatten_world(const Place& place, std::vector<Item>& items) {
    const std::size_t before = items.size();
    for (const XmlElement& world : place.scope->model.sections_of("worldbody")) {
      world.expect_attributes({"childclass"});
      Place inside = place;
      inside.childclass = class_of(world, place);
      flatten(world, inside, items);
    }
    for (const Item& item : std::span(items).subspan(before))
      for (const char* tag : {"joint", "freejoint", "inertial"})
        if (item.element.tag() == tag)
          throw item.element.error(fmt::format("the world has no <{}>", tag));
  }

  // a body of another model, or all that is in its world
  void attach(const XmlElement& element, const Place& place, std::vector<Item>& items) {
    element.expect_attributes({"model", "body", "prefix"});
    if (++elements_ > most_elements)
      throw element.error(fmt::format("<attach> makes more than {} elements", most_elements));
    element.required("model");
    if (!element.attribute("prefix"))
      throw element.error("<attach> has no prefix; write prefix=\"…\", which may be empty");
    MjcfScope& around = *place.scope;
    const std::string model = element.name("model");
    const auto found = around.model.models.find(model);
    if (found == around.model.models.end()) {
      std::vector<std::string> names;
      for (const auto& [one, entry] : around.model.models) names.push_back(one);
      throw element.error(fmt::format("model '{}' does not exist among the assets{}", model,
                                      did_you_mean(model, names)));
    }
    const std::string prefix = *element.attribute("prefix");
    MjcfScope& scope = reader_.scopes.emplace_back(MjcfScope{*found->second, &around});
    scope.prefix = around.prefix + (prefix.empty() ? "" : element.name("prefix"));
    scope.is_replicated = !place.suffix.empty();
    scope.order = around.order;
    scope.order.push_back(around.model.attach_number.at(element.id()));
    const Place inside{place.pose, "", place.suffix, &scope, place.level + 1};
    if (!element.attribute("body")) return flatten_world(inside, items);
    scope.body = element.name("body");
    if (scope.body == "world")
      throw element.error("leave body out: then all that is in the world of the model is attached");
    for (const XmlElement& world : scope.model.sections_of("worldbody")) {
      std::optional<Item> body = find_body(world, inside, "");
      if (!body) continue;
      items.push_back(std::move(*body));
      return;
    }
    throw element.error(fmt::format("body '{}' does not exist in model '{}' ({})", scope.body,
                                    model, scope.model.files.main_file()));
  }

  // the body that a scope attaches; the frames around it do not move it
  std::optional<Item> find_body(const XmlElement& element, const Place& place,
                                const std::string& suffix) {
    Place inside = place;
    inside.childclass = class_of(element, place);
    for (const XmlElement& child : place.scope->model.files.children(element)) {
      const std::string_view tag = child.tag();
      if (tag == "body" && child.optional_name() + suffix == place.scope->body) {
        inside.suffix = suffix + place.suffix;
        return Item{child, inside};
      }
      if (tag == "replicate") {
        for (const std::string& number : copy_suffixes(child))
          if (std::optional<Item> body = find_body(child, inside, number + suffix)) return body;
      } else if (tag == "body" || tag == "frame") {
        if (std::optional<Item> body = find_body(child, inside, suffix)) return body;
      }
    }
    return std::nullopt;
  }

  static void expect_known(const XmlElement& child) {
    const std::vector<std::string> known{"body", "joint", "freejoint", "geom", "site", "inertial"};
    if (std::find(known.begin(), known.end(), child.tag()) == known.end())
      throw child.error(fmt::format("unknown element <{}> in a body{}", child.tag(),
                                    did_you_mean(child.tag(), known)));
  }

  // what the names of the copies end in: their numbers
  std::vector<std::string> copy_suffixes(const XmlElement& element) {
    const int count = MjcfElement(element, {}).integer("count", 0);
    if (count < 1) throw element.error("<replicate> needs a count of at least 1");
    const std::string separator = element.attribute("sep").value_or("");
    const std::size_t digits = std::to_string(count).size();
    std::vector<std::string> suffixes;
    for (int k = 0; k < count; ++k) {
      if (++elements_ > most_elements)
        throw element.error(fmt::format("<replicate> makes more than {} elements", most_elements));
      suffixes.push_back(separator + fmt::format("{:0{}}", k, digits));
    }
    return suffixes;
  }

  // copies, each moved against the one before; names get the number of the copy
  void replicate(const XmlElement& element, const Place& place, std::vector<Item>& items) {
    element.expect_attributes({"count", "sep", "offset", "euler", "childclass"});
    const MjcfCompiler& compiler = place.scope->model.compiler;
    std::vector<double> angles = element.numbers("euler", {3});
    for (double& angle : angles) angle = compiler.angle(angle);
    Transform<double> step = Transform<double>::translation(element.vec3("offset", {}));
    if (!angles.empty()) step.R = mjcf_euler(angles, compiler.euler_sequence);
    Place copy{place.pose, class_of(element, place), "", place.scope, place.level + 1};
    for (const std::string& number : copy_suffixes(element)) {
      copy.suffix = number + place.suffix;
      flatten(element, copy, items);
      copy.pose = copy.pose * step;
    }
  }

  std::string name_of(const Item& item, const std::string& fallback) {
    const std::string name = item.place.scope->full(item.element.optional_name());
    if (name.empty()) return fallback;
    if (!item.place.suffix.empty()) reader_.tree.replicated.insert(name);
    const std::string tag(item.element.tag());
    const std::string kind = tag == "freejoint" ? "joint" : tag;
    MjcfReader::attached(*item.place.scope, kind, name + item.place.suffix);
    return name + item.place.suffix;
  }

  static MjcfElement resolve(const Item& item) {
    return item.place.scope->model.defaults.resolve(item.element, item.place.childclass);
  }

  MjcfGeom read_geom(const Item& item) {
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

  void read_site(const Item& item, const std::string& body) {
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
    MjcfElement joint =
        item.element.tag() == "joint" ? resolve(item) : MjcfElement(item.element, {});
    if (!name.empty()) joint = joint.owned_by("joint '" + name + "'");
    MjcfJoint result = read_mjcf_joint(joint, item.place.pose, item.place.scope->model.compiler);
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

    MjcfScope& scope = *item.place.scope;
    const MjcfCompiler& compiler = scope.model.compiler;
    const std::size_t first_joint = reader_.tree.joints.size();
    std::vector<Item> items;
    flatten(element,
            {{}, class_of(element, item.place), item.place.suffix, &scope, item.place.level + 1},
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
    for (const MjcfGeom& geom : content.geoms)
      if (geom.is_drawn) body.shapes.push_back(geom.shape);
    add_joints(body, parent, pose, content.joints, scope);
    reader_.spec.bodies.push_back(std::move(body));
    for (const Item& inner : items)
      if (inner.element.tag() == "site") read_site(inner, name);
    for (const Item& inner : items)
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
  std::vector<FrameSpec> sites_;
  std::set<std::string> geoms_;  // names
  std::size_t elements_ = 0;
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
