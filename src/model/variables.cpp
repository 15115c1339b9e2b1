#include <limber/model/variables.hpp>

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/joint_kind.hpp>

#include "model/nearest.hpp"

namespace limber {

namespace {

// `list`: JointFacts::positions or velocities
std::vector<Variable> variables(const Model& m, const std::vector<int>& count,
                                std::span<const JointVariable> JointFacts::*list) {
  std::vector<Variable> all;
  for (std::size_t b = 1; b < count.size(); ++b) {
    if (m.master[b] >= 0) continue;
    const std::span<const JointVariable> known = facts(m.kind[b]).*list;
    for (int i = 0; i < count[b]; ++i) {
      if (known.empty()) all.push_back({m.joint_name[b], std::to_string(i + 1), ""});
      else
        all.push_back({m.joint_name[b], std::string(known[static_cast<std::size_t>(i)].label),
                       std::string(known[static_cast<std::size_t>(i)].unit)});
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
  return variables(model, model.q_count, &JointFacts::positions);
}

std::vector<Variable> velocity_variables(const Model& model) {
  return variables(model, model.v_count, &JointFacts::velocities);
}

int freedom(const Model& model, std::string_view name) {
  return index_of(model, velocity_variables(model), "freedom", name);
}

int position_index(const Model& model, std::string_view name) {
  return index_of(model, position_variables(model), "position", name);
}

}  // namespace limber
