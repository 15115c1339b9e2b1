#include <limber/compile/function.hpp>

#include <array>
#include <map>

#include <fmt/format.h>

#include <limber/error.hpp>

#include <limber/constraint/mechanism.hpp>

#include "compile/identifier.hpp"
#include "compile/parameters.hpp"
#include "compile/traced_water.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

struct Named {
  RobotFunction function;
  std::string_view name;
};
constexpr std::array<Named, 10> names{{
    {RobotFunction::kinematics, "kinematics"},
    {RobotFunction::jacobians, "jacobians"},
    {RobotFunction::inverse_dynamics, "inverse_dynamics"},
    {RobotFunction::bias_forces, "bias_forces"},
    {RobotFunction::mass_matrix, "mass_matrix"},
    {RobotFunction::mass_matrix_factor, "mass_matrix_factor"},
    {RobotFunction::forward_dynamics, "forward_dynamics"},
    {RobotFunction::inverse_dynamics_derivatives, "inverse_dynamics_derivatives"},
    {RobotFunction::forward_dynamics_derivatives, "forward_dynamics_derivatives"},
    {RobotFunction::step, "step"},
}};

/// Different frames may give the same identifier: the later ones get numbers, with which no first
/// one ends.
class UniqueNames {
 public:
  std::string operator()(const std::string& name) {
    const int number = ++used_[name];
    return number == 1 ? name : fmt::format("{}_{}", name, number);
  }

 private:
  std::map<std::string, int> used_;
};

ArrayShape heights_of(const ContactField& field) {
  ArrayShape heights{"heights", field.rows * field.columns,
                     fmt::format("heights of the ground over {} m by {} m, {} rows of {}, x varies "
                                 "first [m]",
                                 field.width, field.depth, field.rows, field.columns)};
  heights.is_table = true;
  return heights;
}

}  // namespace

const std::vector<RobotFunction>& robot_functions() {
  static const std::vector<RobotFunction> all = [] {
    std::vector<RobotFunction> r;
    for (const Named& n : names) r.push_back(n.function);
    return r;
  }();
  return all;
}

std::vector<RobotFunction> usual_functions(const Model& model) {
  if (!model.loops.empty()) return {RobotFunction::forward_dynamics};
  return {RobotFunction::inverse_dynamics, RobotFunction::forward_dynamics};
}

std::string_view name(RobotFunction function) {
  return names[static_cast<std::size_t>(function)].name;
}

RobotFunction robot_function(std::string_view wanted) {
  std::vector<std::string> known;
  for (const Named& n : names) {
    if (n.name == wanted) return n.function;
    known.emplace_back(n.name);
  }
  throw Error(fmt::format("no function is called '{}'{}; there are: {}", wanted,
                          did_you_mean(wanted, known), fmt::join(known, ", ")));
}

