// What must hold for long: towers stand, balls come to rest, threads change no bit. Short by
// default; LIMBER_LONG_CONTACT=1 runs the whole durations (some minutes).
#include <limber/scenario/run.hpp>

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

bool is_long() { return std::getenv("LIMBER_LONG_CONTACT") != nullptr; }

limber::Run run_for(const std::string& name, const std::string& usual, const std::string& whole,
                    std::vector<Override> changes = {}) {
  changes.push_back({"duration", is_long() ? whole : usual});
  return run_scenario(read_scenario(name, changes));
}

TEST(LongContact, ATowerOfTenStandsForAMinute) {
  const limber::Run run = run_for("tower", "0.3", "60");
  EXPECT_NEAR(run.recording.series("box10.root.z.position").back(), 1.9, 1e-6);
  EXPECT_EQ(run.contacts->totals.not_converged, 0);
}

TEST(LongContact, ACardHouseStandsForTenSeconds) {
  const limber::Run run = run_for("card_house", "0.3", "10");
  EXPECT_NEAR(run.recording.series("top.root.z.position").back(), 0.0958112822219165, 1e-6);
  EXPECT_EQ(run.contacts->totals.not_converged, 0);
}

TEST(LongContact, BallsComeToRestWithoutGainingEnergy) {
  const std::vector<Override> fewer{{"robots.0.copies.count", "[2, 2, 2]"}};
  const limber::Run run =
      run_for("balls_in_box", "0.5", "10", is_long() ? std::vector<Override>{} : fewer);
  const std::vector<double> energy = run.recording.series("total_energy"),
                            kinetic = run.recording.series("kinetic_energy");
  for (std::size_t k = 1; k < energy.size(); ++k)
    ASSERT_LE(energy[k], energy[k - 1] + 1e-5 * energy[0]) << k;
  EXPECT_TRUE(!is_long() || kinetic.back() < 1e-4 * energy[0]) << kinetic.back();
}

TEST(LongContact, ThreadsChangeNoBit) {
  const auto after = [](const char* threads) {
    return run_for("balls_in_box", "0.15", "10",
                   {{"integrator.threads", threads},
                    {"robots.0.copies.count", is_long() ? "[4, 4, 4]" : "[3, 2, 2]"}})
        .end.x;
  };
  const std::vector<double> one = after("1");
  for (const char* threads : {"1", "2", "4"}) EXPECT_EQ(after(threads), one) << threads;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
