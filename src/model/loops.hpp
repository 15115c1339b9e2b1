#pragma once
// What a Spec has besides the tree of its joints, as numbers of the model: loops and named states.
#include <limber/model/model.hpp>

namespace limber {

/// The active loops. Throws Error for bodies and joints that do not exist, and joints that cannot
/// be coupled. Needs the frames and variables of the model.
void add_loops(const Spec& spec, Model& m);

/// One loop as numbers of the model; the same refusals.
BasicLoop<double> resolve_loop(const LoopSpec& loop, const Model& m);

/// The named states, as q, v and controls of the model. Throws Error for joints and actuators that
/// do not exist and for wrong numbers of values; what a fixed joint would have is left out.
void add_keyframes(const Spec& spec, Model& m);

}  // namespace limber
