#include <limber/scalar/instruction_set.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

const char* name(InstructionSet set) {
  switch (set) {
    case InstructionSet::best:
      return "best";
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
  }
  return "unknown";
}

namespace {

// what the compiler was allowed to use for each set, see cmake/lanes.cmake
bool has_avx2() {
#if defined(LIMBER_HAS_REGISTERS_32) || defined(LIMBER_HAS_REGISTERS_64)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}
bool has_avx512() {
#ifdef LIMBER_HAS_REGISTERS_64
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

}  // namespace

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets{InstructionSet::portable};
#ifdef LIMBER_HAS_REGISTERS_32
  if (has_avx2()) sets.push_back(InstructionSet::avx2);
#endif
  if (has_avx512()) sets.push_back(InstructionSet::avx512);
  return sets;
}

InstructionSet chosen_instruction_set(const char* who, InstructionSet wanted) {
  const std::vector<InstructionSet> sets = available_instruction_sets();
  if (wanted == InstructionSet::best) return sets.back();
  if (std::find(sets.begin(), sets.end(), wanted) == sets.end())
    throw Error(
        fmt::format("{}: instruction set '{}' is wanted, the widest that this processor and build "
                    "have is '{}'; take that one or 'best'",
                    who, name(wanted), name(sets.back())));
  return wanted;
}

}  // namespace limber
