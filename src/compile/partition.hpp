#pragma once
// One long program as several shorter ones: code beyond the instruction cache is fetched so slowly
// that memory for the values that cross from stage to stage is cheaper.
//
// A program can be cut where few values are alive. Or its stages are the limbs of the robot, then
// its trunk, then the limbs again: a value that depends on the variables of one limb only belongs
// to that limb (the way inward); one that depends on several limbs and is needed by the results of
// one limb only belongs to that limb too (the way outward); what depends on several and is needed
// by several belongs to the trunk, and what depends on the trunk's variables alone is computed by
// every stage that needs it.
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

struct Partition {
  /// In the order in which they must run. Inputs and outputs of each are those of the whole, and
  /// one more array, the last of both, for the values that cross: `crossing`.
  std::vector<Program> stages;
  int slots = 0;  ///< size of that array
};

/// Stages of at most about `most` instructions, in the way that lets fewest values cross; one stage
/// if the program is short enough. `registers`: as schedule().
Partition partition(const Program& program, const Model& model, int most, int registers);

}  // namespace limber
