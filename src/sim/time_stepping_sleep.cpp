// Sleep: loose bodies that rest together for a while are left alone until something that moves
// comes near. They stay where they are; their contacts keep their forces.
#include <algorithm>
#include <cmath>

#include <limber/dynamics/energy.hpp>

#include "index.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

constexpr double sleeps_after = 0.5;  // [s]

}  // namespace

int TimeStepping::tree_of_shape(int shape) const {
  return rows_.tree_of_body(contacts_->scene().shapes()[at_index(shape)].body);
}

// both sides sleep, or stand in the world
bool TimeStepping::is_left_alone(int shape_a, int shape_b) const {
  const int a = tree_of_shape(shape_a), b = tree_of_shape(shape_b);
  return (a < 0 || sleeps(a)) && (b < 0 || sleeps(b));
}

void TimeStepping::begin_sleep() {
  asleep_.assign(at_index(rows_.trees()), 0);
  any_asleep_ = false;
  if (!contacts_ || contacts_->settings().sleep_speed == 0) return;
  const std::span<const double> rest = contacts_->rest_times(system_->discrete_of(*contacts_));
  for (std::size_t k = 0; k < asleep_.size() && k < rest.size(); ++k) {
    asleep_[k] = rest[k] >= sleeps_after;
    any_asleep_ = any_asleep_ || asleep_[k];
  }
}

// a tree and all that it touches
void TimeStepping::wake(int tree) {
  std::vector<int> waking{tree};
  const std::span<double> rest = contacts_->rest_times(system_->discrete_of(*contacts_));
  while (!waking.empty()) {
    const int now = waking.back();
    waking.pop_back();
    if (!sleeps(now)) continue;
    asleep_[at_tree(now)] = 0;
    rest[at_tree(now)] = 0;
    for (const KeptContact& one : before_) {
      const int a = tree_of_shape(one.shape_a), b = tree_of_shape(one.shape_b);
      if (a == now && b >= 0) waking.push_back(b);
      if (b == now && a >= 0) waking.push_back(a);
    }
  }
}

// wakes what something comes near to or pushes, and leaves the rest out of the step
void TimeStepping::leave_sleeping() {
  if (!any_asleep_) return;
  const Model& model = system_->model();
  const System::FreeMotion free = system_->free_motion();
  for (std::size_t k = 0; k < model.v_fold.size(); ++k)
    if (const int tree = rows_.tree_of_body(model.column_body[k]);
        sleeps(tree) && free.tau[at_index(model.v_fold[k].index)] != 0)
      wake(tree);
  for (std::size_t b = 1; b < free.body_forces.size(); ++b)
    if (norm(free.body_forces[b].linear) + norm(free.body_forces[b].angular) > 0)
      wake(rows_.tree_of_body(static_cast<int>(b)));
  for (const Near& one : near_) {
    const int a = tree_of_shape(one.found.shape_a), b = tree_of_shape(one.found.shape_b);
    if (sleeps(a) && b >= 0 && !sleeps(b)) wake(a);
    if (sleeps(b) && a >= 0 && !sleeps(a)) wake(b);
  }
  std::erase_if(
      near_, [&](const Near& one) { return is_left_alone(one.found.shape_a, one.found.shape_b); });
  for (std::size_t k = 0; k < model.v_fold.size(); ++k)
    if (sleeps(rows_.tree_of_body(model.column_body[k]))) {
      const std::size_t freedom = at_index(model.v_fold[k].index);
      w_[freedom] = w_dot_[freedom] = w_free_[freedom] = v_free_[freedom] = v()[freedom] = 0;
    }
}

// how long each tree has rested, when the step is done; the islands of sums_ rest as a whole
void TimeStepping::watch_rest(double h) {
  const double slow = contacts_->settings().sleep_speed;
  if (slow == 0) return;
  const std::span<double> rest = contacts_->rest_times(system_->discrete_of(*contacts_));
  const Model& model = system_->model();
  place_bodies();
  std::vector<double> fastest(asleep_.size(), 0);
  std::vector<std::uint8_t> carried(asleep_.size(), 0), whole(asleep_.size(), 0);
  for (int b = 1; b < model.bodies(); ++b) {
    const int tree = rows_.tree_of_body(b);
    if (tree < 0) continue;
    const std::size_t body = at_index(b), k = at_tree(tree);
    fastest[k] = std::max(
        fastest[k], norm(motion_.v[body].linear) + reach_[body] * norm(motion_.v[body].angular));
    whole[k] += whole[k] < 2;  // bodies: only loose ones sleep
  }
  for (const KeptContact& one : sums_)
    for (const int shape : {one.shape_a, one.shape_b})
      if (const int tree = tree_of_shape(shape); tree >= 0 && dot(one.force, one.normal) > 0)
        carried[at_tree(tree)] = 1;
  for (std::size_t k = 0; k < asleep_.size() && k < rest.size(); ++k)
    if (!asleep_[k]) rest[k] = fastest[k] < slow && carried[k] && whole[k] == 1 ? rest[k] + h : 0;
  // a body sleeps when all that it touches has rested as long
  bool changed = true;
  while (changed) {
    changed = false;
    for (const KeptContact& one : sums_) {
      const int a = tree_of_shape(one.shape_a), b = tree_of_shape(one.shape_b);
      if (a < 0 || b < 0) continue;
      double &x = rest[at_tree(a)], &y = rest[at_tree(b)];
      const double least = std::min(x, y);
      if (least < sleeps_after && std::max(x, y) >= sleeps_after) {
        (x < y ? y : x) = std::nextafter(sleeps_after, 0.0);
        changed = true;
      }
    }
  }
  fall_asleep();
}

// what is left of the velocity of a body that falls asleep is lost
void TimeStepping::fall_asleep() {
  const std::span<const double> rest = contacts_->rest_times(system_->discrete_of(*contacts_));
  const Model& model = system_->model();
  bool any = false;
  for (std::size_t k = 0; k < asleep_.size() && k < rest.size(); ++k)
    any = any || (!asleep_[k] && rest[k] >= sleeps_after);
  if (!any) return;
  const double before = kinetic_energy<double>(system_->free_motion().model, q(), v(), *ws_);
  for (std::size_t k = 0; k < model.v_fold.size(); ++k)
    if (const int tree = rows_.tree_of_body(model.column_body[k]);
        tree >= 0 && at_tree(tree) < rest.size() && rest[at_tree(tree)] >= sleeps_after)
      v()[at_index(model.v_fold[k].index)] = 0;
  const double lost = before - kinetic_energy<double>(system_->free_motion().model, q(), v(), *ws_);
  totals_.dissipated += lost;
  x_.back() -= lost;
}

}  // namespace limber
