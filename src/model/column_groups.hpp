#pragma once
// Which columns of the tree move together, and whether articulated bodies can eliminate them.
#include <limber/model/model.hpp>

namespace limber {

enum class Rotors { are_bodies, are_parts_of_carriers };

/// Branching of every body.
List<std::uint8_t> branching(const Model& model, Rotors rotors);

/// Of a model that has all else of its tree; to be found again when inertias of rotors change.
ColumnGroups<double> find_column_groups(const Model& model);

}  // namespace limber
