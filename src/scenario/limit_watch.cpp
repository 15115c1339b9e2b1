#include "scenario/limit_watch.hpp"

#include <algorithm>

namespace limber {

namespace {

constexpr double least_depth = 1e-6;  // [rad or m]; an event stops a run nearer to the limit

}  // namespace

LimitWatch::LimitWatch(const System& system) {
  for (const auto& part : system.parts())
    if (const auto* limits = dynamic_cast<const JointLimits*>(part.get())) limits_ = limits;
  if (limits_) found_.resize(limits_->limits().size());
}

void LimitWatch::update(double t, std::span<const double> q) {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const double depth = limits_->limits()[k].depth(q);
    if (depth <= least_depth || depth <= found_[k].depth) continue;
    if (found_[k].depth == 0) found_[k].first = t;
    found_[k].depth = depth;
  }
}

std::vector<LimitPassed> LimitWatch::passed() const {
  std::vector<LimitPassed> all;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const JointLimits::Limit& limit = limits_->limits()[k];
    if (found_[k].depth > 0)
      all.push_back({limit.joint, limit.name(), limit.unit, found_[k].first, found_[k].depth,
                     limits_->settings().at_limit});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const LimitPassed& a, const LimitPassed& b) { return a.time < b.time; });
  return all;
}

}  // namespace limber
