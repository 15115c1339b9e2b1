// SDF: all that has a name and a pose is listed, those of nested and included models too.
#include <algorithm>

#include <fmt/format.h>

#include "index.hpp"
#include "io/sdf.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

constexpr std::size_t most_sdf_nodes = 500'000;
constexpr int most_sdf_levels = 100;

bool is_reserved(const std::string& name) {
  return name == "world" || (name.starts_with("__") && name.ends_with("__"));
}

// how an <include> changes the model that it names
struct Placing {
  std::optional<std::string> name;
  std::optional<XmlElement> include;  // with <pose> and placement_frame, where it has them
  std::optional<bool> is_static;
};

class Lister {
 public:
  Lister(SdfFiles& files, SdfTree& tree) : files_(files), tree_(tree) {}

  void list(const XmlElement& root, int version) {
    tree_.nodes.push_back({SdfNode::Kind::world, "world"});
    tree_.scopes.push_back({"", 0, version});
    const std::vector<XmlElement> worlds = root.children("world");
    if (worlds.size() > 1)
      throw worlds[1].error("a second <world>; a robot file has one: remove the others");
    if (!worlds.empty() && !root.children("model").empty())
      throw root.children("model").front().error(
          "a <model> beside the <world>; put it into the world, or remove one of them");
    root.expect_attributes({"version"});
    root.expect_children({"world", "model"}, {"actor", "light"});
    const XmlElement top =
        worlds.empty() ? root : worlds[0].owned_by("world '" + worlds[0].optional_name() + "'");
    is_alone_ = top.children("model").size() + top.children("include").size() == 1;
    list_content(top, 0);
  }

 private:
  int add(SdfNode node) {
    if (tree_.nodes.size() >= most_sdf_nodes)
      throw node.element->error(
          fmt::format("more than {} models, links, joints and frames, counting those of included "
                      "files; such a file is not read",
                      most_sdf_nodes));
    const auto index = static_cast<int>(tree_.nodes.size());
    const auto [known, is_new] = tree_.by_name.emplace(node.name, index);
    if (!is_new) {
      const SdfNode& first = tree_.nodes[at_index(known->second)];
      // until 1.6 a joint could have the name of something else
      const bool old_joint =
          tree_.scope_of(node).version <= 6 &&
          (node.kind == SdfNode::Kind::joint) != (first.kind == SdfNode::Kind::joint);
      if (!old_joint)
        throw node.element->error(
            fmt::format("a second element named '{}', the first is in line {}; names must differ",
                        node.name, first.element->source().line));
      if (first.kind == SdfNode::Kind::joint) known->second = index;
    }
    tree_.nodes.push_back(std::move(node));
    return index;
  }

  std::string full_name(const XmlElement& element, int scope, const std::string& name) const {
    if (is_reserved(name))
      throw element.error(fmt::format("'{}' is a reserved name; choose another", name));
    std::string full = tree_.scopes[at_index(scope)].prefix + name;
    expect_name(element.source(), "full name", full);  // also bounded, however deep it is nested
    return full;
  }

  SdfNode named(const XmlElement& element, SdfNode::Kind kind, int scope) const {
    const std::string name = full_name(element, scope, element.name());
    return {kind, name, element.owned_by(fmt::format("{} '{}'", element.tag(), tree_.shown(name))),
            scope};
  }

  static void place(const XmlElement& element, SdfNode& node) {
    SdfPose pose = sdf_pose(element);
    node.offset = pose.offset;
    node.relative_name = std::move(pose.relative_to);
  }

  void add_link(const XmlElement& element, int scope) {
    SdfNode link = named(element, SdfNode::Kind::link, scope);
    place(*link.element, link);
    add(std::move(link));
  }

  void add_joint(const XmlElement& element, int scope) {
    SdfNode joint = named(element, SdfNode::Kind::joint, scope);
    place(*joint.element, joint);
    joint.attached_name = sdf_text(*joint.element, "child", "");
    if (joint.attached_name.empty())
      throw joint.element->error("<joint> has no <child>; add <child>LINK</child>");
    if (joint.attached_name == "world")
      throw joint.element->error(
          "the child is the world, which does not move; exchange parent and child");
    add(std::move(joint));
  }

  void add_frame(const XmlElement& element, int scope) {
    SdfNode frame = named(element, SdfNode::Kind::frame, scope);
    frame.element->expect_attributes({"name", "attached_to"});
    frame.element->expect_children({"pose"});
    place(*frame.element, frame);
    frame.attached_name = frame.element->attribute("attached_to").value_or("");
    add(std::move(frame));
  }

  // the frame of a model, with the scope of its content
  SdfNode model_node(const XmlElement& model, const std::string& name, int outer,
                     const Placing& placing) {
    SdfNode node{SdfNode::Kind::model, name,
                 model.owned_by(fmt::format("model '{}'", tree_.shown(name))), outer};
    const bool moved = placing.include && placing.include->child("pose");
    place(moved ? *placing.include : *node.element, node);
    node.attached_name = model.attribute("canonical_link").value_or("");
    node.placement_frame = model.attribute("placement_frame").value_or("");
    node.include = placing.include;
    if (placing.include)
      node.placement_frame = sdf_text(*placing.include, "placement_frame", node.placement_frame);
    return node;
  }

