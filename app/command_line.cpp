#include "command_line.hpp"

#include <deque>
#include <iostream>

#include <CLI/CLI.hpp>

#include "output.hpp"

namespace limber::app {

struct Option::Parts {
  CLI::Option* option;
};

struct Command::Parts {
  std::unique_ptr<CLI::App> own;  ///< of the program; a subcommand belongs to the program's
  CLI::App* app = nullptr;
  std::deque<Command> subcommands;
  std::deque<Option> options;
};

Option::Option(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Option::~Option() = default;

Option* Option::type_name(const std::string& text) {
  parts_->option->type_name(text);
  return this;
}

Option* Option::required() {
  parts_->option->required();
  return this;
}

Option* Option::capture_default_str() {
  parts_->option->capture_default_str();
  return this;
}

Option* Option::range(int least, int most) {
  parts_->option->check(CLI::Range(least, most));
  return this;
}

Option* Option::range(double least, double most) {
  parts_->option->check(CLI::Range(least, most));
  return this;
}

Option* Option::positive() {
  parts_->option->check(CLI::PositiveNumber);
  return this;
}

Option* Option::one_of(const std::vector<std::string>& values) {
  parts_->option->check(CLI::IsMember(values));
  return this;
}

Option* Option::separated_by_commas() {
  parts_->option->delimiter(',');
  return this;
}

Option* Option::one_value_each() {
  parts_->option->allow_extra_args(false);
  return this;
}

Option* Option::value_or(const std::string& value, const std::string& text) {
  parts_->option->option_text(text)->expected(0, 1)->default_str(value);
  return this;
}

Option* Option::excludes(Option& other) {
  parts_->option->excludes(other.parts_->option);
  return this;
}

Command::Command(const std::string& description, const std::string& name)
    : parts_(std::make_unique<Parts>()) {
  parts_->own = std::make_unique<CLI::App>(description, name);
  parts_->app = parts_->own.get();
  parts_->app->require_subcommand(1);
}

Command::Command(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Command::~Command() = default;

Command* Command::add_subcommand(const std::string& name, const std::string& description) {
  auto parts = std::make_unique<Parts>();
  parts->app = parts_->app->add_subcommand(name, description);
  return &parts_->subcommands.emplace_back(std::move(parts));
}

Option* Command::keep(Option::Parts option) {
  return &parts_->options.emplace_back(std::make_unique<Option::Parts>(option));
}

Option* Command::add_option(const std::string& name, std::string& variable,
                            const std::string& help) {
  return keep({parts_->app->add_option(name, variable, help)});
}

Option* Command::add_option(const std::string& name, std::optional<std::string>& variable,
                            const std::string& help) {
  return keep({parts_->app->add_option(name, variable, help)});
}

Option* Command::add_option(const std::string& name, std::vector<std::string>& variable,
                            const std::string& help) {
  return keep({parts_->app->add_option(name, variable, help)});
}

Option* Command::add_option(const std::string& name, int& variable, const std::string& help) {
  return keep({parts_->app->add_option(name, variable, help)});
}

Option* Command::add_option(const std::string& name, double& variable, const std::string& help) {
  return keep({parts_->app->add_option(name, variable, help)});
}

Option* Command::add_flag(const std::string& name, bool& variable, const std::string& help) {
  return keep({parts_->app->add_flag(name, variable, help)});
}

Option* Command::get_option(const std::string& name) {
  return keep({parts_->app->get_option(name)});
}

void Command::footer(const std::string& text) { parts_->app->footer(text); }

void Command::callback(std::function<void()> run) { parts_->app->callback(std::move(run)); }

void Command::set_version(const std::string& text) {
  parts_->app->set_version_flag("--version", text);
}

std::vector<std::string> Command::subcommands() const {
  std::vector<std::string> names;
  for (const CLI::App* command : parts_->app->get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

void Command::parse(int argc, char** argv) try {
  parts_->app->parse(argc, argv);
} catch (const CLI::ParseError& error) {
  if (error.get_exit_code() != 0) throw UsageError{error.what()};
  parts_->app->exit(error);  // prints the help or the version
  std::cout.flush();
  expect_written();
}

}  // namespace limber::app
