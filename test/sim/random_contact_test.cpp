// Random robots at random states over random terrain, most of them deep in it: a step of hard
// contact ends, with numbers, and contact never gives energy, solved or not.
// LIMBER_CONTACT_STATES=1000000 takes a million states, LIMBER_CONTACT_SEED=7 begins with robot 7.
#include <limber/sim/contacts.hpp>
#include <limber/sim/integrator.hpp>
#include <limber/sim/system.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

ShapeSpec random_primitive(Random& random) {
  constexpr std::array kinds = {ShapeSpec::Kind::box, ShapeSpec::Kind::sphere,
                                ShapeSpec::Kind::cylinder, ShapeSpec::Kind::capsule,
                                ShapeSpec::Kind::ellipsoid};
  ShapeSpec shape;
  shape.kind = kinds[static_cast<std::size_t>(random.integer(0, 4))];
  shape.role = ShapeSpec::Role::collision;
  shape.size = {random.uniform(0.03, 0.3), random.uniform(0.03, 0.3), random.uniform(0.03, 0.3)};
  shape.placement = {random.rotation(), random.vec3(0.2)};
  return shape;
}

std::vector<SceneryShape> random_terrain(Random& random) {
  std::vector<SceneryShape> all(1);
  all[0].name = "ground";
  all[0].placement.p.z = random.uniform(-1, 0);
  if (random.integer(0, 1) == 0) {
    HeightField field;
    field.columns = random.integer(2, 8);
    field.rows = random.integer(2, 8);
    field.width = field.depth = 6;
    for (int i = 0; i < field.columns * field.rows; ++i)
      field.heights.push_back(random.uniform(-0.5, 0.5));
    all[0].shape = Shape::height_field(field);
  }
  for (int k = 0; k < random.integer(0, 3); ++k) {
    SceneryShape box;
    box.name = "box" + std::to_string(k);
    box.placement = {random.rotation(), random.vec3()};
    box.shape = Shape::box({random.uniform(0.1, 1), random.uniform(0.1, 1), 0.5});
    all.push_back(box);
  }
  return all;
}

/// The robot on its terrain, and by itself.
struct RandomSystem {
  System touching, free;
};
RandomSystem random_system(std::uint64_t seed, Random& random) {
  Spec spec = random_spec(seed);
  for (BodySpec& body : spec.bodies)
    if (random.integer(0, 2) > 0) body.shapes.push_back(random_primitive(random));
  Model model = build(spec);
  CollisionScene scene(spec, model, random_terrain(random));
  ContactSettings settings;
  for (std::size_t k = 0; k < scene.shapes().size(); ++k) {
    ContactMaterial one;
    one.friction = random.uniform(0, 1.5);
    one.sliding_friction = one.friction * random.uniform(0.5, 1);
    one.restitution = random.integer(0, 1) * random.uniform(0, 1);
    if (random.integer(0, 3) == 0) one.torsion = one.rolling = random.uniform(0, 0.1);
    settings.materials.push_back(one);
  }
  settings.impact_law = static_cast<RestitutionLaw>(random.integer(0, 2));
  settings.impact_order = static_cast<ImpactOrder>(random.integer(0, 1));
  RandomSystem made{System(model), System(model)};
  made.touching.add(std::make_unique<Contacts>(std::move(scene), settings));
  return made;
}

/// Kinetic and potential energy [J].
double energy_at(System& system, std::span<const double> x) {
  EXPECT_EQ(system.evaluate(0, x), Evaluated::ok);
  return system.energy(x).total();
}

/// How much the method's own error changes the energy where nothing is touched [J].
double drift_of(System& system, const RandomState& state, const IntegratorSettings& settings) {
  const std::vector<double> x = system.initial_state(state.q, state.v);
  const double before = energy_at(system, x);
  const std::unique_ptr<Integrator> integrator = make_integrator(settings);
  integrator->start(system, 0, x);
  return integrator->step(HUGE_VAL) == StepStatus::ok
             ? std::abs(energy_at(system, integrator->x()) - before)
             : HUGE_VAL;
}

TEST(RandomContact, StepsEndWithNumbersAndNoEnergyFromNothing) {
  // more of them, and others, for long runs
  const char *wanted = std::getenv("LIMBER_CONTACT_STATES"),
             *first = std::getenv("LIMBER_CONTACT_SEED");
  const long most = wanted ? std::atol(wanted) : 150;
  constexpr int states_of_robot = 50;
  long states = 0, touching = 0, unsolved = 0, refused = 0, given_up = 0;
  double longest = 0;
  for (std::uint64_t seed = first ? std::strtoul(first, nullptr, 10) : 1; states < most; ++seed) {
    Random random(seed);
    std::optional<RandomSystem> made;
    try {
      made.emplace(random_system(seed, random));
    } catch (
        const Error&) {  // joints of the user's own that cannot be simulated, links without mass
      ++refused;
      continue;
    }
    System& system = made->touching;
    const Part& part = *system.parts().back();
    const auto& contacts = dynamic_cast<const Contacts&>(part);
    IntegratorSettings settings;
    settings.method = "time_stepping";
    for (int k = 0; k < states_of_robot && states < most; ++k, ++states) {
      settings.step = std::pow(10, random.uniform(-4, -1.7));
      SCOPED_TRACE(testing::Message()
                   << "robot " << seed << ", state " << k << ", step " << settings.step << " s");
      const std::unique_ptr<Integrator> integrator = make_integrator(settings);
      const RandomState state =
          random_state(system.model(), seed * 1000 + static_cast<unsigned>(k));
      const std::vector<double> x = system.initial_state(state.q, state.v);
      ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
      const EnergyBalance before = system.energy(x);
      const auto begin = std::chrono::steady_clock::now();
      integrator->start(system, 0, x);
      const StepStatus status = integrator->step(HUGE_VAL);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      longest = std::max(longest, took.count());
      if (status != StepStatus::ok) {  // the step is refused, and the state is the one before
        ++given_up;
        continue;
      }
      for (const double number : integrator->x()) ASSERT_TRUE(std::isfinite(number));
      const ContactTotals totals = contacts.totals(std::as_const(system).discrete_of(part));
      const bool touches = contacts.kept_count(std::as_const(system).discrete_of(part)) > 0;
      touching += touches;
      unsolved += totals.not_converged > 0;  // the run's summary names these
      // bodies that are moved out of each other are lifted; what does not touch yet has the
      // method's error, and that alone
      const double size = before.kinetic + std::abs(before.potential) + 1;
      const double gained = energy_at(system, integrator->x()) - before.total();
      const double allowed = std::max(totals.corrected, 0.0) + 1e-9 * size;
      if (touches && gained > allowed) {
        ASSERT_LE(gained, allowed + drift_of(made->free, state, settings));
      }
    }
  }
  std::printf(
      "%ld states, %ld of them in contact; %ld problems not solved to 1e-9 m/s; %ld steps given "
      "up; the longest step took %.3g s\n",
      states, touching, unsolved, given_up, longest);
  EXPECT_LE(given_up, states / 100);
  EXPECT_GT(touching, states / 3);
  EXPECT_LT(refused, states / states_of_robot);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
