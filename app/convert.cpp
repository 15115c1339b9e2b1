// limber convert: a robot as another kind of file.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/io/write.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "io/urdf.hpp"
#include "model/names.hpp"
#include "output.hpp"
#include "output_folder.hpp"
#include "report_files.hpp"
#include "robot.hpp"

namespace limber::app {

namespace {

struct ConvertOptions {
  RobotOptions robot;
  std::string output, to;
  bool overwrite = false, lossy = false, json = false, quiet = false;
};

RobotFormat format_of(const ConvertOptions& options) {
  if (!options.to.empty()) return robot_format(options.to);
  if (options.output.empty())
    throw Error(
        "nothing says what kind of file is wanted: name the file with -o, or the kind with "
        "--to urdf, mjcf, sdf or yaml");
  return robot_format_of_file(options.output);
}

// `read`: the files that the robot comes from
void expect_free(const ConvertOptions& options, const std::vector<std::string>& read) {
  if (options.output.empty()) return;
  expect_writable(options.output, read);
  if (is_closures_file(options.output))
    throw Error({options.output, 0, ""},
                "is the name of a list of loops beside a URDF file; name another file");
  std::error_code ignored;
  if (std::filesystem::exists(options.output, ignored) && !options.overwrite)
    throw Error({options.output, 0, ""}, "is there already; name another file, or say --overwrite");
}

// of things with the same loss that people read
constexpr std::size_t most_names = 100;

// losses with the same text as one, with all names
struct LossGroup {
  Loss::Kind kind;
  std::string what;
  std::vector<std::string> elements;
};
std::vector<LossGroup> grouped(const std::vector<Loss>& losses) {
  std::vector<LossGroup> groups;
  std::map<std::pair<Loss::Kind, std::string>, std::size_t> index;
  for (const Loss& loss : losses) {
    const auto [same, is_new] = index.emplace(std::pair(loss.kind, loss.what), groups.size());
    if (is_new) groups.push_back({loss.kind, loss.what, {}});
    groups[same->second].elements.push_back(loss.element);
  }
  return groups;
}

std::string lines_of(const std::vector<Loss>& losses, Loss::Kind kind) {
  std::string text;
  for (const LossGroup& group : grouped(losses)) {
    if (group.kind != kind) continue;
    const std::size_t shown = std::min(most_names, group.elements.size());
    text += fmt::format("\n  {}", fmt::join(std::span(group.elements).first(shown), ", "));
    if (group.elements.size() > shown)
      text += fmt::format(" and {} more (--json names all)", group.elements.size() - shown);
    text += ": " + group.what;
  }
  return text;
}

Json json_of(const std::vector<Loss>& losses) {
  Json list = Json::array();
  for (const Loss& loss : losses)
    list.push_back({{"element", loss.element},
                    {"what", loss.what},
                    {"dynamics", loss.kind == Loss::Kind::dynamics}});
  return list;
}

void run_convert(const ConvertOptions& options) {
  const RobotFormat format = format_of(options);
  if (options.json && options.output.empty())
    throw Error("--json tells of a file; name one with -o");
  expect_free(options, {options.robot.model});
  const Robot robot = load_robot(options.robot);
  expect_free(options, robot.files);
  const WrittenRobot written = write_robot(robot.spec, format);
  const std::string dynamics = lines_of(written.losses, Loss::Kind::dynamics),
                    others = lines_of(written.losses, Loss::Kind::description);
  if (!dynamics.empty() && !options.lossy)
    throw Error({options.robot.model, 0, ""},
                fmt::format("as {} the robot would move in another way; nothing is written. Write "
                            "it all the same with --lossy, or as another kind of file:{}",
                            name(format), dynamics));
  if (options.output.empty()) {
    write(written.text);
  } else {
    write_file(options.output, written.text);
  }
  if (options.json)
    return write_line(
        {{"file", options.output}, {"format", name(format)}, {"losses", json_of(written.losses)}});
  if (options.quiet) return;
  if (!dynamics.empty()) remark("the written robot moves in another way:" + dynamics);
  if (!others.empty()) remark("not in the file, or in another way:" + others);
}

}  // namespace

void add_convert_command(Command& limber) {
  auto options = std::make_shared<ConvertOptions>();
  Command& command = *limber.add_subcommand("convert", "Write a robot as URDF, MJCF, SDF or YAML");
  add_robot_options(command, options->robot);
  command
      .add_option("-o,--output", options->output,
                  "The file; its extension says what kind it is to be: .urdf, .xml or .mjcf "
                  "(MJCF), .sdf, .yaml or .yml. Without it the text goes to standard output")
      ->type_name("FILE");
  command.add_option("--to", options->to, "The kind of file, whatever its extension is")
      ->one_of(std::vector<std::string>{"urdf", "mjcf", "sdf", "yaml"});
  command.add_flag("--overwrite", options->overwrite, "Replace a file that is there already");
  command.add_flag("--lossy", options->lossy,
                   "Write also where the robot in the file would move in another way");
  command.add_flag("--json", options->json, "What is lost as JSON");
  command.add_flag("--quiet", options->quiet, "Do not list what is lost");
  command.footer(
      R"(What the file cannot hold is listed on standard error, each thing by name. Where the written
robot would move in another way (a loop left open, a rotor lost) nothing is written without
--lossy. YAML holds everything that Limber knows of a robot.

Examples:
  limber convert arm.urdf -o arm.xml           to MJCF, for MuJoCo
  limber convert cassie.xml -o cassie.yaml     everything, loops too
  limber convert quadruped --to sdf            to standard output
  limber convert panda.urdf -o panda.xml --lossy --overwrite)");
  command.callback([options] { run_convert(*options); });
}

}  // namespace limber::app
