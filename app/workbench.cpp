// The subcommands of the program limber-workbench, which `limber` becomes for them.
#include "commands.hpp"

namespace limber::app {

void add_commands(Command& limber) {
  add_compile_command(limber);
  add_study_command(limber);
}

void hand_over(char**) {}

}  // namespace limber::app
