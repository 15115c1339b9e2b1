#include <limber/model/model.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "model/checks.hpp"
#include "model/fields.hpp"
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

// the same as `To`, its numbers of the scalar T; what holds no such numbers is copied
template <class T, class To, class From>
To converted(const From& x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (HasFields<From>) {
    To result;
    const auto convert = [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((result.*std::get<k>(Fields<To>::table).member = converted<
            T, std::remove_reference_t<decltype(result.*std::get<k>(Fields<To>::table).member)>>(
            x.*std::get<k>(Fields<From>::table).member)),
       ...);
    };
    convert(std::make_index_sequence<field_count<From>>());
    return result;
  } else if constexpr (FieldList<From>) {
    To result;
    result.reserve(x.size());
    for (const auto& entry : x) result.push_back(converted<T, typename To::value_type>(entry));
    return result;
  } else if constexpr (std::is_same_v<From, double>) {
    return static_cast<T>(x);
  } else {
    return cast<T>(x);
  }
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
std::vector<T> BasicModel<T>::reflected_inertias() const {
  std::vector<T> sums(static_cast<std::size_t>(nv), T(0));
  for (int k = 0; k < tree_nv; ++k) {
    const Fold<T>& fold = v_fold[k];
    sums[static_cast<std::size_t>(fold.index)] += fold.ratio * fold.ratio * armature[k];
  }
  return sums;
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
  const auto at =
      std::lower_bound(frames_by_name.begin(), frames_by_name.end(), wanted,
                       [&](int frame, std::string_view name) { return frames[frame].name < name; });
  if (at != frames_by_name.end() && frames[*at].name == wanted) return *at;
  // not there, or renamed since the model was built
  for (int i = 0; i < frames.count(); ++i)
    if (frames[i].name == wanted) return i;
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
  return converted<T, BasicModel<T>>(m);
}

#define LIMBER_MODEL(T)          \
  template struct BasicModel<T>; \
  template BasicModel<T> cast<T>(const Model&);
LIMBER_FOR_EACH_SCALAR(LIMBER_MODEL)

}  // namespace limber
