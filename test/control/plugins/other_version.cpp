// A controller's library that was built with headers of another time.
#include <limber/control/plugin.hpp>

extern "C" const limber::ControllerPlugin limber_controller;
const limber::ControllerPlugin limber_controller{limber::controller_plugin_version + 41, nullptr};
