#include <limber/control/quadratic_program.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/scalar/pack.hpp>

#include "dynamics/lanes.hpp"
#include "index.hpp"

// With the active rows N (their normals as columns, turned so that they say ≥) the method keeps
//   J = L⁻ᵀ Q,   Jᵀ N = (R; 0),   R upper triangular.
// d = Jᵀ n of a further normal n splits into what the active rows have of it (d₁) and the rest
// (d₂):
//   z = J₂ d₂ is the direction of x, r = R⁻¹ d₁ the change of the multipliers.
// Columns of J and L lie row by row in Jt_ and Lt_, so that loops run along neighbours.

namespace limber {

namespace {

constexpr double dependent_row = 1e-10;   // |d₂| against |d|
constexpr double rounding = 1e-14;        // of r, against its largest entry
constexpr double least_pivot = 1e-10;     // of H, against its largest diagonal entry
constexpr double proximal_weight = 1e-6;  // the same
constexpr int most_proximal_steps = 200;

// neighbours that go together
constexpr int lanes = lane_count<double>;
using Several = Pack<double, lanes>;

// in pairs, which need not wait for each other
template <int first, int count>
double sum_of(const Several& a) {
  if constexpr (count == 1) return a[first];
  else return sum_of<first, count / 2>(a) + sum_of<first + count / 2, count / 2>(a);
}

double dot(const double* a, const double* b, int n) {
  Several sums(0.0);
  int i = 0;
  for (; i + lanes <= n; i += lanes) sums += Several::load(a + i) * Several::load(b + i);
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return sum_of<0, lanes>(sums) + rest;
}

/// y += s x
void add_times(double s, const double* x, int n, double* y) {
  const Several many(s);
  int i = 0;
  for (; i + lanes <= n; i += lanes)
    (Several::load(y + i) + many * Several::load(x + i)).store(y + i);
  for (; i < n; ++i) y[i] += s * x[i];
}

double length_of(double a, double b) {
  constexpr double small = 1e-140, large = 1e140;  // squares within keep their digits
  const double length = std::sqrt(a * a + b * b);
  return length > small && length < large ? length : std::hypot(a, b);
}

/// A rotation that takes (a, b) to (norm, 0).
struct PlaneTurn {
  double c = 1, s = 0, norm = 0;
  PlaneTurn(double a, double b) : norm(length_of(a, b)) {
    if (norm > 0) c = a / norm, s = b / norm;
  }
  void apply(double& a, double& b) const {
    const double turned = c * a + s * b;
    b = c * b - s * a;
    a = turned;
  }
  void apply_rows(double* a, double* b, int n) const {
    const Several cosine(c), sine(s);
    int i = 0;
    for (; i + lanes <= n; i += lanes) {
      const Several first = Several::load(a + i), second = Several::load(b + i);
      (cosine * first + sine * second).store(a + i);
      (cosine * second - sine * first).store(b + i);
    }
    for (; i < n; ++i) apply(a[i], b[i]);
  }
};

}  // namespace

const char* name(QpStatus status) {
  switch (status) {
    case QpStatus::solved:
      return "solved";
    case QpStatus::infeasible:
      return "infeasible";
    case QpStatus::not_convex:
      return "not convex";
    case QpStatus::unbounded:
      return "unbounded";
    case QpStatus::iterations:
      return "too many iterations";
  }
  return "";
}

QuadraticProgram::QuadraticProgram(int variables, int rows) : n_(variables), m_(rows) {
  if (n_ < 1 || m_ < 0)
    throw Error(fmt::format("quadratic program: {} variables and {} rows", n_, m_));
  const std::size_t n = at_index(n_), m = at_index(m_);
  for (auto* matrix : {&Lt_, &Jt_, &R_}) matrix->resize(n * n);
  nonzero_.reserve(n);
  for (auto* x : {&g_, &x_, &x_free_, &x_before_, &d_, &r_, &w_, &u_}) x->resize(n);
  for (auto* list : {&active_, &side_}) list->resize(n);
  for (auto* list : {&state_, &last_}) list->resize(m);
  row_norm_.resize(m);
  y_.resize(m);
}

void QuadraticProgram::check(const QpProblem& p) const {
  const auto expect = [](const char* what, std::span<const double> values, int size,
                         bool may_be_infinite) {
    if (values.size() != at_index(size))
      throw Error(fmt::format("quadratic program: {} has {} numbers, {} are needed", what,
                              values.size(), size));
    for (std::size_t k = 0; k < values.size(); ++k)
      if (std::isnan(values[k]) || (!may_be_infinite && std::isinf(values[k])))
        throw Error(fmt::format("quadratic program: {}[{}] is {}", what, k, values[k]));
  };
  expect("H", p.H, n_ * n_, false);
  expect("g", p.g, n_, false);
  expect("A", p.A, m_ * n_, false);
  expect("lower", p.lower, m_, true);
  expect("upper", p.upper, m_, true);
  for (int k = 0; k < m_; ++k)
    if (p.lower[at_index(k)] == HUGE_VAL || p.upper[at_index(k)] == -HUGE_VAL)
      throw Error(fmt::format("quadratic program: row {} has a bound that nothing reaches", k));
}

double QuadraticProgram::value(int row) const {
  return dot(problem_->A.data() + row * n_, x_.data(), n_);
}
bool QuadraticProgram::is_equation(int row) const {
  return problem_->lower[at_index(row)] == problem_->upper[at_index(row)];
}
double QuadraticProgram::bound(int place) const {
  const auto row = at_index(active_[at_index(place)]);
  return side_[at_index(place)] > 0 ? problem_->lower[row] : -problem_->upper[row];
}

/// H + added · 1 = L Lᵀ, and J = L⁻ᵀ. False if a pivot is not positive.
bool QuadraticProgram::factorize(const QpProblem& p, double added) {
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(p.H[at_index(i * n_ + i)]));
  for (int i = 0; i < n_; ++i) {
    for (int j = i; j < n_; ++j) Lt_[at_index(i * n_ + j)] = p.H[at_index(j * n_ + i)];
    Lt_[at_index(i * n_ + i)] += added;
  }
  for (int k = 0; k < n_; ++k) {
    double* const Lk = column_of_L(k);
    if (!(Lk[k] > least_pivot * largest)) return false;
    const double pivot = std::sqrt(Lk[k]);
    for (int j = k; j < n_; ++j) Lk[j] /= pivot;
    for (int i = k + 1; i < n_; ++i)
      if (Lk[i] != 0) add_times(-Lk[i], Lk + i, n_ - i, column_of_L(i) + i);
  }
  std::fill(Jt_.begin(), Jt_.end(), 0.0);
  for (int i = 0; i < n_; ++i) {  // L Jᵀ = 1
    double* const Ji = column_of_J(i);
    Ji[i] = 1;
    for (int k = 0; k < i; ++k)
      if (const double l = column_of_L(k)[i]; l != 0) add_times(-l, column_of_J(k), k + 1, Ji);
    const double pivot = column_of_L(i)[i];
    for (int j = 0; j <= i; ++j) Ji[j] /= pivot;
  }
  return true;
}

