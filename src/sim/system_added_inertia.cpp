// What the inertia that parts add to bodies does: its power, and the force it resists with.
#include <limber/sim/system.hpp>

namespace limber {

// v · B a over the bodies that parts have added inertia to; v ×* B v has no power
double System::inertia_power() const {
  const Accelerations& bodies = at_->accelerations();
  double power = 0;
  for (std::size_t b = 1; b < body_inertia_.size(); ++b) {
    const Transform<double>& X = model_->body_placement[b];
    power += dot(apply_inverse(X, bodies.v[b]), body_inertia_[b] * apply_inverse(X, bodies.a[b]));
  }
  return power;
}

void System::add_inertia_forces(std::span<Force<double>> sums) const {
  if (!at_->weighted_) return;
  const Accelerations& bodies = at_->accelerations();
  for (std::size_t b = 1; b < body_inertia_.size(); ++b) {
    const Transform<double>& X = model_->body_placement[b];
    const ArticulatedInertia<double>& B = body_inertia_[b];
    const Motion<double> v = apply_inverse(X, bodies.v[b]), a = apply_inverse(X, bodies.a[b]);
    sums[b] += (B * a + cross(v, B * v)) * -1.0;
  }
}

}  // namespace limber
