// MJCF: what comes along with an attached body: elements that refer to nothing but what is
// attached.
#include <algorithm>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "model/loops.hpp"

namespace limber {

std::string MjcfReader::claim(const XmlElement& element, const char* kind, const MjcfScope& scope) {
  const std::string name = scope.full(element.optional_name());
  if (!name.empty() && !claimed_.insert(fmt::format("{} {}", kind, name)).second)
    throw element.error(fmt::format("a second {} '{}'; names must differ{}", kind, name,
                                    scope.around ? ", give <attach> another prefix" : ""));
  return name;
}

void MjcfReader::attached(MjcfScope& scope, const std::string& kind, const std::string& full_name) {
  for (MjcfScope* one = &scope; one->around; one = one->around)
    one->names.insert(fmt::format("{} {}", kind, full_name));
}

bool MjcfReader::comes_along(const MjcfElement& element, const MjcfScope& scope,
                             std::span<const MjcfReference> references) const {
  if (!scope.around) return true;
  for (const MjcfReference& one : references) {
    const std::string name = element.text(one.attribute);
    if (name.empty() || name == one.always ||
        scope.names.contains(fmt::format("{} {}", one.kind, scope.full(name))))
      continue;
    if (tree.replicated.contains(scope.full(name)))
      throw unknown(element.own(), one.kind, scope.full(name), {});
    element.own().ignore(fmt::format("<{}> that refers to {} '{}', which is not attached",
                                     element.tag(), one.kind, name));
    return false;
  }
  return true;
}

void MjcfReader::each(std::string_view tag,
                      void (MjcfReader::*read)(const XmlElement& section, MjcfScope& scope)) {
  for (MjcfScope* scope : in_order)
    for (const XmlElement& section : scope->model.sections_of(tag)) (this->*read)(section, *scope);
}

// MuJoCo's states of a child: its own joints as there, the others in the reference state
void MjcfReader::add_attached_keyframes(MjcfScope& scope) {
  const std::vector<XmlElement> sections = scope.model.sections_of("keyframe");
  if (sections.empty()) return;
  if (scope.is_replicated)
    return sections[0].warn("states of a model that is attached within <replicate> are not read");
  if (!scope.model.whole) {
    auto alone = std::make_shared<MjcfReader>(scope.model);
    alone->read_tree();
    alone->each("tendon", &MjcfReader::name_tendons);
    alone->each("actuator", &MjcfReader::reserve_actuator_names);
    alone->each("actuator", &MjcfReader::read_actuators);
    alone->add_reference_state();
    for (const XmlElement& section : sections) alone->read_keyframes(section);
    scope.model.whole = std::move(alone);
  }
  const MjcfReader& alone = *scope.model.whole;
  const std::size_t first = scope.body.empty() ? 0 : alone.tree.joints_below.at(scope.body).front();
  const auto is_attached = [&](const MjcfTree::Joint& joint) {
    const MjcfScope* one = joint.scope;
    while (one && one != &scope) one = one->around;
    return one != nullptr;
  };
  expect_few_states(sections[0].source(), spec.keyframes.size() + alone.spec.keyframes.size() - 1,
                    2 * tree.joints.size());
  for (const KeyframeSpec& there : std::span(alone.spec.keyframes).subspan(1)) {
    KeyframeSpec key;
    key.name = scope.prefix + there.name;
    if (!claimed_.insert("key " + key.name).second)
      throw Error(there.source, fmt::format("a second key '{}'; names must differ, give <attach> "
                                            "another prefix",
                                            key.name));
    key.source = there.source;
    key.time = there.time;
    std::size_t k = first;
    for (const MjcfTree::Joint& joint : tree.joints) {
      key.position.push_back({joint.name, joint.reference});
      if (!is_attached(joint)) continue;
      if (!alone.resting_keys_.contains(there.name))
        key.position.back().values = there.position[k].values;
      if (!there.velocity.empty()) key.velocity.push_back({joint.name, there.velocity[k].values});
      ++k;
    }
    for (const KeyframeSpec::Values& control : there.control)
      if (const auto found = actuator_names_.find(scope.prefix + control.name);
          found != actuator_names_.end())
        key.control.push_back({found->second, control.values});
    spec.keyframes.push_back(std::move(key));
  }
}

}  // namespace limber
