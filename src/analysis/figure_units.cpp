#include "analysis/figure_units.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace limber {

namespace {

ShownUnit finer(std::string unit) {
  if (unit == "Pa") return {1e-6, "MPa"};
  if (unit == "m") return {1e3, "mm"};
  if (unit == "rad") return {1e3, "mrad"};
  if (unit == "rad or m") return {1e3, "mrad or mm"};
  return {1, std::move(unit)};
}

// of "turning or sliding" the one that all meant joints have
std::string for_joints(const std::string& unit, const Analysis& analysis, std::string_view of) {
  const std::size_t split = unit.find(" or ");
  if (split == std::string::npos) return unit;
  bool turns = false, slides = false;
  for (const JointAnalysis& joint : analysis.joints) {
    if (!of.empty() && joint.name != of) continue;
    (joint.torque_unit == "N" ? slides : turns) = true;
  }
  if (turns && slides) return unit;
  return slides ? unit.substr(split + 4) : unit.substr(0, split);
}

}  // namespace

ShownUnit shown_unit(Figure figure, const Analysis& analysis, std::string_view of) {
  return finer(for_joints(unit(figure), analysis, of));
}

std::string shown(const LimitCheck& check, const Analysis& analysis) {
  const ShownUnit unit = shown_unit(check.figure, analysis, check.of);
  return fmt::format("{:.3g} of {:.3g} {}", unit.factor * check.found.value,
                     unit.factor * check.limit, unit.unit);
}

std::string shown_label(Figure figure) {
  std::string words = label(figure);
  const std::size_t rms = words.find("rms");
  if (rms != std::string::npos) words.replace(rms, 3, "RMS");
  return words;
}

}  // namespace limber