/// −H⁻¹ g = −J Jᵀ g.
void QuadraticProgram::find_free_minimum() {
  std::fill(x_free_.begin(), x_free_.end(), 0.0);
  for (int c = 0; c < n_; ++c)
    add_times(-dot(column_of_J(c), g_.data(), n_), column_of_J(c), n_, x_free_.data());
}

/// d = Jᵀ n of a row.
void QuadraticProgram::project(int row, int side) {
  const double* const a = problem_->A.data() + row * n_;
  nonzero_.clear();
  for (int i = 0; i < n_; ++i)
    if (a[i] != 0) nonzero_.push_back(i);
  const bool few = at_index(8) * nonzero_.size() < at_index(n_);
  for (int c = 0; c < n_; ++c) {
    const double* const Jc = column_of_J(c);
    double sum = 0;
    if (few)
      for (const int i : nonzero_) sum += a[i] * Jc[i];
    else sum = dot(a, Jc, n_);
    d_[at_index(c)] = side * sum;
  }
}

/// Makes a row active. False if the active ones have all of it.
bool QuadraticProgram::add_row(int row, int side) {
  const int q = active_count_;
  project(row, side);
  const double all = dot(d_.data(), d_.data(), n_);
  const double rest = dot(d_.data() + q, d_.data() + q, n_ - q);
  if (!(rest > dependent_row * dependent_row * all)) return false;
  for (int c = n_ - 1; c > q; --c) {
    const PlaneTurn turn(d_[at_index(c - 1)], d_[at_index(c)]);
    if (turn.norm == 0) continue;
    turn.apply(d_[at_index(c - 1)], d_[at_index(c)]);
    turn.apply_rows(column_of_J(c - 1), column_of_J(c), n_);
  }
  for (int i = 0; i <= q; ++i) R_[at_index(i * n_ + q)] = d_[at_index(i)];
  active_[at_index(q)] = row;
  side_[at_index(q)] = side;
  u_[at_index(q)] = 0;
  state_[at_index(row)] = static_cast<std::int8_t>(side);
  ++active_count_;
  return true;
}

