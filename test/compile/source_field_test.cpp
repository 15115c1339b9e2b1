// Generated steps on height fields, compiled by the system's compilers and run, against the
// interpreter of programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/compile/source.hpp>

#include "compile/generated_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// heights are the same for all states: in every language, with every warning, in both precisions
TEST(GeneratedField, EveryTarget) {
  FunctionOptions options;
  const Model body = body_in_ground(options.contact);
  options.contact.field = hills;
  for (const int longest : {2000, 40}) {
    options.longest_function = longest;
    const Case c(body, {RobotFunction::step}, options);
    const Folder folder;
    folder.write(write_source(c.robot, {Target::cpp, Target::lanes, Target::c, Target::cuda}));
    folder.write("main.cpp", main_text("robot.hpp", calls(c.robot, c.inputs, "double", "robot::")));
    folder.write("main.c", main_text("robot.h", calls(c.robot, c.inputs, "robot_real", "robot_")));
    for (const std::string& compiler : compilers())
      expect_output(folder, fmt::format("{} -std=c++17 {} main.cpp -o main", compiler, warnings), c,
                    1e-10);
    expect_output(folder, fmt::format("cc -std=c99 {} robot.c main.c -lm -o main", warnings), c,
                  1e-10);
    const std::string clean = fmt::format(
        "cc -std=c99 -O1 {} -Wdouble-promotion -DROBOT_REAL=float -c robot.c", warnings);
    expect_output(folder, clean + " && cc -std=c99 -DROBOT_REAL=float main.c robot.o -lm -o main",
                  c, 1e-3);
    for (const char* example :
         {"c++ -std=c++17 example.cpp -o example", "c++ -std=c++17 example_lanes.cpp -o example",
          "cc -std=c99 example.c robot.c -lm -o example"}) {
      const ShellResult ran = run_in(folder.path(), std::string(example) + " && ./example");
      EXPECT_EQ(ran.status, 0) << ran.output;
      EXPECT_NE(ran.output.find("contact_residual"), std::string::npos) << ran.output;
    }
    // threads have a state each, and the heights together
    const std::string cuda = run_in(folder.path(), "cat robot.cuh").output;
    EXPECT_NE(cuda.find("h + i, heights, q_next + i"), std::string::npos);
    EXPECT_NE(cuda.find("limber_at(heights, t"), std::string::npos);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
