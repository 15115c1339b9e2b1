#pragma once
// What the dynamics refuse: inputs that are no numbers and joints that nothing resists. `what`
// names the calculation in the message, e.g. "forward dynamics".
#include <fmt/format.h>

#include "dynamics/fold.hpp"

namespace limber {

/// Calls f(k, joint's name) for each of the user's variables; `count` is m.q_count or m.v_count.
template <class T, class F>
void for_variables(const BasicModel<T>& m, const std::vector<int>& count, F&& f) {
  std::size_t k = 0;
  for (std::size_t b = 1; b < count.size(); ++b) {
    if (m.master[b] >= 0) continue;
    for (int i = 0; i < count[b]; ++i, ++k) f(k, m.joint_name[b]);
  }
}

/// Names the first entry of an input that is no number.
template <class T>
void check_input(const BasicModel<T>& m, const char* what, const char* argument,
                 std::span<const T> values, const std::vector<int>& count) {
  for_variables(m, count, [&](std::size_t k, const std::string& joint) {
    if (!finite(values[k]))
      throw Error(fmt::format("{} of robot '{}': {}[{}], of joint '{}', is not a finite number",
                              what, m.name, argument, k, joint));
  });
}

/// Throws Error: the joint of `body` meets no inertia or one beyond all bounds, or q is no number.
/// `pivot`: 1/D.
template <class T>
[[noreturn, gnu::cold]] void refuse_pivot(const BasicModel<T>& m, const char* what, In<T> q,
                                          const T& pivot, int body) {
  check_input<T>(m, what, "q", q, m.q_count);
  const bool negative = is_regular_pivot(-pivot), infinite = is_regular_pivot(T(1) / pivot + T(1));
  const char* found = negative || infinite ? "meets no inertia at this position; check the inertias"
                                           : "meets an inertia at this position that is too large "
                                             "to compute with; check the masses and inertias";
  throw Error(fmt::format("{} of robot '{}': joint '{}' {} beyond that joint", what, m.name,
                          m.joint_name[body], found));
}

/// Every pivot 1/D must be positive and finite; otherwise says which joint is loose.
template <class T>
void check_pivot(const BasicModel<T>& m, const char* what, In<T> q, const T& pivot, int body) {
  if (!is_regular_pivot(pivot)) refuse_pivot<T>(m, what, q, pivot, body);
}

/// The same for all that articulated bodies have eliminated, in their order: a bad one spoils the
/// next. has_pending: some of it together.
template <class T>
void check_pivots(const BasicModel<T>& m, const char* what, In<T> q, bool has_pending,
                  const BasicWorkspace<T>& ws) {
  for (int k = m.tree_nv - 1; k >= 0; --k)
    check_pivot<T>(m, what, q, ws.D_inverse[k], m.column_body[k]);
  for (int g = has_pending ? m.together.groups.count() - 1 : -1; g >= 0; --g) {
    const PendingColumns<T>& group = ws.pending[m.tree_nv + g];
    const int first = m.together.columns[m.together.groups[g].first];
    if (group.waits && !group.is_known) check_pivot<T>(m, what, q, group.D, m.column_body[first]);
  }
}

/// Throws Error: the input that is no number, or numbers beyond all bounds.
template <class T>
[[noreturn, gnu::cold]] void refuse_result(const BasicModel<T>& m, const char* what, In<T> q,
                                           In<T> v, const char* argument, In<T> given) {
  check_input<T>(m, what, "q", q, m.q_count);
  check_input<T>(m, what, "v", v, m.v_count);
  check_input<T>(m, what, argument, given, m.v_count);
  throw Error(fmt::format(
      "{} of robot '{}': a result is not finite; check the external forces and the size of the "
      "inputs and of the masses",
      what, m.name));
}

/// A result that is not finite is never returned: the cause is an input, or numbers beyond all
/// bounds. `given` is the input besides q and v, called `argument`.
template <class T>
void check_result(const BasicModel<T>& m, const char* what, In<T> q, In<T> v, const char* argument,
                  In<T> given, In<T> result) {
  for (const T& x : result)
    if (!finite(x)) refuse_result<T>(m, what, q, v, argument, given);
}

}  // namespace limber