FunctionShape shape_of(RobotFunction function, const Model& model, const FunctionOptions& options) {
  check_compiled_water(model, function, options);
  const int nq = model.nq, nv = model.nv, square = nv * nv;
  const ArrayShape q{"q", nq,
                     "positions, as the library orders them [rad, m; quaternions x y z w]"};
  const ArrayShape v{"v", nv, "velocities [rad/s, m/s]"};
  const ArrayShape a{"a", nv, "accelerations [rad/s^2, m/s^2]"};
  const ArrayShape tau{"tau", nv, "generalised forces [N m, N]"};
  auto matrix = [&](const char* name, const char* meaning) {
    return ArrayShape{name, square, fmt::format("{} ({} x {}, row by row)", meaning, nv, nv)};
  };
  UniqueNames unique;
  FunctionShape s;
  switch (function) {
    case RobotFunction::kinematics:
    case RobotFunction::jacobians:
      s.inputs = {q};
      for (const int frame : frames_of(model, options)) {
        const std::string& frame_name = model.frames[static_cast<std::size_t>(frame)].name;
        if (function == RobotFunction::kinematics)
          s.outputs.push_back({unique(identifier(frame_name) + "_pose"), 12,
                               "pose of " + plain_text(frame_name) +
                                   " in the world: rotation row by row (9), position (3) [m]"});
        else
          s.outputs.push_back({unique(identifier(frame_name) + "_jacobian"), 6 * nv,
                               fmt::format("Jacobian of {}: rows angular x, y, z, linear x, y, z "
                                           "of its origin, world axes (6 x {}, row by row)",
                                           plain_text(frame_name), nv)});
      }
      break;
    case RobotFunction::inverse_dynamics:
      s = {{q, v, a}, {tau}};
      break;
    case RobotFunction::bias_forces:
      s = {{q, v}, {tau}};
      break;
    case RobotFunction::mass_matrix:
      s = {{q}, {matrix("M", "mass matrix")}};
      break;
    case RobotFunction::mass_matrix_factor:
      s = {{q},
           {matrix("L", "factor with unit diagonal, M = transpose(L) D L"),
            {"D", nv, "diagonal of D"}}};
      break;
    case RobotFunction::forward_dynamics:
      s = {{q, v, tau}, {a}};
      if (const int rows = Mechanism(model).rows; rows > 0) {
        s.outputs.push_back({"loop_forces", rows, "forces of the rows of the loops [N, N m]"});
        s.outputs.push_back(
            {"residual", rows, "accelerations of these rows that are left [m/s^2, rad/s^2]"});
      }
      break;
    case RobotFunction::inverse_dynamics_derivatives:
      s = {{q, v, a},
           {matrix("tau_q", "d tau / d q, tangent space"), matrix("tau_v", "d tau / d v"),
            matrix("M", "d tau / d a: the mass matrix")}};
      break;
    case RobotFunction::forward_dynamics_derivatives:
      s = {{q, v, tau},
           {a, matrix("a_q", "d a / d q, tangent space"), matrix("a_v", "d a / d v"),
            matrix("a_tau", "d a / d tau: the inverse of the mass matrix")}};
      break;
    case RobotFunction::step:
      s = {{q,
            v,
            tau,
            {"target", nv, "position that the spring kp pulls to, where it is not zero [rad, m]"},
            {"kp", nv, "stiffness of the controller; only for joints with one freedom"},
            {"kd", nv, "damping of the controller"},
            {"h", 1, "time step [s]"}},
           {{"q_next", nq, "positions after the step"},
            {"v_next", nv, "velocities after the step"}}};
      if (const int rows = Mechanism(model).rows; rows > 0) {
        s.outputs.push_back({"loop_gaps", rows, "gaps of the rows of the loops, left [m, rad]"});
        s.outputs.push_back({"loop_rates", rows, "rates of these rows, left [m/s, rad/s]"});
      }
      if (!options.contact.candidates.empty()) {
        check_contact(model, options.contact);
        if (options.method == StepMethod::rk4)
          throw Error(fmt::format(
              "robot '{}': a step with contact is made by semi_implicit_euler or midpoint, not by "
              "rk4, whose stages know no impulses",
              model.name));
        if (options.method == StepMethod::midpoint &&
            options.contact.start != ContactStart::last_forces)
          throw Error(fmt::format(
              "robot '{}': a step with contact by midpoint takes which contacts last from the "
              "forces of the last step; set StepContact::start to last_forces (limber compile "
              "--carry-forces)",
              model.name));
        const int forces = 3 * static_cast<int>(options.contact.candidates.size());
        if (options.contact.start == ContactStart::last_forces)
          s.inputs.insert(
              s.inputs.begin() + 2,
              {"last_forces", forces, "contact_forces of the last step, zeros to begin with [N]"});
        if (const std::optional<ContactField>& field = options.contact.field)
          s.inputs.push_back(heights_of(*field));
        s.outputs.push_back(
            {"contact_forces", forces, "forces of the ground on the candidates, world axes [N]"});
        s.outputs.push_back(
            {"contact_residual", 1, "how much a velocity at a contact is off, the largest [m/s]"});
      }
      break;
  }
  int free = 0;
  for (const FreeParameter& p : options.parameters) free += size_of(p);
  if (free > 0) s.inputs.push_back({"parameters", free, "free numbers of the robot, in order"});
  return s;
}

std::size_t carried_arrays(const FunctionShape& step) {
  return step.inputs.size() > 2 && step.inputs[2].name == "last_forces" ? 3 : 2;
}

}  // namespace limber
