#include <limber/model/variables.hpp>

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/nearest.hpp"

namespace limber {

namespace {

struct Component {
  const char* label;
  const char* unit;
};

// components of q where they are not those of v
std::span<const Component> position_components(JointKind kind) {
  static constexpr Component spherical[] = {{"qx", ""}, {"qy", ""}, {"qz", ""}, {"qw", ""}};
  static constexpr Component free[] = {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qx", ""},
                                       {"qy", ""}, {"qz", ""}, {"qw", ""}};
  if (kind == JointKind::spherical) return spherical;
  if (kind == JointKind::free) return free;
  return {};
}

std::span<const Component> velocity_components(JointKind kind) {
  static constexpr Component turn[] = {{"", "rad"}};
  static constexpr Component slide[] = {{"", "m"}};
  static constexpr Component cylindrical[] = {{"angle", "rad"}, {"slide", "m"}};
  static constexpr Component planar[] = {{"x", "m"}, {"y", "m"}, {"angle", "rad"}};
  static constexpr Component universal[] = {{"angle1", "rad"}, {"angle2", "rad"}};
  static constexpr Component spherical[] = {{"wx", "rad"}, {"wy", "rad"}, {"wz", "rad"}};
  static constexpr Component translation[] = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
  static constexpr Component free[] = {{"wx", "rad"}, {"wy", "rad"}, {"wz", "rad"},
                                       {"vx", "m"},   {"vy", "m"},   {"vz", "m"}};
  switch (kind) {
    case JointKind::revolute:
    case JointKind::helical:
      return turn;
    case JointKind::prismatic:
      return slide;
    case JointKind::cylindrical:
      return cylindrical;
    case JointKind::planar:
      return planar;
    case JointKind::universal:
      return universal;
    case JointKind::spherical:
      return spherical;
    case JointKind::translation:
      return translation;
    case JointKind::free:
      return free;
    case JointKind::fixed:
    case JointKind::custom:
      return {};
  }
  return {};
}

template <class F>
std::vector<Variable> variables(const Model& m, const std::vector<int>& count, F&& components_of) {
  std::vector<Variable> all;
  for (std::size_t b = 1; b < count.size(); ++b) {
    if (m.master[b] >= 0) continue;
    const std::span<const Component> components = components_of(m.kind[b]);
    for (int i = 0; i < count[b]; ++i) {
      if (components.empty()) all.push_back({m.joint_name[b], std::to_string(i + 1), ""});
      else
        all.push_back({m.joint_name[b], components[static_cast<std::size_t>(i)].label,
                       components[static_cast<std::size_t>(i)].unit});
    }
  }
  return all;
}

// `what`: "freedom" or "position", for the message
int index_of(const Model& m, const std::vector<Variable>& all, const char* what,
             std::string_view name) {
  std::vector<std::string> names, of_joint;
  for (std::size_t k = 0; k < all.size(); ++k) {
    names.push_back(all[k].name());
    if (names.back() == name) return static_cast<int>(k);
    if (all[k].joint == name) of_joint.push_back(names.back());
  }
  if (!of_joint.empty())
    throw Error(fmt::format("joint '{}' of robot '{}' has several {}s; choose one of {}", name,
                            m.name, what, fmt::join(of_joint, ", ")));
  throw Error(fmt::format("robot '{}' has no {} '{}'{}", m.name, what, name,
                          did_you_mean(std::string(name), names)));
}

}  // namespace

std::vector<Variable> position_variables(const Model& model) {
  return variables(model, model.q_count, [](JointKind kind) {
    const auto own = position_components(kind);
    return own.empty() ? velocity_components(kind) : own;
  });
}

std::vector<Variable> velocity_variables(const Model& model) {
  return variables(model, model.v_count, velocity_components);
}

int freedom(const Model& model, std::string_view name) {
  return index_of(model, velocity_variables(model), "freedom", name);
}

int position_index(const Model& model, std::string_view name) {
  return index_of(model, position_variables(model), "position", name);
}

}  // namespace limber
