#include <limber/model/model.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "model/checks.hpp"
#include "model/nearest.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class Names>
std::optional<int> find(const Names& names, std::string_view wanted, std::size_t first) {
  for (std::size_t i = first; i < names.size(); ++i)
    if (names[i] == wanted) return static_cast<int>(i);
  return std::nullopt;
}

template <class T>
std::vector<std::string> frame_names(const BasicModel<T>& model) {
  std::vector<std::string> names;
  for (const auto& frame : model.frames) names.push_back(frame.name);
  return names;
}

[[noreturn]] void throw_unknown(const std::string& robot, const char* what, std::string_view name,
                                const std::vector<std::string>& names) {
  throw Error(fmt::format("robot '{}' has no {} named '{}'{}", robot, what, name,
                          did_you_mean(name, names)));
}

}  // namespace

template <class T>
std::vector<int> BasicModel<T>::children(int b) const {
  check_body("children", *this, b);
  std::vector<int> result;
  for (int i = 1; i < bodies(); ++i)
    if (parent[static_cast<std::size_t>(i)] == b) result.push_back(i);
  return result;
}

template <class T>
std::vector<int> BasicModel<T>::support(int b) const {
  check_body("support", *this, b);
  std::vector<int> result;
  for (; b > 0; b = parent[static_cast<std::size_t>(b)]) result.push_back(b);
  std::reverse(result.begin(), result.end());
  return result;
}

template <class T>
T BasicModel<T>::mass() const {
  T sum(0);
  for (const Inertia<T>& I : inertia) sum += I.m;
  return sum;
}

template <class T>
std::optional<int> BasicModel<T>::find_body(std::string_view wanted) const {
  return find(body_name, wanted, 0);
}
template <class T>
std::optional<int> BasicModel<T>::find_body_of_joint(std::string_view wanted) const {
  return find(joint_name, wanted, 1);
}
template <class T>
std::optional<int> BasicModel<T>::find_frame(std::string_view wanted) const {
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (frames[i].name == wanted) return static_cast<int>(i);
  return std::nullopt;
}
template <class T>
int BasicModel<T>::body(std::string_view wanted) const {
  if (const auto found = find_body(wanted)) return *found;
  throw_unknown(name, "moving body", wanted, body_name);
}
template <class T>
int BasicModel<T>::body_of_joint(std::string_view wanted) const {
  if (const auto found = find_body_of_joint(wanted)) return *found;
  throw_unknown(name, "joint", wanted, {joint_name.begin() + 1, joint_name.end()});
}
template <class T>
int BasicModel<T>::frame(std::string_view wanted) const {
  if (const auto found = find_frame(wanted)) return *found;
  throw_unknown(name, "body or frame", wanted, frame_names(*this));
}

template <class T>
BasicModel<T> cast(const Model& m) {
  auto all = [](auto& target, const auto& source, auto convert) {
    target.reserve(source.size());
    for (const auto& x : source) target.push_back(convert(x));
  };
  auto number = [](double x) { return static_cast<T>(x); };
  auto value = [](const auto& x) { return cast<T>(x); };
  auto fold = [&](const Fold<double>& f) {
    return Fold<T>{f.index, number(f.ratio), number(f.offset)};
  };
  BasicModel<T> r;
  r.name = m.name;
  r.identity = m.identity;
  r.nq = m.nq, r.nv = m.nv, r.tree_nq = m.tree_nq, r.tree_nv = m.tree_nv;
  r.gravity = cast<T>(m.gravity);
  r.warnings = m.warnings;
  r.parent = m.parent, r.kind = m.kind, r.form = m.form;
  r.q_index = m.q_index, r.q_count = m.q_count, r.v_index = m.v_index, r.v_count = m.v_count,
  r.master = m.master;
  all(r.step, m.step, [&](const StepConstants<double>& s) {
    return StepConstants<T>{s.has_z0,        s.has_y,           cast<T>(s.x),
                            number(s.slide), cast<T>(s.origin), cast<T>(s.direction),
                            cast<T>(s.z0),   cast<T>(s.y),      cast<T>(s.placement)};
  });
  all(r.pitch, m.pitch, number);
  r.custom_index = m.custom_index;
  all(r.inertia, m.inertia, value);
  all(r.body_placement, m.body_placement, value);
  r.subtree_end = m.subtree_end, r.columns_end = m.columns_end, r.body_name = m.body_name,
  r.joint_name = m.joint_name, r.custom = m.custom, r.is_rotor = m.is_rotor,
  r.has_actuation = m.has_actuation;
  all(r.rest_angle, m.rest_angle, number);
  r.turning = m.turning, r.turning_q = m.turning_q, r.placed = m.placed;
  r.column_body = m.column_body, r.column_parent = m.column_parent;
  all(r.armature, m.armature, number);
  r.column_dof = m.column_dof, r.column_q = m.column_q;
  all(r.actuation, m.actuation, value);
  all(r.v_fold, m.v_fold, fold);
  all(r.q_fold, m.q_fold, fold);
  r.dof_parent = m.dof_parent, r.dof = m.dof, r.dof_q = m.dof_q;
  all(r.dof_armature, m.dof_armature, number);
  all(r.frames, m.frames, [&](const BasicFrame<double>& f) {
    return BasicFrame<T>{f.name, f.body, cast<T>(f.placement)};
  });
  r.shapes = m.shapes;
  r.singular_reason = m.singular_reason;
  return r;
}

#define LIMBER_MODEL(T)          \
  template struct BasicModel<T>; \
  template BasicModel<T> cast<T>(const Model&);
LIMBER_FOR_EACH_SCALAR(LIMBER_MODEL)

}  // namespace limber
