// MJCF: the main file and what it includes, as one tree of elements.
#include <filesystem>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "io/text_file.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_mjcf_files = 1000;

}  // namespace

std::string mjcf_path(const XmlElement& element, const std::string& from) {
  const std::string name = element.name("file");
  const fs::path path = fs::path(name).lexically_normal();
  if (path.is_absolute() || (!path.empty() && *path.begin() == ".."))
    throw element.error(
        fmt::format("file=\"{}\" leads out of the folder of the main file; included and attached "
                    "files must lie in the folder of the file that names them, or below it",
                    printable(name)));
  const std::string whole = (fs::path(from).parent_path() / path).string();
  if (!lies_beside(whole, from))
    throw element.error(fmt::format(
        "file=\"{}\" is a link that leads out of the folder of the file that names it; put the "
        "file itself there",
        printable(name)));
  return whole;
}

struct MjcfFiles::File {
  explicit File(const std::string& name) : context(name) {}
  tinyxml2::XMLDocument document;
  XmlContext context;
  const tinyxml2::XMLElement* root = nullptr;
};

MjcfFiles::MjcfFiles(std::string_view text, const std::string& file, Includes includes)
    : main_(file), includes_(includes) {
  open(text, file);
}

MjcfFiles::File& MjcfFiles::open(std::string_view text, const std::string& file) {
  expect_text(text, file, "MJCF");
  files_.push_back(std::make_shared<File>(file));
  File& opened = *files_.back();
  opened.root = &parse_xml(text, file, opened.document);
  return opened;
}

XmlElement MjcfFiles::root() const {
  File& main = *files_.front();
  return {*main.root, main.context, ""};
}

XmlElement MjcfFiles::include(const XmlElement& element) {
  if (const auto known = included_.find(element.id()); known != included_.end())
    return {*known->second->root, known->second->context, ""};
  element.expect_attributes({"file"}, {"prefix"});
  if (includes_ == Includes::refused)
    throw element.error(
        "a text cannot include files, as it lies in no folder; read it from a file, or put the "
        "included text in its place");
  const std::string path = mjcf_path(element, main_);
  for (const std::shared_ptr<File>& file : files_)
    if (file->context.file() == path)
      throw element.error(fmt::format(
          "file '{}' is included a second time; each file can be included once", printable(path)));
  if (files_.size() >= most_mjcf_files)
    throw element.error(fmt::format("more than {} files", most_mjcf_files));
  File& opened = open(read_text_file(path), path);
  included_[element.id()] = &opened;
  return {*opened.root, opened.context, ""};
}

void MjcfFiles::add_children(const XmlElement& element, std::vector<XmlElement>& found) {
  for (const XmlElement& child : element.children())
    if (child.tag() == "include") add_children(include(child), found);
    else found.push_back(child);
}

std::vector<XmlElement> MjcfFiles::children(const XmlElement& element) {
  std::vector<XmlElement> found;
  add_children(element, found);
  return found;
}

std::vector<std::string> MjcfFiles::warnings() const {
  return all_notes(files_, [](const File& one) { return one.context.warnings(); });
}
std::vector<std::string> MjcfFiles::ignored() const {
  return all_notes(files_, [](const File& one) { return one.context.ignored(); });
}

}  // namespace limber
