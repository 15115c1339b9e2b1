#include <limber/dynamics/energy.hpp>

#include "dynamics/added_inertia.hpp"
#include "dynamics/kinematics.ipp"
#include "index.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

// first moment of everything, in the world
template <class T>
Vec3<T> first_moment(const BasicModel<T>& m, const List<Transform<T>>& X_W) {
  Vec3<T> sum;
  for (std::size_t i = 0; i < m.inertia.size(); ++i)
    sum += X_W[i].R * m.inertia[i].h + X_W[i].p * m.inertia[i].m;
  return sum;
}

template <class T>
T total_mass(const BasicModel<T>& m) {
  const T mass = m.mass();
  if (mass == T(0)) throw Error("robot '" + m.name + "' has no mass, so no centre of mass");
  return mass;
}

// as the inertia that loads add feels it: relative to the fluid, if there is one
template <class T>
Motion<T> loaded_velocity(const Loads<T>& loads, const BasicVelocities<T>& bodies, int i) {
  Motion<T> v = bodies.v[i];
  if (loads.fluid) v.linear -= transpose_times(bodies.X_W[i].R, loads.fluid->velocity);
  return v;
}

}  // namespace

template <class T>
T kinetic_energy(const BasicModel<T>& m, In<T> v, const BasicVelocities<T>& bodies) {
  T twice(0);
  for (std::size_t i = 1; i < m.inertia.size(); ++i)
    twice += twice_kinetic_energy(m.inertia[i], bodies.v[i]);
  for (int k = 0; k < m.tree_nv; ++k) {
    const T rate = m.v_fold[k].ratio * v[at_index(m.v_fold[k].index)];
    twice += m.armature[k] * rate * rate;
  }
  return twice * T(0.5);
}

template <class T>
T kinetic_energy(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                 const Loads<T>& loads) {
  check_loads("kinetic_energy", m, loads);
  forward_kinematics(m, q, v, ws, ws.motion);
  T twice = kinetic_energy(m, v, ws.motion) * T(2);
  for (std::size_t k = 0; k < loads.joint_inertia.size(); ++k)
    twice += loads.joint_inertia[k] * v[k] * v[k];
  if (loads.adds_to_bodies())
    for (int i = 1; i < m.bodies(); ++i) {
      const Motion<T> u = loaded_velocity(loads, ws.motion, i);
      twice += dot(u, body_load(m, loads, i) * u);
    }
  return twice * T(0.5);
}

template <class T>
T potential_energy(const BasicModel<T>& m, const BasicPoses<T>& bodies) {
  return -dot(m.gravity, first_moment(m, bodies.X_W));
}

template <class T>
T potential_energy(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  forward_kinematics(m, q, ws, ws.motion);
  return potential_energy(m, ws.motion);
}

template <class T>
Force<T> momentum(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                  const Loads<T>& loads) {
  check_loads("momentum", m, loads);
  forward_kinematics(m, q, v, ws, ws.motion);
  const List<Transform<T>>& X_W = ws.motion.X_W;
  const List<Motion<T>>& rates = ws.motion.v;
  Force<T> sum;
  for (std::size_t i = 1; i < m.inertia.size(); ++i) sum += X_W[i] * (m.inertia[i] * rates[i]);
  if (loads.adds_to_bodies())
    for (int i = 1; i < m.bodies(); ++i)
      sum += X_W[i] * (body_load(m, loads, i) * loaded_velocity(loads, ws.motion, i));
  return sum;
}

template <class T>
Vec3<T> center_of_mass(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  const T mass = total_mass(m);
  forward_kinematics(m, q, ws, ws.motion);
  return first_moment(m, ws.motion.X_W) / mass;
}

template <class T>
Vec3<T> center_of_mass_velocity(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws) {
  const T mass = total_mass(m);
  return momentum(m, q, v, ws).linear / mass;
}

#define LIMBER_ENERGY(T)                                                             \
  template T kinetic_energy(const BasicModel<T>&, In<T>, const BasicVelocities<T>&); \
  template T potential_energy(const BasicModel<T>&, const BasicPoses<T>&);           \
  template T kinetic_energy(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,  \
                            const Loads<T>&);                                        \
  template T potential_energy(const BasicModel<T>&, In<T>, BasicWorkspace<T>&);      \
  template Force<T> momentum(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&, \
                             const Loads<T>&);                                       \
  template Vec3<T> center_of_mass(const BasicModel<T>&, In<T>, BasicWorkspace<T>&);  \
  template Vec3<T> center_of_mass_velocity(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ENERGY)

}  // namespace limber
