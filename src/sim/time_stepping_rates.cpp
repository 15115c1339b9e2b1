// How contacts move within a step: on curved surfaces one that lasts wanders.
#include <cmath>

#include "index.hpp"
#include "sim/point_velocity.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

// where a contact lasts: what of its velocity at the beginning, which should be none, is taken away
constexpr double share_left = 0.1, rounding = 1e-7;  // [m/s]
// how much velocities may bend within a step or a part of one, in proportion
constexpr double most_bend = 3e-4, most_divisions = 16;
constexpr double slow_change = 10;   // times h: slower motion need not be resolved [m/s², rad/s²]
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
                  : touched_[k] == Touch::lasting ? w_[k] + h * expected(last_rates_, k, h)
                                                  : w_free_[k];
    if (end_found_ && touched_[k] == Touch::none) w_there_[k] = w_found_[k];
    w_move_[k] = (w_[k] + w_there_[k]) / 2;
  }
  system_->move(q(), w_move_, h, q_there_);
  system_->from_fixed_axes(q_there_, w_there_, v_mean_);
  forward_kinematics<double>(system_->model(), q_there_, v_mean_, *ws_, end_motion_);
  system_->from_fixed_axes(middle(), w_there_, v_there_);
}

// How far the place of a contact in the middle of h is off the mean of those at both ends, by `way`
// from each other: what rolls takes it along as it gains speed, and what stands does not.
Vec3<double> TimeStepping::off_the_mean(const SceneContact& c, const Vec3<double>& way,
                                        double h) const {
  Vec3<double> sum;
  int moving = 0;
  for (const auto& [body, number] :
       {std::pair{c.body_a, c.shape_a}, std::pair{c.body_b, c.shape_b}}) {
    if (body <= 0) continue;
    const Vec3<double> at = contacts_->scene().shapes()[at_index(number)].placement.p,
                       from = transform_point(motion_.X_W[body], at),
                       to = transform_point(end_motion_.X_W[body], at), gone = to - from;
    ++moving;
    if (!(dot(gone, gone) > 0)) continue;
    const double share = std::clamp(dot(way, gone) / dot(gone, gone), 0.0, 1.0);
    sum += (point_velocity(end_motion_, body, to) - point_velocity(motion_, body, from)) *
           (-share * h / 8);
  }
  return moving == 2 ? sum * 0.5 : sum;
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
    one.point = (c.at.point + point) * 0.5 + off_the_mean(c, point - c.at.point, h);
    one.normal = c.at.normal + normal;
    one.normal = one.normal / norm(one.normal);
    one.end_normal = normal;
    one.end_velocity =
        point_velocity(end_motion_, c.body_a, point) - point_velocity(end_motion_, c.body_b, point);
  }
}

// The rows are those in the middle of the step; such contacts hold what they will be at its end.
void TimeStepping::look_ahead() {
  system_->from_fixed_axes(middle(), w_, v_begin_);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const Near& one = near_[k];
    if (!one.follows) continue;
    const int c = static_cast<int>(k);
    Vec3<double> end = rows_.along_rows(c, one.end_velocity);
    end.x = dot(one.end_normal, one.end_velocity);
    Vec3<double> more = end - rows_.row_velocity(c, v_there_);
    // what is not resolved loses what is left
    if (one.is_alone && one.is_same && is_resolved_) {
      Vec3<double> left = rows_.along_rows(c, one.before + one.belt);
      left.x = one.approach;
      const double share = dot(left, left) > rounding * rounding ? share_left : 1;
      const Vec3<double> mean = rows_.row_velocity(c, v_begin_) - left * share;
      more.x = mean.x;
      if (one.slip < contacts_->settings().stick_speed) more = mean;
    }
    rows_.shift(c, more);
  }
}

// Whether things that nothing has touched before touch at rest. They do so to the end: then the
// step is repeated with the end that it has led to.
bool TimeStepping::begins_at_rest() {
  if (std::none_of(near_.begin(), near_.end(), [](const Near& one) { return one.begins_at_rest; }))
    return false;
  system_->to_fixed_axes(middle(), v_after_, w_found_);
  return true;
}

// In how many parts the step should be taken. What oscillates with ω on contacts that all last has
// velocities at the end that are off a uniform change by (ω h)² of them. What is driven is as
// smooth as what drives it.
int TimeStepping::needed_parts(double h) {
  if (near_.empty() ||
      std::find(touched_.begin(), touched_.end(), Touch::lasting) == touched_.end())
    return 1;
  const std::vector<std::uint8_t>& left_out = freedoms_of(switching_islands());
  system_->to_fixed_axes(middle(), v_after_, w_after_);
  double bent = 0, speed = 0;  // squares, by inertia
  for (std::size_t k = 0; k < nv_; ++k) {
    if (touched_[k] != Touch::lasting || left_out[k]) continue;
    const double inertia = 1 / inverse_pivot(*factor_, static_cast<int>(k)),
                 off = w_after_[k] - w_[k] - h * last_rates_.mean[k];
    bent += inertia * off * off;
    speed += inertia * (w_after_[k] * w_after_[k] + slow_change * h * slow_change * h);
  }
  if (!(speed > 0)) return 1;
  const double ratio = std::sqrt(bent / speed) / most_bend;
  is_resolved_ = std::sqrt(ratio) <= most_divisions;
  return ratio > 1 ? static_cast<int>(std::min(std::ceil(std::sqrt(ratio)), most_divisions)) : 1;
}

// islands of trees of which parts drive a joint
void TimeStepping::mark_driven(std::vector<std::uint8_t>& islands) const {
  const Model& model = system_->model();
  const std::span<const double> tau = system_->free_motion().tau;
  for (std::size_t k = 0; k < model.v_fold.size(); ++k) {
    const int tree = rows_.tree_of_body(model.column_body[k]);
    const int island = tree < 0 ? -1 : rows_.island_of_tree(tree);
    if (island >= 0 && tau[at_index(model.v_fold[k].index)] != 0) islands[at_index(island)] = 1;
  }
}

// islands in which contacts begin, end, stick or break loose, and driven ones
const std::vector<std::uint8_t>& TimeStepping::switching_islands() {
  find_begins();
  mark_driven(begins_);
  const double stick_speed = contacts_->settings().stick_speed;
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const Near& one = near_[k];
    if (!one.last.rests) continue;
    const int c = static_cast<int>(k);
    const SceneContact& at = one.found;
    const int tree = rows_.tree_of_body(at.body_a > 0 ? at.body_a : at.body_b);
    const int island = tree < 0 ? -1 : rows_.island_of_tree(tree);
    if (island < 0) continue;
    const Vec3<double> u = rows_.slip(c);
    const bool slides = norm(u - at.at.normal * dot(u, at.at.normal)) > stick_speed;
    if (!(rows_.problem.impulse[c].x > 0) || slides != (one.slip > stick_speed))
      begins_[at_index(island)] = 1;
  }
  return begins_;
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
  const double between = (h + last_step_) / 2;
  for (std::size_t k = 0; k < nv_; ++k) {
    const bool goes_on = touched_[k] == Touch::lasting;
    for (const auto& [kept, from] :
         {std::pair{&contact_rates_, w_free_[k]}, std::pair{&last_rates_, w_[k]}}) {
      const double mean = (w_after_[k] - from) / h;
      kept->slope[k] = goes_on ? (mean - kept->mean[k]) / between : 0;
      kept->mean[k] = mean;
    }
  }
  last_step_ = h;
}

}  // namespace limber
