// Where the meshes that a robot file names lie.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/io/mesh_files.hpp>

#include "model/names.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

constexpr int most_levels_up = 6;  // above the folder of the robot file

bool is_within(const fs::path& path, const fs::path& folder) {
  const fs::path from = path.lexically_relative(folder);
  return !from.empty() && *from.begin() != "..";
}

bool is_ordinary(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// without links that lead elsewhere
fs::path real(const fs::path& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored);
}

// the name of a mesh in its parts
struct MeshName {
  std::string scheme;   // package, model, file; "": a path
  std::string package;  // of package and model
  fs::path path;        // normal
};

MeshName split_name(const std::string& name) {
  MeshName parts;
  std::string rest = name;
  if (const std::size_t end = name.find("://"); end != std::string::npos) {
    parts.scheme = name.substr(0, end);
    rest = name.substr(end + 3);
    if (parts.scheme == "package" || parts.scheme == "model") {
      const std::size_t slash = std::min(rest.find('/'), rest.size());
      parts.package = rest.substr(0, slash);
      rest.erase(0, std::min(slash + 1, rest.size()));
    }
  }
  parts.path = fs::path(rest).lexically_normal();
  return parts;
}

// the folder that the paths of a robot file may lead to: its package, else the folder above its own
fs::path home_of(const fs::path& folder) {
  fs::path up = folder;
  for (int level = 0; level < most_levels_up && up != up.root_path(); ++level) {
    if (is_ordinary(up / "package.xml") || is_ordinary(up / "model.config")) return up;
    up = up.parent_path();
  }
  const fs::path above = folder.parent_path();
  return above == above.root_path() ? folder : above;
}

class MeshFinder {
 public:
  explicit MeshFinder(const MeshSearch& search) : search_(search) {
    if (search.robot_file.empty()) return;
    folder_ = fs::absolute(search.robot_file).lexically_normal().parent_path();
    home_ = home_of(folder_);
  }

  FoundMesh find(const std::string& name) {
    const MeshName parts = split_name(name);
    if (parts.scheme == "package" || parts.scheme == "model") {
      if (parts.package.empty())
        return {"", {}, "the name has no package; write package://PACKAGE/PATH, or the path alone"};
      if (parts.package == "." || parts.package == ".." || parts.path.is_absolute() ||
          leads_up(parts.path))
        return {"", {}, "the name leads out of its package"};
      if (find_package(parts) || find_ending(parts.package / parts.path)) return result_;
    } else if (parts.scheme.empty() || parts.scheme == "file") {
      if (find_path(parts.path) || find_ending(parts.path)) return result_;
    } else {
      return {"",
              {},
              fmt::format("{}:// is no file of this machine, and nothing is fetched",
                          printable(parts.scheme))};
    }
    return result_;
  }

 private:
  enum class Links { inside, anywhere };

  static bool leads_up(const fs::path& path) { return !path.empty() && *path.begin() == ".."; }

  // takes the file if it is there, and within `folder`
  bool take(const fs::path& path, const fs::path& folder, Links links) {
    const std::string place = path.parent_path().string();
    if (std::find(result_.searched.begin(), result_.searched.end(), place) ==
        result_.searched.end())
      result_.searched.push_back(place);
    if (!is_within(path, folder) || !is_ordinary(path)) return false;
    if (links == Links::inside && !is_within(real(path), real(folder))) return false;
    result_.file = path.string();
    return true;
  }

  bool find_path(const fs::path& path) {
    if (path.empty()) return false;
    const fs::path whole = path.is_absolute() ? path : (folder_ / path).lexically_normal();
    if (!home_.empty() && take(whole, home_, Links::inside)) return true;
    for (const std::string& folder : search_.folders)
      if (take(whole, fs::absolute(folder).lexically_normal(), Links::anywhere)) return true;
    for (const std::string& folder : search_.packages)
      if (take(whole, fs::absolute(folder).lexically_normal(), Links::anywhere)) return true;
    return false;
  }

  bool find_package(const MeshName& name) {
    fs::path up = folder_;
    for (int level = 0; level <= most_levels_up && up != up.root_path(); ++level) {
      const fs::path package = up.filename() == name.package ? up : up / name.package;
      if (take(package / name.path, package, Links::inside)) return true;
      // a package may lie in a folder of another name
      if (is_within(up, home_) && take(up / name.path, home_, Links::inside)) return true;
      up = up.parent_path();
    }
    for (const std::string& one : search_.packages) {
      const fs::path folder = fs::absolute(one).lexically_normal();
      for (const fs::path& package : {folder / name.package, folder / "share" / name.package,
                                      folder.filename() == name.package ? folder : fs::path()})
        if (!package.empty() && take(package / name.path, package, Links::anywhere)) return true;
    }
    return false;
  }

  bool find_ending(const fs::path& name) {
    for (const std::string& one : search_.folders) {
      const fs::path folder = fs::absolute(one).lexically_normal();
      for (auto first = name.begin(); first != name.end(); ++first) {
        if (*first == ".." || *first == "/" || first->empty()) continue;
        fs::path ending;
        for (auto part = first; part != name.end(); ++part) ending /= *part;
        if (take(folder / ending, folder, Links::anywhere)) return true;
      }
    }
    return false;
  }

  const MeshSearch& search_;
  fs::path folder_, home_;
  FoundMesh result_;
};

void add_folders_of(const char* variable, std::vector<std::string>& folders) {
  const char* value = std::getenv(variable);
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

MeshSearch mesh_search(const std::string& robot_file, const std::vector<std::string>& folders) {
  MeshSearch search{robot_file, folders, {}};
  for (const char* variable :
       {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH"})
    add_folders_of(variable, search.packages);
  return search;
}

FoundMesh find_mesh(const std::string& name, const MeshSearch& search) {
  return MeshFinder(search).find(name);
}

std::string describe(const FoundMesh& mesh) {
  if (!mesh.file.empty()) return mesh.file;
  if (!mesh.reason.empty()) return mesh.reason;
  constexpr std::size_t most = 10;
  const std::size_t shown = std::min(most, mesh.searched.size());
  std::vector<std::string> folders;
  for (std::size_t k = 0; k < shown; ++k) folders.push_back(printable(mesh.searched[k]));
  if (folders.empty())
    return "not found: a text lies in no folder, and no folder of meshes is named";
  return fmt::format("not found in {}{}", fmt::join(folders, ", "),
                     mesh.searched.size() > shown
                         ? fmt::format(" and {} more folders", mesh.searched.size() - shown)
                         : "");
}

}  // namespace limber
