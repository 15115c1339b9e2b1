#pragma once
// The subcommands of `limber`, one file each. Every function adds one to the application.
namespace CLI {
class App;
}

namespace limber::app {

void add_info_command(CLI::App& limber);
void add_id_command(CLI::App& limber);
void add_fd_command(CLI::App& limber);
void add_hybrid_command(CLI::App& limber);
void add_mass_command(CLI::App& limber);
void add_jacobian_command(CLI::App& limber);
void add_kinematics_command(CLI::App& limber);
void add_analyse_command(CLI::App& limber);
void add_bench_command(CLI::App& limber);
void add_compile_command(CLI::App& limber);
void add_study_command(CLI::App& limber);
void add_simulate_command(CLI::App& limber);

}  // namespace limber::app
