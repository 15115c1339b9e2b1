// The momentum of what floats. A step gives each tree on a free joint the momentum that forces and
// contacts in its middle give it; with the velocities at its end the tree has a little more or less
// where it will be then, of third order in the step. What touches nothing moves as a whole by what
// is missing; what stands on something gets it with the next step, so that contacts go on holding.
#include <limber/model/fixed_axes.hpp>

#include "index.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

// Trees whose only joint on the world is a free one; before a step, whose scratch it uses.
void TimeStepping::find_floating() {
  const Model& model = system_->model();
  floating_.assign(at_index(rows_.trees()), {});
  for (int b = 1; b < model.bodies(); ++b) {
    const int tree = rows_.tree_of_body(b);
    if (tree < 0) continue;
    Floating& one = floating_[at_index(tree)];
    ++one.bodies;
    if (model.parent[b] != 0) continue;
    one.body = one.body == 0 && model.kind[b] == JointKind::free ? b : -1;
  }
  floats_ = false;
  for (Floating& one : floating_) {
    if (one.body <= 0) continue;
    one.freedom = at_index(model.v_fold[at_index(model.v_index[one.body])].index);
    // the axes of its velocities in fixed axes do not turn
    Vec3<double> axes[3];
    for (std::size_t k = 0; k < 3; ++k) {
      std::fill(push_.begin(), push_.end(), 0.0);
      push_[one.freedom + k] = 1;
      system_->from_fixed_axes(q(), push_, v_there_);
      forward_kinematics<double>(model, q(), v_there_, *ws_, end_motion_);
      axes[k] = end_motion_.X_W[one.body].R * end_motion_.v[one.body].angular;
    }
    one.axes = Mat3<double>::from_columns(axes[0], axes[1], axes[2]);
    floats_ = true;
  }
}

// of the velocities w_after_ after h, at q_there_
void TimeStepping::keep_momentum(double h) {
  std::fill(w_owed_.begin(), w_owed_.end(), 0.0);
  const System::FreeMotion free = system_->free_motion();
  if (!floats_ || free.loads.adds_to_bodies() || !free.known.empty()) return;
  const Model& model = system_->model();
  bool any = false;
  for (int tree = 0; tree < rows_.trees(); ++tree) {
    Floating& one = floating_[at_index(tree)];
    one.missing = {}, one.inertia = {};
    one.is_free = near_.empty() || rows_.island_of_tree(tree) < 0;
    one.is_looked_at = one.body > 0 && !sleeps(tree) && (one.is_free || one.bodies > 1);
    any = any || one.is_looked_at;
  }
  if (!any) return;
  const auto of_tree = [&](int body) -> Floating* {
    const int tree = rows_.tree_of_body(body);
    return tree >= 0 && floating_[at_index(tree)].is_looked_at ? &floating_[at_index(tree)]
                                                               : nullptr;
  };
  place_bodies();
  // the accelerations that the step had in its middle
  const std::span<const double> v = std::span<const double>(x_middle_).subspan(nq_, nv_);
  std::fill(v_there_.begin(), v_there_.end(), 0.0);
  system_->fixed_axes_rate(middle(), v, v_there_, push_);
  for (std::size_t k = 0; k < nv_; ++k) push_[k] = (w_after_[k] - w_[k]) / h - push_[k];
  system_->from_fixed_axes(middle(), push_, v_there_);
  forward_kinematics<double>(model, middle(), v, v_there_, *ws_, middle_motion_);
  system_->from_fixed_axes(q_there_, w_after_, v_there_);
  forward_kinematics<double>(model, q_there_, v_there_, *ws_, end_motion_);
  for (int b = 1; b < model.bodies(); ++b) {
    Floating* const one = of_tree(b);
    if (!one) continue;
    const Inertia<double>& I = free.model.inertia[b];
    const Motion<double>& at_middle = middle_motion_.v[b];
    const Force<double> rate = I * middle_motion_.a[b] + cross(at_middle, I * at_middle);
    one->missing += motion_.X_W[b] * (I * motion_.v[b]) + middle_motion_.X_W[b] * rate * h -
                    end_motion_.X_W[b] * (I * end_motion_.v[b]);
    one->inertia += end_motion_.X_W[b] * I;
  }
  for (const Floating& one : floating_) {
    if (!one.is_looked_at || !(one.inertia.m > 0)) continue;
    const Motion<double> more = limber::solve(one.inertia, one.missing);
    const Transform<double>& X = end_motion_.X_W[one.body];
    const Vec3<double> center = X.p + X.R * fixed_axes_center(model, one.body);
    const Vec3<double> turn = transpose_times(one.axes, more.angular),
                       go = transpose_times(one.axes, more.linear + cross(more.angular, center));
    std::vector<double>& w = one.is_free ? w_after_ : w_owed_;
    for (std::size_t k = 0; k < 3; ++k) {
      w[one.freedom + k] += turn[static_cast<int>(k)];
      w[one.freedom + 3 + k] += go[static_cast<int>(k)];
    }
  }
}

}  // namespace limber
