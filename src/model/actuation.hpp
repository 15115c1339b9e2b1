#pragma once
// The actuators of joints: from the moved joint frame to the body's canonical frame, checked.
#include <limber/model/model.hpp>

#include "model/structure.hpp"

namespace limber {

/// Sets has_actuation and actuation of a model whose bodies and variables are there. Throws Error
/// for a joint that its actuators cannot power: Sᵀ F must be square and regular. [RDA] (7.14)
void add_actuation(const Spec& spec, const Structure& structure, Model& m);

}  // namespace limber
