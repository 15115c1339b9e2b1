// Claims about inverse dynamics. [RDA] ch. 4, 5 and 8, [McM] app. B
#include <cmath>

#include <fmt/format.h>

#include "study/claim_lists.hpp"

namespace limber::app::study {

namespace {

Claim explicit_form(const Evidence& e) {
  const auto r = [&](Measure m) {
    return e.ratio("explicit_form", "limber_inverse_dynamics", m, 6);
  };
  const auto about_100 = [](double x) { return x >= 50 && x <= 200; };
  return {"explicit_form_100_times",
          "[RDA] §4.2",
          "For six joints the recursion is about 100 times cheaper than the non-recursive form "
          "(said of Uicker and Kahn; 50 to 200 times counts as such).",
          fmt::format("Our explicit form, which already uses composite bodies: {:.0f} times the "
                      "operations{}.",
                      r(operations), e.said_if_timed([&] {
                        return fmt::format(", {:.0f} times the time", r(time));
                      })),
          about_100(r(operations)),
          e.if_timed([&] { return about_100(r(time)); })};
}

Claim linear(const Evidence& e) {
  const std::vector<std::string> keys{"limber_inverse_dynamics", "absolute_inverse_dynamics",
                                      "limber_articulated_bodies", "absolute_articulated_bodies"};
  bool constant = true;
  for (const std::string& key : keys)
    for (int n = 5; n <= most_links; ++n)
      constant = constant && e.cost(key, operations, n) - e.cost(key, operations, n - 1) ==
                                 e.cost(key, operations, 5) - e.cost(key, operations, 4);
  // doubling the chain at most doubles the time, within a tenth
  const auto growth = [&](const char* key) {
    return e.cost(key, time, 30) / e.cost(key, time, 15);
  };
  return {
      "recursions_are_linear",
      "[RDA] ch. 4, 6",
      "Recursive inverse dynamics and articulated bodies are O(n).",
      fmt::format("From n = 4 every joint adds {:.0f} operations to Limber's inverse and {:.0f} "
                  "to its forward dynamics{}.",
                  e.cost(keys[0], operations, 30) - e.cost(keys[0], operations, 29),
                  e.cost(keys[2], operations, 30) - e.cost(keys[2], operations, 29),
                  e.said_if_timed([&] {
                    return fmt::format("; time from n = 15 to 30 grows {:.2f} and {:.2f} times",
                                       growth("limber_inverse_dynamics"),
                                       growth("limber_articulated_bodies"));
                  })),
      constant,
      e.if_timed([&] {
        return growth("limber_inverse_dynamics") <= 2.2 &&
               growth("limber_articulated_bodies") <= 2.2;
      })};
}

Claim gravity(const Evidence& e) {
  const auto r = [&](Measure m) {
    return e.ratio("absolute_inverse_dynamics", "absolute_inverse_dynamics_weights", m, 6);
  };
  const auto within_noise = [&] { return std::abs(r(time) - 1) < 0.03; };
  Claim claim{"gravity_as_acceleration",
              "[RDA] §4.4",
              "Gravity as an acceleration of the base is cheaper than weights as external forces.",
              fmt::format("In absolute coordinates at n = 6: {:.1f} % of the operations{}.",
                          100 * r(operations), e.said_if_timed([&] {
                            return fmt::format(", {:.1f} % of the time{}", 100 * r(time),
                                               within_noise() ? ", too close to call" : "");
                          })),
              r(operations) < 1,
              e.if_timed([&] { return r(time) < 1; })};
  if (claim.in_time && within_noise()) claim.in_time.reset();
  return claim;
}

Claim link_coordinates(const Evidence& e) {
  const Links range{2, most_links};
  const auto worst = [&](const char* key, Measure m) {
    return e.greatest_ratio(key, "absolute_inverse_dynamics", m, range);
  };
  return {"link_coordinates_inverse_dynamics",
          "[RDA] §4.5, §8.4.1",
          "Inverse dynamics is substantially cheaper in link coordinates than in absolute ones (by "
          "a fifth or more at every n from 2).",
          fmt::format("Largest ratio link to absolute: {:.2f} in operations{}.",
                      worst("limber_inverse_dynamics", operations), e.said_if_timed([&] {
                        return fmt::format(
                            ", {:.2f} in time with plain code on both sides, {:.2f} with Limber's",
                            worst("mcmillan_inverse_dynamics", time),
                            worst("limber_inverse_dynamics", time));
                      })),
          worst("limber_inverse_dynamics", operations) <= 0.8,
          e.if_timed([&] { return worst("mcmillan_inverse_dynamics", time) <= 0.8; })};
}

Claim twelve_milliseconds(const Evidence& e) {
  const double modelled =
      1e-3 * (e.cost("rda_inverse_dynamics", Measure::weighted, 6) + 10 * 200);  // [ms]
  return {"twelve_milliseconds",
          "[RDA] §8.4.2",
          "Inverse dynamics of six joints takes less than 12 ms: fast enough for control.",
          fmt::format("The book's model of a machine gives {:.2f} ms{}.", modelled,
                      e.said_if_timed([&] {
                        const double ns = e.cost("limber_inverse_dynamics", time, 6);
                        return fmt::format("; here it takes {:.0f} ns, {:.0f} thousand times less",
                                           ns, modelled * 1e6 / ns / 1e3);
                      })),
          modelled < 12,
          e.if_timed([&] { return e.cost("limber_inverse_dynamics", time, 6) < 12e6; })};
}

Claim balafoutis(const Evidence& e) {
  const double r = e.ratio("limber_inverse_dynamics", "bpm_inverse_dynamics", operations, 6);
  return {
      "comparable_to_balafoutis",
      "[McM] §B.2",
      "The thesis's inverse dynamics needs as many operations as Balafoutis, Patel and Misra's, "
      "the best before it (within a tenth at n = 6).",
      fmt::format("McMillan's formula {:.1f} %, Limber's count {:.1f} % of theirs.",
                  100 * e.ratio("mcm_inverse_dynamics", "bpm_inverse_dynamics", operations, 6),
                  100 * r),
      r >= 0.9 && r <= 1.1,
      {}};
}

}  // namespace

std::vector<Claim> claims_about_inverse_dynamics(const Evidence& e) {
  return {explicit_form(e),       linear(e),    gravity(e), link_coordinates(e),
          twelve_milliseconds(e), balafoutis(e)};
}

}  // namespace limber::app::study
