#pragma once
// A freedom of a model as drives and friction need it: where it is, and what the model holds of its
// rotor, gear and friction.
#include <limber/drive/friction.hpp>
#include <limber/model/model.hpp>

#include "index.hpp"

namespace limber {

struct Freedom {
  int index = -1;    ///< into v
  int column = -1;   ///< velocity variable of the tree
  std::string unit;  ///< of its position: "rad", "m", or "" where it is unknown
  std::string force_unit() const { return unit == "rad" ? "N m" : unit == "m" ? "N" : ""; }
};

/// The freedom with a name as in limber/model/variables.hpp. Throws Error with the nearest name;
/// `where` names the part in the message.
Freedom find_freedom(const Model& model, const std::string& name, const std::string& where);

/// Dry friction that the model has at the freedom, joints that follow it included; zero afterwards.
FrictionSettings take_friction(Model& model, const Freedom& freedom);

/// Takes the damping that the model has at the freedom out of it.
void drop_damping(Model& model, const Freedom& freedom);

/// Gives the freedom the armature of a rotor [kg m²] behind a gear instead of the model's own.
void set_rotor(Model& model, const Freedom& freedom, double rotor_inertia, double ratio);

}  // namespace limber
