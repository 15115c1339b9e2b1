#include "study/curves.hpp"

#include <array>

#include <limber/error.hpp>

namespace limber::app::study {

namespace {

constexpr std::array<MeasureFacts, 5> measures{{
    {Measure::multiplications, "multiplications", "multiplications"},
    {Measure::additions, "additions", "additions"},
    {Measure::operations, "operations", "both"},
    {Measure::weighted, "weighted", "11 : 3"},
    {Measure::time, "time", "time"},
}};

double combine(double multiplications, double additions, Measure measure) {
  switch (measure) {
    case Measure::multiplications:
      return multiplications;
    case Measure::additions:
      return additions;
    case Measure::operations:
      return multiplications + additions;
    case Measure::weighted:
      return 11 * multiplications + 3 * additions;
    case Measure::time:
      break;
  }
  throw Error("a time is no count");
}

}  // namespace

std::span<const MeasureFacts> all_measures() { return measures; }

Curve curve(const Series& series, Measure measure) {
  Curve result;
  for (const Sample& sample : series.samples)
    result.push_back(measure == Measure::time
                         ? sample.nanoseconds
                         : combine(static_cast<double>(sample.needed.multiplications),
                                   static_cast<double>(sample.needed.additions), measure));
  return result;
}

Curve curve(const BookFormula& formula, Measure measure) {
  Curve result(most_links);
  if (measure == Measure::time) return result;
  for (int n = 1; n <= most_links; ++n) {
    const double m = formula.multiplications(n), a = formula.additions(n);
    const bool published = n == formula.only_for.value_or(n);
    if (published && m > 0 && a > 0)
      result[static_cast<std::size_t>(n - 1)] = combine(m, a, measure);
  }
  return result;
}

std::optional<int> crossover(const Curve& first, const Curve& second) {
  std::optional<int> from;
  for (int n = 1; n <= most_links; ++n) {
    const auto& x = first[static_cast<std::size_t>(n - 1)];
    const auto& y = second[static_cast<std::size_t>(n - 1)];
    if (!x || !y) continue;
    if (*y >= *x) from.reset();
    else if (!from) from = n;
  }
  return from;
}

Curve ratio(const Curve& second, const Curve& first) {
  Curve result(most_links);
  for (std::size_t k = 0; k < result.size(); ++k)
    if (first[k] && second[k] && *first[k] > 0) result[k] = *second[k] / *first[k];
  return result;
}

}  // namespace limber::app::study
