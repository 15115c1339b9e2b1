#pragma once
// Where a plot stands in the report: its tabs, and its place among the others.
#include <cstddef>
#include <string>
#include <vector>

namespace limber {

/// The tabs that show the plot of a group, its own first. Groups that the table does not list are
/// sorted by their unit.
std::vector<std::string> sections_of(const std::string& group, const std::string& unit);

/// Plots with smaller numbers stand first.
std::size_t plot_rank(const std::string& group);

}  // namespace limber
