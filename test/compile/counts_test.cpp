// Operations of compiled code for shipped robots: they may shrink, never grow.
#include <limber/compile/program.hpp>
#include <limber/io/load.hpp>

#include <gtest/gtest.h>

#include "compile/schedule.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// What a function of a robot needs: a fused multiplication and addition counts as two operations
/// and one instruction; reloads are those of a machine with 32 registers.
struct Needs {
  const char* robot;
  RobotFunction function;
  int operations, instructions, sincos, reloads;
};

constexpr Needs table[] = {
    {"double_pendulum", RobotFunction::inverse_dynamics, 24, 16, 2, 0},
    {"double_pendulum", RobotFunction::forward_dynamics, 32, 24, 2, 0},
    {"puma560", RobotFunction::inverse_dynamics, 385, 236, 5, 22},
    {"puma560", RobotFunction::mass_matrix, 192, 135, 4, 0},
    {"puma560", RobotFunction::forward_dynamics, 660, 423, 5, 15},
    {"arm7", RobotFunction::inverse_dynamics, 451, 276, 6, 22},
    {"arm7", RobotFunction::mass_matrix, 303, 210, 6, 0},
    {"arm7", RobotFunction::forward_dynamics, 966, 607, 6, 31},
    {"quadruped", RobotFunction::inverse_dynamics, 1140, 708, 12, 59},
    {"quadruped", RobotFunction::forward_dynamics, 2868, 1865, 12, 241},
    {"humanoid", RobotFunction::inverse_dynamics, 2690, 1630, 31, 228},
    {"humanoid", RobotFunction::forward_dynamics, 7176, 4564, 31, 682},
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
  EXPECT_LE(reloads(program, 255), 63);
  EXPECT_LE(program.count().largest_live, 311);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
