// What is said about the program of whole-body control: settings that are refused, rows in words.
#include <cmath>

#include <fmt/format.h>

#include <limber/control/whole_body_program.hpp>

#include "index.hpp"

namespace limber {

void check(const TaskGains& gains, const std::string& what) {
  if (!(gains.stiffness >= 0) || !(gains.damping >= 0) || !(gains.weight > 0))
    throw Error(
        fmt::format("{}: stiffness {}, damping {}, weight {} found; at least 0, 0 and more "
                    "than 0 are needed",
                    what, gains.stiffness, gains.damping, gains.weight));
}

void check(const WholeBodyProgramSettings& settings) {
  for (const HeldContact& contact : settings.contacts) {
    if (!(contact.friction > 0) || !(norm(contact.normal) > 0))
      throw Error(
          fmt::format("contact of '{}': friction {} found; more than 0 and a normal are needed",
                      contact.frame, contact.friction));
    if (!(contact.least_force >= 0) || !(contact.most_force >= contact.least_force))
      throw Error(fmt::format("contact of '{}': forces from {} to {} N found", contact.frame,
                              contact.least_force, contact.most_force));
  }
  if (settings.cone_sides < 3)
    throw Error(fmt::format("cone_sides: {} found, at least 3 are needed", settings.cone_sides));
  if (!(settings.contact_damping >= 0) || !(settings.acceleration_weight > 0) ||
      !(settings.force_weight > 0))
    throw Error(
        "contact_damping must be at least 0, acceleration_weight and force_weight more than 0");
  if (settings.passive == PassiveCompensation::from_reference)
    throw Error("passive: from_reference needs a reference of all joints; use from_measured");
}

std::string WholeBodyProgram::row_words(int row) const {
  const int dynamics = static_cast<int>(passive_.size()),
            limited = static_cast<int>(limited_.size());
  if (row < dynamics) return "the motion of what nothing drives, such as the base";
  row -= dynamics;
  if (row < 3 * contacts())
    return fmt::format("that '{}' holds", settings_.contacts[at_index(row / 3)].frame);
  row -= 3 * contacts();
  if (row < limited)
    return fmt::format("the limit of {:.6g} of command {}",
                       limits_[at_index(limited_[at_index(row)])], limited_[at_index(row)] + 1);
  row -= limited;
  const int sides = settings_.cone_sides;
  const HeldContact& contact = settings_.contacts[at_index(row / (sides + 1))];
  return row % (sides + 1) == sides
             ? fmt::format("the bounds of the normal force at '{}'", contact.frame)
             : fmt::format("the friction cone at '{}' (coefficient {:.4g})", contact.frame,
                           contact.friction);
}

std::string WholeBodyProgram::held_back_by(const QpResult& found) const {
  std::string active, last;
  int named = 0;
  for (int row = static_cast<int>(passive_.size()) + 3 * contacts(); row < rows_ && named < 3;
       ++row) {
    if (found.y[at_index(row)] == 0 || row_words(row) == last) continue;
    last = row_words(row);
    active += (named++ ? ", " : "; what holds it back: ") + last;
  }
  return active;
}

}  // namespace limber
