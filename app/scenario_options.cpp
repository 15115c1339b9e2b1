#include "scenario_options.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.hpp"

namespace limber::app {

void add_scenario_options(Command& command, ScenarioOptions& options) {
  command.add_option("SCENARIO", options.file, "A scenario file (.yaml), or a shipped scenario");
  command
      .add_option(
          "--set", options.changes,
          "Replace a value of the file, e.g. integrator.step=1e-4 or drives.elbow.gear.ratio=80")
      ->type_name("PATH=VALUE")
      ->one_value_each();
  command
      .add_option("--meshes", options.meshes,
                  "A folder where meshes are looked for besides the usual places, instead of those "
                  "that the file names; may be repeated")
      ->type_name("FOLDER")
      ->one_value_each();
}

std::vector<Override> mesh_overrides(const ScenarioOptions& options) {
  if (options.meshes.empty()) return {};
  std::vector<std::string> folders;
  for (const std::string& folder : options.meshes) {
    // as YAML: quotes are doubled
    std::string text;
    for (const char c : std::filesystem::absolute(folder).string())
      text += c == '\'' ? "''" : std::string(1, c);
    folders.push_back("'" + text + "'");
  }
  return {{"meshes", fmt::format("[{}]", fmt::join(folders, ", "))}};
}

std::vector<Override> overrides_of(const ScenarioOptions& options) {
  std::vector<Override> all = mesh_overrides(options);
  for (const std::string& change : options.changes) {
    const std::size_t sign = change.find('=');
    if (sign == std::string::npos || sign == 0)
      throw Error(
          fmt::format("--set: found '{}', expected PATH=VALUE, for example duration=2", change));
    all.push_back({change.substr(0, sign), change.substr(sign + 1)});
  }
  return all;
}

Scenario load_scenario(const ScenarioOptions& options) {
  const std::vector<Override> overrides = overrides_of(options);
  return read_scenario(options.file, overrides);
}

}  // namespace limber::app
