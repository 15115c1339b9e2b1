#include "compile/host.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

// not every system declares it
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace limber {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The program behind a name, as the shell finds it.
std::optional<std::string> find_program(const std::string& name) {
  auto runs = [](const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? std::optional(name) : std::nullopt;
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (runs(path)) return path;
  }
  return std::nullopt;
}

/// Where a program really is, its size and its time.
std::string program_identity(const std::string& path) {
  std::array<char, PATH_MAX> real{};
  struct stat status {};
  if (!realpath(path.c_str(), real.data()) || stat(real.data(), &status) != 0) return path;
  return fmt::format("{} {} {}.{}", real.data(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// What the environment variable says, else the first of the names that there is.
SystemCompiler find_compiler(const char* variable, const std::vector<std::string>& names) {
  const std::string wanted = environment(variable);
  for (const std::string& name : wanted.empty() ? names : std::vector{wanted}) {
    SystemCompiler compiler{words_of(name), name};
    if (compiler.command.empty() || !find_program(compiler.command[0])) continue;
    for (const std::string& word : compiler.command)  // launchers such as ccache come first
      if (const auto path = find_program(word))
        compiler.identity += fmt::format("\n{}", program_identity(*path));
    return compiler;
  }
  return {};
}

}  // namespace

SystemCompiler find_compiler() { return find_compiler("CXX", {"c++", "g++", "clang++"}); }
SystemCompiler find_cuda_compiler() {
  return find_compiler("NVCC", {"nvcc", "/usr/local/cuda/bin/nvcc"});
}

// Global elimination of common expressions keeps constants in registers that values need more: the
// code is a tenth longer with it.
std::vector<std::string> native_flags() {
#ifdef __aarch64__
  const char* machine = "-mcpu=native";
#else
  const char* machine = "-march=native";
#endif
  return {"-O2", machine, "-fno-math-errno", "-fno-gcse"};
}

std::string processor_identity() {
  static constexpr std::array<const char*, 10> telling{
      "vendor_id", "cpu family", "model",    "stepping",         "flags",
      "Features",  "CPU part",   "CPU impl", "CPU architecture", "isa"};
  std::ifstream file("/proc/cpuinfo");
  std::string identity;
  for (std::string line; std::getline(file, line) && !line.empty();)  // the first one's
    for (const char* key : telling)
      if (line.starts_with(key)) identity += line + "\n";
  return identity;
}

int run_command(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   S_IRUSR | S_IWUSR);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int failed =
      posix_spawnp(&process, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) return -1;
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace limber
