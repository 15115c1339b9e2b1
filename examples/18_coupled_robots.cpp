// Two robots in one simulation: equal pendulums side by side, coupled by a weak spring. One is set
// swinging; the energy goes over to the other and comes back.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <limber/simulator.hpp>

int main() {
  // a mass on a massless rod
  const double mass = 1, length = 1, stiffness = 0.5;
  limber::Spec pendulum;
  pendulum.add_body("rod", mass, {0, 0, -length});
  pendulum.add_joint("pivot", limber::JointKind::revolute, "", "rod", {0, 1, 0});

  // both in one model: names get the robot's in front
  limber::Spec both;
  both.name = "two pendulums";
  mount(both, pendulum, {.name = "left"});
  mount(both, pendulum,
        {.name = "right", .placement = limber::Transform<double>::translation({0.5, 0, 0})});
  limber::System system(build(both));

  // the spring is relaxed while both hang down
  limber::FrameForceSettings spring;
  spring.from = "left.rod";
  spring.to = "right.rod";
  spring.from_point = spring.to_point = {0, 0, -length};
  spring.stiffness = stiffness;
  spring.rest_length = 0.5;
  system.add(std::make_unique<limber::FrameForce>(spring));

  // small swings: together with w1² = g/l, against each other with w2² = g/l + 2 k/m
  const double w1 = std::sqrt(9.81 / length), w2 = std::sqrt(9.81 / length + 2 * stiffness / mass);
  const double exchange = std::numbers::pi / (w2 - w1);
  limber::SimulationSettings settings;
  settings.duration = 2 * exchange;
  const std::vector<double> q{0.01, 0}, v{0, 0};
  limber::Simulation simulation(system, settings, q, v);
  for (const double part : {0.0, 0.5, 1.0}) {
    simulation.advance(2 * exchange * part);
    double swing[2];  // amplitude of each, from angle and rate
    for (std::size_t k = 0; k < 2; ++k)
      swing[k] = std::hypot(simulation.x()[k], simulation.x()[2 + k] / w1);
    std::printf("%5.2f s: left swings by %.3f rad, right by %.3f rad\n", simulation.t(), swing[0],
                swing[1]);
  }
  std::printf("%s\n", limber::name(simulation.run()));
}
