#pragma once
// The order of a program's instructions: the fewer values are alive at a time, the fewer have to be
// kept outside the registers.
#include <limber/compile/program.hpp>

namespace limber {

/// The same program in the best of several orders.
Program schedule(const Program& program);

/// Values that would have to be fetched from memory again if `registers` values can be kept, those
/// that are needed last being given up first.
int reloads(const Program& program, int registers);

}  // namespace limber
