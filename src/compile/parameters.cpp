#include "compile/parameters.hpp"

#include <fmt/format.h>

#include <limber/error.hpp>

#include "model/column_groups.hpp"

namespace limber {

namespace {

/// The ten numbers of a payload, in the frame's axes, as an inertia about the frame's origin.
Inertia<Expr> payload(std::span<const Expr> p) {
  return Inertia<Expr>::from_com(p[0], {p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7], p[8], p[9]});
}

void free_gear(const Model& original, const std::string& joint, Expr ratio,
               BasicModel<Expr>& model) {
  const auto b = static_cast<std::size_t>(original.body_of_joint(joint));
  const auto k = static_cast<std::size_t>(original.v_index[b]);
  const DofSpec& dof = original.column_dof[k];
  if (original.v_count[b] != 1 || original.master[b] >= 0)
    throw Error(
        fmt::format("robot '{}': the gear of joint '{}' cannot stay free: the joint must have one "
                    "freedom of its "
                    "own",
                    original.name, joint));
  if (dof.rotor_inertia == 0)
    throw Error(fmt::format(
        "robot '{}': the gear of joint '{}' cannot stay free, because the joint has no rotor; give "
        "it a rotor inertia in the robot's file",
        original.name, joint));
  // a rotor with a mount is a body that follows the joint; without, it is on the diagonal
  if (dof.rotor_mount.empty()) {
    model.armature[k] = ratio * ratio * Expr(dof.rotor_inertia);
    return;
  }
  for (std::size_t r = 1; r < original.parent.size(); ++r) {
    // joints that follow this one may have rotors too
    if (original.is_rotor[r] && original.joint_name[r] == joint + " rotor")
      model.v_fold[static_cast<std::size_t>(original.v_index[r])].ratio = ratio;
  }
  for (MountedRotor<Expr>& rotor : model.together.rotors) {
    if (original.joint_name[rotor.body] != joint + " rotor") continue;
    rotor.ratio = ratio;
    if (rotor.is_coupled)
      model.together.couple[k] = couple_of<Expr>(model, static_cast<int>(b), rotor);
  }
}

}  // namespace

int size_of(const FreeParameter& parameter) {
  switch (parameter.kind) {
    case FreeParameter::Kind::gravity:
      return 3;
    case FreeParameter::Kind::payload:
      return 10;
    case FreeParameter::Kind::gear:
      return 1;
    case FreeParameter::Kind::fluid:
      return 6;
  }
  return 0;
}

FreeParameter free_parameter(std::string_view text) {
  using Kind = FreeParameter::Kind;
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string where(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (kind == "gravity" && where.empty()) return {Kind::gravity, ""};
  if (kind == "payload" && !where.empty()) return {Kind::payload, where};
  if (kind == "gear" && !where.empty()) return {Kind::gear, where};
  if (kind == "fluid" && where.empty()) return {Kind::fluid, ""};
  throw Error(fmt::format(
      "parameter '{}' is unknown; write gravity, payload:FRAME, gear:JOINT or fluid", text));
}

void free_parameters(const Model& original, const FunctionOptions& options,
                     std::span<const Expr> values, BasicModel<Expr>& model,
                     FluidLoad<Expr>& fluid) {
  for (const FreeParameter& parameter : options.parameters) {
    const std::span<const Expr> own = values.first(static_cast<std::size_t>(size_of(parameter)));
    values = values.subspan(own.size());
    switch (parameter.kind) {
      case FreeParameter::Kind::gravity:
        model.gravity = {own[0], own[1], own[2]};
        break;
      case FreeParameter::Kind::payload: {
        const auto& frame = model.frames[static_cast<std::size_t>(original.frame(parameter.where))];
        model.inertia[static_cast<std::size_t>(frame.body)] += frame.placement * payload(own);
        break;
      }
      case FreeParameter::Kind::gear:
        free_gear(original, parameter.where, own[0], model);
        break;
      case FreeParameter::Kind::fluid:
        fluid.velocity = {own[0], own[1], own[2]};
        fluid.acceleration = {own[3], own[4], own[5]};
        break;
    }
  }
}

}  // namespace limber
