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
  known_ = known;
  for (PayloadSettings& payload : carried) {
    const CarriedInertia inertia = carried_inertia(payload, *known_);
    for (const double change : {payload.from, payload.until}) changes_.push_back(change);
    carried_.push_back({std::move(payload), inertia});
  }
  std::sort(changes_.begin(), changes_.end());
}

std::shared_ptr<const Model> KnownModel::made(double t) const {
  auto model = std::make_shared<Model>(*known_);
  for (const Carried& one : carried_)
    if (one.payload.is_carried(t)) model->inertia[one.inertia.body] += one.inertia.inertia;
  if (model->armature.size() == armature_.size())
    std::copy(armature_.begin(), armature_.end(), model->armature.begin());
  return model;
}

const Model& KnownModel::of(const Model& robot, double t) {
  if (!known_) return robot;
  if (models_.empty() || !std::equal(armature_.begin(), armature_.end(), robot.armature.begin(),
                                     robot.armature.end())) {
    armature_.assign(robot.armature.begin(), robot.armature.end());
    models_.assign(changes_.size() + 1, nullptr);
  }
  // payloads are carried from their beginning on, and at their end no more
  const auto next = std::upper_bound(changes_.begin(), changes_.end(), t);
  std::shared_ptr<const Model>& model = models_[static_cast<std::size_t>(next - changes_.begin())];
  if (!model) model = made(t);
  return *model;
}

}  // namespace limber
