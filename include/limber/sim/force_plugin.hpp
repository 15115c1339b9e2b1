#pragma once
// Forces of your own from shared libraries. In the library:
//
//   class Wind : public limber::Part {
//    public:
//     explicit Wind(const limber::ForcePluginSettings& settings) : Part(settings.name) … };
//   LIMBER_FORCE(Wind)
//
// and in the program: system.add(limber::load_force("wind.so", settings)), or `kind: plugin` under
// `force_elements` of a scenario. Build the library with the Limber it is loaded by, and link it
// with limber::limber. Any Part will do: besides forces it may have states, events and columns.
#include <limber/sim/part.hpp>
#include <limber/sim/plugin_values.hpp>

namespace limber {

/// What a scenario or program gives to a force plug-in.
struct ForcePluginSettings : PluginValues {
  std::string name = "force";
};

/// Changes with every change of what a plug-in is compiled with.
constexpr int force_plugin_version = 2;

/// What a library must export under the name limber_force.
struct ForcePlugin {
  int version = 0;  ///< force_plugin_version of its headers
  Part* (*make)(const ForcePluginSettings& settings) = nullptr;
};

/// Loads the library `file` (for the rest of the program) and makes its part. Throws Error
/// for a missing file, a library without entry point, one of another version, one that makes no
/// part, unknown settings, and exceptions of the part.
std::unique_ptr<Part> load_force(const std::string& file, const ForcePluginSettings& settings);

}  // namespace limber

/// Makes a class derived from Part, with a constructor from ForcePluginSettings, the force of this
/// library.
#define LIMBER_FORCE(Type)                                                                  \
  extern "C" __attribute__((visibility("default"))) const limber::ForcePlugin limber_force; \
  const limber::ForcePlugin limber_force{                                                   \
      limber::force_plugin_version,                                                         \
      [](const limber::ForcePluginSettings& settings) -> limber::Part* {                    \
        return new Type(settings);                                                          \
      }};
