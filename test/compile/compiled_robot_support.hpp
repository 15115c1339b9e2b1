#pragma once
// A cache of its own for robots that are compiled at run time.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limber/compile/compiled_robot.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/model/generate.hpp>

#include "compile/generated_program.hpp"

namespace limber::test {

/// A cache of its own, and a compiler that counts how often it is called.
class CompiledRobotTest : public testing::Test {
 protected:
  CompiledRobotTest() {
    setenv("LIMBER_CACHE", cache().c_str(), 1);
    script("compiler", "echo called >> '" + folder_.path() + "/calls'\nexec c++ \"$@\"\n");
  }
  ~CompiledRobotTest() override {
    unsetenv("LIMBER_CACHE");
    unsetenv("CXX");
  }

  std::string cache() const { return folder_.path() + "/cache/limber"; }
  /// Makes a shell script the compiler.
  void script(const std::string& name, const std::string& text) const {
    folder_.write(name, "#!/bin/sh\n" + text);
    const std::string path = folder_.path() + "/" + name;
    chmod(path.c_str(), S_IRWXU);
    setenv("CXX", path.c_str(), 1);
  }
  int calls() const {
    std::ifstream file(folder_.path() + "/calls");
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(cache()))
      names.push_back(entry.path().filename().string());
    return names;
  }

  Folder folder_;
};

inline CompileOptions only(RobotFunction function) {
  CompileOptions options;
  options.functions = {function};
  return options;
}

/// tau of a state, by machine code or not.
inline std::vector<double> torques(const Model& model, const CompiledRobot& robot) {
  const RandomState s = generate_state(model, 4);
  std::vector<double> tau(static_cast<std::size_t>(model.nv));
  robot.inverse_dynamics(s.q, s.v, s.a, tau);
  return tau;
}

inline void expect_right_torques(const Model& model, const CompiledRobot& robot) {
  const RandomState s = generate_state(model, 4);
  Workspace ws(model);
  EXPECT_LT(relative_error(torques(model, robot), inverse_dynamics(model, s.q, s.v, s.a, ws)),
            1e-12);
}

}  // namespace limber::test
