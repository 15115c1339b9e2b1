#include <limber/dynamics/star_dynamics.hpp>

#include "dynamics/star.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
void check_star(const BasicModel<T>& m) {
  int roots = 0;
  for (int i = 1; i < m.bodies(); ++i) roots += m.parent[i] == 0 ? 1 : 0;
  if (roots != 1 || m.kind[1] != JointKind::free)
    throw Error(fmt::format(
        "star: robot '{}' is no floating body with legs: {}; load it with a floating base, or take "
        "forward_dynamics()",
        m.name,
        roots == 1 ? fmt::format("its root joint '{}' is {}", m.joint_name[1], name(m.kind[1]))
                   : fmt::format("{} joints hang from the world", roots)));
  if (m.has_mimic())
    throw Error(fmt::format(
        "star: robot '{}' has mimic joints or mounted rotors, whose columns are not eliminated "
        "leg by leg; take forward_dynamics()",
        m.name));
}

}  // namespace

template <class T>
BasicStar<T>::BasicStar(const BasicModel<T>& m) : model(m.identity) {
  if (!model.exists()) throw Error("star: the model was not made by build(), or was moved away");
  check_star(m);
  for (int i = 2; i < m.bodies(); i = m.subtree_end[i]) {
    BasicStarLeg<T> leg;
    leg.first = i, leg.end = m.subtree_end[i];
    leg.first_column = m.v_index[i], leg.end_column = m.columns_end[i];
    legs.push_back(leg);
  }
  pattern = TreePattern(m.column_parent);
  L.resize(pattern.path.size());
  load_force.resize(at_index(m.bodies()));
}

template <class T>
void star_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau, StarMethod method,
                   BasicWorkspace<T>& ws, BasicStar<T>& star, Out<T> out, const Loads<T>& loads) {
  check_star_call<T>("star_dynamics", m, q, v, tau, ws, star, out);
  const StarCall<T> call{m,  q.data(), v.data(),   loads,
                         ws, star,     out.data(), starts_in_fluid(loads, method)};
  start_star<T>(call, q, v, tau);
  start_body(call, method);
  for (int leg = 0; leg < star.legs.count(); ++leg) open_leg(call, method, leg);
  move_body(call, method);
  for (int leg = 0; leg < star.legs.count(); ++leg) close_leg(call, method, leg);
  check_star_result<T>(call, method, q, v, tau, out);
}
template <class T>
std::span<const T> star_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                 StarMethod method, BasicWorkspace<T>& ws, BasicStar<T>& star,
                                 const Loads<T>& loads) {
  check_workspace("star_dynamics", m, ws);
  star_dynamics<T>(m, q, v, tau, method, ws, star, ws.acceleration, loads);
  return ws.acceleration;
}

#define LIMBER_STAR_DYNAMICS(T)                                                                    \
  template BasicStar<T>::BasicStar(const BasicModel<T>&);                                          \
  template void star_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>, StarMethod,               \
                              BasicWorkspace<T>&, BasicStar<T>&, Out<T>, const Loads<T>&);         \
  template std::span<const T> star_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>, StarMethod, \
                                            BasicWorkspace<T>&, BasicStar<T>&, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_STAR_DYNAMICS)

}  // namespace limber
