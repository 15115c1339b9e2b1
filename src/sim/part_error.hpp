#pragma once
// PartError: what a part of a System threw while it was asked for something. Parts are written by
// users too: whatever they throw becomes an Error that names the part.
#include <limber/error.hpp>
#include <limber/sim/part.hpp>

namespace limber {

class PartError : public Error {
  using Error::Error;
};

/// What the exception that is being handled says.
std::string text_of_exception();

/// Throws the exception that is being handled as a PartError.
[[noreturn]] void throw_part_error(const Part& part);

/// f(), which asks the part for something.
template <class F>
decltype(auto) guarded(const Part& part, F&& f) {
  try {
    return f();
  } catch (...) {
    throw_part_error(part);
  }
}

}  // namespace limber
