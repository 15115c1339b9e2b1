#include <limber/sim/signal.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"
#include "io/csv.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// How far beyond zero the argument of a step() counts as crossed: when the step has been taken the
// argument is this far on its new side, whatever the last bits of the instant are.
constexpr double crossed = 1e-12;

void check_table(std::span<const double> times, std::span<const double> values) {
  if (times.size() != values.size() || times.size() < 2)
    throw Error(fmt::format("{} times and {} values found; as many of both are needed, two or more",
                            times.size(), values.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
      throw Error(fmt::format("times must increase; entry {} is {} s", i + 1, times[i]));
    if (!std::isfinite(values[i]))
      throw Error(fmt::format("the value at {} s is not a finite number", times[i]));
  }
}

// second derivatives of the natural cubic spline: a tridiagonal system, eliminated downwards
std::vector<double> natural_curvatures(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  std::vector<double> curvature(n, 0.0), factor(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    const double bend = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
    const double pivot = 2 * (before + after) - before * factor[i - 1];
    factor[i] = after / pivot;
    curvature[i] = (bend - before * curvature[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) curvature[i] -= factor[i] * curvature[i + 1];
  return curvature;
}

}  // namespace

Signal::Signal(double constant) : constant_(constant) {
  if (!std::isfinite(constant)) throw Error("a constant signal must be a finite number");
}

Signal Signal::expression(std::string_view text) {
  static const std::string variables[] = {"t"};
  Signal signal;
  signal.kind_ = Kind::expression;
  signal.expression_ = Expression(text, variables);
  return signal;
}

Signal Signal::table(std::vector<double> times, std::vector<double> values,
                     Interpolation interpolation) {
  check_table(times, values);
  Signal signal;
  signal.kind_ = Kind::table;
  if (interpolation == Interpolation::cubic) signal.curvatures_ = natural_curvatures(times, values);
  signal.times_ = std::move(times);
  signal.values_ = std::move(values);
  signal.interpolation_ = interpolation;
  return signal;
}

double Signal::table_value(double t) const {
  if (t <= times_.front()) return values_.front();
  if (t >= times_.back()) return values_.back();
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  if (interpolation_ == Interpolation::hold) return values_[i];
  const double length = times_[i + 1] - times_[i], b = (t - times_[i]) / length, a = 1 - b;
  const double straight = a * values_[i] + b * values_[i + 1];
  if (interpolation_ == Interpolation::linear) return straight;
  return straight + ((a * a * a - a) * curvatures_[i] + (b * b * b - b) * curvatures_[i + 1]) *
                        length * length / 6;
}

double Signal::at(double t) const {
  if (kind_ == Kind::constant) return constant_;
  return kind_ == Kind::table ? table_value(t) : expression_.value({&t, 1});
}

double Signal::rate(double t) const {
  if (kind_ == Kind::constant) return 0;
  if (kind_ == Kind::expression) return expression_.derivative({&t, 1}, 0);
  if (t < times_.front() || t >= times_.back() || interpolation_ == Interpolation::hold) return 0;
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double length = times_[i + 1] - times_[i], b = (t - times_[i]) / length, a = 1 - b;
  const double straight = (values_[i + 1] - values_[i]) / length;
  if (interpolation_ == Interpolation::linear) return straight;
  return straight +
         ((1 - 3 * a * a) * curvatures_[i] + (3 * b * b - 1) * curvatures_[i + 1]) * length / 6;
}

int Signal::states() const {
  if (kind_ == Kind::expression) return expression_.steps();
  return kind_ == Kind::table && interpolation_ == Interpolation::hold ? 1 : 0;
}

// a table: which entry holds; an expression: the value of each step()
void Signal::begin(double t, std::span<double> d) const {
  if (d.empty()) return;
  if (kind_ == Kind::table) {
    const auto after = std::upper_bound(times_.begin(), times_.end(), t);
    d[0] = std::max(0.0, static_cast<double>(after - times_.begin()) - 1);
    return;
  }
  for (int k = 0; k < states(); ++k)
    d[at_index(k)] = expression_.step_argument(k, {&t, 1}, d) >= 0 ? 1 : 0;
}

// the entry of the table that holds; states may come from a damaged file
std::size_t Signal::entry(std::span<const double> d) const {
  const auto last = static_cast<double>(values_.size() - 1);
  return static_cast<std::size_t>(d[0] >= 0 && d[0] <= last ? d[0] : last);
}

double Signal::at(double t, std::span<const double> d) const {
  if (d.empty()) return at(t);
  if (kind_ == Kind::expression) return expression_.value({&t, 1}, d);
  return values_[entry(d)];
}

double Signal::margin(int k, double t, std::span<const double> d) const {
  if (kind_ == Kind::table) {
    const std::size_t next = entry(d) + 1;
    return next < times_.size() ? times_[next] - t : 1;
  }
  const double x = expression_.step_argument(k, {&t, 1}, d);
  return crossed + (d[at_index(k)] != 0 ? x : -x);
}

void Signal::act(int k, std::span<double> d) const {
  if (kind_ == Kind::table) d[0] += 1;
  else d[at_index(k)] = d[at_index(k)] != 0 ? 0 : 1;
}

Signal csv_signal(const std::string& file, const std::string& column, Interpolation interpolation) {
  const CsvTable table = read_csv(file);
  const std::size_t time = table.time_column();
  const Source header{file, table.header_line, ""};
  std::size_t place = time == 0 ? 1 : 0;
  if (!column.empty()) {
    const auto found = std::find(table.names.begin(), table.names.end(), column);
    if (found == table.names.end())
      throw Error(header, fmt::format("there is no column '{}'{}", column,
                                      did_you_mean(column, table.names)));
    place = static_cast<std::size_t>(found - table.names.begin());
  } else if (table.names.size() > 2) {
    throw Error(header, fmt::format("{} columns besides 'time'; say which by `column: …`",
                                    table.names.size() - 1));
  }
  std::vector<double> times, values;
  for (const std::vector<double>& row : table.rows) {
    times.push_back(row[time]);
    values.push_back(row[place]);
  }
  return Signal::table(std::move(times), std::move(values), interpolation);
}

}  // namespace limber
