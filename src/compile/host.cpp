#include "compile/host.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include <limber/error.hpp>

// not every system declares it
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace limber {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string cache_path() {
  if (const std::string own = environment("LIMBER_CACHE"); !own.empty()) return own;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/limber";
  if (const std::string home = environment("HOME"); !home.empty()) return home + "/.cache/limber";
  return "";
}

/// Makes the missing folders of a path, for this user alone.
bool make_folders(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty() || std::filesystem::is_directory(path, ignored)) return true;
  return make_folders(path.parent_path()) && (mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST);
}

bool is_ours_alone(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string refusal_of(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0)
    return fmt::format("it cannot be made ({})", std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return "it is not a folder";
  if (!is_ours_alone(status)) return "others own it or may write into it";
  if (access(path.c_str(), W_OK | X_OK) != 0) return "it cannot be written";
  return "";
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

/// The process that made a folder by unique_folder(); 0: the name is none of those.
pid_t maker_of(const std::string& name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos || last == 0 || name.size() - last != 7) return 0;
  const std::size_t first = name.rfind('.', last - 1);
  if (first == std::string::npos) return 0;
  pid_t process = 0;
  const char* const end = name.data() + last;
  const auto read = std::from_chars(name.data() + first + 1, end, process);
  return read.ec == std::errc() && read.ptr == end ? process : 0;
}

/// Another machine may share the folder, and its processes are not known here: so young ones stay.
bool is_stale(const std::filesystem::directory_entry& folder) {
  std::error_code error;
  const pid_t maker = maker_of(folder.path().filename().string());
  if (maker <= 0 || folder.is_symlink(error) || !folder.is_directory(error)) return false;
  const auto made = folder.last_write_time(error);
  if (error || std::filesystem::file_time_type::clock::now() - made < std::chrono::hours(24))
    return false;
  return kill(maker, 0) != 0 && errno == ESRCH;
}

/// What cannot be removed stays for another time.
void remove_stale_folders(const std::string& path) {
  std::error_code ignored;
  std::vector<std::filesystem::path> stale;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored))
    if (is_stale(entry)) stale.push_back(entry.path());
  for (const auto& folder : stale) std::filesystem::remove_all(folder, ignored);
}

}  // namespace

CacheFolder open_cache() {
  CacheFolder folder{cache_path(), ""};
  if (folder.path.empty()) {
    folder.refusal = "none of LIMBER_CACHE, XDG_CACHE_HOME and HOME is set";
    return folder;
  }
  folder.path = std::filesystem::absolute(folder.path).string();
  make_folders(folder.path);  // what went wrong is seen by looking
  const std::string reason = refusal_of(folder.path);
  if (!reason.empty())
    folder.refusal =
        fmt::format("the folder {} is not used for compiled code: {}", folder.path, reason);
  else remove_stale_folders(folder.path);
  return folder;
}

bool is_own_file(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && is_ours_alone(status);
}

std::string unique_folder(const std::string& prefix) {
  std::string path = fmt::format("{}.{}.XXXXXX", prefix, getpid());
  if (!mkdtemp(path.data()))
    throw Error(fmt::format("no folder {} can be made: {}", path, std::strerror(errno)));
  return path;
}

void make_private(const std::string& path) { chmod(path.c_str(), S_IRWXU); }

namespace {

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

SharedLibrary::SharedLibrary(const std::string& path)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle) dlclose(handle);
      }) {
  if (!handle_) throw Error(fmt::format("{} cannot be loaded: {}", path, dlerror()));
}

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_.get(), name); }

}  // namespace limber
