// What a System refuses: arrays of the wrong size, events and parts that do not exist.
#include <cmath>
#include <limits>

#include <limber/sim/recording.hpp>
#include <limber/sim/system.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(SystemMisuse, ArraysOfTheWrongSize) {
  const Model model = build(generate_chain(2));
  System system(model);
  const std::vector<double> zero(2);
  const std::vector<double> good = system.initial_state(zero, zero);
  ASSERT_EQ(system.evaluate(0, good), Evaluated::ok);
  Recorder recorder(system, {});
  std::vector<double> two(2), one(1);
  for (const std::size_t size :
       {std::size_t{0}, good.size() - 1, good.size() + 1, std::size_t{90}}) {
    std::vector<double> x(size), x_dot(good.size());
    const std::string number = " " + std::to_string(size) + " entries";
    EXPECT_EQ(system.evaluate(0, x), Evaluated::failed);
    EXPECT_TRUE(mentions(system.failure(), {"System::evaluate", number}));
    EXPECT_EQ(system.derivative(0, x, x_dot), Evaluated::failed);
    x_dot.resize(size);
    EXPECT_EQ(system.derivative(0, good, x_dot), Evaluated::failed);
    EXPECT_TRUE(mentions(system.failure(), {"System::derivative", number}));
    EXPECT_TRUE(mentions(message_of([&] { system.project(0, x); }), {"project", number}));
    EXPECT_TRUE(mentions(message_of([&] { system.energy(x); }), {"energy", number}));
    EXPECT_TRUE(mentions(message_of([&] { system.record(x, {}); }), {"record", number}));
    EXPECT_TRUE(mentions(message_of([&] { system.event_values(x, {}); }), {number}));
    EXPECT_TRUE(mentions(message_of([&] { system.momenta(x, two); }), {"momenta", number}));
    EXPECT_THROW(system.velocities_from_momenta(x, two, two), Error);
    EXPECT_THROW(recorder.row(system, 0, x), Error);
  }
  std::vector<double> x = good;
  EXPECT_THROW(system.momenta(x, one), Error);
  EXPECT_THROW(system.velocities_from_momenta(x, one, two), Error);
  EXPECT_THROW(system.velocities_from_momenta(x, two, one), Error);
  EXPECT_THROW(system.momentum_rate(0, x, one, one), Error);
  EXPECT_THROW(system.momentum_rate(0, x, two, two), Error);
  EXPECT_THROW(system.record(x, one), Error);
  EXPECT_THROW(system.event_values(x, one), Error);
  EXPECT_EQ(system.evaluate(0, good), Evaluated::ok) << system.failure();
}

TEST(SystemMisuse, EventsAndPartsThatDoNotExist) {
  const Model model = build(generate_chain(2));
  System system(model);
  const std::vector<double> zero(2);
  std::vector<double> x = system.initial_state(zero, zero);
  for (const int wrong : {-1, 0, 7, std::numeric_limits<int>::max()}) {
    EXPECT_TRUE(mentions(message_of([&] { system.on_event(wrong, 0, x); }),
                         {"on_event", std::to_string(wrong)}));
    EXPECT_TRUE(mentions(message_of([&] { system.update(wrong, 0, x); }),
                         {"update", std::to_string(wrong)}));
  }
}

// a saved run is a file, too
TEST(SystemMisuse, SavedRunsThatSpeakOfPastPointsThatThereAreNot) {
  const Model model = build(generate_chain(2));
  const std::vector<double> zero(2);
  SimulationSettings settings;
  settings.integrator.method = "pece_b3";
  settings.integrator.step = 0.01;
  System system(model);
  Simulation simulation(system, settings, zero, zero);
  simulation.advance(0.2);
  SavedRun saved = simulation.save();
  ASSERT_GT(saved.integrator.size(), 3u);
  EXPECT_NO_THROW(Simulation(system, settings, saved));
  for (const double wrong : {-1.0, 1e9, 1e300, static_cast<double>(NAN)}) {
    saved.integrator[2] = wrong;
    EXPECT_THROW(Simulation(system, settings, saved), Error);
  }
}

TEST(SystemMisuse, SavedRunsWhoseEventsLieAheadOrCannotBeCounted) {
  const Model model = build(generate_chain(2));
  const std::vector<double> zero(2);
  System system(model);
  Simulation simulation(system, {}, zero, zero);
  simulation.advance(0.1);
  const SavedRun sound = simulation.save();
  EXPECT_NO_THROW(Simulation(system, {}, sound));
  const auto refusal = [&](auto&& damage) {
    SavedRun saved = sound;
    damage(saved);
    return message_of([&] { Simulation(system, {}, saved); });
  };
  for (const int wrong : {-1, 1000, std::numeric_limits<int>::max()})
    EXPECT_TRUE(mentions(refusal([&](SavedRun& saved) { saved.acts_in_a_row = wrong; }),
                         {"damaged", std::to_string(wrong)}));
  for (const long wrong : {-1L, std::numeric_limits<long>::max()}) {
    EXPECT_TRUE(mentions(refusal([&](SavedRun& saved) { saved.steps = wrong; }),
                         {"damaged", std::to_string(wrong)}));
    EXPECT_TRUE(mentions(refusal([&](SavedRun& saved) { saved.records = wrong; }),
                         {"does not fit", std::to_string(wrong)}));
  }
  for (const double wrong : {-2.0, 0.2, 1e17, static_cast<double>(NAN)}) {
    EXPECT_TRUE(mentions(refusal([&](SavedRun& saved) { saved.last_act = wrong; }), {"damaged"}));
    EXPECT_TRUE(
        mentions(refusal([&](SavedRun& saved) { saved.last_record = wrong; }), {"damaged"}));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
