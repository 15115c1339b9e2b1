#pragma once
// Controllers from shared libraries. In the library:
//
//   class MyController : public limber::Controller {
//    public:
//     explicit MyController(const limber::PluginSettings& settings) : Controller(settings) … };
//   LIMBER_CONTROLLER(MyController)
//
// and in the program: system.add(limber::load_controller("my_controller.so", settings)). Build the
// library with the Limber it is loaded by, and link it with limber::limber.
#include <limber/control/controller.hpp>
#include <limber/sim/plugin_values.hpp>

namespace limber {

/// What a plug-in gets: the settings of all controllers, and its own values by name.
struct PluginSettings : ControllerSettings, PluginValues {};

/// Changes with every change of what a plug-in is compiled with.
constexpr int controller_plugin_version = 3;

/// What a library must export under the name limber_controller.
struct ControllerPlugin {
  int version = 0;  ///< controller_plugin_version of its headers
  Controller* (*make)(const PluginSettings& settings) = nullptr;
};

/// Loads the library `file` (for the rest of the program) and makes its controller. Throws
/// Error for a missing file, a library without entry point, one of another version, one that makes
/// no controller, unknown settings, and exceptions of the controller.
std::unique_ptr<Controller> load_controller(const std::string& file,
                                            const PluginSettings& settings);

}  // namespace limber

/// Makes a class derived from Controller, with a constructor from PluginSettings, the controller of
/// this library.
#define LIMBER_CONTROLLER(Type)                                           \
  extern "C" __attribute__((visibility("default")))                       \
  const limber::ControllerPlugin limber_controller;                       \
  const limber::ControllerPlugin limber_controller{                       \
      limber::controller_plugin_version,                                  \
      [](const limber::PluginSettings& settings) -> limber::Controller* { \
        return new Type(settings);                                        \
      }};
