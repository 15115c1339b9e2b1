#pragma once
// The parts of the scenario reader; each stands beside its part of the table of keys.
#include <limber/scenario/scenario.hpp>

#include "scenario/schema.hpp"

namespace limber {

/// What the readers share while a scenario is read.
struct Reading {
  Scenario& scenario;
  const std::string& file;  ///< as the user gave it
  std::string folder;       ///< where files named in it are looked for; "" for shipped scenarios
};

/// robots → spec, model, nominal, q, v.
void read_robots(const YamlMap& root, Reading& reading);
/// trajectories, controllers, prescribed → parts.
void read_control(const YamlMap& root, Reading& reading);
/// drives and friction → parts.
void read_drives(const YamlMap& root, Reading& reading);
/// analyse → analysis.
void read_analysis(const YamlMap& root, Reading& reading);

/// A file named in the scenario: beside it, unless the path is absolute.
std::string beside(const Reading& reading, const std::string& path);

/// Numbers for a group of names: one number for all, a list in their order, or a mapping from name
/// to number (others keep `fallback`). `names` are what the entries are called in messages.
std::vector<double> numbers_for(const YamlMap& map, const std::string& key,
                                const std::vector<std::string>& names, double fallback);

/// The entries of a list of mappings, or nothing without the key.
std::vector<YAML::Node> entries(const YamlMap& root, const std::string& key);

}  // namespace limber
