// No call of dynamics/ and of the joint space allocates once Model and Workspace are there.
#include <algorithm>

#include <limber/limber.hpp>

#include "support/counting_new.hpp"
#include "support/out_forms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Allocation, IsCounted) {
  EXPECT_EQ(allocations_in([] {
              int* volatile kept = new int(1);  // a compiler may leave out what nobody sees
              delete kept;
            }),
            1);
  EXPECT_EQ(allocations_in([] { std::vector<double>(100); }), 1);
  EXPECT_EQ(allocations_in([] {}), 0);
}

std::vector<Known> alternating(int count) {
  std::vector<Known> known(static_cast<std::size_t>(count), Known::force);
  for (std::size_t k = 0; k < known.size(); k += 2) known[k] = Known::acceleration;
  return known;
}

void expect_no_allocations(Robot& r) {
  const Model& m = r.model;
  Workspace& ws = r.ws;
  const auto q = in(r.q), v = in(r.v), a = in(r.a), tau = in(r.tau);
  VectorXd space(m.nq), rates(m.nv);
  const std::span<double> out_q(space.data(), static_cast<std::size_t>(m.nq)),
      out_v(rates.data(), static_cast<std::size_t>(m.nv));
  const std::vector<Force<double>> forces(static_cast<std::size_t>(m.bodies()),
                                          Force<double>{{1, 2, 3}, {4, 5, 6}});
  const Loads<double> loads{forces, {{1, 2, 3}, {}}, {{}, {4, 5, 6}}};
  const int frame = static_cast<int>(m.frames.size()) - 1, body = m.bodies() - 1;
  const std::vector<Known> known = alternating(m.nv);
  TreeFactor factor(m);

#define EXPECT_NO_ALLOCATION(call) EXPECT_EQ(allocations_in([&] { call; }), 0) << #call
  EXPECT_NO_ALLOCATION(inverse_dynamics(m, q, v, a, ws));
  EXPECT_NO_ALLOCATION(inverse_dynamics(m, q, v, a, ws, loads));
  EXPECT_NO_ALLOCATION(joint_reaction(m, inverse_dynamics(m, q, v, a, ws), body));
  EXPECT_NO_ALLOCATION(bias_forces(m, q, v, ws, loads));
  EXPECT_NO_ALLOCATION(gravity_forces(m, q, ws));
  EXPECT_NO_ALLOCATION(passive_forces(m, q, v, out_v));
  EXPECT_NO_ALLOCATION(mass_matrix(m, q, ws));
  EXPECT_NO_ALLOCATION(factorize(m, q, ws));
  EXPECT_NO_ALLOCATION(solve(ws.factor, out_v));
  EXPECT_NO_ALLOCATION(factorize(m, q, ws, factor, loads, known));
  EXPECT_NO_ALLOCATION(half_solve(factor, out_v));
  EXPECT_NO_ALLOCATION(forward_dynamics(m, q, v, tau, ws));
  EXPECT_NO_ALLOCATION(forward_dynamics(m, q, v, tau, ws, loads));
  EXPECT_NO_ALLOCATION(forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads));
  const Loads<double> passive{forces, {}, {}, Passive::included};
  EXPECT_NO_ALLOCATION(inverse_dynamics(m, q, v, a, ws, passive));
  EXPECT_NO_ALLOCATION(forward_dynamics(m, q, v, tau, ws, passive));
  EXPECT_NO_ALLOCATION(hybrid_dynamics(m, q, v, known, tau, ws));
  EXPECT_NO_ALLOCATION(hybrid_dynamics(m, q, v, known, tau, ws, passive));
  EXPECT_NO_ALLOCATION(hybrid_dynamics_by_mass_matrix(m, q, v, known, tau, ws, passive));
  EXPECT_NO_ALLOCATION(
      floating_base_inverse_dynamics(m, q, v, a.subspan(6), forces[0], ws, passive));
  EXPECT_NO_ALLOCATION(joint_forces_from_actuators(m, q, tau, ws, out_v));
  EXPECT_NO_ALLOCATION(actuator_efforts(m, q, tau, ws, out_v));
  const JointForces<double> through = inverse_dynamics(m, q, v, a, ws);
  EXPECT_NO_ALLOCATION(actuator_force(m, through, body));
  EXPECT_NO_ALLOCATION(bearing_reaction(m, through, body));
  MatrixWorkspace mw(m);
  OperationalSpace os(m, 2);
  const std::vector<int> frames{frame, 0};
  std::vector<double> numbers(
      static_cast<std::size_t>(m.nv * std::max(10 * (m.bodies() - 1), 4 * m.nv)));
  const auto n = static_cast<std::size_t>(m.nv);
  const std::span<double> A(numbers.data(), 4 * n * n),
      Y(numbers.data(), n * 10 * static_cast<std::size_t>(m.bodies() - 1));
  const std::span<double> J(numbers.data(), 6 * n);
  std::vector<double> B(2 * n * n);
  EXPECT_NO_ALLOCATION(inverse_dynamics_tangent_derivatives(m, q, v, a, ws, mw, passive));
  EXPECT_NO_ALLOCATION(forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, passive));
  const std::vector<ArticulatedInertia<double>> inertias(
      forces.size(), ArticulatedInertia<double>(Inertia<double>{1, {}, {1, 1, 1, 0, 0, 0}}));
  Loads<double> heavy;
  heavy.body_inertia = inertias;
  forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, heavy);  // makes room
  EXPECT_NO_ALLOCATION(inverse_dynamics_tangent_derivatives(m, q, v, a, ws, mw, heavy));
  EXPECT_NO_ALLOCATION(forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, heavy));
  EXPECT_NO_ALLOCATION(coriolis_matrix(m, q, v, ws, mw));
  EXPECT_NO_ALLOCATION(inverse_mass_matrix(m, q, ws, mw));
  EXPECT_NO_ALLOCATION(centroidal_momentum_matrix(m, q, ws));
  EXPECT_NO_ALLOCATION(centroidal_momentum_bias(m, q, v, ws));
  EXPECT_NO_ALLOCATION(generalized_momentum(m, q, v, ws, out_v));
  EXPECT_NO_ALLOCATION(momentum_observer_bias(m, q, v, ws, out_v));
  EXPECT_NO_ALLOCATION(static_forces(m, q, ws, passive));
  EXPECT_NO_ALLOCATION(joint_torque_regressor(m, q, v, a, ws, Y));
  EXPECT_NO_ALLOCATION(linearize(m, q, v, tau, ws, mw, A, B));
  EXPECT_NO_ALLOCATION(operational_space_inverse_inertia(m, q, frames, Reference::world, ws, os));
  EXPECT_NO_ALLOCATION(operational_space_bias(m, q, v, frames, Reference::world, ws, os));
  EXPECT_NO_ALLOCATION(forward_kinematics(m, q, ws));
  EXPECT_NO_ALLOCATION(forward_kinematics(m, q, v, ws));
  EXPECT_NO_ALLOCATION(forward_kinematics(m, q, v, a, ws));
  const Accelerations& bodies = forward_kinematics(m, q, v, a, ws);
  EXPECT_NO_ALLOCATION(body_pose(m, bodies, body));
  EXPECT_NO_ALLOCATION(frame_pose(m, bodies, frame));
  for (const Reference reference : {Reference::body, Reference::world, Reference::world_aligned}) {
    EXPECT_NO_ALLOCATION(frame_velocity(m, bodies, frame, reference));
    EXPECT_NO_ALLOCATION(frame_acceleration(m, bodies, frame, reference));
    EXPECT_NO_ALLOCATION(frame_classical_acceleration(m, bodies, frame, reference));
    EXPECT_NO_ALLOCATION(jacobian(m, q, frame, reference, ws));
    EXPECT_NO_ALLOCATION(jacobian(m, q, frame, reference, ws, J));
    EXPECT_NO_ALLOCATION(jacobian_dot_times_v(m, q, v, frame, reference, ws));
  }
  EXPECT_NO_ALLOCATION(kinetic_energy(m, q, v, ws));
  EXPECT_NO_ALLOCATION(potential_energy(m, q, ws));
  EXPECT_NO_ALLOCATION(momentum(m, q, v, ws));
  EXPECT_NO_ALLOCATION(center_of_mass(m, q, ws));
  EXPECT_NO_ALLOCATION(center_of_mass_velocity(m, q, v, ws));
  EXPECT_NO_ALLOCATION(integrate(m, q, v, 0.1, out_q));
  EXPECT_NO_ALLOCATION(difference(m, q, out_q, out_v));
  EXPECT_NO_ALLOCATION(normalize(m, out_q));
  EXPECT_NO_ALLOCATION(position_rate(m, q, v, out_q));
  Accelerations own(m);
  EXPECT_NO_ALLOCATION(forward_kinematics(m, q, ws, own));
  EXPECT_NO_ALLOCATION(forward_kinematics(m, q, v, ws, own));
  EXPECT_NO_ALLOCATION(forward_kinematics(m, q, v, a, ws, own));
  OutForms forms(r, passive);
  for (const OutForm& form : forms.all()) {
    OutputMemory to(form);
    EXPECT_NO_ALLOCATION(form.written(to.spans)) << form.name;
  }
#undef EXPECT_NO_ALLOCATION
}

TEST(Allocation, NoneInATreeOfEveryKind) {
  Robot r(every_kind(0));
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::helical,
                               JointKind::cylindrical, JointKind::planar, JointKind::universal,
                               JointKind::spherical, JointKind::translation, JointKind::free})
    ASSERT_TRUE(std::count(r.model.kind.begin(), r.model.kind.end(), kind) > 0) << name(kind);
  expect_no_allocations(r);
}

TEST(Allocation, NoneInLegs) {
  Robot r(every_kind(0));
  Star star(r.model);
  for (const StarMethod method : {StarMethod::composite_bodies, StarMethod::articulated_bodies})
    EXPECT_EQ(allocations_in([&] {
                star_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), method, r.ws, star);
              }),
              0);
}

TEST(Allocation, NoneWithMimicJoints) {
  Robot r(every_kind(0.7));
  ASSERT_TRUE(r.model.has_mimic());
  expect_no_allocations(r);
}

TEST(Allocation, NoneWithMountedRotors) {
  Spec spec = every_kind(0);
  Random random(1);
  mount_some_rotors(spec, random);
  Robot r(spec);
  ASSERT_TRUE(r.model.has_mimic());
  expect_no_allocations(r);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
