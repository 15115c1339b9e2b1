#pragma once
// The scalar types that the library's templates are compiled for.
#include <limber/scalar/counted.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/scalar/scalar.hpp>

#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(double)                       \
  INSTANTIATE(float)                        \
  INSTANTIATE(::limber::Dual)               \
  INSTANTIATE(::limber::Counted)
