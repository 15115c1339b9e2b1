// Freedoms that friction holds in closed mechanisms. There the forces that hold them are not the
// only ones possible: of those that the loops leave open, some are taken that all of them can bear.
// Where there are none, those break loose that together begin to move, each in its direction.
#include <algorithm>
#include <cmath>
#include <utility>

#include <limber/sim/system.hpp>

#include "constraint/box_problem.hpp"
#include "index.hpp"
#include "sim/part_error.hpp"

namespace limber {

// those of a part that friction holds now, with what they bear
void System::add_held(std::size_t part, std::span<const double> x) {
  set_part(part, x);
  for (const int freedom : parts_[part]->prescribed()) {
    const std::size_t k = at_index(freedom);
    const HoldingRange range =
        guarded(*parts_[part], [&] { return parts_[part]->holding_range(*at_, freedom); });
    if (!std::isfinite(range.upper - range.lower) || !(range.lower < range.upper)) continue;
    const bool is_known = known_[k] == Known::acceleration;
    held_.push_back({k, range, is_known ? at_->joint_forces[k] - at_->tau[k] : 0, 0});
  }
}

// false: all bear what the dynamics have given them
bool System::find_held(std::span<const double> x) {
  held_.clear();
  for (const std::size_t part : prescribing_) {
    const std::span<const int> freedoms = parts_[part]->prescribed();
    if (std::any_of(freedoms.begin(), freedoms.end(),
                    [&](int freedom) { return known_[at_index(freedom)] == Known::acceleration; }))
      add_held(part, x);
  }
  return std::any_of(held_.begin(), held_.end(), [](const Held& one) {
    return one.force < one.range.lower || one.force > one.range.upper;
  });
}

// Forces within the ranges with which the held freedoms stay at rest, or accelerate as little as
// they can: a = A f + b, found by differences of the dynamics, in which the freedoms are free.
void System::balance_held() {
  constexpr double margin = 1e-9;  // of the range: a force at its limit is within the range
  const std::size_t n = held_.size();
  const Loads<double> loads = present_loads();
  std::vector<Known> known(known_);
  for (const Held& one : held_) known[one.freedom] = Known::force;
  std::vector<double> given(known.size());
  for (std::size_t k = 0; k < given.size(); ++k)
    given[k] = known[k] == Known::force ? at_->tau[k] : given_[k];
  Numbers f(n), lower(n), upper(n), b(n), pushed(n);
  for (std::size_t k = 0; k < n; ++k) {
    f[k] = held_[k].force;
    const HoldingRange& range = held_[k].range;
    lower[k] = range.lower + margin * (range.upper - range.lower);
    upper[k] = range.upper - margin * (range.upper - range.lower);
    given[held_[k].freedom] += f[k];
  }
  const auto find_accelerations = [&](Numbers& out) {
    const Hybrid<double> result = loops_->dynamics(at_->t, q_, v_, known, given, loads);
    for (std::size_t i = 0; i < n; ++i) out[i] = result.a[held_[i].freedom];
  };
  find_accelerations(b);
  Dense A(static_cast<int>(n), static_cast<int>(n));
  double most = 0;
  for (int k = 0; k < A.rows; ++k) {
    const double width = upper[at_index(k)] - lower[at_index(k)];
    double& force = given[held_[at_index(k)].freedom];
    const double before = std::exchange(force, force + width);
    find_accelerations(pushed);
    force = before;
    for (int i = 0; i < A.rows; ++i) A(i, k) = (pushed[at_index(i)] - b[at_index(i)]) / width;
    most = std::max(most, A(k, k));
  }
  for (int i = 0; i < A.rows; ++i) {
    A(i, i) = std::max({A(i, i), 1e-12 * most, 1e-100});
    for (int k = 0; k < i; ++k) A(i, k) = A(k, i) = (A(i, k) + A(k, i)) / 2;
  }
  const Numbers along = A * f;
  for (std::size_t i = 0; i < n; ++i) b[i] -= along[i];
  f = solve_in_box(A, b, f, lower, upper);
  const Numbers a = A * f;
  for (std::size_t k = 0; k < n; ++k) {
    given[held_[k].freedom] += f[k] - held_[k].force;
    held_[k].force = f[k];
    held_[k].missing =
        -(a[k] + b[k]) / A(static_cast<int>(k), static_cast<int>(k));  // what would hold it more
  }
  find_accelerations(pushed);  // the forces of the loops are those with f
}

void System::share_holding_forces() {
  held_a_.assign(at_->a.begin(), at_->a.end());
  held_forces_.assign(at_->joint_forces.begin(), at_->joint_forces.end());
  at_->a = held_a_;  // the loops have their numbers elsewhere from here on
  at_->joint_forces = held_forces_;
  balance_held();
  // within the range where they stay at rest
  for (const Held& one : held_)
    held_forces_[one.freedom] = at_->tau[one.freedom] + one.force + one.missing;
}

// A part holds a freedom that has come to rest. In a closed mechanism it may be at rest only for an
// instant, while others move, and no force of friction stops it: then the part learns at once that
// it breaks loose, before the velocities of the others are changed.
void System::settle_sticking(std::size_t part, double t, std::span<const double> x,
                             std::span<const Known> before) {
  std::vector<double> q(q_.begin(), q_.end()), v(v_.begin(), v_.end());
  prescribe(t, {q, v, known_, given_});
  const std::span<const int> freedoms = parts_[part]->prescribed();
  if (std::none_of(freedoms.begin(), freedoms.end(), [&](int freedom) {
        return known_[at_index(freedom)] == Known::acceleration &&
               before[at_index(freedom)] == Known::force;
      }))
    return;
  std::copy(before.begin(), before.end(), known_.begin());
  std::copy_n(x.begin(), place_.size(), place_.begin());
  at_->t = t;
  at_->round = 0;
  at_->placed_ = at_->accelerated_ = false;
  clear_contributions();
  collect_contributions(x);
  run_dynamics();
  find_held(x);
  add_held(part, x);
  share_holding_forces();
  for (const EventRange& range : event_ranges_) {
    if (range.part != part) continue;
    std::vector<double> values(range.count);
    set_part(part, x);
    guarded(*parts_[part], [&] { parts_[part]->event_values(*at_, values); });
    for (std::size_t i = 0; i < values.size(); ++i) {
      const PartEvent& event = events_[range.begin + i];
      if (!(values[i] < 0) || event.spec.kind != EventSpec::Kind::act ||
          event.spec.crossing != EventSpec::Crossing::below)
        continue;
      const Place& place = places_[part];
      std::vector<double> z(x.begin() + static_cast<long>(place.z),
                            x.begin() + static_cast<long>(place.z + place.z_count));
      const EventState state{q, v, z, std::span(discrete_).subspan(place.d, place.d_count)};
      guarded(*parts_[part], [&] { return parts_[part]->on_event(event.index, *at_, state); });
      if (passed_rest_t_ != t) passed_rest_.clear();
      passed_rest_t_ = t;
      passed_rest_.push_back(part);
      break;
    }
  }
  forget_instant();
}

}  // namespace limber
