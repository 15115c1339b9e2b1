#pragma once
// What compiling at run time asks of the machine: a folder for compiled code, a compiler, the
// processor, shared libraries. All that needs POSIX is in host.cpp.
#include <memory>
#include <string>
#include <vector>

namespace limber {

/// The folder of compiled code.
struct CacheFolder {
  std::string path;
  std::string refusal;  ///< why it must not be used; empty: it may
};
/// LIMBER_CACHE, else XDG_CACHE_HOME/limber, else HOME/.cache/limber; made where it is not there.
/// Refused where anybody else could put code into it: it must belong to this user, and only he may
/// write into it. Folders that unique_folder() made there and whose processes were ended before
/// they could remove them are removed once they are a day old.
CacheFolder open_cache();

/// True for a plain file of this user that nobody else may write.
bool is_own_file(const std::string& path);

/// Makes a folder with a name of its own: PREFIX.PROCESS.XXXXXX. Throws Error.
std::string unique_folder(const std::string& prefix);

/// Lets only this user read, write and run a file.
void make_private(const std::string& path);

struct SystemCompiler {
  std::vector<std::string> command;  ///< program and its first arguments; empty: there is none
  std::string identity;              ///< command, and size and time of its program
};
/// What CXX says, else c++, g++ or clang++. Nothing is run.
SystemCompiler find_compiler();

/// The CUDA compiler: what NVCC says, else nvcc, else that of /usr/local/cuda. Nothing is run.
SystemCompiler find_cuda_compiler();

/// Flags with which compiled code is built for this very processor.
std::vector<std::string> native_flags();

/// Maker, model and abilities of the processor.
std::string processor_identity();

/// Runs a command, its output into the file `log`; returns its exit status, −1 where it could not
/// be run or was ended by a signal.
int run_command(const std::vector<std::string>& command, const std::string& log);

/// A shared library, open as long as the object lives.
class SharedLibrary {
 public:
  /// Throws Error with the loader's reason.
  explicit SharedLibrary(const std::string& path);
  /// The function with this name and type; null where it has none.
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;
  std::shared_ptr<void> handle_;
};

}  // namespace limber
