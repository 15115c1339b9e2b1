#pragma once
// A model with something in every field, its fields changed one at a time, and all it holds as one
// text.
#include <cstring>
#include <string>

#include <limber/model/generate.hpp>

#include "model/fields.hpp"
#include "support/custom_joints.hpp"

namespace limber::test {

inline Model full_model() {
  Spec spec = generate_tree(15, 3);
  for (const char* finger : {"left", "right"}) {
    spec.add_body(finger, 1);
    spec.add_joint(finger, JointKind::revolute, "body1", finger, {0, 0, 1});
  }
  spec.joints.back().mimic = {"left", -1, 0.1};
  spec.joints.back().dofs = {{.rotor_inertia = 1e-4, .gear_ratio = 50, .rotor_mount = "body1"}};
  spec.add_body("cam", 1, {0.1, 0, 0}, {0.1, 0.2, 0.25, 0, 0, 0});
  spec.add_joint("cam", JointKind::custom, "body1", "cam").custom = cam_joint(0.4);
  spec.joints.back().custom.neutral = {0.2};
  spec.bodies[0].shapes.resize(1);
  spec.warnings = {"a warning"};
  LoopSpec loop;
  loop.name = "loop";
  loop.body_a = "body1";
  spec.loops = {loop};
  spec.actuators.resize(1);
  spec.actuators[0].name = "motor";
  spec.keyframes = {{"home"}};
  Model model = build(spec);
  model.loops[0].polynomial = {1, 2, 3, 4, 5};
  model.loops[0].dofs.resize(1);
  model.singular_reason = "none";
  return model;
}

/// Another value of the same type.
template <class X>
void change(X& x) {
  if constexpr (std::is_same_v<X, std::string>) x += "x";
  else if constexpr (std::is_same_v<X, bool>) x = !x;
  else if constexpr (std::is_arithmetic_v<X>) x = x == X(0) ? X(1) : X(0);
  else if constexpr (std::is_enum_v<X>) x = static_cast<X>(static_cast<int>(x) == 0 ? 1 : 0);
  else if constexpr (std::is_pointer_v<X>)
    x = x ? nullptr : reinterpret_cast<X>(reinterpret_cast<void (*)()>(&change<double>));
  else {  // structs of nothing but doubles
    static_assert(std::is_trivially_copyable_v<X> && sizeof(X) % sizeof(double) == 0);
    double last = 0;
    char* const at = reinterpret_cast<char*>(&x) + sizeof(X) - sizeof(double);
    std::memcpy(&last, at, sizeof last);
    change(last);
    std::memcpy(at, &last, sizeof last);
  }
}

/// Calls f(name, use) while one field at a time within x is changed; of lists, the last entry is.
template <class X, class F>
void for_each_change_in(X& x, const std::string& name, FieldUse use, F&& f) {
  if constexpr (HasFields<X>) {
    for_each_field<X>([&](const auto& field) {
      if constexpr (!std::is_same_v<decltype(x.*field.member), ModelIdentity&>) {
        // a part of what is noted is a note too
        const FieldUse inner = use == FieldUse::code ? field.use : use;
        for_each_change_in(x.*field.member, name + "." + field.name, inner, f);
      }
    });
  } else if constexpr (FieldList<X>) {
    for (std::size_t k = x.size(); k-- > 0;) {
      if constexpr (FieldList<typename X::value_type>)
        if (x[k].empty() && k > 0) continue;
      return for_each_change_in(x[k], name + "[]", use, f);
    }
    f(name + " is empty", FieldUse::identity);
  } else {
    const X before = x;
    change(x);
    f(name, use);
    x = before;
  }
}

/// Calls f(model, name of the field, its use) with copies of `model` that differ in one field each.
template <class F>
void for_each_change(const Model& model, F&& f) {
  Model copy = model;
  for_each_change_in(copy, "model", FieldUse::code, [&](const std::string& name, FieldUse use) {
    ASSERT_NE(use, FieldUse::identity) << name;
    f(std::as_const(copy), name, use);
  });
}

inline void put(std::string& text, double x) { text.append(reinterpret_cast<char*>(&x), sizeof x); }
inline void put(std::string& text, Dual x) { put(text, x.value); }

/// All that x holds, one after the other. Numbers of another scalar look like the doubles they are.
template <class T, class X>
void flatten(const X& x, std::string& text) {
  if constexpr (HasFields<X>) {
    for_each_field<X>([&](const auto& field) { flatten<T>(x.*field.member, text += '|'); });
  } else if constexpr (FieldList<X>) {
    for (const auto& entry : x) flatten<T>(entry, text += ',');
  } else if constexpr (std::is_same_v<X, std::string>) {
    text += x;
  } else if constexpr (std::is_same_v<X, ModelIdentity>) {
    text += x.exists() ? 'y' : 'n';
  } else if constexpr (std::is_same_v<X, double> || std::is_same_v<X, T>) {
    put(text, x);
  } else if constexpr (std::is_arithmetic_v<X> || std::is_enum_v<X>) {
    text += std::to_string(static_cast<int>(x));
  } else if constexpr (std::is_pointer_v<X>) {
    text += std::to_string(reinterpret_cast<std::size_t>(x));
  } else if constexpr (std::is_same_v<X, Vec3<double>> || std::is_same_v<X, Transform<double>> ||
                       std::is_same_v<X, std::array<double, 4>>) {
    text.append(reinterpret_cast<const char*>(&x), sizeof x);
  } else {  // structs of nothing but T
    const T* numbers = reinterpret_cast<const T*>(&x);
    for (std::size_t k = 0; k < sizeof(X) / sizeof(T); ++k) put(text, numbers[k]);
  }
}
template <class T>
std::string flat(const BasicModel<T>& model) {
  std::string text;
  flatten<T>(model, text);
  return text;
}

}  // namespace limber::test
