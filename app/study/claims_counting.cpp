// Claims about the books' tables and about counting itself. [RDA] §8.4, [McM] app. B
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "study/claim_lists.hpp"

namespace limber::app::study {

namespace {

struct Pair {
  const char *ours, *theirs;
};

// the largest part of the published multiplications or additions that we need, n from 3
double largest_part(const Evidence& e, std::initializer_list<Pair> pairs) {
  double largest = 0;
  for (const Pair& pair : pairs)
    for (const Measure m : {Measure::multiplications, Measure::additions})
      largest = std::max(largest, e.greatest_ratio(pair.ours, pair.theirs, m, {3, most_links}));
  return largest;
}

Claim table_8_6(const Evidence& e) {
  const double part = largest_part(e, {{"limber_inverse_dynamics", "rda_inverse_dynamics"},
                                       {"limber_mass_matrix", "rda_mass_matrix"},
                                       {"limber_by_mass_matrix", "rda_by_mass_matrix"},
                                       {"limber_articulated_bodies", "rda_articulated_bodies"}});
  return {"table_8_6",
          "[RDA] table 8-6",
          "The algorithms need no more multiplications or additions than the table says (every n "
          "from 3).",
          fmt::format("Limber needs {:.1f} % of a published number at most.", 100 * part),
          part <= 1,
          {}};
}

Claim mcmillan_tables(const Evidence& e) {
  const double part = largest_part(e, {{"mcmillan_inverse_dynamics", "mcm_inverse_dynamics"},
                                       {"mcmillan_bias_forces", "mcm_bias_forces"},
                                       {"mcmillan_mass_matrix", "mcm_mass_matrix"},
                                       {"mcmillan_articulated_bodies", "mcm_articulated_bodies"}});
  const double ours = largest_part(e, {{"limber_inverse_dynamics", "mcm_inverse_dynamics"},
                                       {"limber_bias_forces", "mcm_bias_forces"},
                                       {"limber_mass_matrix", "mcm_mass_matrix"},
                                       {"limber_articulated_bodies", "mcm_articulated_bodies"}});
  return {"mcmillan_tables",
          "[McM] tables 26, 28, 30",
          "The thesis's algorithms need no more multiplications or additions than its tables say "
          "(every n from 3).",
          fmt::format("They need {:.1f} % of a published number at most, Limber's own {:.1f} %.",
                      100 * part, 100 * ours),
          part <= 1,
          {}};
}

Claim tally_is_a_guide(const Evidence& e) {
  std::string found = "Nothing was timed.";
  std::optional<bool> holds = e.if_timed([&] {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const char* key : {"limber_inverse_dynamics", "limber_mass_matrix",
                            "limber_articulated_bodies", "limber_by_mass_matrix"})
      for (int n = 6; n <= most_links; ++n) {
        const double each = e.cost(key, Measure::time, n) / e.cost(key, Measure::operations, n);
        least = std::min(least, each), most = std::max(most, each);
      }
    found = fmt::format(
        "Limber's four algorithms take {:.2f} to {:.2f} ns for an operation, n from "
        "6 to 30.",
        least, most);
    return most <= 1.25 * least;
  });
  return {"tally_is_a_guide",
          "[RDA] §8.4",
          "The tally of operations is a good guide to the time (the same time for each, within a "
          "quarter).",
          found,
          {},
          holds};
}

}  // namespace

std::vector<Claim> claims_about_counting(const Evidence& e) {
  return {table_8_6(e), mcmillan_tables(e), tally_is_a_guide(e)};
}

}  // namespace limber::app::study
