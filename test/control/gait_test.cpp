// Gaits against their definitions, swinging feet against differences and closed forms.
#include <limber/control/gait.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const Gait tripod(2, 0.6, {{"a", 0}, {"b", 0.5}, {"c", 0}, {"d", 0.5}});

TEST(Gait, AFootStandsInTheFirstPartOfItsCycle) {
  EXPECT_NEAR(tripod.stance_time(), 1.2, 1e-15);
  EXPECT_NEAR(tripod.swing_time(), 0.8, 1e-15);
  for (const double turns : {-3.0, 0.0, 5.0}) {
    const double t = 2 * turns;
    EXPECT_TRUE(tripod.stands(0, t + 0.01));
    EXPECT_TRUE(tripod.stands(0, t + 1.19));
    EXPECT_FALSE(tripod.stands(0, t + 1.21));
    EXPECT_FALSE(tripod.stands(0, t + 1.99));
    EXPECT_NEAR(tripod.time_in_swing(0, t + 1.5), 0.3, 1e-12);
    EXPECT_NEAR(tripod.time_in_stance(0, t + 0.5), 0.5, 1e-12);
    // the other one is half a period later
    EXPECT_NEAR(tripod.time_in_stance(1, t + 1.5), 0.5, 1e-12);
    EXPECT_FALSE(tripod.stands(1, t + 0.5));
  }
}

TEST(Gait, FeetStandForTheirDutyAndSomeAlwaysStand) {
  int stood[4] = {0, 0, 0, 0}, fewest = 4;
  const int samples = 20000;
  for (int i = 0; i < samples; ++i) {
    int now = 0;
    for (int k = 0; k < 4; ++k)
      if (tripod.stands(k, 2.0 * 7 * i / samples)) ++stood[k], ++now;
    fewest = std::min(fewest, now);
  }
  for (const int count : stood) EXPECT_NEAR(count, 0.6 * samples, 10);
  EXPECT_EQ(fewest, 2);
  const Gait standing(1, 1, {{"a", 0.3}});
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(standing.stands(0, 0.0371 * i));
}

TEST(Gait, SwingsRestAtBothEndsAndAreHighestInTheMiddle) {
  const Vec3<double> from{1, 2, 0.1}, to{1.4, 1.8, 0.2};
  for (const double t : {-1.0, 0.0, 0.5, 2.0}) {
    const PointMotion m = swing_motion(from, to, 0.3, 0.5, t);
    EXPECT_EQ(norm(m.position - (t <= 0 ? from : to)), 0);
    EXPECT_EQ(norm(m.velocity) + norm(m.acceleration), 0);
  }
  const PointMotion middle = swing_motion(from, to, 0.3, 0.5, 0.25);
  EXPECT_LT(norm(middle.position - Vec3<double>{1.2, 1.9, 0.15 + 0.3}), 1e-14);
  // the quintic law is fastest there: 15/8 of the mean speed
  EXPECT_LT(norm(middle.velocity - (to - from) * (15.0 / 8 / 0.5)), 1e-13);
}

TEST(Gait, VelocityAndAccelerationAreTheDerivatives) {
  const Vec3<double> from{0, 0, 0}, to{0.3, -0.1, 0.05};
  const double h = 1e-5;
  for (double t = 0.05; t < 0.8; t += 0.05) {
    const auto at = [&](double s) { return swing_motion(from, to, 0.12, 0.8, s); };
    const Vec3<double> v = (at(t + h).position - at(t - h).position) * (1 / (2 * h)),
                       a = (at(t + h).velocity - at(t - h).velocity) * (1 / (2 * h));
    EXPECT_LT(norm(at(t).velocity - v), 1e-8) << t;
    EXPECT_LT(norm(at(t).acceleration - a), 1e-7) << t;
  }
}

TEST(Gait, WrongGaitsAreRefused) {
  const std::vector<GaitFoot> feet{{"a", 0}};
  EXPECT_TRUE(mentions(message_of([&] { Gait(0, 0.5, feet); }), {"period", "0 s", "more than 0"}));
  EXPECT_TRUE(mentions(message_of([&] { Gait(NAN, 0.5, feet); }), {"period"}));
  EXPECT_TRUE(
      mentions(message_of([&] { Gait(1, 0, feet); }), {"duty", "more than 0 and at most 1"}));
  EXPECT_TRUE(mentions(message_of([&] { Gait(1, 1.1, feet); }), {"duty", "1.1"}));
  EXPECT_TRUE(mentions(message_of([&] { Gait(1, 0.5, {}); }), {"without feet"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         Gait(1, 0.5, {{"a", 0}, {"a", 0.5}});
                       }),
                       {"'a'", "twice"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         Gait(1, 0.5, {{"a", 1}});
                       }),
                       {"'a'", "phase 1", "less than 1"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
