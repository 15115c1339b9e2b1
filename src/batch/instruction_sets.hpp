#pragma once
// Which LaneSet serves an instruction set, and which of them this processor can run.
#include "batch/lane_set.hpp"

namespace limber {

/// The set itself, or the widest one for `best`. Throws Error if this processor does not have it.
InstructionSet chosen_instruction_set(InstructionSet wanted);

/// For a chosen instruction set.
template <class T>
const LaneSet<T>& lane_set_of(InstructionSet set);

}  // namespace limber
