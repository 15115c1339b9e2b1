#pragma once
// Figures in the units that a designer reads: MPa, mm, mrad.
#include <string>
#include <string_view>

#include <limber/analysis/analysis.hpp>

namespace limber {

/// What to multiply a figure's SI value with, and the unit it then has.
struct ShownUnit {
  double factor = 1;
  std::string unit;
};

/// For one owner by its name, or with an empty name for all that have the figure; "N m or N" and
/// the like stay only where turning and sliding joints share a column.
ShownUnit shown_unit(Figure figure, const Analysis& analysis, std::string_view of = {});

/// "41.7 of 50 N m" in words: value and limit of a check.
std::string shown(const LimitCheck& check, const Analysis& analysis);

/// The names of figures as people write them: "RMS torque", not "rms torque".
std::string shown_label(Figure figure);

}  // namespace limber
