// Operations of compiled code for shipped robots: they may shrink, never grow.
#include <limber/compile/program.hpp>
#include <limber/io/load.hpp>

#include <gtest/gtest.h>

#include "compile/schedule.hpp"

namespace limber::test {
namespace {

/// What a function of a robot needs: a fused multiplication and addition counts as two operations
/// and one instruction; reloads are those of a machine with 32 registers.
struct Needs {
  const char* robot;
  RobotFunction function;
  int operations, instructions, sincos, reloads;
};

constexpr Needs table[] = {
    {"double_pendulum", RobotFunction::inverse_dynamics, 30, 22, 2, 0},
    {"double_pendulum", RobotFunction::forward_dynamics, 34, 27, 2, 0},
    {"puma560", RobotFunction::inverse_dynamics, 401, 264, 5, 19},
    {"puma560", RobotFunction::mass_matrix, 211, 148, 4, 0},
    {"puma560", RobotFunction::forward_dynamics, 690, 457, 5, 8},
    {"arm7", RobotFunction::inverse_dynamics, 502, 320, 6, 23},
    {"arm7", RobotFunction::mass_matrix, 378, 255, 6, 0},
    {"arm7", RobotFunction::forward_dynamics, 1082, 689, 6, 35},
    {"quadruped", RobotFunction::inverse_dynamics, 1152, 730, 12, 55},
    {"quadruped", RobotFunction::forward_dynamics, 2894, 1914, 12, 255},
    {"humanoid", RobotFunction::inverse_dynamics, 2746, 1747, 31, 208},
    {"humanoid", RobotFunction::forward_dynamics, 7355, 4782, 31, 671},
};

TEST(Counts, OfShippedRobots) {
  for (const Needs& most : table) {
    SCOPED_TRACE(std::string(most.robot) + ", " + std::string(name(most.function)));
    const Program program = trace(load(most.robot), most.function);
    const ProgramCounts found = program.count();
    EXPECT_LE(found.operations(), most.operations);
    EXPECT_LE(found.instructions(), most.instructions);
    EXPECT_LE(found.sincos, most.sincos);
    EXPECT_LE(reloads(program, 32), most.reloads);
  }
}

// a thread of a GPU has 255 registers: what does not fit goes to slow memory
TEST(Counts, HumanoidNearlyFitsIntoTheRegistersOfAThread) {
  FunctionOptions options;
  options.registers = 255;
  const Program program = trace(load("humanoid"), RobotFunction::forward_dynamics, options);
  EXPECT_LE(reloads(program, 255), 56);
  EXPECT_LE(program.count().largest_live, 311);
}

}  // namespace
}  // namespace limber::test
