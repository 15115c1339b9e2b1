// MJCF: model files with their settings: the main one and those that it attaches.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/mjcf.hpp"
#include "io/text_file.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

constexpr std::size_t most_attached_files = 100;
constexpr std::size_t most_nested_files = 10;  // that attach one another

XmlElement mujoco_root(const MjcfFiles& files) {
  const XmlElement root = files.root();
  if (root.tag() != "mujoco")
    throw Error({files.main_file(), root.source().line, ""},
                fmt::format("the root element is <{}>, an MJCF file has <mujoco>", root.tag()));
  root.expect_attributes({"model"});
  return root;
}

void number_attachments(const XmlElement& element, MjcfModel& model) {
  for (const XmlElement& child : model.files.children(element)) {
    if (child.tag() == "attach")
      model.attach_number.emplace(child.id(), model.attach_number.size());
    number_attachments(child, model);
  }
}

}  // namespace

std::vector<XmlElement> MjcfModel::sections_of(std::string_view tag) const {
  std::vector<XmlElement> found;
  std::copy_if(sections.begin(), sections.end(), std::back_inserter(found),
               [&](const XmlElement& section) { return section.tag() == tag; });
  return found;
}

MjcfModels::MjcfModels(std::string_view text, const std::string& file, MjcfFiles::Includes includes,
                       const MeshSearch& meshes) {
  models_.push_back(std::make_unique<MjcfModel>(text, file, includes));
  opening_.push_back(std::filesystem::path(file).lexically_normal().string());
  read_settings(main(), meshes);
}

// settings first, as everything else depends on them, wherever they stand
void MjcfModels::read_settings(MjcfModel& model, const MeshSearch& meshes) {
  const XmlElement root = mujoco_root(model.files);
  model.name = root.attribute("model").value_or("").empty() ? stem(model.files.main_file())
                                                            : root.name("model");
  model.sections = model.files.children(root);
  for (const XmlElement& section : model.sections_of("compiler"))
    read_mjcf_compiler(section, model.compiler);
  if (!model.folder.empty())
    model.compiler.mesh_folder =
        (std::filesystem::path(model.folder) / model.compiler.mesh_folder).string();
  for (const XmlElement& section : model.sections_of("default"))
    model.defaults.read(section, model.files);
  model.assets.search = meshes;
  for (const XmlElement& section : model.sections_of("asset")) {
    for (const XmlElement& child : model.files.children(section)) {
      if (child.tag() != "model") continue;
      MjcfModel& opened = open(child, model, meshes);
      const std::string name = child.attribute("name") ? child.name() : opened.name;
      if (!model.models.emplace(name, &opened).second)
        throw child.error(fmt::format("a second model '{}'; names must differ", name));
    }
    read_mjcf_asset(section, model.files, model.defaults, model.compiler, model.assets);
  }
  for (const XmlElement& section : model.sections_of("worldbody"))
    number_attachments(section, model);
}

MjcfModel& MjcfModels::open(const XmlElement& element, const MjcfModel& from,
                            const MeshSearch& meshes) {
  element.expect_attributes({"name", "file"}, {"content_type"});
  if (from.files.includes() == MjcfFiles::Includes::refused)
    throw element.error(
        "a text cannot attach other files, as it lies in no folder; read it from a file");
  const std::string path =
      std::filesystem::path(mjcf_path(element, from.files.main_file())).lexically_normal().string();
  if (std::find(opening_.begin(), opening_.end(), path) != opening_.end())
    throw element.error(fmt::format("file '{}' attaches itself: {} → {}", printable(path),
                                    fmt::join(opening_, " → "), path));
  for (const std::unique_ptr<MjcfModel>& known : models_)
    if (known->files.main_file() == path) return *known;
  if (opening_.size() > most_nested_files)
    throw element.error(
        fmt::format("more than {} files, each of which attaches the next", most_nested_files));
  if (models_.size() > most_attached_files)
    throw element.error(fmt::format("more than {} attached files", most_attached_files));
  models_.push_back(
      std::make_unique<MjcfModel>(read_text_file(path), path, MjcfFiles::Includes::allowed));
  MjcfModel& model = *models_.back();
  model.folder = (std::filesystem::path(from.folder) / element.name("file")).parent_path().string();
  opening_.push_back(path);
  read_settings(model, meshes);
  opening_.pop_back();
  return model;
}

std::vector<std::string> MjcfModels::warnings() const {
  return all_notes(models_, [](const MjcfModel& one) { return one.files.warnings(); });
}
std::vector<std::string> MjcfModels::ignored() const {
  return all_notes(models_, [](const MjcfModel& one) { return one.files.ignored(); });
}

}  // namespace limber
