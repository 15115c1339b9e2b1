#pragma once
// The study of water for people and for programs: text, JSON, one HTML page.
#include <string>

#include "output.hpp"
#include "study_water/results.hpp"

namespace limber::app::study_water {

/// Tables for a terminal.
std::string to_text(const Study& study);
/// Everything; docs/command-line.md has the fields.
Json to_json(const Study& study);
/// A page that needs nothing but itself.
std::string to_page(const Study& study);

}  // namespace limber::app::study_water
