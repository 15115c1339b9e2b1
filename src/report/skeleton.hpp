#pragma once
// A figure of a robot made from its joints alone, for links that have no shapes to draw.
#include <span>

#include <limber/model/model.hpp>

namespace limber {

/// For each body of `model` (the world too, rotors none) shapes in the user's frame of the body:
///   - capsules from the joint that carries it to the joints of its children; where a child's joint
///     lies aside along its own axis, first across to this axis and then along it;
///   - a body without children reaches to its farthest frame or welded link, else twice as far as
///     its centre of mass; a wheel, which has neither, is a disc;
///   - a rounded trunk around the joints of a body that branches, a ball for a welded link that
///     lies aside, a plate around several small collision shapes (a foot);
///   - a drum along the axis of a turning joint, a rail along that of a sliding one, a ball for a
///     spherical or universal one.
/// Thickness comes from mass and length, within bounds given by the robot's reach; colours from the
/// limb. `ignored` are links that are drawn otherwise. `spec` is what `model` was built from.
std::vector<std::vector<ShapeSpec>> skeleton(const Spec& spec, const Model& model,
                                             std::span<const std::string> ignored);

}  // namespace limber
