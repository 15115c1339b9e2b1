#pragma once
// The width of the vector registers that a file is compiled for. Recursions that work in lanes are
// compiled once for each width and chosen at run time (dynamics/matrix_functions.hpp). The linker
// keeps one of all inline functions of the same name, so what such files share in .ipp files stands
// in a namespace whose name has the width: no code for wide registers gets onto a narrow processor.

#if defined(__AVX512F__)
#define LIMBER_REGISTERS registers_64
#elif defined(__AVX__)
#define LIMBER_REGISTERS registers_32
#else
#define LIMBER_REGISTERS registers_16
#endif

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Bytes of the widest vector registers.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

}  // namespace LIMBER_REGISTERS
}  // namespace limber
