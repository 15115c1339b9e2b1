#pragma once
// The study for people and for programs: text, JSON, one HTML page.
#include <string>

#include "output.hpp"
#include "study/claims.hpp"
#include "study/crossovers.hpp"

namespace limber::app::study {

struct Study {
  Results results;
  std::vector<Crossover> crossovers;
  std::vector<Claim> claims;
};

/// Tables for a terminal: the costs at a few n, the crossovers, the claims.
std::string to_text(const Study& study);
/// Everything; docs/command-line.md has the fields.
Json to_json(const Study& study);
/// A page that needs nothing but itself.
std::string to_page(const Study& study);

}  // namespace limber::app::study
