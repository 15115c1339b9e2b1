// Robots by file name or by the name under which they ship.
#include <limber/io/load.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/embedded.hpp"
#include "io/mjcf.hpp"
#include "io/sdf.hpp"
#include "io/text_file.hpp"
#include "io/urdf.hpp"
#include "io/xml.hpp"
#include "model/base.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

// What a text that was read from a file may do besides: open the files that it includes.
enum class Origin { file, text };

Spec parse_urdf_with_options(std::string_view text, const std::string& file, const LoadOptions&) {
  return parse_urdf_of_file(text, file);
}
Spec parse_yaml_with_options(std::string_view text, const std::string& file, const LoadOptions&) {
  return parse_yaml(text, file);
}

// one row for each kind of file: its root element, and who reads it
struct Reader {
  std::string_view root;  ///< "": no XML
  /// with its folder beside it
  Spec (*read)(std::string_view text, const std::string& file, const LoadOptions& options);
  Spec (*parse)(std::string_view text, const std::string& file);  ///< the text alone
};
constexpr Reader readers[] = {{"robot", parse_urdf_with_options, parse_urdf},
                              {"mujoco", parse_mjcf_of_file, parse_mjcf},
                              {"sdf", parse_sdf_of_file, parse_sdf},
                              {"", parse_yaml_with_options, parse_yaml}};

Spec read_robot(std::string_view text, const std::string& file, Origin origin,
                const LoadOptions& options) {
  expect_text(text, file, "robot");
  const std::string root = root_element(text, file);
  for (const Reader& reader : readers)
    if (reader.root == root)
      return origin == Origin::file ? reader.read(text, file, options) : reader.parse(text, file);
  throw Error({file, 0, ""},
              fmt::format("the root element is <{}>; Limber reads <robot> (URDF), <sdf> (SDF), "
                          "<mujoco> (MJCF) and YAML",
                          root));
}

Spec read_file(const std::string& file, const LoadOptions& options) {
  if (is_closures_file(file)) return read_urdf_with_closures(file);
  return read_robot(read_text_file(file), file, Origin::file, options);
}

bool has_extension_of_robot(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const char* known : {".urdf", ".sdf", ".xml", ".mjcf", ".yaml", ".yml"})
    if (extension == known) return true;
  return false;
}

// the robot files of the user's own folder, if LIMBER_ROBOTS names one
std::vector<fs::path> own_robots() {
  std::vector<fs::path> files;
  const char* folder = std::getenv("LIMBER_ROBOTS");
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder ? folder : "", missing))
    if (has_extension_of_robot(entry.path())) files.push_back(entry.path());
  return files;
}

Spec load_shipped(const std::string& name, const LoadOptions& options) {
  for (const fs::path& file : own_robots())
    if (file.stem() == name) return read_file(file.string(), options);
  for (const EmbeddedFile& robot : embedded_robots())
    if (robot.name == name)
      return read_robot(robot.text, std::string(robot.file), Origin::text, options);
  const std::vector<std::string> names = shipped_robots();
  throw Error(fmt::format(
      "'{}' is neither a robot file (URDF, SDF, MJCF or YAML, with a dot or a slash in its "
      "name) nor a shipped robot; shipped are {}{}",
      name, fmt::join(names, ", "), did_you_mean(name, names)));
}

Spec find_spec(const std::string& model, const LoadOptions& options) {
  if (model.find_first_of("./\\") == std::string::npos) return load_shipped(model, options);
  return read_file(model, options);
}

}  // namespace

Spec load_spec(const std::string& model, const LoadOptions& options) {
  return read_or_explain(model, [&] { return find_spec(model, options); });
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
