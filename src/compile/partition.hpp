#pragma once
// One long program as several shorter ones, so that each needs few registers: the limbs of a robot
// one after the other, then its trunk, then the limbs again.
//
// The stages are found in the program itself. A value that depends on the variables of one limb
// only belongs to that limb (the way inward); one that depends on several limbs and is needed by
// the results of one limb only belongs to that limb too (the way outward); what depends on several
// and is needed by several belongs to the trunk. What depends on the trunk's variables alone is
// computed by every stage that needs it. Values that cross from stage to stage go through memory.
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// The limb of each velocity variable, from 1 on; 0: the trunk. Limbs are subtrees: as many as
/// bring the largest part down, at most `most`.
std::vector<int> limbs_of(const Model& model, int most);

struct Partition {
  /// In the order in which they must run. Inputs and outputs of each are those of the whole, and
  /// one more array, the last of both, for the values that cross: `crossing`.
  std::vector<Program> stages;
  int slots = 0;  ///< size of that array
};

/// `variable_limb`: see limbs_of. Arrays of nq and nv elements belong to the joints, others to the
/// trunk.
Partition partition(const Program& program, const Model& model,
                    const std::vector<int>& variable_limb);

}  // namespace limber
