#pragma once
// Boundary conditions of the recursions: the world as body 0, and external forces.
#include <limber/dynamics/loads.hpp>
#include <limber/model/workspace.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/fold.hpp"
#include "scalar/registers.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Throws Error for spans of the wrong length.
template <class T>
void check_loads(const char* function, const BasicModel<T>& m, const Loads<T>& loads) {
  if (!loads.body_forces.empty())
    check_size(function, "loads.body_forces", loads.body_forces.size(), m.bodies(), m.name);
  if (!loads.body_inertia.empty())
    check_size(function, "loads.body_inertia", loads.body_inertia.size(), m.bodies(), m.name);
  if (!loads.joint_inertia.empty())
    check_size(function, "loads.joint_inertia", loads.joint_inertia.size(), m.nv, m.name);
  if (!loads.fluid) return;
  check_size(function, "loads.fluid->bodies", loads.fluid->bodies().size(), m.bodies(), m.name);
  if (!loads.body_inertia.empty()) refuse_two_inertias(function);
}

/// The world's motion, with gravity as an acceleration −g of the world. [RDA] §4.4
template <class T>
void set_base(const BasicModel<T>& m, const Loads<T>& loads, BasicWorkspace<T>& ws) {
  check_loads("dynamics", m, loads);
  ws.w[0] = loads.base_velocity.angular;
  ws.a[0] = classical_acceleration(loads.base_acceleration, loads.base_velocity);
  ws.a[0].linear -= m.gravity;
  ws.gradient[0] = acceleration_gradient(ws.w[0], ws.a[0].angular);
  ws.centripetal[0] = centripetal_gradient(ws.w[0]);
}

/// The force through the joint of a body may be asked for.
template <class T>
void check_reaction(const char* function, const BasicModel<T>& m, const JointForces<T>& forces,
                    int body) {
  const char* missing = "forces through the joints";
  if (!forces.ws) refuse_missing(function, m.name, missing, "inverse_dynamics()");
  check_workspace(function, m, *forces.ws);
  check_body(function, m, body);
  check_computed(function, m, forces.force_count > 0, missing, "inverse_dynamics()");
  if (forces.force_count != forces.ws->force_count) refuse_overwritten(function, m.name, missing);
}

/// True if a force is nothing.
template <class T>
bool is_nothing(const Force<T>& f) {
  return known_zero(f.angular.x) && known_zero(f.angular.y) && known_zero(f.angular.z) &&
         known_zero(f.linear.x) && known_zero(f.linear.y) && known_zero(f.linear.z);
}

/// f_i −= external force on body i, brought from the user's frame to the canonical one. Most bodies
/// have none.
template <class T>
void subtract_external_forces(const BasicModel<T>& m, const Loads<T>& loads, List<Force<T>>& f) {
  if (loads.body_forces.empty()) return;
  for (std::size_t i = 1; i < f.size(); ++i)
    if (!is_nothing(loads.body_forces[i])) f[i] -= m.body_placement[i] * loads.body_forces[i];
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
