// The plain trajectories, and the check of limits for all.
#include <limber/control/joint_trajectory.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"
#include "control/limits.hpp"

namespace limber {

namespace {

void rest(std::span<double> v, std::span<double> a) {
  std::fill(v.begin(), v.end(), 0.0);
  std::fill(a.begin(), a.end(), 0.0);
}

class ConstantTrajectory final : public JointTrajectory {
 public:
  explicit ConstantTrajectory(std::vector<double> q) : q_(std::move(q)) {}
  double duration() const override { return 0; }
  void sample(double, std::span<double> q, std::span<double> v,
              std::span<double> a) const override {
    std::copy(q_.begin(), q_.end(), q.begin());
    rest(v, a);
  }

 private:
  std::vector<double> q_;
};

class FunctionTrajectory final : public JointTrajectory {
 public:
  FunctionTrajectory(double duration, JointFunction function)
      : duration_(duration), function_(std::move(function)) {}
  double duration() const override { return duration_; }
  void sample(double t, std::span<double> q, std::span<double> v,
              std::span<double> a) const override {
    function_(std::clamp(t, 0.0, duration_), q, v, a);
    if (t < 0 || t > duration_) rest(v, a);
  }

 private:
  double duration_;
  JointFunction function_;
};

}  // namespace

JointTrajectoryPointer constant_trajectory(const Model& m, std::span<const double> q) {
  return std::make_shared<ConstantTrajectory>(checked_position(m, "constant trajectory: q", q));
}

JointTrajectoryPointer function_trajectory(const Model& m, double duration,
                                           JointFunction function) {
  if (!(duration >= 0) || !std::isfinite(duration))
    throw Error(
        fmt::format("function trajectory: duration: {} s found, at least 0 is needed", duration));
  if (!function) throw Error("function trajectory: the function is empty");
  auto trajectory = std::make_shared<FunctionTrajectory>(duration, std::move(function));
  const double looks = 200;
  expect_within_limits(m, *trajectory, std::max(duration / looks, 1e-6));
  return trajectory;
}

std::vector<double> checked_position(const Model& m, const std::string& what,
                                     std::span<const double> q) {
  expect_numbers(m, what, q, m.nq);
  std::vector<double> result(q.begin(), q.end());
  normalize(m, result);
  expect_position_limits(m, what, result);
  return result;
}

std::optional<std::size_t> outside_limits(const Model& m, std::span<const double> q) {
  for (std::size_t k = 0; k < m.dof.size(); ++k) {
    if (m.dof_q[k] < 0) continue;
    const double x = q[static_cast<std::size_t>(m.dof_q[k])];
    if (x < m.dof[k].lower - limit_tolerance || x > m.dof[k].upper + limit_tolerance) return k;
  }
  return std::nullopt;
}

void expect_position_limits(const Model& m, const std::string& what, std::span<const double> q) {
  const auto k = outside_limits(m, q);
  if (!k) return;
  throw Error(fmt::format("{}: joint '{}' is at {} {}, outside its limits {} … {}", what,
                          freedom_name(m, *k), q[static_cast<std::size_t>(m.dof_q[*k])],
                          freedom_unit(m, *k), m.dof[*k].lower, m.dof[*k].upper));
}

void expect_within_limits(const Model& m, const JointTrajectory& trajectory, double interval) {
  if (!(interval > 0))
    throw Error(fmt::format("interval: {} s found, a positive time is needed", interval));
  std::vector<double> q(static_cast<std::size_t>(m.nq)), v(static_cast<std::size_t>(m.nv)), a(v);
  const double duration = trajectory.duration();
  const auto count = static_cast<long>(std::ceil(duration / interval));
  for (long i = 0; i <= count; ++i) {
    const double t = std::min(static_cast<double>(i) * interval, duration);
    trajectory.sample(t, q, v, a);
    for (const auto* numbers : {&q, &v, &a})
      if (!std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); }))
        throw Error(fmt::format("at {:.6g} s: {} of the trajectory is not finite", t,
                                numbers == &q   ? "q"
                                : numbers == &v ? "v"
                                                : "a"));
    if (outside_limits(m, q)) expect_position_limits(m, fmt::format("at {:.6g} s", t), q);
    for (std::size_t k = 0; k < v.size(); ++k)
      if (std::abs(v[k]) > m.dof[k].velocity_limit * (1 + limit_tolerance))
        throw Error(fmt::format("at {:.6g} s: joint '{}' moves with {} {}/s; its limit is {}", t,
                                freedom_name(m, k), v[k], freedom_unit(m, k),
                                m.dof[k].velocity_limit));
  }
}

}  // namespace limber
