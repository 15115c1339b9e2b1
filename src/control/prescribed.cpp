#include <limber/control/prescribed.hpp>

#include <fmt/format.h>

#include "control/joint_places.hpp"
#include "index.hpp"

namespace limber {

PrescribedJoint::PrescribedJoint(const PrescribedJointSettings& settings)
    : Part(settings.name), settings_(settings) {
  if (!settings.trajectory)
    throw Error(fmt::format("prescribed motion '{}': trajectory: none found", settings.name));
  if (settings.joints.empty())
    throw Error(
        fmt::format("prescribed motion '{}': joints: none found; name those that are to "
                    "follow the trajectory",
                    settings.name));
}

void PrescribedJoint::attach(Model& m) {
  positions_.clear();
  freedoms_.clear();
  for (const std::string& joint : settings_.joints) {
    const JointPlace place = joint_place(m, joint);
    for (int i = 0; i < place.q_count; ++i) positions_.push_back(at_index(place.q + i));
    for (int i = 0; i < place.v_count; ++i) freedoms_.push_back(place.v + i);
  }
  q_.resize(static_cast<std::size_t>(m.nq));
  v_.resize(static_cast<std::size_t>(m.nv));
  a_.resize(static_cast<std::size_t>(m.nv));
}

void PrescribedJoint::prescribe(const PartInstant& at, const GivenMotion& motion) {
  settings_.trajectory->sample(at.t, q_, v_, a_);
  for (const std::size_t i : positions_) motion.q[i] = q_[i];
  for (const int freedom : freedoms_) {
    const auto k = static_cast<std::size_t>(freedom);
    motion.v[k] = v_[k];
    motion.known[k] = Known::acceleration;
    motion.given[k] = a_[k];
  }
}

}  // namespace limber
