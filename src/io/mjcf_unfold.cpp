#include "io/mjcf_unfold.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "model/nearest.hpp"

namespace limber {

namespace {

// elements of the tree, those that <replicate> makes included
constexpr std::size_t most_elements = 500'000;
// bodies and frames within one another, those of attached files included
constexpr int most_levels = 1000;
// elements that are looked at in search of bodies to attach
constexpr std::size_t most_searched = 10 * most_elements;

void expect_known(const XmlElement& child) {
  const std::vector<std::string> known{"body", "joint", "freejoint", "geom", "site", "inertial"};
  if (std::find(known.begin(), known.end(), child.tag()) == known.end())
    throw child.error(fmt::format("unknown element <{}> in a body{}", child.tag(),
                                  did_you_mean(child.tag(), known)));
}

}  // namespace

std::string mjcf_class_of(const XmlElement& element, const MjcfPlace& place) {
  const std::optional<std::string> own = element.attribute("childclass");
  if (!own) return place.childclass;
  place.scope->model.defaults.expect(element, *own);
  return *own;
}

// the content of a body, its frames and replicates unfolded
void MjcfUnfolding::unfold(const XmlElement& element, const MjcfPlace& place,
                           std::vector<MjcfItem>& items) {
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
      unfold(child,
             {place.pose * mjcf_pose({child, {}}, place.scope->model.compiler),
              mjcf_class_of(child, place), place.suffix, place.scope, place.level + 1},
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
void MjcfUnfolding::unfold_world(const MjcfPlace& place, std::vector<MjcfItem>& items) {
  const std::size_t before = items.size();
  for (const XmlElement& world : place.scope->model.sections_of("worldbody")) {
    world.expect_attributes({"childclass"});
    MjcfPlace inside = place;
    inside.childclass = mjcf_class_of(world, place);
    unfold(world, inside, items);
  }
  for (const MjcfItem& item : std::span(items).subspan(before))
    for (const char* tag : {"joint", "freejoint", "inertial"})
      if (item.element.tag() == tag)
        throw item.element.error(fmt::format("the world has no <{}>", tag));
}

// a body of another model, or all that is in its world
void MjcfUnfolding::attach(const XmlElement& element, const MjcfPlace& place,
                           std::vector<MjcfItem>& items) {
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
  const MjcfPlace inside{place.pose, "", place.suffix, &scope, place.level + 1};
  if (!element.attribute("body")) return unfold_world(inside, items);
  scope.body = element.name("body");
  if (scope.body == "world")
    throw element.error("leave body out: then all that is in the world of the model is attached");
  for (const XmlElement& world : scope.model.sections_of("worldbody")) {
    std::optional<MjcfItem> body = find_body(world, inside, "");
    if (!body) continue;
    items.push_back(std::move(*body));
    return;
  }
  throw element.error(fmt::format("body '{}' does not exist in model '{}' ({})", scope.body, model,
                                  scope.model.files.main_file()));
}

// the body that a scope attaches; the frames around it do not move it
std::optional<MjcfItem> MjcfUnfolding::find_body(const XmlElement& element, const MjcfPlace& place,
                                                 const std::string& suffix) {
  MjcfPlace inside = place;
  inside.childclass = mjcf_class_of(element, place);
  for (const XmlElement& child : place.scope->model.files.children(element)) {
    const std::string_view tag = child.tag();
    if (++searched_ > most_searched)
      throw child.error(
          "the bodies that are attached take too long to find; attach fewer of them, or attach a "
          "body that holds them");
    if (tag == "body" && child.optional_name() + suffix == place.scope->body) {
      inside.suffix = suffix + place.suffix;
      return MjcfItem{child, inside};
    }
    if (tag == "replicate") {
      for (const std::string& number : copy_suffixes(child))
        if (std::optional<MjcfItem> body = find_body(child, inside, number + suffix)) return body;
    } else if (tag == "body" || tag == "frame") {
      if (std::optional<MjcfItem> body = find_body(child, inside, suffix)) return body;
    }
  }
  return std::nullopt;
}

// what the names of the copies end in: their numbers
std::vector<std::string> MjcfUnfolding::copy_suffixes(const XmlElement& element) {
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
void MjcfUnfolding::replicate(const XmlElement& element, const MjcfPlace& place,
                              std::vector<MjcfItem>& items) {
  element.expect_attributes({"count", "sep", "offset", "euler", "childclass"});
  const MjcfCompiler& compiler = place.scope->model.compiler;
  std::vector<double> angles = element.numbers("euler", {3});
  for (double& angle : angles) angle = compiler.angle(angle);
  Transform<double> step = Transform<double>::translation(element.vec3("offset", {}));
  if (!angles.empty()) step.R = mjcf_euler(angles, compiler.euler_sequence);
  MjcfPlace copy{place.pose, mjcf_class_of(element, place), "", place.scope, place.level + 1};
  for (const std::string& number : copy_suffixes(element)) {
    copy.suffix = number + place.suffix;
    unfold(element, copy, items);
    copy.pose = copy.pose * step;
  }
}

}  // namespace limber
