// limber compile: straight-line source text for one robot.
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <limber/compile/source.hpp>
#include <limber/error.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "io/numbers.hpp"
#include "output.hpp"
#include "report_files.hpp"
#include "robot.hpp"
#include "table.hpp"
#include "water.hpp"

namespace limber::app {

namespace {

const std::map<std::string, StepMethod> methods{{"euler", StepMethod::semi_implicit_euler},
                                                {"rk4", StepMethod::rk4},
                                                {"midpoint", StepMethod::midpoint}};

struct Options {
  RobotOptions robot;
  std::string output;
  std::vector<std::string> functions, targets{"cpp", "lanes", "c"}, frames, parameters;
  std::vector<std::string> contact, field;
  double water = 0;  ///< its density [kg/m³]; 0: none
  double friction = StepContact{}.friction;
  int sweeps = StepContact{}.sweeps, newton_steps = StepContact{}.newton_steps;
  bool carry_forces = false;
  std::string method = "euler", name;
  bool passive = false;
  bool exact_name = false;
  bool json = false, quiet = false;
};

GenerateOptions generate_options(const Options& options) {
  GenerateOptions r;
  for (const std::string& text : options.functions) r.functions.push_back(robot_function(text));
  for (const std::string& text : options.targets) r.targets.push_back(target(text));
  for (const std::string& text : options.parameters)
    r.function.parameters.push_back(free_parameter(text));
  r.function.frames = options.frames;
  r.function.passive = options.passive ? Passive::included : Passive::left_out;
  r.function.method = methods.at(options.method);
  r.identifier = options.name;
  return r;
}

std::string table_text(const TracedRobot& robot) {
  Table table({{"function", Table::Align::left},
               {"operations"},
               {"instructions"},
               {"sin/cos"},
               {"live values"},
               {"numbers in"},
               {"out"}});
  for (const Program& program : robot.programs) {
    const ProgramCounts n = program.count();
    auto numbers = [](const std::vector<ArrayShape>& arrays) {
      int count = 0;
      for (const ArrayShape& array : arrays) count += array.size;
      return fmt::format("{}", count);
    };
    table.add({program.name, fmt::format("{}", n.operations()), fmt::format("{}", n.instructions()),
               fmt::format("{}", n.sincos), fmt::format("{}", n.largest_live),
               numbers(program.shape.inputs), numbers(program.shape.outputs)});
  }
  return table.text();
}

Json json_of(const TracedRobot& robot, const std::vector<std::string>& files) {
  Json functions = Json::object();
  for (const Program& program : robot.programs) {
    const ProgramCounts n = program.count();
    functions[program.name] = {{"operations", n.operations()},
                               {"instructions", n.instructions()},
                               {"sincos", n.sincos},
                               {"live", n.largest_live}};
  }
  return {{"name", robot.identifier},
          {"nq", robot.nq},
          {"nv", robot.nv},
          {"functions", functions},
          {"files", files}};
}

// "61,41,6,4": points along x and y, extent along x and y [m]
ContactField field_of(const std::vector<std::string>& texts) {
  std::vector<double> x;
  for (const std::string& text : texts)
    if (const std::optional<double> number = parse_number(text)) x.push_back(*number);
  const auto is_whole = [](double number) {
    return number >= 2 && number <= 1 << 24 && std::floor(number) == number;
  };
  if (x.size() != 4 || texts.size() != 4 || !is_whole(x[0]) || !is_whole(x[1]))
    throw Error(fmt::format(
        "--height-field '{}': expected COLUMNS,ROWS,WIDTH,DEPTH: two whole numbers of points along "
        "x and y, each at least 2, and the extent along x and y [m], such as 61,41,6,4",
        fmt::join(texts, ",")));
  return {static_cast<int>(x[0]), static_cast<int>(x[1]), x[2], x[3], {}};
}

void run(const Options& options) {
  GenerateOptions wanted = generate_options(options);  // before anything is read
  const Robot robot = load_robot(options.robot);
  if (!options.contact.empty()) {
    StepContact& contact = wanted.function.contact;
    contact.candidates = contact_candidates(robot.model, options.contact, BoxCorners::sole);
    contact.friction = options.friction;
    contact.sweeps = options.sweeps;
    contact.newton_steps = options.newton_steps;
    if (options.carry_forces) contact.start = ContactStart::last_forces;
    if (!options.field.empty()) contact.field = field_of(options.field);
  } else if (!options.field.empty()) {
    throw Error("--height-field is the ground of --contact; name the links that touch it there");
  }
  if (options.water != 0)
    wanted.function.water = {water_around(robot, options.water).links, options.water};
  const TracedRobot traced = trace_robot(robot.model, wanted);
  if (options.exact_name && traced.identifier != options.name)
    throw Error(
        fmt::format("--name '{}': C, C++, CUDA or their libraries use this name, or it is no "
                    "identifier; '{}' can be used",
                    options.name, traced.identifier));
  const std::vector<GeneratedFile> files = write_source(traced, wanted.targets);
  make_folder(options.output);
  std::vector<std::string> paths;
  for (const GeneratedFile& file : files) {
    paths.push_back(options.output + "/" + file.name);
    write_file(paths.back(), file.text);
  }
  if (options.quiet) return;
  if (options.json) return write_line(json_of(traced, paths));
  std::string text = fmt::format("{} as `{}`: nq = {}, nv = {}\n", traced.name, traced.identifier,
                                 traced.nq, traced.nv);
  text += table_text(traced) + "written:\n";
  for (const std::string& path : paths) text += "  " + path + "\n";
  write(text);
}

std::string list_of(const auto& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(name(value));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void add_compile_command(Command& limber) {
  auto options = std::make_shared<Options>();
  Command& command = *limber.add_subcommand("compile", compile_summary);
  add_robot_options(command, options->robot);
  command
      .add_option("-o,--output", options->output, "Folder of the files; made if it is not there")
      ->type_name("DIR")
      ->required();
  command
      .add_option("--functions", options->functions,
                  "Which, separated by commas; all without it: " + list_of(robot_functions()))
      ->type_name("A,B")
      ->separated_by_commas();
  command
      .add_option("--targets", options->targets,
                  "For what, separated by commas; cpp,lanes,c without it: " + list_of(targets()))
      ->type_name("A,B")
      ->separated_by_commas();
  command
      .add_option(
          "--frame", options->frames,
          "Link or frame of kinematics and jacobians; may be repeated; all links without it")
      ->type_name("NAME")
      ->one_value_each();
  command
      .add_option("--parameter", options->parameters,
                  "A number of the robot that stays free, as an input of its own: gravity, "
                  "payload:FRAME, gear:JOINT, or fluid, the motion of the water; may be repeated")
      ->type_name("P")
      ->one_value_each();
  command.add_flag("--passive", options->passive,
                   "Include damping, friction and springs of the joints (step always does)");
  command
      .add_option("--method", options->method,
                  "How a step is made: euler (semi-implicit, default), midpoint or rk4")
      ->one_of(methods);
  command
      .add_option("--contact", options->contact,
                  "Links that touch the ground z = 0 in a step: with their spheres, capsules and "
                  "soles of boxes")
      ->type_name("A,B")
      ->separated_by_commas();
  command
      .add_option("--height-field", options->field,
                  "The ground is a height field instead, about the origin: numbers of points along "
                  "x and y, extent along x and y [m]; the heights are an input of step, the same "
                  "for all states")
      ->type_name("NX,NY,WX,WY")
      ->separated_by_commas();
  command.add_option("--friction", options->friction, "Coulomb's coefficient of the ground")
      ->type_name("MU");
  command.add_option("--sweeps", options->sweeps, "How often a step goes through its contacts")
      ->type_name("N")
      ->range(1, 1000);
  command
      .add_option("--newton-steps", options->newton_steps,
                  "Steps of Newton's method after the sweeps; soles need about 12")
      ->type_name("N")
      ->range(0, 1000);
  command.add_flag("--carry-forces", options->carry_forces,
                   "A step begins with the contact forces of the last one, an input after q and v");
  add_density_option(command, options->water,
                     "Put the robot deep into water of this density [kg/m³]: added mass, buoyancy "
                     "and drag, from its file or its shapes");
  command
      .add_option("--name", options->name,
                  "Namespace, prefix and file name; the robot's without. Characters that no "
                  "identifier has become underlines; a word that the languages or their libraries "
                  "use gets _robot behind")
      ->type_name("NAME");
  command.add_flag("--exact-name", options->exact_name,
                   "Refuse a NAME that cannot be used as it is");
  command.add_flag("--json", options->json, "The table as JSON");
  command.add_flag("--quiet", options->quiet, "No table");
  command.footer(
      R"(cpp: NAME.hpp; lanes: NAME_lanes.hpp, pack.hpp, pack_sincos.hpp; c: NAME.h, NAME.c;
cuda: NAME.cuh; and an example for each, which says how it is compiled. None needs Limber. The same
robot gives the same bytes.

Examples:
  limber compile puma560 -o generated
  limber compile arm7 -o generated --functions inverse_dynamics,jacobians --frame tool --targets c
  limber compile puma560 -o generated --functions forward_dynamics --parameter payload:link6
  limber compile humanoid -o generated --functions step --contact left_foot,right_foot --targets cuda)");
  command.callback([options] { run(*options); });
}

}  // namespace limber::app
