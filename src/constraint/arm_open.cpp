// One arm with its hand free, and the same arm with the force of its hand. [McM] table 1, steps 1
// and 3
#include <limber/constraint/arm_team.hpp>
#include <limber/dynamics/forward_dynamics.hpp>

#include "constraint/arm_steps.hpp"
#include "dynamics/tree_factor.ipp"
#include "dynamics/last_freedom.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

/// Throws Error unless every joint meets some inertia.
template <class T>
void check_factor_of_arm(const BasicModel<T>& m, In<T> q, BasicArmMotion<T>& arm) {
  if (m.singular_reason.empty() && has_regular_pivots(arm.tree)) return;
  const In<T> rest(arm.ws.zeros.data(), at_index(m.nv));
  forward_dynamics_by_mass_matrix(m, q, rest, rest, arm.ws);  // names the joint
  throw Error("the mass matrix of robot '" + m.name + "' has no inverse here");
}

/// Λ⁻¹ = Yᵀ D⁻¹ Y and ẍ = J̇ q̇ + Yᵀ D⁻¹ u. (2.6), (2.25)
template <class T>
void respond_to_hand(BasicArmMotion<T>& arm) {
  const TreePattern& at = arm.tree.M.pattern;
  for (int t = 0; t < arm.path; ++t) {
    const int freedom = at.path[at.start[arm.last] + t];
    const T& D_inverse = inverse_pivot(arm.tree, freedom);
    const T* const Y = arm.Y.data() + 6 * t;
    for (int i = 0; i < 6; ++i) {
      const T scaled = Y[i] * D_inverse;
      for (int j = 0; j <= i; ++j) arm.mobility(i, j) += scaled * Y[j];
      arm.x_open[at_index(i)] += scaled * arm.u[freedom];
    }
  }
}

}  // namespace

template <class T>
BasicArmMotion<T>::BasicArmMotion(const BasicArm<T>& arm)
    : ws(*arm.model), poses(*arm.model), tree(*arm.model), rows(arm.grasp.freedoms.rows()) {
  const BasicModel<T>& m = *arm.model;
  last = last_freedom(m, tree.M.pattern, m.frames[arm.grasp.frame].body);
  path = last < 0 ? 0 : tree.M.pattern.depth(last) + 1;
  is_projected = rows < 6;
  J.resize(at_index(6 * path));
  Y.resize(at_index(6 * path));
  u.resize(at_index(m.nv));
  acceleration.resize(at_index(m.nv));
}

template <class T>
void open_chain(const BasicArmTeam<T>& team, int arm, const ArmState<T>& state,
                const ObjectState<T>& object, BasicArmMotion<T>& out) {
  const BasicModel<T>& m = *team.arms[arm].model;
  start_arm("team_dynamics", team, arm, state, object, out);
  factorize(out.tree);
  check_factor_of_arm<T>(m, state.q, out);
  std::copy(out.J.begin(), out.J.end(), out.Y.begin());
  if (out.last >= 0)
    half_solve_path<6>(out.tree.M.pattern, out.tree.L.data(), out.last, out.Y.data());
  half_solve<T>(out.tree, std::span<T>(out.u));
  respond_to_hand(out);
  project_contact(team, arm, state, object, out);
  invert_mobility(team, arm, out);
}

template <class T>
void close_chain(int arm, const BasicReferenceMember<T>& object, BasicArmMotion<T>& out) {
  const std::array<T, 6> f = hand_force(arm, object, out);
  out.force = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  accelerate_arm(f, out);
}

#define LIMBER_ARM_OPEN(T)                                                                         \
  template BasicArmMotion<T>::BasicArmMotion(const BasicArm<T>&);                                  \
  template void open_chain(const BasicArmTeam<T>&, int, const ArmState<T>&, const ObjectState<T>&, \
                           BasicArmMotion<T>&);                                                    \
  template void close_chain(int, const BasicReferenceMember<T>&, BasicArmMotion<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARM_OPEN)

}  // namespace limber
