#pragma once
// The scalar types that the reference formulations are compiled for.
#include <limber/scalar/counted.hpp>

#ifdef LIMBER_DOUBLE_ONLY
#define LIMBER_FOR_EACH_REFERENCE_SCALAR(INSTANTIATE) INSTANTIATE(double)
#else
#define LIMBER_FOR_EACH_REFERENCE_SCALAR(INSTANTIATE) \
  INSTANTIATE(double)                                 \
  INSTANTIATE(::limber::Counted)
#endif
