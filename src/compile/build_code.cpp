#include "compile/build_code.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <semaphore>
#include <thread>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "compile/code_cache.hpp"
#include "compile/fingerprint.hpp"
#include "compile/host.hpp"
#include "compile/lanes_gradient.hpp"
#include "compile/source_text.hpp"

namespace limber {

namespace {

/// Longer programs would take many minutes to compile, and their values that cross from stage to
/// stage would fill the stack of a thread.
constexpr int most_instructions = 400000;

/// A folder that is gone at the end.
struct TemporaryFolder {
  std::string path;
  explicit TemporaryFolder(const std::string& prefix) : path(unique_folder(prefix)) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

void write_files(const std::string& folder, const std::vector<GeneratedFile>& files) {
  for (const GeneratedFile& file : files) {
    std::ofstream stream(folder + "/" + file.name);
    stream << file.text;
    if (!stream.flush()) throw Error(fmt::format("{}/{} cannot be written", folder, file.name));
  }
}

/// The first lines of what a compiler said.
std::string beginning_of(const std::string& file) {
  std::ifstream text(file);
  std::string lines, line;
  for (int count = 0; count < 5 && std::getline(text, line); ++count) lines += "\n  " + line;
  return lines;
}

/// Calls f(0) … f(count − 1) on as many threads as the machine has cores; rethrows what one throws.
template <class F>
void in_parallel(std::size_t count, F&& f) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> errors(count);
  auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        f(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, count); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

/// Runs a compiler, not more of them at a time than the machine has cores. Throws Error with its
/// words.
void run_compiler(std::vector<std::string> command, const std::vector<std::string>& files,
                  const std::string& built) {
  static std::counting_semaphore<> cores(
      static_cast<std::ptrdiff_t>(std::max(1U, std::thread::hardware_concurrency())));
  const std::string compiler = command.empty() ? "" : command.front(), log = built + ".log";
  command.insert(command.end(), files.begin(), files.end());
  command.insert(command.end(), {"-o", built});
  cores.acquire();
  const int status = run_command(command, log);
  cores.release();
  if (status != 0)
    throw Error(fmt::format("the compiler '{}' failed with status {}:{}", compiler, status,
                            beginning_of(log)));
}

/// Keeps what was built in a folder of its own.
std::string kept(const TemporaryFolder& folder, const std::string& built, const std::string& path) {
  std::string library = read_bytes(built);
  keep_library(library, folder.path + "/draft", path);
  return library;
}

class Builder {
 public:
  Builder(const Model& model, const FunctionOptions& options)
      : model_(model), options_(options), cache_(open_cache()), compiler_(find_compiler()) {
    flags_ = native_flags();
    for (const char* flag : {"-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden"})
      flags_.emplace_back(flag);
    environment_ =
        fmt::format("{}\n{}\n{}", compiler_.identity, fmt::join(flags_, " "), processor_identity());
  }

  /// Why nothing can be compiled or loaded here; empty: it can.
  std::string obstacle() const {
    if (!cache_.refusal.empty()) return cache_.refusal;
    if (compiler_.command.empty())
      return "no C++ compiler was found; install one, or name it in the environment variable CXX";
    return "";
  }

  std::string library_path(const FunctionCode& code) const {
    const char* numbers = code.numbers == KernelNumbers::only_double ? "double" : "both";
    return fmt::format("{}/{}-{}-{}.so", cache_.path, name(code.function), numbers,
                       fingerprint(model_, code.function, options_, environment_));
  }

  /// Takes code that was built before; false where there is none that may be used.
  bool load(FunctionCode& code) const {
    const std::optional<std::string> library = kept_library(library_path(code));
    if (!library) return false;
    try {
      use_library(SharedLibrary(*library, cache_.path), code);
    } catch (const Error&) {
      return false;  // what it needs is not there any more: it is built again
    }
    return true;
  }

  TracedRobot traced(RobotFunction function) const {
    GenerateOptions wanted;
    wanted.functions = {function};
    wanted.function = options_;
    wanted.identifier = "robot";
    TracedRobot robot = trace_robot(model_, wanted);
    remove_names(robot);
    return robot;
  }

