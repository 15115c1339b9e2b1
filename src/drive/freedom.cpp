#include "drive/freedom.hpp"

#include <fmt/format.h>

#include <limber/model/variables.hpp>

namespace limber {

namespace {

// calls f(dof, ratio) for every joint that moves with the freedom; ratio: its rate over the
// freedom's
template <class F>
void for_columns(Model& m, const Freedom& freedom, F&& f) {
  for (std::size_t k = 0; k < m.v_fold.size(); ++k)
    if (m.v_fold[k].index == freedom.index) f(m.column_dof[k], m.v_fold[k].ratio);
}

}  // namespace

Freedom find_freedom(const Model& m, const std::string& name, const std::string& where) try {
  const int index = freedom(m, name);
  for (std::size_t k = 0; k < m.v_fold.size(); ++k)
    if (m.v_fold[k].index == index && m.master[at_index(m.column_body[k])] < 0)
      return {index, static_cast<int>(k), velocity_variables(m)[at_index(index)].unit};
  throw Error(fmt::format("freedom '{}' has no joint of its own", name));
} catch (const Error& error) {
  throw Error(fmt::format("{}: {}", where, error.what()));
}

FrictionSettings take_friction(Model& m, const Freedom& freedom) {
  FrictionSettings sum;
  for_columns(m, freedom, [&](DofSpec& dof, double ratio) {
    const FrictionSettings seen =
        through_gear({dof.friction_positive, dof.friction_negative}, ratio);
    sum.forward += seen.forward;
    sum.backward += seen.backward;
    dof.friction_positive = dof.friction_negative = 0;
  });
  m.dof[at_index(freedom.index)].friction_positive =
      m.dof[at_index(freedom.index)].friction_negative = 0;
  return sum;
}

void drop_damping(Model& m, const Freedom& freedom) {
  for_columns(m, freedom, [](DofSpec& dof, double) { dof.damping = 0; });
  m.dof[at_index(freedom.index)].damping = 0;
}

void set_rotor(Model& m, const Freedom& freedom, double rotor_inertia, double ratio) {
  m.armature[at_index(freedom.column)] = rotor_inertia * ratio * ratio;
  for (DofSpec* dof : {&m.dof[at_index(freedom.index)], &m.column_dof[at_index(freedom.column)]}) {
    dof->rotor_inertia = rotor_inertia;
    dof->gear_ratio = ratio;
  }
}

}  // namespace limber
