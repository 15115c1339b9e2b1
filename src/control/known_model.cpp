#include <limber/control/known_model.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "control/joint_places.hpp"
#include "index.hpp"

namespace limber {

KnownModel::KnownModel(const Model& robot, const std::shared_ptr<const Model>& known,
                       std::vector<PayloadSettings> carried) {
  if (!known) return;
  if (known->nq != robot.nq || known->nv != robot.nv)
    throw Error(
        fmt::format("model: it has {} positions and {} velocities, robot '{}' has {} and "
                    "{}; give a model with the same joints",
                    known->nq, known->nv, robot.name, robot.nq, robot.nv));
  const auto here = joint_places(robot), there = joint_places(*known);
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    const std::string &name = robot.joint_name[at_index(here[i].body)],
                      &other = known->joint_name[at_index(there[i].body)];
    if (name != other || here[i].kind != there[i].kind)
      throw Error(
          fmt::format("model: joint '{}' found where robot '{}' has '{}'; give a model with "
                      "the same joints in the same order",
                      other, robot.name, name));
  }
  known_ = *known;
  own_inertia_ = known_->inertia;
  for (PayloadSettings& payload : carried) {
    const CarriedInertia inertia = carried_inertia(payload, *known_);
    carried_.push_back({std::move(payload), inertia});
  }
}

const Model& KnownModel::of(const Model& robot, double t) {
  if (!known_) return robot;
  for (const Carried& one : carried_)
    known_->inertia[one.inertia.body] = own_inertia_[one.inertia.body];
  for (const Carried& one : carried_)
    if (one.payload.is_carried(t)) known_->inertia[one.inertia.body] += one.inertia.inertia;
  if (known_->armature.size() == robot.armature.size())
    std::copy(robot.armature.begin(), robot.armature.end(), known_->armature.begin());
  return *known_;
}

}  // namespace limber
