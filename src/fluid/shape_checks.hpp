#pragma once
// What a shape must be to have a volume.
#include <limber/model/spec.hpp>

namespace limber {

/// Throws Error "WHAT: SIZE is VALUE; it must be positive".
void check_extent(const char* what, const char* size, double value);
/// Throws Error for kinds without a volume of their own, and for sizes that are not positive.
void check_solid(const char* what, const ShapeSpec& shape);

}  // namespace limber
