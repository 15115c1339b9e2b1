// Time laws against their closed forms.
#include <limber/control/time_law.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// ∫ f over the duration by Simpson's rule between the knots, where the law is a polynomial.
template <class F>
double integral(const TimeLaw& law, F&& f) {
  double sum = 0;
  const std::vector<double> knots = law.knots();
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const int count = 200;
    const double h = (knots[i + 1] - knots[i]) / count;
    for (int k = 0; k < count; ++k) {
      const double t = knots[i] + k * h;
      // just inside the piece, as accelerations jump at its ends
      sum += h / 6 * (f(law.at(t + 1e-12)) + 4 * f(law.at(t + h / 2)) + f(law.at(t + h - 1e-12)));
    }
  }
  return sum;
}

void expect_consistent(const TimeLaw& law) {
  EXPECT_NEAR(integral(law, [](PathPhase p) { return p.rate; }), 1, 1e-9);
  EXPECT_NEAR(integral(law, [](PathPhase p) { return p.acceleration; }), 0, 1e-9);
  const double T = law.duration(), h = 1e-4 * T;
  double largest_rate = 0, largest_acceleration = 0;
  for (int i = 1; i < 400; ++i) {
    const double t = T * i / 400;
    const PathPhase p = law.at(t);
    largest_rate = std::max(largest_rate, p.rate);
    largest_acceleration = std::max(largest_acceleration, std::abs(p.acceleration));
    bool near_knot = false;
    for (const double knot : law.knots()) near_knot = near_knot || std::abs(knot - t) < 2 * h;
    if (near_knot) continue;
    EXPECT_NEAR((law.at(t + h).s - law.at(t - h).s) / (2 * h), p.rate, 1e-6 / T);
    EXPECT_NEAR((law.at(t + h).rate - law.at(t - h).rate) / (2 * h), p.acceleration, 1e-5 / T / T);
  }
  EXPECT_LE(largest_rate, law.peak_rate() * (1 + 1e-12));
  EXPECT_LE(largest_acceleration, law.peak_acceleration() * (1 + 1e-12));
  EXPECT_GE(largest_rate, law.peak_rate() * 0.9999);
  EXPECT_GE(largest_acceleration, law.peak_acceleration() * 0.9999);
  EXPECT_EQ(law.at(T).s, 1);
  EXPECT_EQ(law.at(T + 1).rate, 0);
  EXPECT_EQ(law.at(-1).s, 0);
  EXPECT_EQ(law.at(-1).acceleration, 0);
}

TEST(TimeLaw, IsConsistent) {
  for (const Law law : {Law::trapezoidal, Law::quintic}) {
    expect_consistent(TimeLaw::with_duration(law, 2.5));
    expect_consistent(TimeLaw::with_duration(law, 0.7, 0.5));
    expect_consistent(TimeLaw::with_limits(law, 0.5, 2));
    expect_consistent(TimeLaw::with_limits(law, 5, 2));
  }
}

TEST(TimeLaw, TrapezoidHasItsArea) {
  // distance 1 = rate (T − ramp), the area of the trapezoid
  const TimeLaw law = TimeLaw::with_limits(Law::trapezoidal, 0.5, 2);
  EXPECT_NEAR(law.duration(), 1 / 0.5 + 0.5 / 2, 1e-14);
  EXPECT_NEAR(law.peak_rate(), 0.5, 1e-14);
  EXPECT_NEAR(law.peak_acceleration(), 2, 1e-13);
  const TimeLaw triangle = TimeLaw::with_limits(Law::trapezoidal, 5, 2);
  EXPECT_NEAR(triangle.duration(), 2 / std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(triangle.peak_acceleration(), 2, 1e-13);
}

TEST(TimeLaw, QuinticKeepsBothLimits) {
  const TimeLaw by_rate = TimeLaw::with_limits(Law::quintic, 0.5, HUGE_VAL);
  EXPECT_NEAR(by_rate.peak_rate(), 0.5, 1e-14);
  const TimeLaw by_acceleration = TimeLaw::with_limits(Law::quintic, 100, 3);
  EXPECT_NEAR(by_acceleration.peak_acceleration(), 3, 1e-13);
  EXPECT_EQ(TimeLaw::with_limits(Law::quintic, HUGE_VAL, HUGE_VAL).duration(), 0);
}

TEST(TimeLaw, RefusesNonsense) {
  EXPECT_TRUE(mentions(message_of([] { TimeLaw::with_duration(Law::quintic, -1); }), {"duration"}));
  EXPECT_TRUE(mentions(message_of([] { TimeLaw::with_duration(Law::quintic, 1, 0.6); }), {"ramp"}));
  EXPECT_TRUE(mentions(message_of([] { TimeLaw::with_limits(Law::trapezoidal, 1, HUGE_VAL); }),
                       {"acceleration"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
