// Controllers and forces from shared libraries: loaded, run with their own sample time, refused
// with words.
#include <limber/control/plugin.hpp>

#include <cmath>

#include <limber/model/model.hpp>
#include <limber/sim/force_plugin.hpp>
#include <limber/sim/simulation.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Model cart() {
  Spec spec;
  spec.add_body("cart", 2);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  return build(spec);
}

PluginSettings bang_bang() {
  PluginSettings settings;
  settings.name = "bang";
  settings.sample_time = 0.02;
  settings.values = {{"target", 0.5}, {"force", 4.0}};
  return settings;
}

TEST(Plugin, RunsInASystemWithItsOwnSampleTime) {
  System system(cart());
  system.add(load_controller(BANG_BANG_PLUGIN, bang_bang()));
  SimulationSettings settings;
  settings.duration = 4;
  settings.integrator.step = 0.005;
  Simulation simulation(system, settings, std::vector<double>{0}, std::vector<double>{0});
  simulation.advance(0.1);
  // full force until now: x = ½ (F/m) t²
  EXPECT_NEAR(simulation.x()[0], 0.5 * 2 * 0.01, 1e-12);
  EXPECT_EQ(simulation.system().discrete()[0],
            5 + (simulation.t() > 0.1 - 1e-9));  // samples at 0, …, 0.1
  EXPECT_EQ(simulation.run(), RunStatus::finished);
  EXPECT_NEAR(simulation.x()[0], 0.5, 0.05);
  EXPECT_LT(std::abs(simulation.x()[1]), 0.2);
  EXPECT_EQ(simulation.system().discrete()[0], 201);
}

TEST(Plugin, IsClonedWithItsSystem) {
  System system(cart());
  system.add(load_controller(BANG_BANG_PLUGIN, bang_bang()));
  const System copy(system);
  EXPECT_EQ(copy.parts()[0]->name(), "bang");
  EXPECT_EQ(copy.parts()[0]->sample_time(), 0.02);
}

TEST(Plugin, SettingsHaveTheirKinds) {
  PluginSettings settings = bang_bang();
  settings.values["note"] = std::string("fast");
  EXPECT_EQ(settings.number("force", 1), 4);
  EXPECT_EQ(settings.number("nothing", 7), 7);
  EXPECT_EQ(settings.text("note", ""), "fast");
  EXPECT_EQ(settings.text("nothing", "x"), "x");
  EXPECT_TRUE(mentions(message_of([&] { settings.number("note", 0); }), {"note", "fast"}));
  EXPECT_TRUE(mentions(message_of([&] { settings.text("force", ""); }), {"force", "4"}));
}

PluginSettings faulty(const std::string& fault, double from, double sample_time) {
  PluginSettings settings;
  settings.name = "stranger";
  settings.sample_time = sample_time;
  settings.values = {{"fault", fault}, {"from", from}};
  return settings;
}

// sampled and continuous: the run ends where the plug-in fails, and what was recorded is kept
TEST(Plugin, WhateverItThrowsOrGivesEndsTheRunWithPartTimeAndReason) {
  const std::pair<const char*, const char*> faults[] = {{"int", "no std::exception"},
                                                        {"exception", "index 7"},
                                                        {"error", "no command can be given"},
                                                        {"nan", "not a finite number"},
                                                        {"nan state", "not a number"}};
  for (const auto& [fault, words] : faults)
    for (const double sample_time : {0.1, 0.0}) {
      if (fault == std::string("nan state") && sample_time == 0) continue;
      System system(cart());
      system.add(load_controller(FAULTY_PLUGIN, faulty(fault, 0.45, sample_time)));
      Simulation simulation(system, {}, std::vector<double>{0}, std::vector<double>{0});
      long records = 0;
      simulation.on_record = [&](const System&, double, std::span<const double>) { ++records; };
      EXPECT_EQ(simulation.run(), RunStatus::failed) << fault;
      EXPECT_TRUE(mentions(simulation.message(), {"'stranger'", "t = 0.", words})) << fault;
      EXPECT_NEAR(simulation.t(), 0.475, 0.03) << fault;
      EXPECT_GT(records, 40) << fault;
    }
}

