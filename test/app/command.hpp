#pragma once
// Runs the `limber` command as a user does, through the shell.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace limber::test {

using Json = nlohmann::json;

struct Outcome {
  int status = -1;
  std::string out, err;
  /// The lines of `out`, each parsed as JSON.
  std::vector<Json> lines() const;
};

/// Runs `limber ARGUMENTS` with the given text on standard input.
Outcome run_limber(const std::vector<std::string>& arguments, const std::string& input = "");

/// Runs a shell command; "$LIMBER" in it is the command's path.
Outcome run_shell(const std::string& command);

/// Expects status 2 and a message of the command's that holds all the words.
void expect_refused(const Outcome& outcome, const std::vector<std::string>& words);

/// Writes text to a new file in the folder for temporary files; `suffix` ends its name.
std::string temporary_file(const std::string& text, const std::string& suffix);

/// A URDF of two links that swing in the x-z plane, with a massless tool welded to the lower one:
/// joints 'shoulder' and 'elbow' about y; see command.cpp for the numbers.
std::string two_link_urdf();

}  // namespace limber::test
