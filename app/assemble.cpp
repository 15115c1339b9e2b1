// limber assemble: positions that close the loops of a robot.
#include <memory>

#include <fmt/format.h>

#include <limber/constraint/assemble.hpp>
#include <limber/model/variables.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "states.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

struct AssembleOptions {
  RobotOptions robot;
  StateOptions states;
  std::vector<std::string> held;
};

Json assembly_json(const std::vector<double>& q, const Assembly& found) {
  Json open = Json::array(), moved = Json::object();
  for (const OpenRow& row : found.open)
    open.push_back({{"row", row.name}, {"gap", row.gap}, {"unit", row.unit}});
  for (const JointMove& move : found.moved) moved[move.name] = move.distance;
  return {{"q", to_json(q)},  {"closed", found.is_closed},
          {"gap", found.gap}, {"keeps_branch", found.keeps_branch},
          {"open", open},     {"moved", moved}};
}

std::string to_text(const Model& model, const std::vector<double>& q, const Assembly& found) {
  Table table({{"position", Table::Align::left}, {"value"}, {"unit", Table::Align::left}});
  const std::vector<Variable> variables = position_variables(model);
  for (std::size_t k = 0; k < q.size(); ++k)
    table.add({variables[k].name(), readable(q[k]), variables[k].unit});
  std::string text = fmt::format("  {}, largest gap {:.3g}\n", describe(found), found.gap);
  if (!found.keeps_branch)
    text += "  the branch may be another one than that of the robot's own pose\n";
  for (const JointMove& move : found.moved)
    text += fmt::format("  {} moved by {}{}{}\n", move.name, readable(move.distance),
                        move.unit.empty() ? "" : " ", move.unit);
  return text + table.text();
}

void run_assemble(const AssembleOptions& options) {
  const Robot robot = load_robot(options.robot);
  const Mechanism mechanism(robot.model);
  if (mechanism.loops.empty())
    throw Error(fmt::format("robot '{}' has no loops to close", robot.model.name));
  AssemblySettings settings;
  settings.held = options.held;
  for_each_state(robot, options.states, {"q"}, [&](const State& state) {
    std::vector<double> q = state.q;
    const Assembly found = assemble(mechanism, 0, q, settings);
    if (options.states.json) write_line(assembly_json(q, found));
    else write(state.place + ":\n" + to_text(robot.model, q, found));
    if (!found.is_closed) throw RunFailure(state.place + ": " + describe(found));
  });
}

}  // namespace

void add_assemble_command(Command& limber) {
  auto options = std::make_shared<AssembleOptions>();
  Command& command =
      *limber.add_subcommand("assemble", "Positions that close the loops, from a rough guess");
  add_robot_options(command, options->robot);
  add_state_options(command, options->states);
  command
      .add_option("--hold", options->held,
                  "Joint that stays where the state has it; may be repeated")
      ->type_name("JOINT")
      ->one_value_each();
  command.footer(
      R"(States need q, a guess, and have no other key. A guess that is far from closed is approached from the robot's own
pose (the neutral position or the first named state) in small displacements, so that the mechanism stays on the
branch of that pose. Joints stay within their limits.
Result: {"q":[…],"closed":true,"gap":[m or rad],"keeps_branch":true,"open":[{"row","gap","unit"}…],
"moved":{JOINT:distance}}. Exit status 1 where loops stay open; the message names them.

Examples:
  limber assemble cassie.xml
  echo '{"q":{"crank":1.2}}' | limber assemble four_bar.yaml --hold crank --json)");
  command.callback([options] { run_assemble(*options); });
}

}  // namespace limber::app
