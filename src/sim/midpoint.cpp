// The implicit midpoint rule in canonical coordinates (q, p = M v): symplectic where the positions
// are a vector space, so that the energy error of a conservative robot stays bounded; with
// quaternions still symmetric and of second order, and with momenta in axes that do not turn, so
// that those that no force changes are kept.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/methods.hpp"
#include "sim/one_step.hpp"

namespace limber {

namespace {

constexpr int most_iterations = 100;
constexpr double coarse = 1e-9;   // relative change at which rounding may have taken over
constexpr double at_rest = 1e-3;  // what is slower is taken for as fast: forces cancel there

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// Iterates towards the middle of the step, x_m = (q_m, v_m, z_m), with velocities w in fixed axes:
//   q_m = q moved with w_m for h/2,  momenta(q_m, v_m) = p + h/2 ṗ(x_m),  z_m = z + h/2 ż(x_m).
// The iteration v_m ← velocities at q_m of (p + h/2 ṗ) is Newton's with the derivative of ṗ left
// out: its error shrinks by a factor of the order of h.
class Midpoint final : public OneStep {
 public:
  using OneStep::OneStep;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void bind(Ode& ode) override {
    OneStep::bind(ode);
    ode_ = &expect_mechanical(ode, "midpoint");
  }
  void start(Ode& ode, double t, std::span<const double> x) override;
  std::vector<double> save() const override;
  void resume(Ode& ode, double t, std::span<const double> x,
              std::span<const double> saved) override;

 protected:
  StepStatus advance(double t, double h) override;

 private:
  StepStatus find_middle(double t, double h);
  bool improve(double t, double h);
  double change() const;
  bool finish(double h);
  std::span<const double> positions_before() const {
    return std::span<const double>(x_before_).first(nq_);
  }

  MechanicalOde* ode_ = nullptr;
  std::size_t nq_ = 0, nv_ = 0;
  std::vector<double> middle_, last_;  // (w_m, z_m) and that before it
  std::vector<double> at_;             // x_m of `last_`
  std::vector<double> begin_;          // (w, z) of the step's beginning
  std::vector<double> p_, p_middle_, p_dot_, z_dot_;
  std::vector<double> guess_;  // (w, z) of the middle less that of the step's beginning, last time
};

void Midpoint::start(Ode& ode, double t, std::span<const double> x) {
  bind(ode);
  OneStep::start(ode, t, x);
  nq_ = static_cast<std::size_t>(ode_->positions());
  nv_ = static_cast<std::size_t>(ode_->velocities());
  at_.assign(x.begin(), x.end());
  for (auto* values : {&middle_, &last_, &begin_}) values->resize(size() - nq_);
  for (auto* values : {&p_, &p_middle_, &p_dot_}) values->resize(nv_);
  z_dot_.resize(size() - nq_ - nv_);
  guess_.assign(size() - nq_, 0.0);
}

std::vector<double> Midpoint::save() const {
  std::vector<double> saved = OneStep::save();
  saved.insert(saved.end(), guess_.begin(), guess_.end());
  return saved;
}

void Midpoint::resume(Ode& ode, double t, std::span<const double> x,
                      std::span<const double> saved) {
  const std::size_t rest =
      x.size() - static_cast<std::size_t>(expect_mechanical(ode, "midpoint").positions());
  expect_saved(saved, 2 + rest);
  OneStep::resume(ode, t, x, saved.first(2));
  std::copy(saved.begin() + 2, saved.end(), guess_.begin());
}

StepStatus Midpoint::advance(double t, double h) {
  const std::span<const double> before(x_before_);
  std::copy(before.begin() + static_cast<std::ptrdiff_t>(nq_), before.end(), begin_.begin());
  ode_->to_fixed_axes(positions_before(), before.subspan(nq_, nv_),
                      std::span<double>(begin_).first(nv_));
  ode_->momenta(x_before_, p_);
  const StepStatus status = find_middle(t + h / 2, h);
  if (status != StepStatus::ok) return status;
  for (std::size_t i = 0; i < guess_.size(); ++i) guess_[i] = middle_[i] - begin_[i];
  return finish(h) ? StepStatus::ok : StepStatus::not_computable;
}

// goes on until rounding hides every progress: what is left of the error would add up over many
// steps to a drift of the energy
StepStatus Midpoint::find_middle(double t, double h) {
  for (std::size_t i = 0; i < guess_.size(); ++i) middle_[i] = begin_[i] + guess_[i];
  double before = std::numeric_limits<double>::infinity();
  int growths = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!improve(t, h)) return StepStatus::not_computable;
    const double now = change();
    if (now == 0 || (now >= before && now <= coarse)) return StepStatus::ok;
    if (now >= before && ++growths > 2) return StepStatus::no_convergence;
    before = now;
  }
  return StepStatus::no_convergence;
}

// one iteration; false where the forces or M⁻¹ cannot be computed
bool Midpoint::improve(double t, double h) {
  last_.swap(middle_);
  const std::span<double> at(at_), next(middle_);
  const std::span<const double> w(last_.data(), nv_);
  ode_->move(positions_before(), w, h / 2, at.first(nq_));
  ode_->from_fixed_axes(at.first(nq_), w, at.subspan(nq_, nv_));
  std::copy(last_.begin() + static_cast<std::ptrdiff_t>(nv_), last_.end(),
            at.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_));
  ++cost_.evaluations;
  if (ode_->momentum_rate(t, at_, p_dot_, z_dot_) != Evaluated::ok) return false;
  for (std::size_t i = 0; i < nv_; ++i) p_middle_[i] = p_[i] + h / 2 * p_dot_[i];
  if (ode_->velocities_from_momenta(at_, p_middle_, next.first(nv_)) != Evaluated::ok) return false;
  ode_->to_fixed_axes(at.first(nq_), next.first(nv_), next.first(nv_));
  for (std::size_t i = 0; i < z_dot_.size(); ++i)
    middle_[nv_ + i] = begin_[nv_ + i] + h / 2 * z_dot_[i];
  return all_finite(next);
}

// the largest change of the last iteration, of velocities and of the rest, beside their largest
double Midpoint::change() const {
  double most = 0;
  const auto compare = [&](std::size_t start, std::size_t count) {
    double difference = 0;
    for (std::size_t i = start; i < start + count; ++i)
      difference = std::max(difference, std::abs(middle_[i] - last_[i]));
    const double scale =
        std::max(largest(std::span<const double>(middle_).subspan(start, count)), at_rest);
    if (difference > 0) most = std::max(most, difference / scale);
  };
  compare(0, nv_);
  compare(nv_, z_dot_.size() - static_cast<std::size_t>(ode_->quadratures()));
  return most;
}

// q' = q moved with w_m for h,  p' = p + h ṗ_m,  z' = z + h ż_m
bool Midpoint::finish(double h) {
  const std::span<double> x(x_);
  ode_->move(positions_before(), std::span<const double>(middle_).first(nv_), h, x.first(nq_));
  for (std::size_t i = 0; i < nv_; ++i) p_[i] += h * p_dot_[i];
  for (std::size_t i = 0, k = nq_ + nv_; k < size(); ++i, ++k) x_[k] = x_before_[k] + h * z_dot_[i];
  return ode_->velocities_from_momenta(x_, p_, x.subspan(nq_, nv_)) == Evaluated::ok;
}

}  // namespace

std::unique_ptr<Integrator> make_midpoint(const IntegratorSettings& settings) {
  return std::make_unique<Midpoint>(settings.step);
}

}  // namespace limber
