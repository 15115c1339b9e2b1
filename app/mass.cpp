// limber mass: the joint-space mass matrix.
#include <memory>

#include <fmt/format.h>

#include <limber/dynamics/mass_matrix.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "joint_vector.hpp"
#include "states.hpp"
#include "table.hpp"
#include "water.hpp"

namespace limber::app {

namespace {

struct MassOptions {
  RobotOptions robot;
  StateOptions states;
  WaterOptions water;
};

// rows carry names and numbers, columns only numbers, so that large matrices stay narrow
std::string matrix_table(const Robot& robot, const TreeMatrixView<double>& M) {
  const std::vector<std::string> labels = velocity_labels(robot);
  std::vector<Table::Column> columns{{"", Table::Align::right}, {"joint", Table::Align::left}};
  for (int j = 0; j < M.size; ++j) columns.push_back({fmt::format("{}", j + 1)});
  Table table(columns);
  for (int i = 0; i < M.size; ++i) {
    std::vector<std::string> row{fmt::format("{}", i + 1), labels[static_cast<std::size_t>(i)]};
    for (int j = 0; j < M.size; ++j) row.push_back(readable(M(i, j)));
    table.add(row);
  }
  return table.text();
}

void run_mass(const MassOptions& options) {
  const Robot robot = load_robot(options.robot);
  Workspace ws(robot.model);
  SurroundingWater water(robot, options.water);
  for_each_state(robot, options.states, {"q"}, [&](const State& state) {
    Loads<double> loads;
    loads.fluid = water.at(state);
    const TreeMatrixView<double> M = mass_matrix(robot.model, state.q, ws, loads);
    expect_finite(ws.factor.M.values, "M", state.place);
    if (options.states.json) write_line({{"M", to_json(M)}});
    else write(state.place + ": mass matrix [kg m², kg m, kg]\n" + matrix_table(robot, M));
  });
}

}  // namespace

void add_mass_command(Command& limber) {
  auto options = std::make_shared<MassOptions>();
  Command& command = *limber.add_subcommand("mass", "Joint-space mass matrix");
  add_robot_options(command, options->robot);
  add_state_options(command, options->states);
  add_density_option(command, options->water.density,
                     "Deep in water of this density [kg/m³]: the added mass of links counts");
  command.footer(R"(States need q and have no other key. Rotor inertia is included,
and with --water the added mass of the links.
Result: {"M":[[…],…]}, symmetric, rows and columns in the order that `limber info` shows.

Examples:
  limber mass puma560
  echo '{"q":[0.1,0.2]}' | limber mass double_pendulum --json
  limber mass bluerov_arm --water 1025)");
  command.callback([options] { run_mass(*options); });
}

}  // namespace limber::app
