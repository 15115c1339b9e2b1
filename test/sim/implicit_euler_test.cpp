// implicit_euler: contact that gives way with steps that are far too long for other methods,
// against closed forms; first order against a fine integration.
#include <limber/sim/contacts.hpp>
#include <limber/sim/payload.hpp>
#include <limber/sim/simulation.hpp>

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81, mass = 2, radius = 0.1;

enum class Body : std::uint8_t { ball, box };

// a thing of 2 kg over ground that is inclined about y by an angle: gravity is turned instead
System thing_on_ground(Body kind, double angle, double stiffness, double friction) {
  Spec spec;
  spec.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  ShapeSpec shape;
  shape.kind = kind == Body::ball ? ShapeSpec::Kind::sphere : ShapeSpec::Kind::box;
  shape.role = ShapeSpec::Role::collision;
  shape.size = kind == Body::ball ? Vec3<double>{radius, 0, 0} : Vec3<double>{0.4, 0.4, 2 * radius};
  BodySpec& body = spec.add_body("thing", mass, {}, {0.02, 0.02, 0.02, 0, 0, 0});
  body.shapes.push_back(shape);
  spec.add_joint("free", JointKind::free, "", "thing");
  Model model = build(spec);
  CollisionScene scene(spec, model, {{"ground", "", {}, Shape::plane()}});
  ContactSettings settings;
  settings.method = ContactMethod::compliant;
  settings.normal.kind = NormalLaw::Kind::linear;
  settings.normal.stiffness = stiffness, settings.normal.damping = 500;
  settings.tangential.stiffness = stiffness, settings.tangential.damping = 500;
  ContactMaterial material;
  material.friction = material.sliding_friction = friction;
  settings.materials.assign(scene.shapes().size(), material);
  System system(std::move(model));
  system.add(std::make_unique<Contacts>(std::move(scene), settings));
  return system;
}

SimulationSettings steps_of(double h, double duration) {
  SimulationSettings settings;
  settings.integrator.method = "implicit_euler";
  settings.integrator.step = h;
  settings.duration = duration;
  return settings;
}

std::vector<double> end_of(const System& system, const SimulationSettings& settings,
                           std::vector<double> q, std::vector<double> v = std::vector<double>(6)) {
  Simulation run(system, settings, q, v);
  run.run();
  EXPECT_NE(run.status(), RunStatus::diverged) << run.message();
  EXPECT_NE(run.status(), RunStatus::failed) << run.message();
  return {run.x().begin(), run.x().end()};
}

// k h²/m is 500,000: rk4 would need steps of 20 microseconds
TEST(ImplicitEuler, StiffGroundCarriesWithLongSteps) {
  constexpr double stiffness = 1e10, h = 0.01;
  for (const Body kind : {Body::ball, Body::box}) {
    const System system = thing_on_ground(kind, 0, stiffness, 0.5);
    const std::vector<double> x = end_of(system, steps_of(h, 5), {0, 0, radius + 1e-3, 0, 0, 0, 1});
    const double points = kind == Body::ball ? 1 : 4;
    EXPECT_NEAR(x[2], radius - mass * g / (points * stiffness), 1e-12);
    for (std::size_t k = 7; k < 13; ++k) EXPECT_NEAR(x[k], 0, 1e-9) << k;
  }
}

// a step that begins with another load is as implicit as the others: the ground does not give way
TEST(ImplicitEuler, LoadsMayBeTakenUpWhereAStepBegins) {
  constexpr double stiffness = 1e10;
  System system = thing_on_ground(Body::ball, 0, stiffness, 0.5);
  PayloadSettings load;
  load.frame = "thing";
  load.inertia = Inertia<double>::from_com(3, {}, {0.01, 0.01, 0.01, 0, 0, 0});
  load.from = 0.5;
  system.add(std::make_unique<Payload>(load));
  Simulation run(system, steps_of(0.01, 1),
                 std::vector<double>{0, 0, radius - mass * g / stiffness, 0, 0, 0, 1},
                 std::vector<double>(6));
  double lowest = radius;
  do lowest = std::min(lowest, run.x()[2]);
  while (run.step() == RunStatus::running);
  const double depth = (mass + 3) * g / stiffness;
  EXPECT_NEAR(run.x()[2], radius - depth, 1e-12) << run.message();
  EXPECT_GT(lowest, radius - 1.01 * depth);
}

