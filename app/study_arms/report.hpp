#pragma once
// The study of cooperating arms for people and for programs: text, JSON, page.
#include <string>

#include "output.hpp"
#include "study_arms/results.hpp"

namespace limber::app::study_arms {

/// Tables for a terminal.
std::string to_text(const Study& study);
/// One page with plots, for a browser.
std::string to_page(const Study& study);
/// Everything; docs/command-line.md has the fields.
Json to_json(const Study& study);

}  // namespace limber::app::study_arms
