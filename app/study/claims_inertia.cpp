// Claims about the joint-space mass matrix. [RDA] ch. 5 and 8, [McM] app. B
#include <fmt/format.h>

#include "study/claim_lists.hpp"

namespace limber::app::study {

namespace {

Claim bias_saves_little(const Evidence& e) {
  const auto saved = [&](Measure m) {
    return 1 - e.ratio("limber_bias_forces", "limber_inverse_dynamics", m, 6);
  };
  return {
      "bias_saves_little",
      "[RDA] §5.2",
      "Inverse dynamics with zero accelerations built in saves next to nothing (at most a tenth "
      "at n = 6).",
      fmt::format("Bias forces save {:.1f} % of the operations{}.", 100 * saved(operations),
                  e.said_if_timed(
                      [&] { return fmt::format(", {:.1f} % of the time", 100 * saved(time)); })),
      saved(operations) <= 0.1,
      e.if_timed([&] { return saved(time) <= 0.1; })};
}

Claim methods(const Evidence& e) {
  const Links range{3, most_links};
  const auto in_order = [&](Measure m) {
    return e.greatest_ratio("walker_orin_3", "walker_orin_2", m, range) < 1 &&
           e.greatest_ratio("walker_orin_2", "walker_orin_1", m, range) < 1;
  };
  const auto numbers = [&](Measure m) {
    return fmt::format("1 : {:.2f} : {:.2f}", e.ratio("walker_orin_2", "walker_orin_3", m, 6),
                       e.ratio("walker_orin_1", "walker_orin_3", m, 6));
  };
  return {
      "methods_1_2_3",
      "[RDA] §5.2, §5.3",
      "Walker and Orin's method 3 (composite bodies) is cheaper than method 2, and that cheaper "
      "than method 1 (every n from 3).",
      fmt::format("Methods 3 : 2 : 1 at n = 6 are {} in operations{}.", numbers(operations),
                  e.said_if_timed([&] { return ", " + numbers(time) + " in time"; })),
      in_order(operations),
      e.if_timed([&] { return in_order(time); })};
}

Claim names_the_largest_part(const Evidence& e) {
  const auto so = [&](Measure m) {
    return e.ratio("walker_orin_1", "absolute_bias_forces", m, 6) > 1 &&
           e.ratio("walker_orin_2", "absolute_bias_forces", m, 6) > 1 &&
           e.ratio("limber_mass_matrix", "limber_bias_forces", m, 6) < 1;
  };
  const auto numbers = [&](Measure m) {
    return fmt::format("{:.2f}, {:.2f} and {:.2f}",
                       e.ratio("walker_orin_1", "absolute_bias_forces", m, 6),
                       e.ratio("walker_orin_2", "absolute_bias_forces", m, 6),
                       e.ratio("limber_mass_matrix", "limber_bias_forces", m, 6));
  };
  return {
      "largest_part",
      "[RDA] §5.2",
      "For small n (here 6) most of the work is H if it is computed by methods 1 or 2, but C if "
      "by composite bodies.",
      fmt::format("H / C by method 1, method 2 and composite bodies: {} in operations{}.",
                  numbers(operations),
                  e.said_if_timed([&] { return "; " + numbers(time) + " in time"; })),
      so(operations),
      e.if_timed([&] { return so(time); })};
}

Claim link_up_to_16(const Evidence& e) {
  const Links range{1, 16};
  const auto worst = [&](const char* key, Measure m) {
    return e.greatest_ratio(key, "walker_orin_3", m, range);
  };
  return {"link_coordinates_mass_matrix",
          "[RDA] §5.4, §8.4.1",
          "Composite bodies are cheaper in link coordinates than in absolute ones for n ≤ 16.",
          fmt::format("Largest ratio link to absolute up to n = 16: {:.2f} in operations{}.",
                      worst("limber_mass_matrix", operations), e.said_if_timed([&] {
                        return fmt::format(
                            ", {:.2f} in time with plain code on both sides, {:.2f} with Limber's",
                            worst("mcmillan_mass_matrix", time), worst("limber_mass_matrix", time));
                      })),
          worst("limber_mass_matrix", operations) < 1,
          e.if_timed([&] { return worst("mcmillan_mass_matrix", time) < 1; })};
}

Claim absolute_from_17(const Evidence& e) {
  const Links range{17, most_links};
  const auto worst = [&](const char* key, Measure m) {
    return e.greatest_ratio("walker_orin_3", key, m, range);
  };
  return {"absolute_coordinates_mass_matrix",
          "[RDA] §8.4.1",
          "Composite bodies are cheaper in absolute coordinates for n > 16.",
          fmt::format("Absolute coordinates need fewer operations {}{}.",
                      from_links(e.crossover("limber_mass_matrix", "walker_orin_3", operations)),
                      e.said_if_timed([&] {
                        return fmt::format(
                            ", less time {} with plain code on both sides, {} against Limber's",
                            from_links(e.crossover("mcmillan_mass_matrix", "walker_orin_3", time)),
                            from_links(e.crossover("limber_mass_matrix", "walker_orin_3", time)));
                      })),
          worst("limber_mass_matrix", operations) < 1,
          e.if_timed([&] { return worst("mcmillan_mass_matrix", time) < 1; })};
}

Claim rivals(const Evidence& e) {
  const auto r = [&](const char* rival) {
    return e.ratio("limber_mass_matrix", rival, operations, 6);
  };
  const double lilly = r("lilly_orin_mass_matrix"), patel = r("balafoutis_patel_mass_matrix");
  return {"rivals_mass_matrix",
          "[McM] §B.3",
          "For six joints the thesis's composite bodies need far fewer operations than Lilly and "
          "Orin's (a fifth or more) and about as many as Balafoutis and Patel's (within a tenth).",
          fmt::format("Limber needs {:.1f} % and {:.1f} %.", 100 * lilly, 100 * patel),
          lilly <= 0.8 && patel >= 0.9 && patel <= 1.1,
          {}};
}

}  // namespace

std::vector<Claim> claims_about_mass_matrix(const Evidence& e) {
  return {bias_saves_little(e), methods(e),          names_the_largest_part(e),
          link_up_to_16(e),     absolute_from_17(e), rivals(e)};
}

}  // namespace limber::app::study
