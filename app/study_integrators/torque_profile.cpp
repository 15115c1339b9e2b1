#include "study_integrators/torque_profile.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace limber::app::study_integrators {

TorqueProfile::TorqueProfile(std::size_t joints, std::size_t arms, double duration,
                             const std::function<std::span<const double>(double)>& torque)
    : Part("torque profile"),
      joints_(joints),
      arms_(arms),
      duration_(duration),
      coefficients_(terms * joints) {
  // values at the zeros of the first polynomial that is left out
  for (std::size_t node = 0; node < terms; ++node) {
    const double angle = std::numbers::pi * (static_cast<double>(node) + 0.5) / terms;
    const std::span<const double> tau = torque(duration * (1 + std::cos(angle)) / 2);
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < joints; ++j)
        coefficients_[k * joints + j] +=
            (k == 0 ? 1. : 2.) / terms * tau[j] * std::cos(static_cast<double>(k) * angle);
  }
}

void TorqueProfile::apply(Evaluation& at) {
  const double s = 2 * at.t / duration_ - 1;
  std::array<double, terms> polynomials{1, s};
  for (std::size_t k = 2; k < terms; ++k)
    polynomials[k] = 2 * s * polynomials[k - 1] - polynomials[k - 2];
  for (std::size_t j = 0; j < joints_; ++j) {
    double tau = 0;
    for (std::size_t k = 0; k < terms; ++k) tau += coefficients_[k * joints_ + j] * polynomials[k];
    for (std::size_t arm = 0; arm < arms_; ++arm) at.tau[arm * joints_ + j] += tau;
  }
}

}  // namespace limber::app::study_integrators
