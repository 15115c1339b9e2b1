#include "model/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace limber {

namespace {

// number of single-letter edits between two words
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  // names longer than this are not typing mistakes worth a quadratic search
  constexpr std::size_t longest = 200;
  std::size_t best = std::max<std::size_t>(1, name.size() / 2) + 1;
  const std::string* nearest = nullptr;
  if (name.size() <= longest)
    for (const std::string& candidate : candidates) {
      if (candidate.size() > longest) continue;
      const std::size_t distance = edit_distance(name, candidate);
      if (distance < best) best = distance, nearest = &candidate;
    }
  // several robots have names in front of those of their joints: left.elbow
  std::string ending(1, '.');
  ending += name;
  for (const std::string& candidate : candidates)
    if (!nearest && candidate.ends_with(ending)) nearest = &candidate;
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

}  // namespace limber
