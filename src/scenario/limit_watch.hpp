#pragma once
// How far a run went beyond the limits of its joints.
#include <limber/scenario/run.hpp>
#include <limber/sim/joint_limits.hpp>

namespace limber {

class LimitWatch {
 public:
  /// Of the limits that the system's JointLimits part watches; without one: none. `system` must
  /// outlive the object.
  explicit LimitWatch(const System& system);

  void update(double t, std::span<const double> q);
  /// In the order in which they were passed.
  std::vector<LimitPassed> passed() const;

 private:
  struct Found {
    double first = 0, depth = 0;
  };
  const JointLimits* limits_ = nullptr;
  std::vector<Found> found_;  // per limit
};

}  // namespace limber
