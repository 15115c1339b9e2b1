#pragma once
// What compiling at run time needs of the machine: a compiler and the processor. What needs POSIX
// is in host.cpp, code_cache.cpp and shared_library.cpp.
#include <string>
#include <vector>

namespace limber {

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

}  // namespace limber
