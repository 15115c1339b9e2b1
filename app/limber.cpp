// The subcommands of the program `limber`, and how it becomes limber-workbench for the others.
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "command_line.hpp"
#include "commands.hpp"

namespace limber::app {

void add_commands(Command& limber) {
  add_info_command(limber);
  add_convert_command(limber);
  add_diff_command(limber);
  add_id_command(limber);
  add_fd_command(limber);
  add_hybrid_command(limber);
  add_mass_command(limber);
  add_jacobian_command(limber);
  add_kinematics_command(limber);
  add_assemble_command(limber);
  limber.add_subcommand("compile", compile_summary);
  add_bench_command(limber);
  add_simulate_command(limber);
  add_analyse_command(limber);
  limber.add_subcommand("study", study_summary);
}

void hand_over(char** argv) {
  const std::string_view command = argv[1];
  if (command != "compile" && command != "study") return;
  // beside this program where both were built; installed, in a folder that is not searched for
  // commands
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* from_here : {".", LIMBER_WORKBENCH_FOLDER})
    ::execv((folder / from_here / "limber-workbench").c_str(), argv);
  throw Error(
      fmt::format("`limber {}` is carried out by the program limber-workbench, which is neither in "
                  "{} nor in {} there. In the "
                  "source tree `cmake --build --preset release --target limber_workbench` builds "
                  "it (some minutes: the model "
                  "compiler, and the recursions for every type of number)",
                  command, folder.string(), LIMBER_WORKBENCH_FOLDER));
}

}  // namespace limber::app
