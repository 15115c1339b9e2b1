#pragma once
// The variables of a robot by name: "elbow" where a joint has one, "root.x" where it has several.
#include <string>
#include <string_view>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// What a variable is, for messages and names of columns.
struct Variable {
  std::string joint;  ///< its joint
  std::string label;  ///< which of the joint's variables, e.g. "wx"; empty: the only one
  std::string unit;   ///< of a position: "rad", "m", or "" for a component of a quaternion
  /// "elbow" or "root.wx"
  std::string name() const { return label.empty() ? joint : joint + "." + label; }
};

/// The variables of q (nq), in order.
std::vector<Variable> position_variables(const Model& model);
/// The variables of v (nv), in order; `unit` is that of the displacement whose rate it is: "rad" or
/// "m". Variables of custom joints are called 1, 2, … and have no unit.
std::vector<Variable> velocity_variables(const Model& model);

/// The index into v of the freedom with the name `name`: a joint with one freedom, or
/// "joint.label". Throws Error with the nearest name, and for a joint of several freedoms with
/// their labels.
int freedom(const Model& model, std::string_view name);

/// The index into q of the position with the name `name`: "elbow", "root.z", "root.qw". Throws as
/// freedom() does.
int position_index(const Model& model, std::string_view name);

}  // namespace limber
