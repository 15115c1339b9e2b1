#pragma once
// A robot as MJCF text, for MuJoCo.
#include <string>

#include "plain_tree.hpp"

namespace limber::bench {

/// MJCF with bodies, inertias and joints only: nothing to touch, to see or to drive. Joint kinds
/// that MuJoCo lacks become several joints of one body, in the order of Limber's variables; rotor
/// inertia is left out.
std::string mjcf_text(const PlainTree& tree);

}  // namespace limber::bench
