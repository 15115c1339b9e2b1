// limber diff: what differs between two robots.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/io/load.hpp>
#include <limber/model/compare.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "model/names.hpp"
#include "output.hpp"

namespace limber::app {

namespace {

struct DiffOptions {
  std::string a, b;
  double tolerance = 1e-9;
  bool json = false, quiet = false;
};

Json json_of(const RobotDifferences& comparison) {
  Json structure = Json::array(), numbers = Json::array();
  for (const StructureDifference& one : comparison.structure)
    structure.push_back({{"element", one.element}, {"what", one.what}, {"a", one.a}, {"b", one.b}});
  for (const NumberDifference& one : comparison.numbers)
    numbers.push_back({{"element", one.element},
                       {"what", one.what},
                       {"a", to_json(one.a)},
                       {"b", to_json(one.b)},
                       {"difference", one.difference}});
  return {{"equal", comparison.equal()}, {"structure", structure}, {"numbers", numbers}};
}

std::string numbers_text(const std::vector<double>& x) {
  if (x.size() == 1) return fmt::format("{:.9g}", x[0]);
  return fmt::format("({:.9g})", fmt::join(x, ", "));
}

std::string text_of(const RobotDifferences& comparison) {
  const auto quoted = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  std::string text;
  if (!comparison.structure.empty()) text += "structure:\n";
  for (const StructureDifference& one : comparison.structure)
    text += fmt::format("  {}: {}: {} | {}\n", one.element, one.what, quoted(one.a), quoted(one.b));
  if (!comparison.numbers.empty()) text += "numbers:\n";
  for (const NumberDifference& one : comparison.numbers)
    text += fmt::format("  {}: {}: {} | {}  (by {:.3g})\n", one.element, one.what,
                        numbers_text(one.a), numbers_text(one.b), one.difference);
  return text;
}

void run_diff(const DiffOptions& options) {
  for (const std::string* model : {&options.a, &options.b})
    if (model->empty()) throw Error("two robots are compared: name two files or shipped robots");
  const Spec a = load_spec(options.a), b = load_spec(options.b);
  const RobotDifferences comparison = compare(a, b, options.tolerance);
  if (options.json) write_line(json_of(comparison));
  else if (!options.quiet) write(text_of(comparison));
  if (!comparison.equal())
    throw RunFailure(fmt::format("'{}' and '{}' differ: in {} of structure and {} of numbers",
                                 options.a, options.b,
                                 count_of(comparison.structure.size(), "point"),
                                 count_of(comparison.numbers.size(), "point")));
}

}  // namespace

void add_diff_command(Command& limber) {
  auto options = std::make_shared<DiffOptions>();
  Command& command = *limber.add_subcommand("diff", "What differs between two robots");
  command.add_option("A", options->a, "A robot file or a shipped robot");
  command.add_option("B", options->b, "The one to compare it with");
  command
      .add_option("--tolerance", options->tolerance,
                  "Numbers differ by more than this times the largest of them; lengths, angles and "
                  "directions count at least 1")
      ->positive()
      ->capture_default_str();
  command.add_flag("--json", options->json, "JSON instead of text");
  command.add_flag("--quiet", options->quiet, "The exit status alone");
  command.footer(
      R"(First the structure: bodies, joints and the order of their variables, frames, loops, actuators,
sensors, states; then the numbers. Each line has the value of A, then that of B. Bodies are matched
by their names, joints by the bodies that they carry and by the motion that they allow.
Exit status: 0 equal, 1 different, 2 bad input.

Examples:
  limber diff arm.urdf arm.xml
  limber diff cassie.sdf cassie.xml --tolerance 1e-6 --json)");
  command.callback([options] { run_diff(*options); });
}

}  // namespace limber::app
