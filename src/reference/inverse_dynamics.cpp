#include <limber/reference/inverse_dynamics.hpp>

#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

template <class T>
std::vector<T> absolute_inverse_dynamics(const Tree<T>& t, In<T> a) {
  const std::vector<T> qdd = unfold(t, a, "a");
  const std::size_t n = t.bodies.size();
  std::vector<Motion<T>> acc(n);
  std::vector<Force<T>> f(n);
  std::vector<T> tau(t.S.size());
  const auto [v, c] = velocities(t);  // (4.6)
  acc[0] = t.base_acceleration;
  for (std::size_t i = 1; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[i];
    acc[i] = acc[at_index(body.parent)] + c[i] + joint_motion(t, body, qdd);  // (4.7)
    f[i] = body.I * acc[i] + bias_force(body, v[i]);                          // (4.8)
  }
  for (std::size_t i = n; i-- > 1;) {
    const TreeBody<T>& body = t.bodies[i];
    for (int k = body.first; k < body.first + body.count; ++k)
      tau[at_index(k)] =
          dot(t.S[at_index(k)], f[i]) + t.armature[at_index(k)] * qdd[at_index(k)];  // (4.10)
    if (body.parent != 0) f[at_index(body.parent)] += f[i];                          // (4.9)
  }
  return fold(t, tau);
}

#define LIMBER_REFERENCE_INVERSE_DYNAMICS(T) \
  template std::vector<T> absolute_inverse_dynamics(const Tree<T>&, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_INVERSE_DYNAMICS)

}  // namespace limber::reference
