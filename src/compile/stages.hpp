#pragma once
// One long program as several shorter ones that run one after the other on a processor. Compilers
// take more than twice the time for a function of twice the length, and several of them can work
// at once on several functions. Values that cross from stage to stage wait in an array of the
// caller.
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

struct StagedProgram {
  /// In the order in which they must run. Inputs and outputs of each are those of the whole that it
  /// reads and writes; then, as the last input, `from_earlier` and, as the last output,
  /// `for_later`: the array of the values that cross, where the stage has any. No stage reads an
  /// element of that array which it writes.
  std::vector<Program> stages;
  int slots = 0;  ///< size of that array
};

/// Consecutive pieces of the program of `most` / 2 to `most` instructions, cut where few values are
/// alive; the program itself if it is not longer. What a stage fetches or repeats comes on top.
/// Inputs are read, and comparisons made, by every stage that needs them; sine and cosine of an
/// angle stay together.
StagedProgram in_stages(const Program& program, int most);

}  // namespace limber
