// Robots by file name or by the name under which they ship.
#include <limber/io/load.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/embedded.hpp"
#include "io/text_file.hpp"
#include "model/base.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

std::string lower_case_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

enum class Format { unknown, urdf, yaml };

Format format_of(const fs::path& path) {
  const std::string extension = lower_case_extension(path);
  if (extension == ".urdf" || extension == ".xml") return Format::urdf;
  if (extension == ".yaml" || extension == ".yml") return Format::yaml;
  return Format::unknown;
}

Spec read_file(const std::string& file) {
  return format_of(file) == Format::urdf ? read_urdf(file) : read_yaml(file);
}

// the robot files of the user's own folder, if LIMBER_ROBOTS names one
std::vector<fs::path> own_robots() {
  std::vector<fs::path> files;
  const char* folder = std::getenv("LIMBER_ROBOTS");
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder ? folder : "", missing))
    if (format_of(entry.path()) != Format::unknown) files.push_back(entry.path());
  return files;
}

Spec load_shipped(const std::string& name) {
  for (const fs::path& file : own_robots())
    if (file.stem() == name) return read_file(file.string());
  for (const EmbeddedFile& robot : embedded_robots())
    if (robot.name == name) {
      const std::string file(robot.file);
      return format_of(file) == Format::urdf ? parse_urdf(robot.text, file)
                                             : parse_yaml(robot.text, file);
    }
  const std::vector<std::string> names = shipped_robots();
  throw Error(
      fmt::format("'{}' is neither a robot file (.urdf, .xml, .yaml, .yml) nor a shipped robot; "
                  "shipped are {}{}",
                  name, fmt::join(names, ", "), did_you_mean(name, names)));
}

Spec find_spec(const std::string& model) {
  if (format_of(model) != Format::unknown) return read_file(model);
  if (model.find_first_of("./\\") == std::string::npos) return load_shipped(model);
  expect_file(model);
  throw Error({model, 0, ""},
              fmt::format("files with extension '{}' are not read; Limber reads URDF "
                          "(.urdf, .xml) and YAML (.yaml, .yml)",
                          fs::path(model).extension().string()));
}

}  // namespace

Spec load_spec(const std::string& model) {
  return read_or_explain(model, [&] { return find_spec(model); });
}

Model load(const std::string& model, Base base) {
  Spec spec = load_spec(model);
  set_base(spec, base);
  return build(spec);
}

void set_base(Spec& spec, Base base) {
  if (base == Base::floating) float_base(spec);
  if (base == Base::fixed) fix_base(spec);
}

std::vector<std::string> shipped_robots() {
  std::set<std::string> names;
  for (const fs::path& file : own_robots()) names.insert(file.stem().string());
  for (const EmbeddedFile& robot : embedded_robots()) names.emplace(robot.name);
  return {names.begin(), names.end()};
}

}  // namespace limber
