#pragma once
// What a processor can compute at once. The library is compiled for several instruction sets where
// numbers stand side by side in vector registers (Batch, MatrixWorkspace), and chooses at run time.
#include <cstdint>
#include <vector>

namespace limber {

/// Which instructions of the processor are used, and so how many numbers are computed at once.
enum class InstructionSet : std::uint8_t {
  best,      ///< the widest that this processor has
  portable,  ///< 2 double or 4 float: what every processor has
  avx2,      ///< 4 double or 8 float: AVX2 with fused multiply-add
  avx512     ///< 8 double or 16 float
};
const char* name(InstructionSet set);

/// What this processor can do, narrowest first.
std::vector<InstructionSet> available_instruction_sets();

/// The set itself, or the widest one for `best`. Throws Error if this processor does not have it;
/// `who` begins the message.
InstructionSet chosen_instruction_set(const char* who, InstructionSet wanted);

}  // namespace limber
