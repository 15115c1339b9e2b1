#include <limber/dynamics/actuation.hpp>

#include <fmt/format.h>

#include <limber/math/small_solve.hpp>

#include "dynamics/base.hpp"
#include "dynamics/joints.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

// S and F of one joint in canonical axes; without actuators of its own F is S, scaled later
template <class T>
struct Drive {
  int n = 0;
  Motion<T> S[6];
  Force<T> F[6];

  Drive(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int body) {
    n = m.v_count[body];
    const int start = m.v_index[body];
    auto unit = [&](int k, int component) {
      (component < 3 ? S[k].angular : S[k].linear)[component % 3] = T(1);
    };
    switch (m.form[body]) {
      case JointForm::revolute:
        unit(0, 2);
        break;
      case JointForm::prismatic:
        unit(0, 5);
        break;
      case JointForm::free:
      case JointForm::spherical:
        for (int k = 0; k < n; ++k) unit(k, k);
        break;
      case JointForm::screw:
      case JointForm::general:
        for (int k = 0; k < n; ++k) S[k] = ws.S[start + k];
        break;
    }
    for (int k = 0; k < n; ++k)
      F[k] = m.has_actuation[body] ? m.actuation[start + k] : Force<T>{S[k].angular, S[k].linear};
  }
};

// x = (Sᵀ F)⁻¹ x
template <class T>
void solve_drive(const BasicModel<T>& m, int body, const Drive<T>& drive, T* x) {
  T A[36];
  for (int i = 0; i < drive.n; ++i)
    for (int k = 0; k < drive.n; ++k) A[i * drive.n + k] = dot(drive.S[i], drive.F[k]);
  if (!solve_small(A, x, drive.n))
    throw Error(
        fmt::format("robot '{}': the actuators of joint '{}' cannot power it at this position, "
                    "where some motion of the joint gets no work from them; keep away from it or "
                    "choose other actuation",
                    m.name, m.joint_name[body]));
}

// calls f(body, start of its variables) for each independent joint that has actuators of its own
template <class T, class F>
void for_actuated(const BasicModel<T>& m, F&& f) {
  for (int i = 1; i < m.bodies(); ++i) {
    if (m.has_actuation[i]) f(i, m.v_fold[m.v_index[i]].index);
  }
}

// columns of these joints are those where they were placed last
template <class T>
void check_columns(const char* function, const BasicModel<T>& m, const JointForces<T>& forces,
                   int body) {
  const JointForm form = m.form[body];
  const bool varying = form == JointForm::screw || form == JointForm::general;
  if (varying && forces.placings != forces.ws->placings)
    refuse_overwritten(function, m.name, "the positions of the joints");
}

// F (Sᵀ F)⁻¹ Sᵀ f, canonical axes
template <class T>
Force<T> driven_part(const char* function, const BasicModel<T>& m, const JointForces<T>& forces,
                     int body) {
  if (body == 0) return {};
  check_columns(function, m, forces, body);
  const Force<T>& f = forces.ws->f[body];
  const Drive<T> drive(m, *forces.ws, body);
  T efforts[6];
  for (int k = 0; k < drive.n; ++k) efforts[k] = dot(drive.S[k], f);
  solve_drive(m, body, drive, efforts);
  Force<T> sum;
  for (int k = 0; k < drive.n; ++k) sum += drive.F[k] * efforts[k];
  return sum;
}

template <class T>
void start(const BasicModel<T>& m, const char* name, const char* argument, In<T> q, In<T> values,
           BasicWorkspace<T>& ws, std::span<T> out) {
  check_size(name, argument, values.size(), m.nv, m.name);
  check_size(name, "out", out.size(), m.nv, m.name);
  place_joints(m, tree_positions(m, name, q, ws), ws);
  for (std::size_t k = 0; k < values.size(); ++k) out[k] = values[k];
}

}  // namespace

template <class T>
void joint_forces_from_actuators(const BasicModel<T>& m, In<T> q, In<T> efforts,
                                 BasicWorkspace<T>& ws, Out<T> out) {
  start<T>(m, "joint_forces_from_actuators", "efforts", q, efforts, ws, out);
  for_actuated(m, [&](int body, int first) {
    const Drive<T> drive(m, ws, body);
    Force<T> f;
    for (int k = 0; k < drive.n; ++k) f += drive.F[k] * efforts[at_index(first + k)];
    for (int k = 0; k < drive.n; ++k) out[at_index(first + k)] = dot(drive.S[k], f);
  });
}

template <class T>
void actuator_efforts(const BasicModel<T>& m, In<T> q, In<T> tau, BasicWorkspace<T>& ws,
                      Out<T> out) {
  start<T>(m, "actuator_efforts", "tau", q, tau, ws, out);
  for_actuated(m, [&](int body, int first) {
    solve_drive(m, body, Drive<T>(m, ws, body), out.data() + first);
  });
}

template <class T>
Force<T> actuator_force(const BasicModel<T>& m, const JointForces<T>& forces, int body) {
  const char* name = "actuator_force";
  check_reaction(name, m, forces, body);
  return apply_inverse(m.body_placement[body], driven_part(name, m, forces, body));
}

template <class T>
Force<T> bearing_reaction(const BasicModel<T>& m, const JointForces<T>& forces, int body) {
  const char* name = "bearing_reaction";
  check_reaction(name, m, forces, body);
  return apply_inverse(m.body_placement[body],
                       forces.ws->f[body] - driven_part(name, m, forces, body));
}

#define LIMBER_ACTUATION(T)                                                                       \
  template void joint_forces_from_actuators(const BasicModel<T>&, In<T>, In<T>,                   \
                                            BasicWorkspace<T>&, Out<T>);                          \
  template void actuator_efforts(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&, Out<T>); \
  template Force<T> actuator_force(const BasicModel<T>&, const JointForces<T>&, int);             \
  template Force<T> bearing_reaction(const BasicModel<T>&, const JointForces<T>&, int);
LIMBER_FOR_EACH_SCALAR(LIMBER_ACTUATION)

}  // namespace limber
