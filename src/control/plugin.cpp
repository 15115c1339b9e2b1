#include <limber/control/plugin.hpp>

#include "sim/plugin_library.hpp"

namespace limber {

std::unique_ptr<Controller> load_controller(const std::string& file,
                                            const PluginSettings& settings) {
  return make_from_plugin<Controller, ControllerPlugin>(
      file, {"controller", "limber_controller", "LIMBER_CONTROLLER", controller_plugin_version},
      settings);
}

}  // namespace limber
