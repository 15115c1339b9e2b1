// MJCF: default classes, and elements that are read through them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/mjcf.hpp"
#include "io/numbers.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

bool is_mjcf_actuator(std::string_view tag) {
  for (const char* known : {"general", "motor", "position", "velocity", "intvelocity", "damper",
                            "cylinder", "muscle", "adhesion", "dcmotor", "pid", "plugin"})
    if (tag == known) return true;
  return false;
}

namespace {

// MuJoCo's ellipsoids in a fluid
void warn_of_fluid_shape(const XmlElement& geom) {
  const std::vector<double> coefficients = geom.numbers("fluidcoef", {1, 2, 3, 4, 5});
  if (geom.attribute("fluidshape").value_or("none") != "none")
    geom.warn(
        "fluidshape and fluidcoef are not read: blunt, slender and angular drag, Kutta lift and "
        "Magnus lift are not as Limber computes them; in `water` of a scenario the link is what "
        "its shapes are, or what `hydrodynamics` of a YAML file says");
  else if (!coefficients.empty()) geom.ignore("fluidcoef of <geom>");
}

}  // namespace

void expect_mjcf_attributes(const XmlElement& element) {
  const std::string_view tag = element.tag();
  if (tag == "geom") {
    element.expect_attributes(
        {"name",     "class",        "type",     "size",       "pos",
         "quat",     "axisangle",    "xyaxes",   "zaxis",      "euler",
         "fromto",   "mass",         "density",  "mesh",       "hfield",
         "material", "rgba",         "friction", "contype",    "conaffinity",
         "group",    "shellinertia", "fitscale", "fluidshape", "fluidcoef"},
        {"condim", "priority", "solmix", "solref", "solimp", "margin", "gap", "user"});
    warn_of_fluid_shape(element);
  } else if (tag == "joint")
    element.expect_attributes({"name", "class", "type", "pos", "axis", "range", "limited", "ref",
                               "springref", "stiffness", "damping", "armature", "frictionloss",
                               "springdamper", "actuatorfrcrange", "actuatorfrclimited"},
                              {"group", "solreflimit", "solimplimit", "solreffriction",
                               "solimpfriction", "margin", "user", "actuatorgravcomp"});
  else if (tag == "site")
    element.expect_attributes(
        {"name", "class", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto"},
        {"type", "size", "group", "material", "rgba", "user"});
  else if (is_mjcf_actuator(tag))
    element.expect_attributes(
        {"name",       "class",       "joint",      "jointinparent", "tendon",
         "site",       "body",        "cranksite",  "slidersite",    "gear",
         "ctrlrange",  "ctrllimited", "forcerange", "forcelimited",  "gainprm",
         "biasprm",    "biastype",    "gaintype",   "dyntype",       "dynprm",
         "kp",         "kv",          "dampratio",  "timeconst",     "area",
         "bias",       "motorconst",  "resistance", "nominal",       "saturation",
         "inductance", "cogging",     "controller", "thermal",       "lugre",
         "input"},
        {"group",  "refsite",  "cranklength", "lengthrange",  "actrange", "actlimited",
         "actdim", "actearly", "user",        "inheritrange", "diameter", "range",
         "force",  "scale",    "lmin",        "lmax",         "vmax",     "fpmax",
         "fvmax",  "nsample",  "interp",      "delay",        "plugin",   "instance"});
}

// --- elements ---

const XmlElement& MjcfElement::holder(const char* name) const {
  if (element_.attribute(name)) return element_;
  for (auto one = defaults_.rbegin(); one != defaults_.rend(); ++one)
    if (one->attribute(name)) return *one;
  return element_;
}

std::string MjcfElement::text(const char* name, const std::string& fallback) const {
  const XmlElement& place = holder(name);
  return place.attribute(name).value_or("").empty() ? fallback : place.name(name);
}

int MjcfElement::integer(const char* name, int fallback) const {
  const double value = number(name, fallback);
  if (value != static_cast<double>(static_cast<long>(std::clamp(value, -1e9, 1e9))))
    throw holder(name).error(fmt::format("{}=\"{}\" is not a whole number of ordinary size", name,
                                         holder(name).attribute(name).value_or("")));
  return static_cast<int>(value);
}

std::vector<double> mjcf_numbers(const XmlElement& element, const char* name, std::size_t most) {
  const std::optional<std::string> text = element.attribute(name);
  if (!text) return {};
  const std::size_t count = split_words(*text).size();
  if (count > most)
    throw element.error(fmt::format("{} has {} numbers, at most {} expected", name, count, most));
  return element.numbers(name, {count});
}

void MjcfElement::fill(const char* name, std::span<double> values, Count count) const {
  const auto apply = [&](const XmlElement& element) {
    const std::vector<double> given = mjcf_numbers(element, name, values.size());
    if (count == Count::all && !given.empty() && given.size() != values.size())
      throw element.error(fmt::format("{}=\"{}\" has {}, {} are expected", name,
                                      element.attribute(name).value_or(""),
                                      count_of(given.size(), "number"), values.size()));
    std::copy(given.begin(), given.end(), values.begin());
  };
  for (const XmlElement& one : defaults_) apply(one);
  apply(element_);
}

void warn_of_falling_range(const MjcfElement& element, const char* name) {
  element.warn(fmt::format("{}=\"{}\" falls: by MuJoCo's rules it is no limit", name,
                           element.holder(name).attribute(name).value_or("")));
}

std::size_t MjcfElement::choice(const char* name, const std::vector<std::string>& words,
                                std::size_t fallback) const {
  const XmlElement& place = holder(name);
  const std::optional<std::string> text = place.attribute(name);
  if (!text) return fallback;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found == words.end())
    throw place.error(fmt::format("{}=\"{}\" is none of {}{}", name, *text, fmt::join(words, ", "),
                                  did_you_mean(*text, words)));
  return static_cast<std::size_t>(found - words.begin());
}

