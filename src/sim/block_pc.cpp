#include "sim/block_pc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <limber/error.hpp>

#include "sim/methods.hpp"

namespace limber {

namespace {
constexpr int past_points = adams_points;
}

BlockPc::BlockPc(double h, int block, int threads)
    : block_(block), grid_(h), team_(threads, [this](int member) { work(member); }) {
  for (int target = 1; target <= 4; ++target) {
    const auto to = static_cast<std::size_t>(target - 1);
    predictor_[to] = adams_weights(0, 0, target);
    for (int points = 1; points <= 4; ++points)
      corrector_[static_cast<std::size_t>(points - 1)][to] = adams_weights(points, 0, target);
  }
}

// an Ode for each member
void BlockPc::set_problem(Ode& ode) {
  odes_.assign(1, &ode);
  clones_.clear();
  for (int member = 1; member < team_.members(); ++member) {
    clones_.push_back(ode.clone());
    odes_.push_back(clones_.back().get());
  }
}

void BlockPc::start(Ode& ode, double t, std::span<const double> x) {
  const bool new_problem = ode_ != &ode || x.size() != size();
  place(ode, t, x);
  if (new_problem) {
    set_problem(ode);
    const std::size_t n = size();
    pair_.resize(n);
    points_.resize(static_cast<std::size_t>(block_ + 1) * n);
    // while a block is computed, the derivatives at its predicted points follow the past
    past_.resize(static_cast<std::size_t>(past_points + block_) * n);
    corrected_.resize(static_cast<std::size_t>(block_) * n);
    front_.resize(n);
  }
  for (const auto& clone : clones_) clone->copy_discrete(ode);
  std::copy(x.begin(), x.end(), front_.begin());
  grid_.start(t);
  known_ = 0;
  last_ = Last::none;
}

StepStatus BlockPc::step(double limit) {
  const int whole = grid_.whole_steps(limit, block_);
  if (whole == 0 && limit - std::max(t_, grid_.at(0)) <= grid_.resolution()) {
    t_ = std::max(t_, limit);
    return StepStatus::ok;
  }
  last_ = Last::none;  // nothing to interpolate in where the step fails
  if (!know_first_rate()) return StepStatus::not_computable;
  if (whole > 0 && !grid_.advances()) return StepStatus::step_too_small;
  if (whole == 0) return side_step(limit) ? StepStatus::ok : StepStatus::not_computable;
  const bool starting = known_ < past_points;
  const int steps = starting ? 1 : whole;
  if (!(starting ? startup_step() : block_step(steps))) return StepStatus::not_computable;
  last_ = starting ? Last::runge_kutta : Last::block;
  hand_out(grid_.label(steps, limit), front_);
  grid_.advance(steps);
  cost_.steps += steps;
  return StepStatus::ok;
}

void BlockPc::hand_out(double t, std::span<const double> x) {
  t_before_ = t_;
  t_ = t;
  std::copy(x.begin(), x.end(), x_.begin());
}

bool BlockPc::know_first_rate() {
  if (known_ == 0 && rate(grid_.at(0), front_, row(past_, past_points - 1))) known_ = 1;
  return known_ > 0;
}

// from the front; the result is in pair_, projected in x_ or front_ by the caller
bool BlockPc::runge_kutta(double h) {
  const std::span<double> now = row(past_, past_points - 1);
  std::copy(now.begin(), now.end(), pair_.rate_before().begin());
  return pair_.step(*ode_, grid_.at(0), front_, h, cost_.evaluations) &&
         pair_.compute_rate_after(*ode_, cost_.evaluations);
}

// x, stabilised, to point 0, which is free outside of a block; false where that fails
bool BlockPc::stabilise(double t, std::span<const double> x) {
  std::copy(x.begin(), x.end(), point(0).begin());
  return ode_->stabilise(t, point(0)) == Evaluated::ok;
}

// a whole step of the grid that lengthens the past
bool BlockPc::startup_step() {
  if (!runge_kutta(grid_.h()) || !stabilise(grid_.at(1), pair_.after())) return false;
  std::copy(point(0).begin(), point(0).end(), front_.begin());
  std::copy(past_.begin() + static_cast<std::ptrdiff_t>(size()),
            past_.begin() + static_cast<std::ptrdiff_t>(past_points * size()), past_.begin());
  const std::span<double> now = row(past_, past_points - 1);
  std::copy(pair_.rate_after().begin(), pair_.rate_after().end(), now.begin());
  ++known_;
  return true;
}

// to a time between two instants of the grid; the front stays where it is
bool BlockPc::side_step(double limit) {
  if (!runge_kutta(limit - grid_.at(0)) || !stabilise(limit, pair_.after())) return false;
  last_ = Last::runge_kutta;
  hand_out(limit, point(0));
  ++cost_.steps;
  return true;
}

bool BlockPc::block_step(int points) {
  taken_ = points;
  std::copy(front_.begin(), front_.end(), points_.begin());
  failed_.store(false, std::memory_order_relaxed);
  team_.run();
  cost_.evaluations += 2 * points;
  if (thrown_) {
    throwing_.clear();
    std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
  if (failed_.load(std::memory_order_relaxed)) return tell_failure(points);
  if (!all_finite(point(points))) return false;
  slide();
  return true;
}

// a clone has failed and knows why: the problem itself is to know it too
bool BlockPc::tell_failure(int points) {
  bool fine = true;
  for (int k = 1; k <= points && fine; ++k)
    fine = finite_derivative(*ode_, grid_.at(k), point(k), pair_.rate_before());
  return false;
}

// Computes the member's points. An exception waits for the caller's thread: the others are already
// on their way to the meeting.
template <class Compute>
void BlockPc::phase(int member, Compute&& compute) {
  Ode& ode = *odes_[static_cast<std::size_t>(member)];
  try {
    for (int k = member + 1; k <= taken_; k += team_.members())
      if (!compute(ode, k)) failed_.store(true, std::memory_order_relaxed);
  } catch (...) {
    if (!throwing_.test_and_set()) thrown_ = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
}

// Every member computes each of its points from beginning to end, in the same way as a single
// thread would: results do not depend on the number of members. [McM] figure 11: predict and
// evaluate, meet, correct and evaluate.
void BlockPc::work(int member) {
  phase(member, [this](Ode& ode, int k) {
    combine(point(0), grid_.h(), predictor_[static_cast<std::size_t>(k - 1)], past_.data(),
            point(k));
    return finite_derivative(ode, grid_.at(k), point(k), row(past_, past_points + k - 1));
  });
  team_.barrier(member);
  if (failed_.load(std::memory_order_relaxed)) return;
  const auto& weights = corrector_[static_cast<std::size_t>(taken_ - 1)];
  phase(member, [&](Ode& ode, int k) {
    combine(point(0), grid_.h(), weights[static_cast<std::size_t>(k - 1)],
            row(past_, taken_).data(), point(k));
    if (ode.stabilise(grid_.at(k), point(k)) == Evaluated::failed) return false;
    return finite_derivative(ode, grid_.at(k), point(k), row(corrected_, k - 1));
  });
}

// the past moves to the end of the block
void BlockPc::slide() {
  const auto n = static_cast<std::ptrdiff_t>(size());
  const auto kept = (past_points - taken_) * n;
  std::copy(past_.begin() + taken_ * n, past_.begin() + past_points * n, past_.begin());
  std::copy(corrected_.begin(), corrected_.begin() + taken_ * n, past_.begin() + kept);
  const std::span<double> end = point(taken_);
  std::copy(end.begin(), end.end(), front_.begin());
}

// within a block by the integral of the polynomial through the five last derivatives, from the two
// points to either side, each weighted by its nearness: of fifth order and continuous
void BlockPc::interpolate(double t, std::span<double> x) {
  if (t >= t_ || last_ == Last::none) {
    std::copy(x_.begin(), x_.end(), x.begin());
    return;
  }
  if (last_ == Last::runge_kutta) {
    pair_.interpolate(std::max((t - pair_.t()) / pair_.h(), 0.0), x);
  } else {
    // steps from the block's end, which is the present instant: −taken … 0
    const double s = std::clamp((t - grid_.at(0)) / grid_.h(), -1.0 * taken_, 0.0);
    const int left = std::min(static_cast<int>(std::floor(s)), -1);
    const Weights from_left = adams_weights(0, left, s), from_right = adams_weights(0, left + 1, s);
    const std::span<const double> start = point(taken_ + left), end = point(taken_ + left + 1);
    for (std::size_t i = 0; i < size(); ++i) {
      double a = 0, b = 0;
      for (std::size_t k = 0; k < from_left.size(); ++k) {
        a += from_left[k] * past_[k * size() + i];
        b += from_right[k] * past_[k * size() + i];
      }
      const double nearness = s - left;
      x[i] = (1 - nearness) * (start[i] + grid_.h() * a) + nearness * (end[i] + grid_.h() * b);
    }
  }
  ode_->project(t, x);
}

std::vector<double> BlockPc::save() const {
  std::vector<double> saved{grid_.t0(), grid_.count(), static_cast<double>(known_)};
  saved.insert(saved.end(), front_.begin(), front_.end());
  saved.insert(saved.end(), past_.begin(),
               past_.begin() + static_cast<std::ptrdiff_t>(past_points * size()));
  return saved;
}

void BlockPc::resume(Ode& ode, double t, std::span<const double> x, std::span<const double> saved) {
  expect_saved(saved, 3 + (1 + past_points) * x.size());
  start(ode, t, x);
  grid_.start(saved[0], saved[1]);
  expect_sound(std::abs(grid_.at(0) - t) <= grid_.h() + grid_.resolution());
  expect_sound(saved[2] >= 0 && saved[2] <= past_points);
  known_ = static_cast<int>(saved[2]);
  const auto numbers = saved.subspan(3);
  std::copy_n(numbers.begin(), size(), front_.begin());
  std::copy(numbers.begin() + static_cast<std::ptrdiff_t>(size()), numbers.end(), past_.begin());
}

std::unique_ptr<Integrator> BlockPc::clone(Ode& ode, const RootFunctions&) const {
  auto copy = std::make_unique<BlockPc>(grid_.h(), block_, team_.members());
  copy->Stepper::operator=(*this);
  copy->bind(ode);
  copy->set_problem(ode);
  copy->grid_ = grid_;
  copy->pair_ = pair_;
  copy->last_ = last_;
  copy->known_ = known_;
  copy->taken_ = taken_;
  copy->points_ = points_;
  copy->past_ = past_;
  copy->corrected_ = corrected_;
  copy->front_ = front_;
  return copy;
}

std::unique_ptr<Integrator> make_block_pc(const IntegratorSettings& settings, int block) {
  return std::make_unique<BlockPc>(settings.step, block, settings.threads);
}

}  // namespace limber
