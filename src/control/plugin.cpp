#include <limber/control/plugin.hpp>

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

namespace {

std::string loader_message() {
  const char* text = dlerror();
  return text ? text : "no reason given";
}

// whatever the library's author wrote
std::unique_ptr<Controller> make_controller(const ControllerPlugin& plugin,
                                            const PluginSettings& settings, const Source& source) {
  std::unique_ptr<Controller> made;
  try {
    if (plugin.make) made.reset(plugin.make(settings));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& exception) {
    throw Error(source, fmt::format("its controller '{}' cannot be made: {}", settings.name,
                                    exception.what()));
  } catch (...) {
    throw Error(source, fmt::format("its controller '{}' cannot be made: something was thrown that "
                                    "is no std::exception",
                                    settings.name));
  }
  if (!made)
    throw Error(source,
                fmt::format("made no controller '{}'; its make() must return one", settings.name));
  return made;
}

}  // namespace

double PluginSettings::number(const std::string& key, double fallback) const {
  const auto found = values.find(key);
  if (found == values.end()) return fallback;
  if (const double* value = std::get_if<double>(&found->second)) return *value;
  throw Error(fmt::format("controller '{}': {}: text '{}' found, a number is needed", name, key,
                          std::get<std::string>(found->second)));
}

std::string PluginSettings::text(const std::string& key, const std::string& fallback) const {
  const auto found = values.find(key);
  if (found == values.end()) return fallback;
  if (const std::string* value = std::get_if<std::string>(&found->second)) return *value;
  throw Error(fmt::format("controller '{}': {}: number {} found, a text is needed", name, key,
                          std::get<double>(found->second)));
}

std::unique_ptr<Controller> load_controller(const std::string& file,
                                            const PluginSettings& settings) {
  const Source source{file, 0, ""};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw Error(source, "no such file; check the name and the folder of the controller's library");
  // an absolute path, as the loader looks for bare names elsewhere
  const std::string path = std::filesystem::absolute(file).string();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(source, fmt::format("cannot be loaded as a shared library: {}", loader_message()));
  const auto* plugin = static_cast<const ControllerPlugin*>(dlsym(library, "limber_controller"));
  if (!plugin)
    throw Error(source,
                "has no entry point 'limber_controller'; write LIMBER_CONTROLLER(Type) "
                "after the controller's class");
  if (plugin->version != controller_plugin_version)
    throw Error(source, fmt::format("is a controller of version {}, this Limber takes version {}; "
                                    "build it again with the present headers",
                                    plugin->version, controller_plugin_version));
  return make_controller(*plugin, settings, source);
}

}  // namespace limber
