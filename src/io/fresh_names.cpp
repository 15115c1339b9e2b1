#include "io/fresh_names.hpp"

#include <fmt/format.h>

namespace limber {

FreshNames::FreshNames(const Spec& spec) {
  for (const BodySpec& body : spec.bodies) taken_.insert(body.name);
  for (const JointSpec& joint : spec.joints) taken_.insert(joint.name);
  for (const FrameSpec& frame : spec.frames) taken_.insert(frame.name);
}

std::string FreshNames::operator()(const std::string& wanted) {
  if (take(wanted)) return wanted;
  int& number = last_.try_emplace(wanted, 1).first->second;
  std::string name;
  do name = fmt::format("{}_{}", wanted, ++number);
  while (!take(name));
  return name;
}

void FreshNames::clear() {
  taken_.clear();
  last_.clear();
}

}  // namespace limber