/// Lets an active row go.
void QuadraticProgram::drop(int place) {
  state_[at_index(active_[at_index(place)])] = 0;
  const int q = --active_count_;
  for (int k = place; k < q; ++k) {
    active_[at_index(k)] = active_[at_index(k + 1)];
    side_[at_index(k)] = side_[at_index(k + 1)];
    u_[at_index(k)] = u_[at_index(k + 1)];
    for (int i = 0; i <= k + 1; ++i) R_[at_index(i * n_ + k)] = R_[at_index(i * n_ + k + 1)];
  }
  for (int k = place; k < q; ++k) {  // one entry below the diagonal each
    const PlaneTurn turn(R_[at_index(k * n_ + k)], R_[at_index((k + 1) * n_ + k)]);
    for (int c = k; c < q; ++c)
      turn.apply(R_[at_index(k * n_ + c)], R_[at_index((k + 1) * n_ + c)]);
    turn.apply_rows(column_of_J(k), column_of_J(k + 1), n_);
  }
}

/// x and the multipliers where all active rows are at their bounds.
void QuadraticProgram::solve_active() {
  const int q = active_count_;
  for (int k = 0; k < q; ++k) {  // Rᵀ w = b − Nᵀ x_free
    const double* const a = problem_->A.data() + active_[at_index(k)] * n_;
    double rest = bound(k) - side_[at_index(k)] * dot(a, x_free_.data(), n_);
    for (int i = 0; i < k; ++i) rest -= R_[at_index(i * n_ + k)] * w_[at_index(i)];
    w_[at_index(k)] = rest / R_[at_index(k * n_ + k)];
  }
  std::copy(x_free_.begin(), x_free_.end(), x_.begin());
  for (int k = 0; k < q; ++k) add_times(w_[at_index(k)], column_of_J(k), n_, x_.data());
  for (int k = q - 1; k >= 0; --k) {
    double rest = w_[at_index(k)];
    for (int c = k + 1; c < q; ++c) rest -= R_[at_index(k * n_ + c)] * u_[at_index(c)];
    u_[at_index(k)] = rest / R_[at_index(k * n_ + k)];
  }
}

/// Of rows that are active from before, those that would have to pull go.
void QuadraticProgram::drop_wrong_signs() {
  for (;;) {
    int worst = -1;
    for (int k = 0; k < active_count_; ++k)
      if (!is_equation(active_[at_index(k)]) && u_[at_index(k)] < 0 &&
          (worst < 0 || u_[at_index(k)] < u_[at_index(worst)]))
        worst = k;
    if (worst < 0) return;
    drop(worst);
    ++iterations_;
    solve_active();
  }
}

