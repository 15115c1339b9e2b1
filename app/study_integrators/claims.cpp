#include "study_integrators/claims.hpp"

#include <fmt/format.h>

namespace limber::app::study_integrators {

namespace {

// at the error that the thesis requires
const BlockRow& row_of(const Study& study, int block, int threads) {
  return study.block_tables.front().row(block, threads);
}

Claim larger_blocks_need_shorter_steps(const Study& study) {
  const double two = row_of(study, 2, 1).algorithm_gain, four = row_of(study, 4, 1).algorithm_gain;
  return {
      "On one processor and for the same error, larger blocks take longer, because they need "
      "shorter steps (table 5: S_a = 0.770 for B2PC5, 0.485 for B4PC5).",
      fmt::format("S_a = {:.2f} for B2PC5 with {} steps, {:.2f} for B4PC5 with {}; B1PC5 needs "
                  "{}",
                  two, row_of(study, 2, 1).steps, four, row_of(study, 4, 1).steps,
                  row_of(study, 1, 1).steps),
      two < 1 && four < two};
}

Claim time_is_nearly_shared(const Study& study) {
  const double gain = row_of(study, 4, 4).parallel_gain;
  return {"Four processors share the points of B4PC5 with little loss (table 4: S_p = 3.78).",
          fmt::format("S_p = {:.2f} on four threads; this machine has {} cores", gain, study.cores),
          gain > 3.4};
}

Claim pays_in_all(const Study& study) {
  const double gain = row_of(study, 4, 4).total_gain;
  return {"In all, B4PC5 on four processors beats serial PECE (table 6: S_T = 1.83).",
          fmt::format("S_T = {:.2f} on four threads", gain), gain > 1};
}

Claim smaller_blocks_pay_more(const Study& study) {
  const double two = row_of(study, 2, 2).total_gain, four = row_of(study, 4, 4).total_gain;
  return {
      "Accuracy counted in, small blocks use processors better: what each processor of B2PC5 "
      "gains is more than what each of B4PC5 gains (table 6, with the chains shared too).",
      fmt::format("S_T per thread: {:.2f} for B2PC5 on two, {:.2f} for B4PC5 on four", two / 2,
                  four / 4),
      two / 2 > four / 4};
}

}  // namespace

std::vector<Claim> judge_claims(const Study& study) {
  return {larger_blocks_need_shorter_steps(study), time_is_nearly_shared(study), pays_in_all(study),
          smaller_blocks_pay_more(study)};
}

}  // namespace limber::app::study_integrators