TEST(Plugin, OneThatMakesNothingIsRefused) {
  const auto message = [](const char* fault) {
    return message_of(
        [&] { System(cart()).add(load_controller(FAULTY_PLUGIN, faulty(fault, 0, 0.1))); });
  };
  EXPECT_TRUE(mentions(message("null"), {"faulty", "'stranger'", "no controller"}));
  EXPECT_TRUE(mentions(message("int when made"), {"faulty", "'stranger'", "no std::exception"}));
  EXPECT_TRUE(mentions(message("exception when made"), {"faulty", "'stranger'", "index 7"}));
  EXPECT_TRUE(mentions(message("negative states"), {"'stranger'", "own_states", "-5"}));
  EXPECT_TRUE(mentions(message("many states"), {"'stranger'", "own_states", "2000000000"}));
  System system(cart());
  system.add(load_controller(FAULTY_PLUGIN, faulty("no clone", 0, 0.1)));
  EXPECT_TRUE(mentions(message_of([&] { const System copy(system); }), {"'stranger'", "clone"}));
}

TEST(Plugin, RefusalsSayWhy) {
  const auto message = [](const std::string& file, const PluginSettings& settings) {
    return message_of([&] { load_controller(file, settings); });
  };
  EXPECT_TRUE(mentions(message("nowhere.so", {}), {"nowhere.so", "no such file"}));
  EXPECT_TRUE(mentions(message(LIMBER_SOURCE_DIR "/test/control/plugin_test.cpp", {}),
                       {"plugin_test.cpp", "shared library"}));
  EXPECT_TRUE(mentions(message(NO_CONTROLLER_PLUGIN, {}), {"entry point", "LIMBER_CONTROLLER"}));
  EXPECT_TRUE(mentions(message(OTHER_VERSION_PLUGIN, {}),
                       {std::to_string(controller_plugin_version + 41),
                        "version " + std::to_string(controller_plugin_version)}));
  PluginSettings unknown = bang_bang();
  unknown.values["tagret"] = 1.0;
  EXPECT_TRUE(mentions(message(BANG_BANG_PLUGIN, unknown),
                       {"bang", "no setting 'tagret'", "dead_zone", "did you mean 'target'"}));
  PluginSettings weak = bang_bang();
  weak.values["force"] = -1.0;
  EXPECT_TRUE(mentions(message(BANG_BANG_PLUGIN, weak), {"force", "positive"}));
  PluginSettings continuous = bang_bang();
  continuous.sample_time = 0;
  EXPECT_TRUE(mentions(
      message_of([&] { System(cart()).add(load_controller(BANG_BANG_PLUGIN, continuous)); }),
      {"bang", "sample_time"}));
}

// a mass that falls against the air's drag c v²: v = v∞ tanh(g t/v∞), v∞² = m g/c
TEST(ForcePlugin, FallsAsTheClosedFormSays) {
  Spec spec;
  spec.gravity = {0, 0, -9.81};
  spec.add_body("ball", 2, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_joint("fall", JointKind::prismatic, "", "ball", {0, 0, 1});
  System system(build(spec));
  ForcePluginSettings wind;
  wind.name = "air";
  wind.values = {{"frame", std::string("ball")}, {"drag", 0.5}};
  system.add(load_force(WIND_PLUGIN, wind));
  SimulationSettings settings;
  settings.duration = 1.5;
  Simulation simulation(system, settings, std::vector<double>{0}, std::vector<double>{0});
  EXPECT_EQ(simulation.run(), RunStatus::finished);
  const double limit = std::sqrt(2 * 9.81 / 0.5);
  EXPECT_NEAR(simulation.x()[1], -limit * std::tanh(9.81 * 1.5 / limit), 1e-9);
  EXPECT_EQ(system.columns()[2].name, "air.fz");
}

TEST(ForcePlugin, RefusalsSayWhy) {
  const auto message = [](const std::string& file, const ForcePluginSettings& settings) {
    return message_of([&] { load_force(file, settings); });
  };
  EXPECT_TRUE(mentions(message("nowhere.so", {}), {"nowhere.so", "no such file", "force"}));
  EXPECT_TRUE(mentions(message(BANG_BANG_PLUGIN, {}), {"limber_force", "LIMBER_FORCE"}));
  ForcePluginSettings wind;
  wind.values = {{"drag", 1.0}, {"fram", std::string("x")}};
  EXPECT_TRUE(mentions(message(WIND_PLUGIN, wind), {"'fram'", "did you mean 'frame'"}));
  wind.values = {{"drag", -1.0}};
  EXPECT_TRUE(mentions(message(WIND_PLUGIN, wind), {"drag", "positive"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
