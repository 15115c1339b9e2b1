#pragma once
// TorqueProfile: joint torques as smooth functions of time, the same for several equal arms.
#include <functional>

#include <limber/sim/part.hpp>

namespace limber::app::study_integrators {

class TorqueProfile final : public Part {
 public:
  /// Approximates `torque` (nv numbers at time t, 0 ≤ t ≤ duration) by Chebyshev polynomials, which
  /// are differentiable as often as any method wishes, and applies them to `arms` arms that follow
  /// each other in v.
  TorqueProfile(std::size_t joints, std::size_t arms, double duration,
                const std::function<std::span<const double>(double t)>& torque);

  std::unique_ptr<Part> clone() const override { return std::make_unique<TorqueProfile>(*this); }
  Role role() const override { return Role::world; }
  void apply(Evaluation& at) override;

 private:
  static constexpr std::size_t terms = 16;
  std::size_t joints_, arms_;
  double duration_;
  std::vector<double> coefficients_;  ///< by term and joint
};

}  // namespace limber::app::study_integrators
