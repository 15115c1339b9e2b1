#pragma once
// From functions of a robot to code that runs: out of the cache, from the compiler, or as programs.
#include <string>
#include <vector>

#include "compile/function_code.hpp"

namespace limber {

/// Makes the functions ready to run; `function` and `shape` of each are there. Returns what the
/// user should know; empty: all is machine code.
std::string build_code(const Model& model, const FunctionOptions& options,
                       std::vector<FunctionCode>& functions);

/// Writes the files into a folder of their own, runs `command` with the file `source` of them and
/// "-o LIBRARY", keeps the library at `path`, and returns its bytes. Others may do the same at the
/// same time: the last one's library stays, and they are all alike. Throws Error with the
/// compiler's words.
std::string build_library(const std::string& path, const std::vector<GeneratedFile>& files,
                          const std::string& source, std::vector<std::string> command);

/// The same for several sources: each is compiled for itself, several at a time, then they are
/// linked.
std::string build_library(const std::string& path, const LibrarySource& source,
                          const std::vector<std::string>& command);

}  // namespace limber
