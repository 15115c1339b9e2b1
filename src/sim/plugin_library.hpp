#pragma once
// Shared libraries that make parts: loading, and what can be wrong with them.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/error.hpp>
#include <limber/sim/plugin_values.hpp>

namespace limber {

/// What a kind of plug-in is called.
struct PluginKind {
  const char* noun;   ///< "controller"
  const char* entry;  ///< the symbol that it exports
  const char* macro;  ///< which defines it
  int version;        ///< that this Limber takes
};

/// The address of the entry point, whose first member is an int, the version. Throws Error.
const void* load_plugin(const std::string& file, const PluginKind& kind);

/// What the plug-in makes from its settings; it may throw anything.
template <class Made, class Plugin, class Settings>
std::unique_ptr<Made> make_from_plugin(const std::string& file, const PluginKind& kind,
                                       const Settings& settings) {
  const Source source{file, 0, ""};
  const auto* plugin = static_cast<const Plugin*>(load_plugin(file, kind));
  std::unique_ptr<Made> made;
  try {
    if (plugin->make) made.reset(plugin->make(settings));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& exception) {
    throw Error(source, fmt::format("its {} '{}' cannot be made: {}", kind.noun, settings.name,
                                    exception.what()));
  } catch (...) {
    throw Error(source, fmt::format("its {} '{}' cannot be made: something was thrown that is no "
                                    "std::exception",
                                    kind.noun, settings.name));
  }
  if (!made)
    throw Error(source, fmt::format("made no {} '{}'; its make() must return one", kind.noun,
                                    settings.name));
  try {
    settings.expect_all_asked_for();
  } catch (const Error& error) {
    throw Error(source, fmt::format("{} '{}': {}", kind.noun, settings.name, error.what()));
  }
  return made;
}

}  // namespace limber
