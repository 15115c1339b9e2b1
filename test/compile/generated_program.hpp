#pragma once
// Generated source text, compiled and run outside of this program.
#include <span>
#include <string>
#include <vector>

#include <limber/compile/source.hpp>

namespace limber::test {

inline constexpr const char* warnings = "-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror";
/// g++, and clang++ where it is there.
const std::vector<std::string>& compilers();

/// A folder for temporary files that is gone at the end.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;
  void write(const std::vector<GeneratedFile>& files) const;

 private:
  std::string path_;
};

/// What a shell command printed, both streams; `status` is its exit status.
struct ShellResult {
  int status = -1;
  std::string output;
  /// The numbers in the output.
  std::vector<double> numbers() const;
};
/// Runs a shell command in a folder.
ShellResult run_in(const std::string& folder, const std::string& command);

/// Values of all arrays of a function: one vector per array.
using Arrays = std::vector<std::vector<double>>;

/// Random inputs for a function: q a random position, the rest between −1 and 1; kp, kd and h
/// positive; parameters as given.
Arrays random_inputs(const Model& model, const FunctionShape& shape, std::uint64_t seed,
                     const std::vector<double>& parameters = {});

/// The same result from the program's instructions.
Arrays evaluated(const Program& program, const Arrays& inputs);

/// All numbers, one after the other.
std::vector<double> joined(const Arrays& arrays);

/// Largest difference relative to the largest expected number (or 1).
double relative_error(std::span<const double> found, std::span<const double> expected);

/// "1,2,3", with all digits.
std::string list(const std::vector<double>& values);

/// A robot with traced functions, random inputs for each, and what the interpreter makes of them.
struct Case {
  Model model;
  TracedRobot robot;
  std::vector<Arrays> inputs;
  std::vector<double> expected;

  Case(Model m, const std::vector<RobotFunction>& functions, const FunctionOptions& options = {},
       const std::vector<double>& parameters = {});
};

/// A C and C++ block that calls each function of the robot once and prints its results.
std::string calls(const TracedRobot& robot, const std::vector<Arrays>& inputs,
                  const std::string& type, const std::string& prefix);
/// A program with this block.
std::string main_text(const std::string& include, const std::string& body);
/// The program `main` that the command makes prints what is expected.
void expect_output(const Folder& folder, const std::string& compile, const Case& c,
                   double tolerance);

/// A body that lies on two points, deep in the ground.
Model body_in_ground(StepContact& contact);
/// Ground of 5 by 4 points over 6 m by 5 m, 9 m up.
inline const ContactField hills{5, 4, 6, 5, {Mat3<double>::identity(), {0, 0, 9}}};

}  // namespace limber::test