/// The row that is violated most in proportion to its length, and on which side; −1: none.
int QuadraticProgram::most_violated(double tolerance, int& side) const {
  int worst = -1;
  double most = tolerance;
  for (int row = 0; row < m_; ++row) {
    const auto k = at_index(row);
    if (state_[k] != 0) continue;
    const double a = value(row), norm = row_norm_[k];
    for (const int s : {1, -1}) {
      const double limit = s > 0 ? problem_->lower[k] : problem_->upper[k];
      if (std::isinf(limit) && (limit > 0) != (s > 0)) continue;  // no bound
      const double gap = s * (limit - a);
      const double share = gap / ((1 + std::abs(limit)) * (norm > 0 ? norm : 1));
      if (!(share > most)) continue;
      most = share, worst = row, side = s;
    }
  }
  return worst;
}

/// Makes a violated row active; others go where they would have to pull.
QuadraticProgram::Step QuadraticProgram::bring_in(int row, int side, int limit) {
  const double* const a = problem_->A.data() + row * n_;
  const double own = side > 0 ? problem_->lower[at_index(row)] : -problem_->upper[at_index(row)];
  double own_u = 0;
  for (;;) {
    if (++iterations_ > limit) return Step::iterations;
    const int q = active_count_;
    project(row, side);
    for (int k = q - 1; k >= 0; --k) {
      double rest = d_[at_index(k)];
      for (int c = k + 1; c < q; ++c) rest -= R_[at_index(k * n_ + c)] * r_[at_index(c)];
      r_[at_index(k)] = rest / R_[at_index(k * n_ + k)];
    }
    double steepest = 0;
    for (int k = 0; k < q; ++k) steepest = std::max(steepest, std::abs(r_[at_index(k)]));
    int first = -1;  // the active row whose multiplier is the first to become zero
    double dual_step = HUGE_VAL;
    for (int k = 0; k < q; ++k) {
      if (is_equation(active_[at_index(k)]) || !(r_[at_index(k)] > rounding * steepest)) continue;
      const double step = std::max(0.0, u_[at_index(k)]) / r_[at_index(k)];
      if (step < dual_step) dual_step = step, first = k;
    }
    const double all = dot(d_.data(), d_.data(), n_);
    const double rest = dot(d_.data() + q, d_.data() + q, n_ - q);
    const bool is_dependent = !(rest > dependent_row * dependent_row * all);
    const double primal_step =
        is_dependent ? HUGE_VAL : (own - side * dot(a, x_.data(), n_)) / rest;
    const double step = std::min(dual_step, primal_step);
    if (std::isinf(step)) return refused_row_ = row, Step::infeasible;
    if (!is_dependent)
      for (int c = q; c < n_; ++c) add_times(step * d_[at_index(c)], column_of_J(c), n_, x_.data());
    for (int k = 0; k < q; ++k) u_[at_index(k)] -= step * r_[at_index(k)];
    own_u += step;
    if (primal_step <= dual_step) {
      if (!add_row(row, side)) return refused_row_ = row, Step::infeasible;
      u_[at_index(active_count_ - 1)] = own_u;
      return Step::done;
    }
    drop(first);
  }
}

QuadraticProgram::Step QuadraticProgram::add_violated(const QpOptions& options, int limit) {
  for (int side = 0;;) {
    const int row = most_violated(options.tolerance, side);
    if (row < 0) break;
    const Step step = bring_in(row, side, limit);
    if (step != Step::done) return step;
  }
  solve_active();  // without the rounding of all steps
  return Step::done;
}

/// Equations, and the rows that were active before.
void QuadraticProgram::start(const QpProblem& p, const QpOptions& options) {
  active_count_ = iterations_ = 0;
  refused_row_ = -1;
  std::fill(state_.begin(), state_.end(), std::int8_t{0});
  for (int row = 0; row < m_; ++row) {
    const double* const a = p.A.data() + row * n_;
    row_norm_[at_index(row)] = std::sqrt(dot(a, a, n_));
    if (is_equation(row) && active_count_ < n_ && add_row(row, 1)) ++iterations_;
  }
  if (options.start == QpStart::warm)
    for (int row = 0; row < m_ && active_count_ < n_; ++row) {
      const std::int8_t last = last_[at_index(row)];
      const int side = last > 0 ? 1 : last < 0 ? -1 : 0;
      const double limit = side > 0 ? p.lower[at_index(row)] : p.upper[at_index(row)];
      if (side != 0 && state_[at_index(row)] == 0 && std::isfinite(limit)) add_row(row, side);
    }
}

