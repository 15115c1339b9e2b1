#pragma once
// Whether two robots are the same.
#include <limber/model/model.hpp>

namespace limber {

/// True if every name and every number of the two models is the same, bit for bit. They may come
/// from different calls of build().
bool equal(const Model& a, const Model& b);

}  // namespace limber