  void add_model(const XmlElement& model, int outer, const Placing& placing, int version = -1) {
    const std::string name = placing.name ? *placing.name : model.name();
    SdfNode node = model_node(model, full_name(model, outer, name), outer, placing);
    const XmlElement owner = *node.element;
    owner.expect_attributes({"name", "canonical_link", "placement_frame", "xmlns"});
    owner.expect_children(
        {"link", "joint", "frame", "model", "include", "pose", "static", "self_collide", "plugin"},
        {"gripper", "allow_auto_disable", "enable_wind"});
    if (outer == 0) ++tree_.models;
    if (is_alone_ && outer == 0) tree_.only_model = node.name + "::";
    SdfScope scope = tree_.scopes[at_index(outer)];
    scope.prefix = node.name + "::";
    if (version > 0) scope.version = version;
    scope.is_static =
        scope.is_static || placing.is_static.value_or(sdf_flag(owner, "static", false));
    scope.collides = sdf_flag(owner, "self_collide", scope.collides);
    if (outer == 0) scope.family = tree_.models;
    list_model(owner, std::move(node), scope);
  }

  void list_model(const XmlElement& model, SdfNode node, SdfScope scope) {
    if (++level_ > most_sdf_levels)
      throw model.error(fmt::format("models nested more than {} deep", most_sdf_levels));
    node.inner = static_cast<int>(tree_.scopes.size());
    const int inner = node.inner;
    scope.model = add(std::move(node));
    tree_.scopes.push_back(std::move(scope));
    list_content(model, inner);
    --level_;
  }

  void list_content(const XmlElement& element, int scope) {
    for (const XmlElement& child : element.children()) {
      const std::string_view tag = child.tag();
      if (tag == "link" && scope > 0) add_link(child, scope);
      else if (tag == "joint") add_joint(child, scope);
      else if (tag == "frame") add_frame(child, scope);
      else if (tag == "model") add_model(child, scope, {});
      else if (tag == "include") include(child, scope);
      else if (tag.ends_with(":joint") || tag.ends_with(":link"))
        throw child.error(
            fmt::format("<{} name=\"{}\"> is an extension that SDF does not have, and the robot "
                        "would fall apart without it; describe it with what SDF has",
                        tag, child.optional_name()));
    }
  }

  static XmlElement only_model(const SdfFiles::Root& file, const XmlElement& uri) {
    const std::vector<XmlElement> models = file.element.children("model");
    if (models.size() != 1)
      throw uri.error(fmt::format("{} holds {}; a file that is included holds one", file.path,
                                  count_of(models.size(), "<model>")));
    return models.front();
  }

  void include(const XmlElement& element, int scope) {
    element.expect_attributes({"merge"});
    element.expect_children({"uri", "name", "pose", "static", "placement_frame", "plugin"});
    if (element.child("experimental:params"))
      throw element.error(
          "<experimental:params> changes the included model, which Limber does not do; write the "
          "changed model into a file of its own");
    const std::optional<XmlElement> uri = element.child("uri");
    if (!uri) throw element.error("<include> has no <uri>; add <uri>FILE</uri>");
    const SdfFiles::Root file = files_.include(*uri);
    if (std::find(open_.begin(), open_.end(), file.path) != open_.end())
      throw uri->error(fmt::format("{} includes itself", file.path));
    open_.push_back(file.path);
    Placing placing;
    placing.include = element;
    if (element.child("name")) placing.name = sdf_text(element, "name", "");
    if (placing.name) expect_name(element.source(), "name of an included model", *placing.name);
    if (element.child("static")) placing.is_static = sdf_flag(element, "static", false);
    const XmlElement model = only_model(file, *uri);
    const std::string merge = element.attribute("merge").value_or("false");
    if (merge == "true" || merge == "1") merge_model(model, scope, placing, file.version);
    else add_model(model, scope, placing, file.version);
    open_.pop_back();
  }

  // the content stands in the outer model; a frame takes the place of the model's own
  void merge_model(const XmlElement& model, int outer, const Placing& placing, int version) {
    if (outer == 0)
      throw placing.include->error("merge=\"true\" in the world; only a model can be merged into");
    const SdfScope& around = tree_.scopes[at_index(outer)];
    const std::string name = placing.name ? *placing.name : model.name();
    SdfNode node =
        model_node(model, around.prefix + "_merged__" + name + "__model__", outer, placing);
    SdfScope scope = around;
    scope.version = version;
    list_model(model.owned_by("model '" + name + "'"), std::move(node), scope);
  }

  SdfFiles& files_;
  SdfTree& tree_;
  std::vector<std::string> open_;  // files within which the present one is included
  bool is_alone_ = false;          // one model at the top
  int level_ = 0;
};

}  // namespace

int SdfTree::find(const XmlElement& element, int scope, const std::string& name) const {
  const SdfScope& here = scopes[at_index(scope)];
  if (name == "world") return 0;
  if (name == "__model__" && scope > 0) return here.model;
  std::string full = here.prefix + name;
  if (constexpr std::string_view own = "::__model__"; full.ends_with(own))
    full.resize(full.size() - own.size());
  if (const auto found = by_name.find(full); found != by_name.end()) return found->second;
  std::vector<std::string> known;
  for (auto entry = by_name.lower_bound(here.prefix);
       entry != by_name.end() && entry->first.starts_with(here.prefix) && known.size() < 1000;
       ++entry)
    known.push_back(entry->first.substr(here.prefix.size()));
  throw element.error(fmt::format("'{}' does not exist{}{}", printable(name),
                                  scope > 0 ? " in this model" : "", did_you_mean(name, known)));
}

std::string SdfTree::shown(const std::string& name) const {
  return !only_model.empty() && name.starts_with(only_model) ? name.substr(only_model.size())
                                                             : name;
}

SdfTree list_sdf(SdfFiles& files, const XmlElement& root, int version) {
  SdfTree tree;
  Lister(files, tree).list(root, version);
  return tree;
}

}  // namespace limber