// --- classes ---

namespace {

// of one class for one kind of element: each element is read through all of them
constexpr std::size_t most_mjcf_defaults = 100;

// what a class may hold: what is read, and what belongs to parts that are passed over
void expect_default(const XmlElement& element) {
  const std::vector<std::string> read{"geom", "joint", "site", "mesh", "material", "equality"};
  const std::vector<std::string> passed{"camera", "light", "pair", "tendon"};
  const auto holds = [&](const std::vector<std::string>& tags) {
    return std::find(tags.begin(), tags.end(), element.tag()) != tags.end();
  };
  if (holds(passed)) element.ignore(fmt::format("<{}> in <default>", element.tag()));
  else if (!holds(read) && !is_mjcf_actuator(element.tag()))
    element.warn(fmt::format("unknown element <{}> in <default> is not read{}", element.tag(),
                             did_you_mean(element.tag(), read)));
  expect_mjcf_attributes(element);
}

}  // namespace

void MjcfDefaults::read(const XmlElement& element, MjcfFiles& files) {
  const std::string name = element.attribute("class").value_or(top_);
  if (name != top_) {
    if (classes_.size() > 1 || !classes_.at(top_).elements.empty())
      throw element.error(fmt::format(
          "the top-level default class is '{}' already; put class '{}' into it", top_, name));
    classes_.clear();
    top_ = name;
    classes_[top_] = {};
  }
  read_class(element, top_, files);
}

void MjcfDefaults::read_class(const XmlElement& element, const std::string& name,
                              MjcfFiles& files) {
  element.expect_attributes({"class"});
  const std::string owner = fmt::format("default class '{}'", name);
  for (const XmlElement& child : files.children(element)) {
    if (child.tag() != "default") {
      const XmlElement element_of_class = child.owned_by(owner);
      expect_default(element_of_class);
      classes_[name].elements.push_back(element_of_class);
      continue;
    }
    const std::string inner = child.name("class");
    if (!classes_.emplace(inner, Class{name, {}}).second)
      throw child.error(fmt::format("a second default class '{}'; names must differ", inner));
    read_class(child, inner, files);
  }
  resolved_.clear();
}

void MjcfDefaults::expect(const XmlElement& element, const std::string& name) const {
  if (classes_.contains(name)) return;
  std::vector<std::string> names;
  for (const auto& [one, content] : classes_) names.push_back(one);
  throw element.error(
      fmt::format("default class '{}' does not exist{}", name, did_you_mean(name, names)));
}

const std::vector<XmlElement>& MjcfDefaults::with_tag(const std::string& name,
                                                      std::string_view tag) const {
  const auto [entry, is_new] = resolved_.try_emplace({name, std::string(tag)});
  if (!is_new) return entry->second;
  std::vector<const Class*> path;
  for (std::string one = name; !one.empty(); one = classes_.at(one).parent)
    path.push_back(&classes_.at(one));
  for (auto one = path.rbegin(); one != path.rend(); ++one)
    for (const XmlElement& element : (*one)->elements)
      if (tag == "actuator" ? is_mjcf_actuator(element.tag()) : element.tag() == tag)
        entry->second.push_back(element);
  if (entry->second.size() > most_mjcf_defaults)
    throw entry->second.back().error(
        fmt::format("class '{}' has {} elements with defaults for <{}>, its own and those of the "
                    "classes around it; at most {} are read, write them as one",
                    name, entry->second.size(), tag, most_mjcf_defaults));
  return entry->second;
}

MjcfElement MjcfDefaults::resolve(const XmlElement& element, const std::string& childclass,
                                  std::string_view tag) const {
  std::string name = childclass.empty() ? top_ : childclass;
  if (const std::optional<std::string> own = element.attribute("class")) {
    expect(element, *own);
    name = *own;
  }
  return {element, with_tag(name, tag)};
}

}  // namespace limber
