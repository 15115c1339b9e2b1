#pragma once
// The scalar types that the library's templates are compiled for. LIMBER_DOUBLE_ONLY makes a
// library for double alone: quick builds under sanitizers.
#include <limber/scalar/counted.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/scalar/scalar.hpp>

#ifdef LIMBER_DOUBLE_ONLY
#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE) INSTANTIATE(double)
#define LIMBER_FOR_EACH_SCALAR_BUT_DUAL(INSTANTIATE) INSTANTIATE(double)
#else
#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE)    \
  LIMBER_FOR_EACH_SCALAR_BUT_DUAL(INSTANTIATE) \
  INSTANTIATE(::limber::Dual)
/// For what is differentiated by hand.
#define LIMBER_FOR_EACH_SCALAR_BUT_DUAL(INSTANTIATE) \
  INSTANTIATE(double)                                \
  INSTANTIATE(float)                                 \
  INSTANTIATE(::limber::Counted)
#endif
