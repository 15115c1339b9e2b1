#pragma once
// Signal: a number as a function of time: constant, an expression, or a table. What open-loop
// inputs and external forces are made of.
#include <limber/io/expression.hpp>

namespace limber {

/// What a table says between its entries.
enum class Interpolation : std::uint8_t {
  linear,  ///< straight lines
  hold,    ///< the entry before
  cubic    ///< the natural cubic spline
};

class Signal {
 public:
  /// The same value always. Throws Error unless it is finite.
  Signal(double constant = 0);  // NOLINT: a number is a signal
  /// An expression of t [s], e.g. "5*sin(2*pi*t)". Throws Error with the column.
  static Signal expression(std::string_view text);
  /// Values at increasing times [s], two or more; the first holds before them, the last after.
  static Signal table(std::vector<double> times, std::vector<double> values,
                      Interpolation interpolation = Interpolation::linear);

  /// Its value at time t [s]; may be infinite or not a number where an expression is. Does not
  /// allocate.
  double at(double t) const;
  /// How fast it changes there, between its jumps: exact. Does not allocate.
  double rate(double t) const;
  bool is_zero() const { return kind_ == Kind::constant && constant_ == 0; }

  // Jumps (of a table that holds, and of step() in an expression) are events, so that integration
  // steps end there. What holds between them are discrete states, one for each event.
  int states() const;
  /// The states d (states()) that are right at time t.
  void begin(double t, std::span<double> d) const;
  /// The value with states that were right at the last event.
  double at(double t, std::span<const double> d) const;
  /// Falls below zero where state k is no longer right; act() then renews it.
  double margin(int k, double t, std::span<const double> d) const;
  void act(int k, std::span<double> d) const;

 private:
  enum class Kind : std::uint8_t { constant, expression, table };
  double table_value(double t) const;
  std::size_t entry(std::span<const double> d) const;

  Kind kind_ = Kind::constant;
  double constant_ = 0;
  Expression expression_;
  std::vector<double> times_, values_, curvatures_;
  Interpolation interpolation_ = Interpolation::linear;
};

/// The column `column` of a CSV file over its column `time` (empty: the only other column). Throws
/// Error with file and line.
Signal csv_signal(const std::string& file, const std::string& column, Interpolation interpolation);

}  // namespace limber
