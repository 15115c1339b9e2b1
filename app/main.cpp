// The `limber` command. Exit status: 0 done, 1 the run failed, 2 bad input.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "model/nearest.hpp"
#include "output.hpp"

namespace {

enum Status { done = 0, run_failed = 1, bad_input = 2, run_inaccurate = 3 };

int fail(Status status, const std::string& message) {
  limber::app::remark(message);
  return status;
}

// throws Error for a first word that is no subcommand: CLI11 would only call it unexpected
void check_command_name(const limber::app::Command& limber, const std::string& word) {
  const std::vector<std::string> names = limber.subcommands();
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw limber::Error(fmt::format("there is no subcommand '{}' (`limber --help` lists them){}",
                                  word, limber::did_you_mean(word, names)));
}

int run(int argc, char** argv) {
  limber::app::Command limber(
      "Dynamics of robots: inverse and forward dynamics, mass matrix, Jacobians.", "limber");
  limber.set_version("limber " LIMBER_VERSION);
  limber.footer(
      "`limber SUBCOMMAND --help` explains each with examples.\n"
      "Exit status: 0 done, 1 the run failed, 2 bad input, 3 a run finished, but is inaccurate.");
  limber::app::add_commands(limber);
  if (argc > 1) {
    check_command_name(limber, argv[1]);
    limber::app::hand_over(argv);
  }
  try {
    limber.parse(argc, argv);
  } catch (const limber::app::UsageError& error) {
    const std::string command = argc > 1 ? fmt::format(" {}", argv[1]) : "";
    return fail(bad_input, fmt::format("{}; `limber{} --help` explains", error.message, command));
  }
  return done;
}

}  // namespace

int main(int argc, char** argv) try {
  // a closed pipe and a file that may not grow are seen as failed writes
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return run(argc, argv);
} catch (const limber::Error& error) {
  return fail(bad_input, error.what());
} catch (const limber::app::RunFailure& error) {
  return fail(run_failed, error.what());
} catch (const limber::app::InaccurateRun& error) {
  return fail(run_inaccurate, error.what());
} catch (const std::bad_alloc&) {
  return fail(run_failed,
              "there is not enough memory for this; try a smaller robot or fewer states");
} catch (const std::filesystem::filesystem_error& error) {
  return fail(run_failed, error.what());
} catch (const std::exception& error) {  // of a library below us: no way out is known
  return fail(run_failed, fmt::format("unexpected error: {}; please report it", error.what()));
} catch (...) {
  return fail(run_failed, "unexpected error of an unknown kind; please report it");
}
