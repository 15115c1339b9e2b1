#pragma once
// Which LaneSet serves an instruction set.
#include "batch/lane_set.hpp"

namespace limber {

/// For a chosen instruction set.
template <class T>
const LaneSet<T>& lane_set_of(InstructionSet set);

}  // namespace limber
