// A Puma swings its arm by the same reference under three controllers, each sampled every
// millisecond: springs and dampers alone, the same with feed-forward from the reference, and
// computed torque. How far does the arm stray?
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <limber/control/joint_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

namespace {

double largest_error(const limber::Model& puma, const limber::JointControlSettings& settings) {
  limber::System system(puma);
  system.add(std::make_unique<limber::JointController>(settings));
  limber::SimulationSettings run;
  run.duration = settings.reference->duration();
  std::vector<double> q(6), v(6), a(6), q_r(6);
  settings.reference->sample(0, q, v, a);
  limber::Simulation simulation(system, run, q, v);
  double largest = 0;
  simulation.on_record = [&](const limber::System&, double t, std::span<const double> x) {
    settings.reference->sample(t, q_r, v, a);
    for (std::size_t k = 0; k < 6; ++k) largest = std::max(largest, std::abs(q_r[k] - x[k]));
  };
  if (simulation.run() != limber::RunStatus::finished) std::puts(simulation.message().c_str());
  return largest;
}

}  // namespace

int main() {
  limber::Spec spec = limber::load_spec("puma560");
  for (limber::JointSpec& joint : spec.joints)  // dry friction is another story
    joint.dof().friction_positive = joint.dof().friction_negative = 0;
  const limber::Model puma = limber::build(spec);
  limber::MoveSettings move;
  move.law = limber::Law::quintic;
  move.velocity_limits = {2};  // rad/s
  move.acceleration_limits = {8};
  const std::vector<double> from{0, -0.5, 0.5, 0, 0.5, 0}, to{1.5, 0.5, -0.8, 1, -0.5, 1};

  limber::JointControlSettings settings;
  settings.reference = limber::point_to_point(puma, from, to, move);
  settings.sample_time = 1e-3;
  settings.passive = limber::PassiveCompensation::from_reference;  // damping is known
  settings.stiffness = {900, 900, 900, 90, 90, 90};                // N m/rad
  settings.damping = {90, 90, 90, 9, 9, 9};                        // N m s/rad
  std::printf("the move takes %.3f s\n", settings.reference->duration());
  std::printf("PD              %8.3f mrad\n", 1e3 * largest_error(puma, settings));
  settings.law = limber::JointLaw::feedforward;
  std::printf("feed-forward    %8.3f mrad\n", 1e3 * largest_error(puma, settings));
  settings.law = limber::JointLaw::computed_torque;
  settings.stiffness = {225};  // 1/s²: 15 rad/s, critically damped
  settings.damping = {30};     // 1/s
  std::printf("computed torque %8.3f mrad\n", 1e3 * largest_error(puma, settings));
}