/// Whether x may go on as it went from x_before_, for ever.
bool QuadraticProgram::is_recession(const QpProblem& p, double tolerance) const {
  std::span<const double> x = x_, before = x_before_;
  double length = 0, slope = 0, bend = 0;
  for (int i = 0; i < n_; ++i)
    length = std::max(length, std::abs(x[at_index(i)] - before[at_index(i)]));
  if (!(length > 1)) return false;
  const auto along = [&](int i) { return (x[at_index(i)] - before[at_index(i)]) / length; };
  for (int i = 0; i < n_; ++i) {
    slope += p.g[at_index(i)] * along(i);
    double sum = 0;
    for (int j = 0; j < n_; ++j)
      sum += p.H[at_index(std::max(i, j) * n_ + std::min(i, j))] * along(j);
    bend = std::max(bend, std::abs(sum));
  }
  if (!(slope < 0) || bend > tolerance) return false;
  for (int row = 0; row < m_; ++row) {
    double rate = 0;
    for (int i = 0; i < n_; ++i) rate += p.A[at_index(row * n_ + i)] * along(i);
    const double least = tolerance * std::max(1.0, row_norm_[at_index(row)]);
    if (rate < -least && std::isfinite(p.lower[at_index(row)])) return false;
    if (rate > least && std::isfinite(p.upper[at_index(row)])) return false;
  }
  return true;
}

QpResult QuadraticProgram::result(QpStatus status) {
  std::fill(y_.begin(), y_.end(), 0.0);
  for (int k = 0; k < active_count_; ++k)
    y_[at_index(active_[at_index(k)])] = side_[at_index(k)] * u_[at_index(k)];
  if (status == QpStatus::solved) last_ = state_;
  problem_ = nullptr;
  return {status, iterations_, status == QpStatus::infeasible ? refused_row_ : -1, x_, y_};
}

void QuadraticProgram::begin_with(std::span<const std::int8_t> active) {
  if (active.size() != last_.size())
    throw Error(fmt::format("quadratic program: {} active rows of {}", active.size(), m_));
  std::copy(active.begin(), active.end(), last_.begin());
}

QpResult QuadraticProgram::solve(const QpProblem& p, const QpOptions& options) {
  check(p);
  problem_ = &p;
  active_count_ = iterations_ = 0;
  for (int row = 0; row < m_; ++row)
    if (p.lower[at_index(row)] > p.upper[at_index(row)])
      return refused_row_ = row, result(QpStatus::infeasible);
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(p.H[at_index(i * n_ + i)]));
  double added = 0;
  if (!factorize(p, 0)) {
    added = proximal_weight * (largest > 0 ? largest : 1);
    if (!factorize(p, added)) return result(QpStatus::not_convex);
  }
  std::copy(p.g.begin(), p.g.end(), g_.begin());
  start(p, options);
  const int limit = options.most_iterations > 0 ? options.most_iterations : 10 * (n_ + m_) + 100;
  for (int round = 0; round < most_proximal_steps; ++round) {
    x_before_ = x_;
    find_free_minimum();
    solve_active();
    drop_wrong_signs();
    const Step step = add_violated(options, limit);
    if (step == Step::infeasible) return result(QpStatus::infeasible);
    if (step == Step::iterations) return result(QpStatus::iterations);
    if (added == 0) return result(QpStatus::solved);
    double change = 0, size = 1;
    for (int i = 0; i < n_; ++i) {
      const double x = x_[at_index(i)];
      if (round > 0) change = std::max(change, std::abs(x - x_before_[at_index(i)]));
      size = std::max(size, std::abs(x));
      g_[at_index(i)] = p.g[at_index(i)] - added * x;
    }
    if (round > 0 && change <= 1e-9 * size) return result(QpStatus::solved);
    if (round > 0 && is_recession(p, 1e-6 * std::max(1.0, largest)))
      return result(QpStatus::unbounded);
  }
  return result(QpStatus::iterations);
}

}  // namespace limber