// landing, tumbling, sliding, coming to rest: each step has forces that fit its end
TEST(ImplicitEuler, ForcesOfEveryStepAreFound) {
  for (const Body kind : {Body::ball, Body::box})
    for (const double h : {1e-3, 3e-3, 1e-2})
      for (const double stiffness : {1e3, 1e4}) {
        SCOPED_TRACE(testing::Message() << "step " << h << ", stiffness " << stiffness);
        const System system = thing_on_ground(kind, 0.2, stiffness, 0.4);
        Simulation run(system, steps_of(h, 3), std::vector<double>{0, 0, 0.6, 0.3, 0.1, 0, 0.9},
                       std::vector<double>{1, 2, -1, 0.5, 1, 0});
        run.run();
        EXPECT_EQ(run.status(), RunStatus::finished) << run.message();
        EXPECT_EQ(run.system().unsettled_steps(), 0);
      }
}

// a part that never agrees with the dynamics
class Stubborn final : public Part {
 public:
  Stubborn() : Part("stubborn") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Stubborn>(*this); }
  Role role() const override { return Role::world; }
  bool depends_on_acceleration() const override { return true; }
  bool settled(Evaluation& at) override {
    if (at.step > 0) at.gave_up = true;
    return true;
  }
};

TEST(ImplicitEuler, StepsWithoutForcesThatFitAreCounted) {
  System system = thing_on_ground(Body::ball, 0, 1e5, 0.5);
  system.add(std::make_unique<Stubborn>());
  Simulation run(system, steps_of(0.01, 0.1), std::vector<double>{0, 0, 1, 0, 0, 0, 1},
                 std::vector<double>(6));
  run.run();
  EXPECT_EQ(run.system().unsettled_steps(), 10);
  EXPECT_EQ(System(run.system()).unsettled_steps(), 10);
}

TEST(ImplicitEuler, WhatSticksDoesNotCreep) {
  constexpr double angle = 0.3;  // tan 0.31
  const System system = thing_on_ground(Body::box, angle, 1e7, 0.5);
  const std::vector<double> start{0, 0, radius, 0, 0, 0, 1};
  const std::vector<double> one = end_of(system, steps_of(0.01, 5), start),
                            later = end_of(system, steps_of(0.01, 50), start);
  EXPECT_NEAR(later[0], one[0], 1e-12);  // in 45 s
  EXPECT_LT(one[0], 1e-5);               // what the springs give
  EXPECT_GT(one[0], mass * g * std::sin(angle) / (4 * 1e7));
}

TEST(ImplicitEuler, WhatSlidesHasCoulombsFriction) {
  constexpr double angle = 0.8, friction = 0.5, duration = 1, h = 0.01;
  const System system = thing_on_ground(Body::box, angle, 1e7, friction);
  // begins where it lies: the springs carry it
  const double depth = mass * g * std::cos(angle) / (4 * 1e7);
  const std::vector<double> x =
      end_of(system, steps_of(h, duration), {0, 0, radius - depth, 0, 0, 0, 1});
  const double a = g * (std::sin(angle) - friction * std::cos(angle));
  EXPECT_NEAR(x[10], a * duration, 1e-3 * a * duration);
}

TEST(ImplicitEuler, ConvergesWithFirstOrder) {
  const System system = thing_on_ground(Body::ball, 0.1, 2000, 0.3);
  const std::vector<double> q{0, 0, radius + 0.05, 0, 0, 0, 1}, v{0.3, 2, 0, 0.5, 0.2, 0};
  SimulationSettings fine = steps_of(1, 0.5);
  fine.integrator.method = "dopri5";
  fine.integrator.relative_tolerance = 1e-11;
  const std::vector<double> exact = end_of(system, fine, q, v);
  const auto error = [&](double h) {
    const std::vector<double> x = end_of(system, steps_of(h, 0.5), q, v);
    double sum = 0;
    for (std::size_t k = 0; k < 13; ++k) sum += (x[k] - exact[k]) * (x[k] - exact[k]);
    return std::sqrt(sum);
  };
  const double coarse = error(2e-4), half = error(1e-4);
  EXPECT_NEAR(std::log2(coarse / half), 1, 0.15) << coarse << " then " << half;
  EXPECT_LT(half, 2e-3);
}

TEST(ImplicitEuler, BodiesNeverGainEnergyFromContact) {
  for (const double h : {1e-3, 5e-3, 2e-2}) {
    const System system = thing_on_ground(Body::box, 0.2, 1e6, 0.4);
    SimulationSettings settings = steps_of(h, 3);
    Simulation run(system, settings, std::vector<double>{0, 0, 0.4, 0.3, 0.1, 0, 0.9},
                   std::vector<double>{1, 2, -1, 0.5, 1, 0});
    double lost = 0;
    const std::size_t place = run.x().size() - 2;
    while (run.step() == RunStatus::running) {
      EXPECT_GE(run.x()[place] - lost, -1e-9) << h << " at " << run.t();
      lost = run.x()[place];
    }
    EXPECT_GT(lost, 1);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
