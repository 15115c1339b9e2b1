// limber jacobian: geometric Jacobian of a frame.
#include <memory>

#include <fmt/format.h>

#include <limber/dynamics/jacobian.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "joint_vector.hpp"
#include "states.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

const std::map<std::string, Reference> references{{"body", Reference::body},
                                                  {"world", Reference::world},
                                                  {"world_aligned", Reference::world_aligned}};

struct JacobianOptions {
  RobotOptions robot;
  StateOptions states;
  std::string frame;
  std::string reference = "world_aligned";
};

// one row per velocity variable: the transpose fits on a page
std::string jacobian_table(const Robot& robot, const MatrixView<double>& J) {
  Table table({{"joint", Table::Align::left}, {"wx"}, {"wy"}, {"wz"}, {"vx"}, {"vy"}, {"vz"}});
  const std::vector<std::string> labels = velocity_labels(robot);
  for (int j = 0; j < J.columns; ++j) {
    std::vector<std::string> row{labels[static_cast<std::size_t>(j)]};
    for (int i = 0; i < 6; ++i) row.push_back(readable(J(i, j)));
    table.add(row);
  }
  return table.text();
}

void run_jacobian(const JacobianOptions& options) {
  const Robot robot = load_robot(options.robot);
  const int frame = robot.model.frame(options.frame);
  const Reference reference = references.at(options.reference);
  Workspace ws(robot.model);
  for_each_state(robot, options.states, {"q"}, [&](const State& state) {
    const MatrixView<double> J = jacobian(robot.model, state.q, frame, reference, ws);
    expect_finite({J.data, static_cast<std::size_t>(J.rows * J.columns)}, "J", state.place);
    if (options.states.json) write_line({{"J", to_json(J)}});
    else
      write(fmt::format("{}: Jacobian of '{}' ({}), one row per joint variable\n", state.place,
                        options.frame, options.reference) +
            jacobian_table(robot, J));
  });
}

}  // namespace

void add_jacobian_command(Command& limber) {
  auto options = std::make_shared<JacobianOptions>();
  Command& command = *limber.add_subcommand("jacobian", "Geometric Jacobian of a frame");
  add_robot_options(command, options->robot);
  add_state_options(command, options->states);
  command.add_option("--frame", options->frame, "Link or frame (`limber info MODEL` lists them)")
      ->type_name("NAME")
      ->required();
  command
      .add_option("--reference", options->reference,
                  "body: the frame's own axes and origin; world: world axes and origin; "
                  "world_aligned: world axes, the frame's origin (default)")
      ->one_of(references);
  command.footer(R"(States need q and have no other key.
Result: {"J":[[…]×6]}, velocity of the frame = J v; rows angular x, y, z, then linear x, y, z;
columns in the order that `limber info` shows.

Examples:
  limber jacobian puma560 --frame link6
  echo '{"q":[0.1,0.2]}' | limber jacobian double_pendulum --frame lower --reference body --json)");
  command.callback([options] { run_jacobian(*options); });
}

}  // namespace limber::app
