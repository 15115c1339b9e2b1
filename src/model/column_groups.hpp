#pragma once
// Which columns of the tree move together, and whether articulated bodies can eliminate them.
#include <limber/model/model.hpp>

namespace limber {

/// Fills groups, group_columns and column_target of a model that has all else of its tree. To be
/// called again when inertias of rotors have changed.
void find_column_groups(Model& model);

}  // namespace limber
