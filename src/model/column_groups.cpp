#include "model/column_groups.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace limber {

namespace {

/// A rotor on the world is a force on its freedom and couples to no body.
bool rotor_on_world(const Model& m, int body) { return m.is_rotor[body] && m.parent[body] == 0; }

/// Whether a rotor has no inertia but that about its axis, as build() makes it.
bool only_spins(const Model& m, int rotor) {
  constexpr double rounding = 1e-12;
  const Inertia<double>& I = m.inertia[rotor];
  const Sym3<double> rotational = I.rotational();
  const double most = rounding * std::abs(rotational.zz);
  return I.m == 0 && norm(I.h) == 0 && std::abs(rotational.xx) <= most &&
         std::abs(rotational.yy) <= most && std::abs(rotational.xy) <= most &&
         std::abs(rotational.xz) <= most && std::abs(rotational.yz) <= most;
}

int nearest_carrier_of_both(const Model& m, int a, int b) {
  while (!m.supports(a, b)) a = m.parent[a];
  return a;
}

/// The body that carries the joints of all columns, but for rotors on the world.
int carrier_of(const Model& m, const std::vector<int>& columns) {
  int carrier = -1;
  for (const int k : columns) {
    const int body = m.column_body[k];
    if (rotor_on_world(m, body)) continue;
    const int parent = m.parent[body];
    carrier = carrier < 0 ? parent : nearest_carrier_of_both(m, carrier, parent);
  }
  return std::max(carrier, 0);
}

/// Whether the joints between a column and the carrier of its group have one column each, of the
/// same group.
bool is_local(const Model& m, int column, int carrier) {
  const int freedom = m.v_fold[column].index;
  int body = m.column_body[column];
  if (rotor_on_world(m, body)) return true;
  for (; body != carrier; body = m.parent[body])
    if (m.v_count[body] != 1 || m.v_fold[m.v_index[body]].index != freedom) return false;
  return true;
}

/// Whether a group is a joint with one unit column and a rotor on one of the two bodies that the
/// joint connects.
bool is_joint_with_rotor(const Model& m, const std::vector<int>& columns) {
  if (columns.size() != 2) return false;
  const int joint = m.column_body[columns[0]], rotor = m.column_body[columns[1]];
  const bool unit = m.form[joint] == JointForm::revolute || m.form[joint] == JointForm::prismatic;
  return unit && !m.is_rotor[joint] && m.is_rotor[rotor] &&
         (m.parent[rotor] == joint || m.parent[rotor] == m.parent[joint]);
}

/// Of a joint and the rotor that drives it.
RotorCouple<double> couple_of(const Model& m, int joint, int rotor) {
  const double ratio = m.v_fold[m.v_index[rotor]].ratio, J = m.inertia[rotor].rotational().zz;
  const Vec3<double> couple = m.step[rotor].direction * (ratio * J);
  const double turns = m.form[joint] == JointForm::revolute ? 1 : 0;
  RotorCouple<double> result;
  if (m.parent[rotor] == joint) {
    result.after = couple;
    result.inertia = ratio * ratio * J + turns * couple.z;
  } else {
    const StepConstants<double>& s = m.step[joint];
    Vec3<double> c = s.has_z0 ? to_child(s.z0, couple) : couple;
    c = to_child(s.x, c);
    result.before = s.has_y ? to_child(s.y, c) : c;
    result.inertia = ratio * ratio * J - turns * result.before.z;
  }
  return result;
}

/// Every body with its rotors.
List<Inertia<double>> lock_rotors(const Model& m) {
  List<Inertia<double>> locked = m.inertia;
  for (int i = 1; i < m.bodies(); ++i) {
    if (!m.is_rotor[i]) continue;
    const Sym3<double> I = square(m.step[i].direction) * m.inertia[i].rotational().zz;
    locked[m.parent[i]] += Inertia<double>{0, {}, Inertia<double>::second_moment(I)};
  }
  return locked;
}

}  // namespace

void find_column_groups(Model& m) {
  m.groups.clear();
  m.group_columns.clear();
  m.column_group.clear();
  m.column_target.clear();
  m.rotor_couple.clear();
  m.locked_inertia.clear();
  if (!m.has_mimic()) return;
  for (int i = 1; i < m.bodies(); ++i)
    if (m.is_rotor[i] && !only_spins(m, i)) return;
  std::vector<std::vector<int>> columns_of(static_cast<std::size_t>(m.nv));
  for (int k = 0; k < m.tree_nv; ++k)
    columns_of[static_cast<std::size_t>(m.v_fold[k].index)].push_back(k);
  std::vector<ColumnGroup> groups;
  for (int freedom = 0; freedom < m.nv; ++freedom) {
    const std::vector<int>& columns = columns_of[static_cast<std::size_t>(freedom)];
    if (columns.size() < 2) continue;
    const int carrier = carrier_of(m, columns);
    for (const int k : columns)
      if (!is_local(m, k, carrier)) return;
    groups.push_back(
        {.freedom = freedom, .carrier = carrier, .is_coupled = is_joint_with_rotor(m, columns)});
  }
  std::ranges::stable_sort(groups, {}, &ColumnGroup::carrier);
  m.column_group.assign(static_cast<std::size_t>(m.tree_nv), -1);
  m.column_target = m.column_group;
  m.rotor_couple.resize(static_cast<std::size_t>(m.tree_nv));
  m.locked_inertia = lock_rotors(m);
  for (ColumnGroup& group : groups) {
    const int place = m.tree_nv + m.groups.count();
    group.first = m.group_columns.count();
    for (const int k : columns_of[static_cast<std::size_t>(group.freedom)]) {
      const int body = m.column_body[k], parent = m.parent[body];
      const bool at_carrier = parent == group.carrier || rotor_on_world(m, body);
      m.column_target[k] = at_carrier ? place : m.v_index[parent];
      m.column_group[k] = m.groups.count();
      m.group_columns.push_back(k);
    }
    group.end = m.group_columns.count();
    if (group.is_coupled) {
      const int joint = m.group_columns[group.first], rotor = m.group_columns[group.first + 1];
      m.rotor_couple[joint] = couple_of(m, m.column_body[joint], m.column_body[rotor]);
    }
    m.groups.push_back(group);
  }
}

}  // namespace limber
