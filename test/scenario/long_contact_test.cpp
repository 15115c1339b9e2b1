// What must hold for long: towers stand, balls come to rest, threads change no bit. Short by
// default; LIMBER_LONG_CONTACT=1 runs the whole durations (some minutes).
#include <limber/dynamics/energy.hpp>
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

// Newton's law for the whole robot, from what is recorded at every step: its momentum changes by
// its weight, what pushes it and the mean forces of the ground.
TEST(LongContact, RobotsOnLegsKeepTheBalanceOfMomentum) {
  for (const auto& [name, duration] :
       {std::pair{"quadruped_trot", "2"}, std::pair{"humanoid_push", "2"}}) {
    SCOPED_TRACE(name);
    const std::vector<Override> changes{{"record.interval", "0.001"},
                                        {"duration", is_long() ? "5" : duration}};
    const Scenario scenario = read_scenario(name, changes);
    const limber::Run run = run_scenario(scenario);
    const Model& model = scenario.model;
    Workspace ws(model);
    const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
    const auto momentum_at = [&](std::size_t row) {
      const std::span<const double> x = run.recording.row(row);
      return momentum<double>(model, x.subspan(1, nq), x.subspan(1 + nq, nv), ws).linear;
    };
    double mass = 0;
    for (int b = 1; b < model.bodies(); ++b) mass += model.inertia[b].m;
    std::vector<std::pair<std::size_t, int>> forces;  // columns and axes
    for (std::size_t k = 0; k < run.recording.columns.size(); ++k)
      for (int axis = 0; axis < 3; ++axis)
        for (const char* of : {"-ground", "-rough ground", "push"})
          if (run.recording.columns[k].name.ends_with(std::string(of) + ".f" + "xyz"[axis]))
            forces.emplace_back(k, axis);
    EXPECT_GE(forces.size(), 9u);
    Vec3<double> given;
    double impulses = 0, at_push = 0;
    for (std::size_t row = 1; row < run.recording.rows(); ++row) {
      const std::span<const double> now = run.recording.row(row);
      const double h = now[0] - run.recording.row(row - 1)[0];
      Vec3<double> force = model.gravity * mass;
      for (const auto& [column, axis] : forces) force[axis] += now[column];
      given += force * h;
      impulses += norm(force - model.gravity * mass) * h;
      const double off = norm(momentum_at(row) - momentum_at(0) - given);
      // steps that the push cuts in two are seen by their second part alone
      if (name == std::string("humanoid_push") && now[0] > 1 && now[0] < 1.15) at_push = off;
      EXPECT_LT(off, at_push + 1e-4 * impulses + 1e-9) << now[0];
    }
    EXPECT_LT(at_push, 0.02);  // N s of 30
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
