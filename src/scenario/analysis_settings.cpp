#include <limber/scenario/analysis_settings.hpp>

#include <fmt/format.h>

namespace limber {

std::size_t scan_size(std::span<const ScanSettings> parameters) {
  std::size_t points = 1;
  for (const ScanSettings& one : parameters) {
    points *= one.values.size();
    if (points > most_scan_points)
      throw Error(fmt::format("more than {} combinations; leave out parameters or values",
                              most_scan_points));
  }
  return points;
}

}  // namespace limber
