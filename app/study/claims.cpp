#include "study/claims.hpp"

#include "study/claim_lists.hpp"

namespace limber::app::study {

std::string Claim::verdict() const {
  if (!on_counts && !in_time) return "not measured";
  const bool counts_fail = on_counts == false, time_fails = in_time == false;
  if (counts_fail && time_fails) return "fails on counts and in time";
  if (counts_fail) return "fails on counts";
  return time_fails ? "fails in time" : "holds";
}

std::vector<Claim> judge_claims(const Results& results) {
  const Evidence evidence(results);
  std::vector<Claim> all;
  for (const auto& claims :
       {claims_about_inverse_dynamics(evidence), claims_about_mass_matrix(evidence),
        claims_about_forward_dynamics(evidence), claims_about_counting(evidence)})
    all.insert(all.end(), claims.begin(), claims.end());
  return all;
}

}  // namespace limber::app::study
