#pragma once
// What `limber info` says about links in water.
#include <string>

#include <limber/model/spec.hpp>

#include "output.hpp"

namespace limber::app {

/// A table of the links about which the file says something; empty without any. `rows`: at most.
std::string water_to_text(const Spec& spec, std::size_t rows);
/// The same as a list, with all numbers.
Json water_to_json(const Spec& spec);

}  // namespace limber::app
