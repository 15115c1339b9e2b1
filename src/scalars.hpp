#pragma once
// The scalar types that the library's templates are compiled for: double. A file is compiled once
// more with LIMBER_SCALARS_FLOAT, with LIMBER_SCALARS_OBSERVING, for numbers that carry derivatives
// or count operations, with LIMBER_SCALARS_EXPR, for the expressions of the model compiler, and
// with LIMBER_SCALARS_LANES, for Packs of so many doubles or twice as many floats (batch/).
#include <limber/scalar/counted.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/scalar/expr.hpp>
#include <limber/scalar/scalar.hpp>

#if defined(LIMBER_SCALARS_EXPR)
#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE) INSTANTIATE(::limber::Expr)
#define LIMBER_FOR_EACH_REAL(INSTANTIATE) INSTANTIATE(::limber::Expr)
#elif defined(LIMBER_SCALARS_OBSERVING)
#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(::limber::Dual)               \
  INSTANTIATE(::limber::Counted)
/// For what works in lanes, or is made of many calls.
#define LIMBER_FOR_EACH_REAL(INSTANTIATE)
#elif defined(LIMBER_SCALARS_LANES)
#include <limber/scalar/pack_sincos.hpp>
namespace limber {
using DoubleLanes = Pack<double, LIMBER_SCALARS_LANES>;
using FloatLanes = Pack<float, 2 * LIMBER_SCALARS_LANES>;
}  // namespace limber
#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE) LIMBER_FOR_EACH_REAL(INSTANTIATE)
#define LIMBER_FOR_EACH_REAL(INSTANTIATE) \
  INSTANTIATE(::limber::DoubleLanes)      \
  INSTANTIATE(::limber::FloatLanes)
#else
#ifdef LIMBER_SCALARS_FLOAT
#define LIMBER_FOR_EACH_NUMBER(INSTANTIATE) INSTANTIATE(float)
#else
#define LIMBER_FOR_EACH_NUMBER(INSTANTIATE) INSTANTIATE(double)
#endif
#define LIMBER_FOR_EACH_SCALAR(INSTANTIATE) LIMBER_FOR_EACH_NUMBER(INSTANTIATE)
#define LIMBER_FOR_EACH_REAL(INSTANTIATE) LIMBER_FOR_EACH_NUMBER(INSTANTIATE)
#endif
/// For what is not compiled for classes, in a file that has other functions for them.
#ifndef LIMBER_FOR_EACH_NUMBER
#define LIMBER_FOR_EACH_NUMBER(INSTANTIATE)
#endif
