#include "sim/plugin_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include <limber/sim/force_plugin.hpp>

#include "model/nearest.hpp"

namespace limber {

namespace {

std::string loader_message() {
  const char* text = dlerror();
  return text ? text : "no reason given";
}

}  // namespace

double PluginValues::number(const std::string& key, double fallback) const {
  asked_->insert(key);
  const auto found = values.find(key);
  if (found == values.end()) return fallback;
  if (const double* value = std::get_if<double>(&found->second)) return *value;
  throw Error(fmt::format("setting '{}': text '{}' found, a number is needed", key,
                          std::get<std::string>(found->second)));
}

std::string PluginValues::text(const std::string& key, const std::string& fallback) const {
  asked_->insert(key);
  const auto found = values.find(key);
  if (found == values.end()) return fallback;
  if (const std::string* value = std::get_if<std::string>(&found->second)) return *value;
  throw Error(fmt::format("setting '{}': number {} found, a text is needed", key,
                          std::get<double>(found->second)));
}

void PluginValues::expect_all_asked_for() const {
  const std::vector<std::string> known(asked_->begin(), asked_->end());
  for (const auto& [key, value] : values) {
    if (asked_->contains(key)) continue;
    if (known.empty())
      throw Error(fmt::format("it has no setting '{}', and no other; remove it", key));
    throw Error(fmt::format("it has no setting '{}'; it takes {}{}", key, fmt::join(known, ", "),
                            did_you_mean(key, known)));
  }
}

const void* load_plugin(const std::string& file, const PluginKind& kind) {
  const Source source{file, 0, ""};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw Error(source, fmt::format("no such file; check the name and the folder of the {}'s "
                                    "library",
                                    kind.noun));
  // an absolute path, as the loader looks for bare names elsewhere
  const std::string path = std::filesystem::absolute(file).string();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(source, fmt::format("cannot be loaded as a shared library: {}", loader_message()));
  const void* entry = dlsym(library, kind.entry);
  if (!entry)
    throw Error(source, fmt::format("has no entry point '{}'; write {}(Type) after the class of "
                                    "the {}",
                                    kind.entry, kind.macro, kind.noun));
  const int version = *static_cast<const int*>(entry);
  if (version != kind.version)
    throw Error(source, fmt::format("is a {} of version {}, this Limber takes version {}; build it "
                                    "again with the present headers",
                                    kind.noun, version, kind.version));
  return entry;
}

std::unique_ptr<Part> load_force(const std::string& file, const ForcePluginSettings& settings) {
  return make_from_plugin<Part, ForcePlugin>(
      file, {"force", "limber_force", "LIMBER_FORCE", force_plugin_version}, settings);
}

}  // namespace limber
