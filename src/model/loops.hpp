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
/// Throws Error if there are more than the limit.
void add_keyframes(const Spec& spec, Model& m);

/// Numbers of all named states of a robot together.
constexpr std::size_t most_state_numbers = 5'000'000;
/// Throws Error if `count` named states of `numbers` numbers each are more than this.
void expect_few_states(const Source& source, std::size_t count, std::size_t numbers);

}  // namespace limber
