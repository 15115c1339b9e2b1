#pragma once
// Inertial parameters that motion cannot tell apart, gathered: fewer numbers, fewer operations.
#include <limber/model/model.hpp>

namespace limber {

/// The same robot for generalised forces, mass matrix and accelerations, with as many inertial
/// parameters zero as possible. Mass on the axis of a revolute joint moves alike with both its
/// bodies, so it goes to the inner one (m, h_z and J_zz of the body become zero); across a
/// prismatic joint both bodies turn alike, so the second moments go inward. Not the same for
/// bearing loads, energies and centres of mass.
Model regroup(const Model& model);

}  // namespace limber
