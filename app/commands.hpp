#pragma once
// The subcommands of `limber`, one file each. Every function adds one to the application. They are
// carried out by two programs: `limber` itself (limber.cpp), and `limber-workbench` (workbench.cpp)
// for what needs the model compiler and every scalar, which takes as long to build as the rest.
namespace limber::app {

class Command;

/// Adds the subcommands of this program, and what it should say of those of the other one.
void add_commands(Command& limber);
/// In `limber`: becomes limber-workbench if argv[1] is for it. Throws Error if that is not there.
void hand_over(char** argv);

inline constexpr const char* compile_summary =
    "Straight-line C++, SIMD C++, C99 or CUDA for one robot";
inline constexpr const char* study_summary = "The books' tables beside our own counts and times";

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
