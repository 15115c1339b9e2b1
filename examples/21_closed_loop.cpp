// A four-bar linkage: a mechanism whose joints form a loop. It is assembled from a rough guess,
// then driven by its crank.
#include <cstdio>

#include <limber/constraint/assemble.hpp>
#include <limber/constraint/closed_inverse.hpp>
#include <limber/constraint/closed_method.hpp>
#include <limber/constraint/loop_analysis.hpp>
#include <limber/limber.hpp>

int main() {
  // the tree: crank and coupler, and a rocker beside them, in the plane x, y
  limber::Spec spec;
  spec.name = "four-bar";
  spec.gravity = {0, -9.81, 0};
  const auto rod = [&](const char* name, double length) {
    spec.add_body(name, length, {length / 2, 0, 0},
                  limber::Sym3<double>::diagonal(0, length * length / 12, length * length / 12));
  };
  rod("crank", 0.2), rod("coupler", 0.6), rod("rocker", 0.5);
  const auto turn = limber::JointKind::revolute;
  spec.add_joint("crank", turn, "", "crank").placement.p = {0, 0, 0};
  spec.add_joint("coupler", turn, "crank", "coupler").placement.p = {0.2, 0, 0};
  spec.add_joint("rocker", turn, "", "rocker").placement.p = {0.64, 0, 0};
  // the loop: a pin between the ends of coupler and rocker
  limber::LoopSpec pin;
  pin.name = "pin";
  pin.body_a = "coupler", pin.placement_a.p = {0.6, 0, 0};
  pin.body_b = "rocker", pin.placement_b.p = {0.5, 0, 0};
  spec.loops.push_back(pin);
  const limber::Model model = limber::build(spec);
  const limber::Mechanism linkage(model);

  // a position that closes the loop: the crank stays, the others are guessed
  std::vector<double> q{0.5, 0.5, 1.5};
  limber::AssemblySettings settings;
  settings.held = {"crank"};
  settings.from = q;
  const limber::Assembly assembly = limber::assemble(linkage, 0, q, settings);
  std::printf("%s: coupler %.4f, rocker %.4f rad\n", limber::describe(assembly).c_str(), q[1],
              q[2]);
  for (const std::string& line : limber::describe(linkage, limber::analyse_loops(linkage, 0, q)))
    if (line.find("gap") == std::string::npos) std::printf("  %s\n", line.c_str());

  // the crank turns at 2 rad/s: what the others do, and what the mechanism does by itself
  limber::ClosedDynamics closed(linkage);
  std::vector<double> v{2, 0, 0}, tau(3);
  const auto G = limber::embedding_matrix(linkage, 0, q, {0});
  for (int k = 0; k < 3; ++k) v[static_cast<std::size_t>(k)] = 2 * G(k, 0);
  const auto free = limber::closed_forward_dynamics<double>(linkage, 0, q, v, tau, closed);
  std::printf("without a motor the crank accelerates with %.4f rad/s²\n", free[0]);

  // the torque that keeps its rate: its acceleration is zero, the other joints have no drive
  const std::vector<limber::Known> known{limber::Known::acceleration, limber::Known::force,
                                         limber::Known::force};
  const auto steady = limber::closed_hybrid_dynamics(linkage, 0, q, v, known, tau, closed);
  std::printf("a torque of %.4f N m keeps its rate; force of the pin %.3f, %.3f N\n", steady.tau[0],
              steady.loop_force[0], steady.loop_force[1]);
}
