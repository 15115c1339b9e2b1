#pragma once
// SCENARIO, --set and --meshes, as simulate and analyse take them.
#include <string>
#include <vector>

#include <limber/scenario/scenario.hpp>

namespace limber::app {

class Command;

struct ScenarioOptions {
  std::string file;
  std::vector<std::string> changes;  ///< "path=value"
  std::vector<std::string> meshes;   ///< folders
};
void add_scenario_options(Command& command, ScenarioOptions& options);

/// The changes as overrides. Throws Error for one without "=".
std::vector<Override> overrides_of(const ScenarioOptions& options);
/// The folders of meshes as an override, which another scenario takes too.
std::vector<Override> mesh_overrides(const ScenarioOptions& options);
Scenario load_scenario(const ScenarioOptions& options);

}  // namespace limber::app
