// Claims about forward dynamics. [RDA] ch. 5, 6 and 8, [McM] app. B
#include <algorithm>

#include <fmt/format.h>

#include "study/claim_lists.hpp"

namespace limber::app::study {

namespace {

Claim cubic_part(const Evidence& e) {
  // the third difference of c n³ is 6 c
  const auto total = [&](int n) { return e.cost("limber_by_mass_matrix", operations, n); };
  const double c = (total(13) - 3 * total(12) + 3 * total(11) - total(10)) / 6;
  const auto share = [&](int n) { return c * n * n * n / total(n); };
  return {"cubic_part_is_small",
          "[RDA] §5.2",
          "By the mass matrix forward dynamics is O(n³), but the cubic part is insignificant at "
          "n = 6 and even at 12 (less than a tenth of the operations).",
          fmt::format("It is {:.3f} n³: {:.1f} % at n = 6, {:.1f} % at 12, {:.1f} % at 30.", c,
                      100 * share(6), 100 * share(12), 100 * share(30)),
          share(6) < 0.1 && share(12) < 0.1,
          {}};
}

Claim method_4(const Evidence& e) {
  const Links range{2, most_links};
  const auto best = [&](Measure m) {
    return e.least_ratio("walker_orin_4", "absolute_by_mass_matrix", m, range);
  };
  return {"method_4",
          "[RDA] §5.2",
          "The iterative method 4 is dearer than composite bodies and a factorisation for all but "
          "very large n (every n from 2 to 30).",
          fmt::format("Smallest ratio: {:.2f} in operations{}.", best(operations),
                      e.said_if_timed([&] { return fmt::format(", {:.2f} in time", best(time)); })),
          best(operations) > 1,
          e.if_timed([&] { return best(time) > 1; })};
}

std::optional<int> overtaken(const Evidence& e, Measure measure) {
  return e.crossover("limber_by_mass_matrix", "limber_articulated_bodies", measure);
}

Claim crossover_at_9(const Evidence& e) {
  const auto about_9 = [](std::optional<int> n) { return n && *n >= 9 && *n <= 12; };
  return {
      "articulated_overtakes_at_9",
      "[RDA] §6.1, §8.4.2",
      "Articulated bodies become cheaper than composite bodies when n reaches about 9, only for "
      "n > 9 (a crossover at 9 to 12 counts as such).",
      fmt::format(
          "Limber's articulated bodies need fewer weighted operations (11 : 3) {}{}; the "
          "book's own formulas cross {}.",
          from_links(overtaken(e, weighted)),
          e.said_if_timed([&] { return ", less time " + from_links(overtaken(e, time)); }),
          from_links(e.crossover("rda_by_mass_matrix", "rda_articulated_bodies", weighted))),
      about_9(overtaken(e, weighted)),
      e.if_timed([&] { return about_9(overtaken(e, time)); })};
}

Claim composite_for_practice(const Evidence& e) {
  const auto worst = [&](Measure m) {
    return e.greatest_ratio("limber_by_mass_matrix", "limber_articulated_bodies", m, {2, 7});
  };
  return {"composite_for_most_robots",
          "[RDA] §8.4.2",
          "Composite bodies are the better forward dynamics for most practical problems (n from 2 "
          "to 7).",
          fmt::format("Largest ratio composite to articulated: {:.2f} in weighted operations{}.",
                      worst(weighted), e.said_if_timed([&] {
                        return fmt::format(", {:.2f} in time", worst(time));
                      })),
          worst(weighted) < 1,
          e.if_timed([&] { return worst(time) < 1; })};
}

Claim mcmillan_crossover(const Evidence& e) {
  const auto n = [&](Measure m) {
    return e.crossover("mcmillan_by_mass_matrix", "mcmillan_articulated_bodies", m);
  };
  return {"mcmillan_crossover",
          "[McM] tables 26, 28, 30, added up",
          "With the thesis's counts composite bodies are cheaper up to n = 8, articulated bodies "
          "from n = 9.",
          fmt::format("McMillan's algorithms as we have them: articulated bodies need fewer "
                      "operations {}{}.",
                      from_links(n(operations)),
                      e.said_if_timed([&] { return ", less time " + from_links(n(time)); })),
          n(operations) == 9,
          e.if_timed([&] { return n(time) == 9; })};
}

Claim link_by_a_tenth(const Evidence& e) {
  const auto saved = [&](const char* key, Measure m) {
    return 1 - e.ratio(key, "absolute_articulated_bodies", m, 6);
  };
  const auto about_a_tenth = [](double x) { return x >= 0.05 && x <= 0.2; };
  return {
      "link_coordinates_articulated_bodies",
      "[RDA] §8.4.1",
      "Articulated bodies are only about 10 % cheaper in link coordinates (5 to 20 % at n = 6).",
      fmt::format("Link coordinates save {:.0f} % of the operations{}.",
                  100 * saved("limber_articulated_bodies", operations), e.said_if_timed([&] {
                    return fmt::format(
                        ", {:.0f} % of the time with plain code on both sides, {:.0f} % with "
                        "Limber's",
                        100 * saved("mcmillan_articulated_bodies", time),
                        100 * saved("limber_articulated_bodies", time));
                  })),
      about_a_tenth(saved("limber_articulated_bodies", operations)),
      e.if_timed([&] { return about_a_tenth(saved("mcmillan_articulated_bodies", time)); })};
}

Claim absolute_composite_never(const Evidence& e) {
  const Links range{2, most_links};
  const auto best = [&](const char* key, Measure m) {
    return e.least_ratio("absolute_by_mass_matrix", key, m, range);
  };
  return {"absolute_composite_never",
          "[RDA] §8.4.1",
          "By composite bodies in absolute coordinates forward dynamics is always dearer than by "
          "articulated bodies (every n from 2).",
          fmt::format("Smallest ratio: {:.2f} in operations{}.",
                      best("limber_articulated_bodies", operations), e.said_if_timed([&] {
                        return fmt::format(
                            ", {:.2f} in time against plain code, {:.2f} against Limber's",
                            best("mcmillan_articulated_bodies", time),
                            best("limber_articulated_bodies", time));
                      })),
          best("limber_articulated_bodies", operations) > 1,
          e.if_timed([&] { return best("mcmillan_articulated_bodies", time) > 1; })};
}

Claim forward_to_inverse(const Evidence& e) {
  // the better of the two forward dynamics at every n
  const auto worst = [&](Measure m) {
    double most = 0;
    for (int n = 3; n <= most_links; ++n)
      most = std::max(
          most, std::min(e.ratio("limber_articulated_bodies", "limber_inverse_dynamics", m, n),
                         e.ratio("limber_by_mass_matrix", "limber_inverse_dynamics", m, n)));
    return most;
  };
  return {
      "forward_to_inverse",
      "[RDA] §8.4.2",
      "Forward dynamics takes longer than inverse dynamics by a factor of up to 2.3 (the better "
      "method at every n from 3).",
      fmt::format("Largest factor: {:.2f} in weighted operations{}.", worst(weighted),
                  e.said_if_timed([&] { return fmt::format(", {:.2f} in time", worst(time)); })),
      worst(weighted) < 2.35,
      e.if_timed([&] { return worst(time) < 2.35; })};
}

Claim brandl(const Evidence& e) {
  const double saved =
      1 - e.ratio("limber_articulated_bodies", "brandl_articulated_bodies", operations, 6);
  return {"less_than_brandl",
          "[McM] §B.4",
          "For six joints articulated bodies need about 15 % less than the best before, Brandl, "
          "Johanni and Otter's (at least 13 %).",
          fmt::format("McMillan's formula saves {:.1f} %, Limber {:.1f} %.",
                      100 * (1 - e.ratio("mcm_articulated_bodies", "brandl_articulated_bodies",
                                         operations, 6)),
                      100 * saved),
          saved >= 0.13,
          {}};
}

}  // namespace

std::vector<Claim> claims_about_forward_dynamics(const Evidence& e) {
  return {cubic_part(e),
          method_4(e),
          crossover_at_9(e),
          composite_for_practice(e),
          mcmillan_crossover(e),
          link_by_a_tenth(e),
          absolute_composite_never(e),
          forward_to_inverse(e),
          brandl(e)};
}

}  // namespace limber::app::study
