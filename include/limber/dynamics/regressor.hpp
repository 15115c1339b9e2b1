#pragma once
// Inverse dynamics is linear in the inertial parameters of the bodies: tau = Y(q, v, a) π + rotors.
//
// π: ten numbers for each body 1, 2, … in turn, in the user's body frame, about its origin:
// m [kg], h = m c (x, y, z) [kg m], rotational inertia (xx, xy, xz, yy, yz, zz) [kg m²]. Links
// joined by fixed joints are one body; the rotational inertia of mounted rotors is theirs,
// reflected rotor inertia is not a parameter.
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// π of a model, 10 (bodies − 1) numbers.
std::vector<double> inertial_parameters(const Model& model);
/// The same, written to `out`.
void inertial_parameters(const Model& model, std::span<double> out);

/// The same robot with the parameters π. Throws Error for a wrong number of them or one that is not
/// finite; physical consistency is not asked for.
Model with_inertial_parameters(const Model& model, std::span<const double> parameters);

/// Y (nv × 10 (bodies − 1)), row by row, written to `out`: tau = Y π plus armature · a. No
/// allocation, O(bodies · depth).
template <class T>
void joint_torque_regressor(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                            BasicWorkspace<T>& ws, Out<T> out);

}  // namespace limber
