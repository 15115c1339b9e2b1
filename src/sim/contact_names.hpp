#pragma once
// How contacts are called in messages and columns.
#include <string>

#include <limber/sim/contacts.hpp>

namespace limber {

/// "A-B", the two things that touch.
inline std::string pair_name(const Contacts& contacts, const SceneContact& at) {
  const auto thing = [&](int shape) -> const std::string& {
    return contacts.things()[static_cast<std::size_t>(contacts.thing_of(shape))];
  };
  return thing(at.shape_a) + "-" + thing(at.shape_b);
}

}  // namespace limber
