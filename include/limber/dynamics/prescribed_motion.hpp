#pragma once
// Prescribed motion q(t) of a joint: what a rheonomic constraint asks for. Hybrid dynamics computes
// the rest. [RDA] §7.4.4, footnote 16
#include <functional>
#include <string_view>

#include <limber/dynamics/hybrid_dynamics.hpp>

namespace limber {

/// A joint that moves as a function of time says, whatever force that takes.
class PrescribedMotion {
 public:
  /// Writes position, velocity and acceleration of the joint at time t [s]. v and a belong together
  /// as the derivatives of q do; the function is trusted in this.
  using Function =
      std::function<void(double t, std::span<double> q, std::span<double> v, std::span<double> a)>;

  /// Throws Error for a joint that does not exist or follows another.
  PrescribedMotion(const Model& model, std::string_view joint, Function motion);

  /// Sets the joint's part of the state q (nq) and v (nv), and of the input of hybrid_dynamics():
  /// known (nv) becomes `acceleration` there, given (nv) the acceleration. All else stays.
  void apply(double t, std::span<double> q, std::span<double> v, std::span<Known> known,
             std::span<double> given) const;

 private:
  Function motion_;
  std::string joint_;
  std::size_t nq_ = 0, nv_ = 0;                                        // of the model
  std::size_t q_start_ = 0, q_count_ = 0, v_start_ = 0, v_count_ = 0;  // of the joint
};

}  // namespace limber
