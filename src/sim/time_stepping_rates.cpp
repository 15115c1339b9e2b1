// How contacts move within a step: on curved surfaces one that lasts wanders.
#include <cmath>

#include "index.hpp"
#include "sim/point_velocity.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

constexpr double same_normal = 0.9;  // cosine, of a contact that is seen as another feature

/// The contact as it will be: of its feature, or else the nearest of the pair.
const ContactPoint* find_again(std::span<const ContactPoint> found, const ContactPoint& at,
                               const Vec3<double>& expected) {
  const ContactPoint* best = nullptr;
  double nearest = HUGE_VAL;
  for (const ContactPoint& one : found) {
    if (one.feature == at.feature) return &one;
    const double distance = norm(one.point - expected);
    if (distance < nearest && dot(one.normal, at.normal) > same_normal)
      best = &one, nearest = distance;
  }
  return best;
}

}  // namespace

// Where bodies will be at the end of a part of the step, h long, if velocities change as they did
// in the last step: w_there_, and end_motion_. What contacts held then they hold in this motion,
// too.
void TimeStepping::predict_end(double h) {
  for (std::size_t k = 0; k < nv_; ++k) {
    w_there_[k] = touched_[k] == Touch::some      ? w_[k]
                  : touched_[k] == Touch::lasting ? w_[k] + h * last_rates_[k]
                                                  : w_free_[k];
    w_move_[k] = (w_[k] + w_there_[k]) / 2;
  }
  system_->move(q(), w_move_, h, q_there_);
  system_->from_fixed_axes(q_there_, w_there_, v_mean_);
  forward_kinematics<double>(system_->model(), q_there_, v_mean_, *ws_, end_motion_);
  system_->from_fixed_axes(middle(), w_there_, v_there_);
}

// Where what is near is in the middle of a part of the step, and how those that last move at its
// end, and those that touch beside them: corners of one foot.
void TimeStepping::find_rates(double h) {
  bool any = false;
  for (Near& one : near_) {
    const SceneContact& c = one.found;
    one.normal = c.at.normal;
    // its arms are those of the bodies that move
    const Vec3<double> a = point_velocity(motion_, c.body_a, c.at.point),
                       b = point_velocity(motion_, c.body_b, c.at.point);
    const Vec3<double> rate = c.body_a <= 0 ? b : c.body_b <= 0 ? a : (a + b) * 0.5;
    one.point = c.at.point + rate * (h / 2);
    one.follows =
        one.lasts() || (one.gap() <= contacts_->settings().slop && one.approach > -least_bounce(h));
    any = any || one.lasts();
  }
  if (!any) {
    for (Near& one : near_) one.follows = false;
    return;
  }
  predict_end(h);
  const std::span<const SceneShape> shapes = contacts_->scene().shapes();
  const SceneContact* pair = nullptr;  // that there_ is of
  for (Near& one : near_) {
    if (!one.follows) continue;
    const SceneContact& c = one.found;
    if (!pair || pair->shape_a != c.shape_a || pair->shape_b != c.shape_b) {
      pair = &c;
      const SceneShape &a = shapes[at_index(c.shape_a)], &b = shapes[at_index(c.shape_b)];
      collide(a.shape, end_motion_.X_W[a.body] * a.placement, b.shape,
              end_motion_.X_W[b.body] * b.placement, margin_, there_);
    }
    const Vec3<double> moved = one.point + (one.point - c.at.point);
    const ContactPoint* at = find_again(there_.all(), c.at, moved);
    one.is_same = at && at->feature == c.at.feature;
    // a corner that has left its face goes on as it was
    const Vec3<double> point = at ? at->point : moved, normal = at ? at->normal : c.at.normal;
    one.point = (c.at.point + point) * 0.5;
    one.normal = c.at.normal + normal;
    one.normal = one.normal / norm(one.normal);
    one.end_normal = normal;
    one.end_velocity =
        point_velocity(end_motion_, c.body_a, point) - point_velocity(end_motion_, c.body_b, point);
  }
}

// The rows are those in the middle of the step; such contacts hold what they will be at its end.
void TimeStepping::look_ahead() {
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const Near& one = near_[k];
    if (!one.follows) continue;
    const int c = static_cast<int>(k);
    Vec3<double> end = rows_.along_rows(c, one.end_velocity);
    end.x = dot(one.end_normal, one.end_velocity);
    rows_.shift(c, end - rows_.row_velocity(c, v_there_));
  }
}

// of the velocities before and after the step: w_move_, and v_mean_ in the middle
void TimeStepping::find_mean() {
  system_->to_fixed_axes(middle(), v_after_, w_after_);
  for (std::size_t k = 0; k < nv_; ++k) w_move_[k] = (w_[k] + w_after_[k]) / 2;
  system_->from_fixed_axes(middle(), w_move_, v_mean_);
}

// how velocities changed, and by contacts, for the next step; very short ones do not say
void TimeStepping::keep_rates(double h) {
  constexpr double least_step = 1e-7;  // [s]
  if (h < least_step) return;
  for (std::size_t k = 0; k < nv_; ++k) {
    contact_rates_[k] = (w_after_[k] - w_free_[k]) / h;
    last_rates_[k] = (w_after_[k] - w_[k]) / h;
  }
}

}  // namespace limber
