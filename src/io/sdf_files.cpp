// SDF: the main file, and the files that it includes.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/sdf.hpp"
#include "io/text_file.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_sdf_includes = 1000;
constexpr const char* sdf_folders[] = {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH",
                                       "GAZEBO_MODEL_PATH", "SDF_PATH"};

// the folders that environment variables name
std::vector<fs::path> named_folders() {
  std::vector<fs::path> folders;
  for (const char* variable : sdf_folders) {
    const char* value = std::getenv(variable);
    std::string_view rest = value ? value : "";
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, std::min(rest.find(':'), rest.size()));
      if (!one.empty()) folders.emplace_back(one);
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    }
  }
  return folders;
}

// "1.6" gives 6
int read_version(const XmlElement& root) {
  const std::string text = root.required("version");
  const auto refuse = [&] {
    return root.error(
        fmt::format("version=\"{}\" is no version of SDF that Limber reads, which "
                    "are 1.4 to 1.11; `gz sdf -p FILE` writes a file in a newer one",
                    printable(text)));
  };
  if (!text.starts_with("1.") || text.size() < 3 || text.size() > 4) throw refuse();
  int minor = 0;
  for (const char c : text.substr(2)) {
    if (c < '0' || c > '9') throw refuse();
    minor = 10 * minor + (c - '0');
  }
  if (minor < 4) throw refuse();
  if (minor > 11) {
    root.warn(fmt::format("SDF {} is read by the rules of 1.11", text));
    minor = 11;
  }
  return minor;
}

// the path behind the scheme of a uri, which must not lead upwards
fs::path uri_path(const XmlElement& uri, const std::string& text) {
  std::string rest = text;
  for (const std::string_view scheme : {"model://", "file://", "package://"})
    if (rest.starts_with(scheme)) rest = rest.substr(scheme.size());
  if (rest.find("://") != std::string::npos)
    throw uri.error(
        fmt::format("<uri>{}</uri> is not on this machine; download the model, put it beside the "
                    "file and write its name",
                    printable(text)));
  if (rest.find('\0') != std::string::npos || rest.empty())
    throw uri.error("<uri> is empty; name the file of a model, or its folder");
  const fs::path path = fs::path(rest).lexically_normal();
  if (path.is_absolute() || *path.begin() == "..")
    throw uri.error(
        fmt::format("<uri>{}</uri> leads out of the folders that are searched; included models "
                    "must lie in the folder of the file, below it, or below a folder in {}",
                    printable(text), fmt::join(sdf_folders, ", ")));
  return path;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void expect_beside(const XmlElement& uri, const fs::path& path, const std::string& file) {
  if (!lies_beside(path.string(), file))
    throw uri.error(fmt::format(
        "<uri>{}</uri> leads by a link out of the folder of {}; put the model itself there, or "
        "name its folder in the environment variable {}",
        printable(uri.text()), printable(file), sdf_folders[0]));
}

// the file of a model's folder: the last one that model.config names, else model.sdf
fs::path model_file(const XmlElement& uri, const fs::path& folder) {
  const fs::path config = folder / "model.config";
  if (!is_there(config)) return folder / "model.sdf";
  tinyxml2::XMLDocument document;
  XmlContext context(config.string());
  const XmlElement root(parse_xml(read_text_file(config.string()), config.string(), document),
                        context, "");
  const std::vector<XmlElement> names = root.children("sdf");
  if (names.empty()) return folder / "model.sdf";
  const fs::path name = fs::path(names.back().text()).lexically_normal();
  if (name.empty() || name.is_absolute() || *name.begin() == "..")
    throw uri.error(fmt::format("{} names a file outside of its folder", config.string()));
  return folder / name;
}

}  // namespace

struct SdfFiles::File {
  explicit File(const std::string& name) : context(name) {}
  tinyxml2::XMLDocument document;
  XmlContext context;
  const tinyxml2::XMLElement* root = nullptr;
  int version = 0;
};

SdfFiles::SdfFiles(std::string_view text, const std::string& file, Includes includes,
                   MeshSearch meshes)
    : main_(file), includes_(includes), meshes_(std::move(meshes)) {
  open(text, file);
}

SdfFiles::Root SdfFiles::root_of(File& file) {
  return {{*file.root, file.context, ""}, file.version, file.context.file()};
}

SdfFiles::File& SdfFiles::open(std::string_view text, const std::string& file) {
  expect_text(text, file, "SDF");
  files_.push_back(std::make_shared<File>(file));
  File& opened = *files_.back();
  opened.root = &parse_xml(text, file, opened.document);
  const XmlElement root(*opened.root, opened.context, "");
  if (root.tag() != "sdf")
    throw root.error(fmt::format("the root element is <{}>, an SDF file has <sdf>", root.tag()));
  opened.version = read_version(root);
  by_path_[file] = &opened;
  return opened;
}

std::string SdfFiles::find(const XmlElement& uri) const {
  const fs::path path = uri_path(uri, uri.text());
  const std::string including = uri.source().file;
  std::vector<fs::path> folders{fs::path(including).parent_path(), fs::path(main_).parent_path()};
  const std::size_t beside = folders.size();  // links may lead out of the folders that users name
  for (const fs::path& folder : named_folders()) folders.push_back(folder);
  std::vector<std::string> searched;
  for (std::size_t k = 0; k < folders.size(); ++k) {
    const fs::path& folder = folders[k];
    const fs::path found = folder / path;
    if (is_there(found)) {
      if (k < beside) expect_beside(uri, found, k == 0 ? including : main_);
      if (!is_folder(found)) return found.lexically_normal().string();
      const fs::path file = model_file(uri, found);
      if (k < beside) expect_beside(uri, file, k == 0 ? including : main_);
      return file.lexically_normal().string();
    }
    const std::string place = folder.empty() ? "." : folder.string();
    if (std::find(searched.begin(), searched.end(), place) == searched.end())
      searched.push_back(place);
  }
  throw uri.error(
      fmt::format("<uri>{}</uri> was not found in {}; put the model there, or name its "
                  "folder in the environment variable {}",
                  printable(uri.text()), quoted_names(searched), sdf_folders[0]));
}

SdfFiles::Root SdfFiles::include(const XmlElement& uri) {
  if (includes_ == Includes::refused)
    throw uri.error(
        "a text cannot include files, as it lies in no folder; read it from a file, or put the "
        "included model in its place");
  if (++includes_so_far_ > most_sdf_includes)
    throw uri.error(
        fmt::format("more than {} includes, counting those of included files", most_sdf_includes));
  const std::string path = find(uri);
  if (const auto known = by_path_.find(path); known != by_path_.end())
    return root_of(*known->second);
  return root_of(open(read_text_file(path), path));
}

std::string SdfFiles::beside_main(const std::string& uri, const std::string& including) const {
  if (including == main_ || uri.find("://") != std::string::npos) return uri;
  const fs::path folder =
      fs::path(including).parent_path().lexically_relative(fs::path(main_).parent_path());
  if (folder.empty() || *folder.begin() == "..") return uri;
  return (folder / uri).lexically_normal().string();
}

std::vector<std::string> SdfFiles::warnings() const {
  return all_notes(files_, [](const File& one) { return one.context.warnings(); });
}
std::vector<std::string> SdfFiles::ignored() const {
  return all_notes(files_, [](const File& one) { return one.context.ignored(); });
}

}  // namespace limber
