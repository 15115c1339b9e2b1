#include "batch/instruction_sets.hpp"

#include <limber/scalar/pack.hpp>

namespace limber {

template <class T>
const LaneSet<T>& lane_set_of([[maybe_unused]] InstructionSet set) {
  constexpr int narrowest = 16 / static_cast<int>(sizeof(T));
#ifdef LIMBER_HAS_REGISTERS_64
  if (set == InstructionSet::avx512) return lane_set<Pack<T, 4 * narrowest>>();
#endif
#ifdef LIMBER_HAS_REGISTERS_32
  if (set == InstructionSet::avx2) return lane_set<Pack<T, 2 * narrowest>>();
#endif
  return lane_set<Pack<T, narrowest>>();
}

template const LaneSet<double>& lane_set_of<double>(InstructionSet);
template const LaneSet<float>& lane_set_of<float>(InstructionSet);

}  // namespace limber
