#pragma once
// The subcommands of `limber`, one file each. Every function adds one to the application.
namespace limber::app {

class Command;

void add_info_command(Command& limber);
void add_id_command(Command& limber);
void add_fd_command(Command& limber);
void add_hybrid_command(Command& limber);
void add_mass_command(Command& limber);
void add_jacobian_command(Command& limber);
void add_kinematics_command(Command& limber);
void add_assemble_command(Command& limber);
void add_analyse_command(Command& limber);
void add_bench_command(Command& limber);
void add_compile_command(Command& limber);
void add_convert_command(Command& limber);
void add_diff_command(Command& limber);
void add_study_command(Command& limber);
void add_simulate_command(Command& limber);

}  // namespace limber::app
