#pragma once
// By what compiled code in the cache is known: everything that it depends on, as one number.
#include <string>

#include <limber/compile/function.hpp>

namespace limber {

/// Version and hash of the sources from which code for a robot is made; the build writes it.
const char* source_fingerprint();

/// A hash (SHA-256, 64 hexadecimal digits) of the robot's names and numbers, the function with its
/// options, source_fingerprint() and `environment` (compiler, flags, processor): of everything that
/// the code is made from, so that no robot gets what was built for another one. It needs no trace,
/// which can take longer than loading the code: only for custom joints, which are functions, the
/// traced program is hashed.
std::string fingerprint(const Model& model, RobotFunction function, const FunctionOptions& options,
                        const std::string& environment);

}  // namespace limber
