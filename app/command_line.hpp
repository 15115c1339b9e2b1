#pragma once
// Command and Option: the words of the command line. They stand before those of CLI11, whose header
// takes seconds to compile and is included by command_line.cpp alone.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber::app {

/// One option of a command. Every function returns the option itself.
class Option {
 public:
  struct Parts;
  explicit Option(std::unique_ptr<Parts> parts);
  ~Option();
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  /// What stands for the value in the help.
  Option* type_name(const std::string& text);
  Option* required();
  /// The help shows the value that stands in the variable now.
  Option* capture_default_str();
  /// Refuses other values.
  Option* range(int least, int most);
  Option* range(double least, double most);
  Option* positive();
  Option* one_of(const std::vector<std::string>& values);
  /// One of the keys.
  template <class T>
  Option* one_of(const std::map<std::string, T>& meanings) {
    std::vector<std::string> keys;
    for (const auto& [key, meaning] : meanings) keys.push_back(key);
    return one_of(keys);
  }
  /// "A,B" is two values.
  Option* separated_by_commas();
  /// Each use takes one value; repeat it for more.
  Option* one_value_each();
  /// The value may be left out and is then `value`; `text` stands for it in the help.
  Option* value_or(const std::string& value, const std::string& text);
  /// Not together with `other`.
  Option* excludes(Option& other);

 private:
  std::unique_ptr<Parts> parts_;
};

/// The program, or a subcommand.
class Command {
 public:
  struct Parts;
  Command(const std::string& description, const std::string& name);
  explicit Command(std::unique_ptr<Parts> parts);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  Command* add_subcommand(const std::string& name, const std::string& description);
  // `name`: "-o,--output", or "MODEL" for a word without dashes; the value goes to `variable`,
  // which lives until the command has been called
  Option* add_option(const std::string& name, std::string& variable, const std::string& help);
  Option* add_option(const std::string& name, std::optional<std::string>& variable,
                     const std::string& help);
  Option* add_option(const std::string& name, std::vector<std::string>& variable,
                     const std::string& help);
  Option* add_option(const std::string& name, int& variable, const std::string& help);
  Option* add_option(const std::string& name, double& variable, const std::string& help);
  Option* add_flag(const std::string& name, bool& variable, const std::string& help);
  /// The option with this name, which was added before.
  Option* get_option(const std::string& name);
  /// Text after the help.
  void footer(const std::string& text);
  /// What the command does when it was chosen.
  void callback(std::function<void()> run);

  /// Of the program: `--version`.
  void set_version(const std::string& text);
  /// Names of the subcommands.
  std::vector<std::string> subcommands() const;
  /// Reads the words and calls the chosen subcommand, or prints the help or the version that they
  /// ask for. Throws UsageError.
  void parse(int argc, char** argv);

 private:
  Option* keep(Option::Parts option);
  std::unique_ptr<Parts> parts_;
};

/// Words that a command does not understand.
struct UsageError {
  std::string message;
};

}  // namespace limber::app
