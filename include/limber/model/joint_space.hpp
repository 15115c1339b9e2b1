#pragma once
// The space of positions: how q, its velocity v and its steps belong together. For joints with
// quaternions nq > nv; a *step* is a displacement in tangent space, of the size and in the axes of
// v.
#include <span>

#include <limber/model/model.hpp>

namespace limber {

/// The neutral position: zeros, identity quaternions (mimic offsets are not part of q).
std::vector<double> neutral_position(const Model& model);

/// q moved with constant v for time dt [s]: q ⊕ v dt. Quaternion joints turn exactly (exponential
/// map); `result` may be q itself.
void integrate(const Model& model, std::span<const double> q, std::span<const double> v, double dt,
               std::span<double> result);

/// The step that takes q0 to q1: q0 ⊕ step = q1, with turns of at most π. [rad, m]
void difference(const Model& model, std::span<const double> q0, std::span<const double> q1,
                std::span<double> step);

/// Makes every quaternion in q unit again. Throws Error for a zero or non-finite quaternion. Custom
/// joints with `integrate` take a step of zero, in which they may bring their positions in order.
void normalize(const Model& model, std::span<double> q);

/// q̇ for velocity v: the time derivative of the position variables, quaternions by [RDA] (8.1).
void position_rate(const Model& model, std::span<const double> q, std::span<const double> v,
                   std::span<double> q_dot);

}  // namespace limber