  /// Generates, compiles, and loads.
  void build(const TracedRobot& robot, FunctionCode& code) const {
    build(library_source(robot, code.numbers), code);
  }
  /// The same for derivatives column by column.
  void build_columns(FunctionCode& code) const {
    TracedRobot robot;
    robot.identifier = robot.name = "robot";
    robot.nq = model_.nq, robot.nv = model_.nv;
    robot.function = options_;
    const bool forward = code.function == RobotFunction::forward_dynamics_derivatives;
    LanesGradient gradient;
    gradient.whole.name = name(code.function);
    gradient.whole.shape = code.sparse_shape;
    gradient.parts =
        gradient_parts(model_, options_, forward ? GradientStep::forward : GradientStep::inverse);
    build(library_source(robot, gradient, code.numbers), code);
  }

 private:
  void build(const LibrarySource& source, FunctionCode& code) const {
    const std::string path = library_path(code);
    std::vector<std::string> command = compiler_.command;
    command.insert(command.end(), flags_.begin(), flags_.end());
    use_library(SharedLibrary(build_library(path, source, command), cache_.path), code);
  }

  const Model& model_;
  const FunctionOptions& options_;
  CacheFolder cache_;
  SystemCompiler compiler_;
  std::vector<std::string> flags_;
  std::string environment_;  ///< what code depends on besides the robot
};

std::string too_long(const Program& program) {
  const int instructions = program.count().instructions();
  if (instructions <= most_instructions) return "";
  return fmt::format("{} instructions, more than are compiled ({})", instructions,
                     most_instructions);
}

/// Derivatives are computed column by column where the straight line would leave the nearest cache.
/// Tables and scratch grow with the square of the freedoms.
constexpr int least_columns = 24, most_columns = 500;
bool goes_by_columns(const Model& model, RobotFunction function) {
  return is_derivative(function) && !model.has_mimic() && model.nv >= least_columns &&
         model.nv <= most_columns;
}

/// One function: from the cache, or built. Returns why it is run as a program; empty: it is not.
std::string make_ready(const Builder& builder, const Model& model, FunctionCode& code) {
  std::string reason = builder.obstacle();
  if (reason.empty() && builder.load(code)) return "";
  try {
    if (reason.empty() && goes_by_columns(model, code.function)) {
      builder.build_columns(code);
      return "";
    }
  } catch (const std::exception& error) {
    reason = error.what();
  }
  const TracedRobot robot = builder.traced(code.function);
  if (reason.empty()) reason = too_long(robot.programs.front());
  try {
    if (reason.empty()) builder.build(robot, code);
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (!reason.empty()) use_program(robot.programs.front(), code);
  return reason;
}

}  // namespace

std::string build_library(const std::string& path, const std::vector<GeneratedFile>& files,
                          const std::string& source, std::vector<std::string> command) {
  const TemporaryFolder folder(path);
  write_files(folder.path, files);
  const std::string built = folder.path + "/library.so";
  run_compiler(std::move(command), {folder.path + "/" + source}, built);
  return kept(folder, built, path);
}

std::string build_library(const std::string& path, const LibrarySource& source,
                          const std::vector<std::string>& command) {
  const TemporaryFolder folder(path);
  write_files(folder.path, source.headers);
  write_files(folder.path, source.units);
  std::vector<std::string> files, objects, compile = command;
  compile.emplace_back("-c");
  for (const GeneratedFile& unit : source.units) {
    files.push_back(folder.path + "/" + unit.name);
    objects.push_back(files.back() + ".o");
  }
  const std::string built = folder.path + "/library.so";
  if (files.size() > 1) {
    in_parallel(files.size(),
                [&](std::size_t i) { run_compiler(compile, {files[i]}, objects[i]); });
    run_compiler(command, objects, built);
  } else {
    run_compiler(command, files, built);
  }
  return kept(folder, built, path);
}

std::string build_code(const Model& model, const FunctionOptions& options,
                       std::vector<FunctionCode>& functions) {
  const Builder builder(model, options);
  std::vector<std::string> reasons(functions.size());
  in_parallel(functions.size(),
              [&](std::size_t i) { reasons[i] = make_ready(builder, model, functions[i]); });

  std::map<std::string, std::vector<std::string_view>> slow;  // functions by their reasons
  for (std::size_t i = 0; i < reasons.size(); ++i)
    if (!reasons[i].empty()) slow[reasons[i]].push_back(name(functions[i].function));
  std::string notice;
  for (const auto& [reason, names] : slow)
    notice += fmt::format("{}robot '{}': run without machine code, which is slower: {}; {}",
                          notice.empty() ? "" : "\n", model.name, fmt::join(names, ", "), reason);
  return notice;
}

}  // namespace limber
