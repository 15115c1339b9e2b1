#include "model/column_groups.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace limber {

namespace {

/// A rotor on the world is a force on its freedom and couples to no body.
bool rotor_on_world(const Model& m, int body) { return m.is_rotor[body] && m.parent[body] == 0; }

/// Whether a body looks the same at every angle about the axis of its joint: locked at any angle,
/// it is the same part of its carrier.
bool is_axisymmetric(const Inertia<double>& I) {
  constexpr double rounding = 1e-12;
  const double most = rounding * std::abs(I.rotational().zz), far = rounding * norm(I.h);
  return std::abs(I.J.xx - I.J.yy) <= most && std::abs(I.J.xy) <= most &&
         std::abs(I.J.xz) <= most && std::abs(I.J.yz) <= most && std::abs(I.h.x) <= far &&
         std::abs(I.h.y) <= far;
}

/// Pose of a rotor's frame in that of its carrier.
Transform<double> rotor_pose(const Model& m, int rotor) {
  const StepConstants<double>& s = m.step[rotor];
  Transform<double> X = s.has_z0 ? Transform<double>{} * s.z0 : Transform<double>{};
  X = X * s.x;
  if (s.has_y) X = X * s.y;
  return X *
         Screw<2, double>{std::cos(m.rest_angle[rotor]), std::sin(m.rest_angle[rotor]), s.slide};
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

void add_rotors(const Model& m, ColumnGroups<double>& all) {
  all.rotor_inertia.resize(static_cast<std::size_t>(m.bodies()));
  for (int i = 1; i < m.bodies(); ++i) {
    if (!m.is_rotor[i]) continue;
    const int column = m.v_index[i];
    const MountedRotor<double> rotor{.body = i,
                                     .column = column,
                                     .carrier = m.parent[i],
                                     .axis = m.step[i].direction,
                                     .inertia = m.inertia[i].rotational().zz,
                                     .ratio = m.v_fold[column].ratio,
                                     .is_coupled = all.groups[all.group[column]].is_coupled};
    all.rotor_inertia[rotor.carrier] += rotor_pose(m, i) * m.inertia[i];
    if (rotor.is_coupled) {
      const int joint = all.columns[all.groups[all.group[column]].first];
      all.couple[joint] = couple_of<double>(m, m.column_body[joint], rotor);
    }
    all.rotors.push_back(rotor);
  }
}

/// The groups alone; none where one of them is not local.
std::vector<ColumnGroup> find_groups(const Model& m,
                                     const std::vector<std::vector<int>>& columns_of) {
  std::vector<ColumnGroup> groups;
  for (int freedom = 0; freedom < m.nv; ++freedom) {
    const std::vector<int>& columns = columns_of[static_cast<std::size_t>(freedom)];
    if (columns.size() < 2) continue;
    const int carrier = carrier_of(m, columns);
    for (const int k : columns)
      if (!is_local(m, k, carrier)) return {};
    groups.push_back({.freedom = freedom,
                      .carrier = carrier,
                      .first = 0,
                      .end = 0,
                      .is_coupled = is_joint_with_rotor(m, columns)});
  }
  std::ranges::stable_sort(groups, {}, &ColumnGroup::carrier);
  return groups;
}

}  // namespace

List<std::uint8_t> branching(const Model& m, Rotors rotors) {
  const auto counts = [&](int body) { return rotors == Rotors::are_bodies || !m.is_rotor[body]; };
  List<std::uint8_t> bits;
  bits.assign(static_cast<std::size_t>(m.bodies()), carries_nothing);
  for (int i = m.bodies() - 1; i > 0; --i) {
    if (!counts(i)) continue;
    std::uint8_t& parent = bits[m.parent[i]];
    if (parent & carries_nothing) bits[i] |= is_last_child;
    parent &= static_cast<std::uint8_t>(~carries_nothing);
  }
  return bits;
}

ColumnGroups<double> find_column_groups(const Model& m) {
  ColumnGroups<double> all;
  if (!m.has_mimic()) return all;
  for (int i = 1; i < m.bodies(); ++i)
    if (m.is_rotor[i] && !is_axisymmetric(m.inertia[i])) return all;
  std::vector<std::vector<int>> columns_of(static_cast<std::size_t>(m.nv));
  for (int k = 0; k < m.tree_nv; ++k)
    columns_of[static_cast<std::size_t>(m.v_fold[k].index)].push_back(k);
  const std::vector<ColumnGroup> groups = find_groups(m, columns_of);
  if (groups.empty()) return all;
  all.group.assign(static_cast<std::size_t>(m.tree_nv), -1);
  all.target = all.group;
  all.couple.resize(static_cast<std::size_t>(m.tree_nv));
  all.all_coupled = std::ranges::all_of(groups, &ColumnGroup::is_coupled);
  for (ColumnGroup group : groups) {
    const int number = all.groups.count();
    group.first = all.columns.count();
    for (const int k : columns_of[static_cast<std::size_t>(group.freedom)]) {
      const int body = m.column_body[k], parent = m.parent[body];
      const bool at_carrier = parent == group.carrier || rotor_on_world(m, body);
      all.group[k] = number;
      all.target[k] = at_carrier ? m.tree_nv + number : m.v_index[parent];
      all.columns.push_back(k);
    }
    group.end = all.columns.count();
    all.groups.push_back(group);
  }
  add_rotors(m, all);
  all.branching = branching(m, Rotors::are_parts_of_carriers);
  for (const std::vector<int>& columns : columns_of)
    for (const int k : columns)
      if (m.master[m.column_body[k]] < 0) all.of_freedom.push_back(k);
  return all;
}

}  // namespace limber
