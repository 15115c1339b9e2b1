// Peaks, means and integrals of an analysis, against numbers worked out by hand.
#include "analysis/time_series.hpp"

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

// instants at unequal distances; the values go through zero and have their peak below it
const std::vector<double> times = {0, 1, 3, 4}, values = {1, 3, -5, -1};

TEST(TimeSeries, PeakIsTheLargestMagnitudeAndItsInstant) {
  const Measured peak = peak_of(times, values);
  EXPECT_EQ(peak.value, 5);
  EXPECT_EQ(peak.time, 3);
  EXPECT_EQ(peak_of(times, mapped(values, [](double x) { return -x; })).value, 5);
}

TEST(TimeSeries, IntegralsAreThoseOfTrapezoids) {
  EXPECT_DOUBLE_EQ(integral_of(times, values), 2 - 2 - 3);
  EXPECT_DOUBLE_EQ(mean_of(times, values), -3.0 / 4);
  // of the squares 1, 9, 25, 1
  EXPECT_DOUBLE_EQ(rms_of(times, values), std::sqrt((5.0 + 34 + 13) / 4));
  // of the magnitudes 1, 3, 5, 1
  EXPECT_DOUBLE_EQ(mean_magnitude(times, values), (2.0 + 8 + 3) / 4);
  // of 1, 3, 0, 0 and of 0, 0, 5, 1
  EXPECT_DOUBLE_EQ(positive_part(times, values), 2 + 3);
  EXPECT_DOUBLE_EQ(negative_part(times, values), 5 + 3);
}

TEST(TimeSeries, OfOneInstantHasAPeakAndNoMean) {
  const std::vector<double> one = {2}, value = {-7};
  EXPECT_EQ(peak_of(one, value).value, 7);
  EXPECT_EQ(mean_of(one, value), 0);
  EXPECT_EQ(peak_of({}, {}).value, 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
