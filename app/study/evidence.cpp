#include "study/evidence.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber::app::study {

double Evidence::cost(std::string_view key, Measure measure, int n) const {
  const std::optional<double> value =
      curve_of(results_, key, measure).at(static_cast<std::size_t>(n - 1));
  if (!value) throw Error(fmt::format("'{}' has no such cost for {} links", key, n));
  return *value;
}

double Evidence::ratio(std::string_view first, std::string_view second, Measure measure,
                       int n) const {
  return cost(first, measure, n) / cost(second, measure, n);
}

double Evidence::least_ratio(std::string_view first, std::string_view second, Measure measure,
                             Links n) const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = n.first; k <= n.last; ++k) least = std::min(least, ratio(first, second, measure, k));
  return least;
}

double Evidence::greatest_ratio(std::string_view first, std::string_view second, Measure measure,
                                Links n) const {
  return 1 / least_ratio(second, first, measure, n);
}

std::optional<int> Evidence::crossover(std::string_view first, std::string_view second,
                                       Measure measure) const {
  return study::crossover(curve_of(results_, first, measure), curve_of(results_, second, measure));
}

std::optional<bool> Evidence::if_timed(const std::function<bool()>& question) const {
  if (!results_.timed) return {};
  return question();
}

std::string Evidence::said_if_timed(const std::function<std::string()>& sentence) const {
  return results_.timed ? sentence() : "";
}

std::string from_links(std::optional<int> n) {
  return n ? fmt::format("from n = {}", *n) : fmt::format("nowhere up to n = {}", most_links);
}

}  // namespace limber::app::study
