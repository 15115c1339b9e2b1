#pragma once
// The keys of a scenario file: one table that the reader checks against and docs/scenario.md is
// written from.
#include <span>
#include <string>
#include <vector>

#include "io/yaml.hpp"

namespace limber {

struct Key {
  const char* name;
  const char* type;      ///< "number", "text", "list of 3 numbers", "one of a, b", …
  const char* unit;      ///< "" for none
  const char* fallback;  ///< what holds without it; "" if it must be there
  const char* meaning;
};

/// The keys of one kind of mapping.
struct Section {
  const char* name;     ///< e.g. "controllers"; entries of a kind: "controllers: pd"
  const char* meaning;  ///< a sentence or two; may be empty
  std::vector<Key> keys;
  std::vector<const char*> includes;  ///< names of sections whose keys are allowed too
};

/// All sections, in the order of the document.
const std::vector<Section>& schema();
/// The parts of it, each beside its reader.
std::vector<Section> robot_sections();
std::vector<Section> payload_sections();
std::vector<Section> loop_sections();
std::vector<Section> environment_sections();
std::vector<Section> run_sections();
std::vector<Section> record_sections();
std::vector<Section> report_sections();
std::vector<Section> drive_sections();
std::vector<Section> control_sections();
std::vector<Section> force_sections();
std::vector<Section> contact_sections();
std::vector<Section> water_sections();
std::vector<Section> wet_link_sections();
std::vector<Section> vehicle_sections();
std::vector<Section> analysis_sections();

/// The keys of a section and of those it includes.
std::vector<std::string> keys_of(const std::string& section);

/// Opens a mapping. Throws Error for keys that the section does not have.
YamlMap open(const YamlNode& node, const std::string& file, const std::string& element,
             const std::string& section);

/// One of the words; throws Error with the nearest one and all of them.
std::size_t choice(const YamlMap& map, const std::string& key,
                   const std::vector<std::string>& words);
std::size_t choice(const YamlMap& map, const std::string& key,
                   const std::vector<std::string>& words, const std::string& fallback);

/// yes / no
bool flag(const YamlMap& map, const std::string& key, bool fallback);

/// The whole table as Markdown.
std::string schema_document();

}  // namespace limber
