#pragma once
// The scalar types that the reference formulations are compiled for.
#include <limber/scalar/counted.hpp>

#define LIMBER_FOR_EACH_REFERENCE_SCALAR(INSTANTIATE) \
  INSTANTIATE(double)                                 \
  INSTANTIATE(::limber::Counted)
