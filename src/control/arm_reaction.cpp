#include <limber/control/arm_reaction.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "index.hpp"

namespace limber {

ArmReaction::ArmReaction(const Model& model, int body, const ArmReactionSettings& settings)
    : settings_(settings), body_(body), ws_(model) {
  if (model.kind[body] != JointKind::free)
    throw Error(fmt::format(
        "arm reaction: link '{}' is not on a free joint; name the link of a vehicle that floats",
        model.body_name[body]));
  for (const JointPlace& joint : joint_places(model))
    if (joint.body == body) {
      q_begin_ = at_index(joint.q), q_end_ = at_index(joint.q + joint.q_count);
      v_begin_ = at_index(joint.v), v_end_ = at_index(joint.v + joint.v_count);
    }
  if (!settings.links.empty()) {
    if (!settings.water)
      throw Error("arm reaction: links have hydrodynamics, but there is no water; give it, too");
    wet_.emplace(model, settings.links);
  }
  q_.resize(at_index(model.nq));
  v_.resize(at_index(model.nv));
  a_.resize(at_index(model.nv));
}

// through the vehicle's joint, for q_, v_ and a_
Force<double> ArmReaction::needed(const Model& model, double t, const Vec3<double>& more_current) {
  Loads<double> loads;
  if (wet_)
    loads = wet_->update(model, forward_kinematics<double>(model, q_, v_, ws_), *settings_.water, t,
                         {}, more_current);
  return joint_reaction(model, inverse_dynamics<double>(model, q_, v_, a_, ws_, loads), body_);
}

Force<double> ArmReaction::force(const Model& model, double t, std::span<const double> q,
                                 std::span<const double> v, std::span<const double> v_before,
                                 double interval, std::span<const double> q_start,
                                 const Vec3<double>& more_current) {
  const auto take_vehicle = [&] {
    std::copy(q.begin() + static_cast<std::ptrdiff_t>(q_begin_),
              q.begin() + static_cast<std::ptrdiff_t>(q_end_),
              q_.begin() + static_cast<std::ptrdiff_t>(q_begin_));
    for (std::size_t k = v_begin_; k < v_end_; ++k) v_[k] = v[k], a_[k] = 0;
  };
  if (settings_.trajectory) {
    settings_.trajectory->sample(t + settings_.lead, q_, v_, a_);
  } else {
    std::copy(q.begin(), q.end(), q_.begin());
    std::copy(v.begin(), v.end(), v_.begin());
    for (std::size_t k = 0; k < a_.size(); ++k) a_[k] = (v[k] - v_before[k]) / interval;
  }
  take_vehicle();
  const Force<double> moving = needed(model, t, more_current);
  std::copy(q_start.begin(), q_start.end(), q_.begin());
  std::fill(v_.begin(), v_.end(), 0.0);
  std::fill(a_.begin(), a_.end(), 0.0);
  take_vehicle();
  return moving - needed(model, t, more_current);
}

}  // namespace limber
