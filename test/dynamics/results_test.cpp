// What one call leaves for another cannot be read stale: a result has a type of its own, calls that
// make no sense do not compile, and what was overwritten since is refused. The caller's memory gets
// the same numbers as the workspace.
#include <cstring>

#include <limber/limber.hpp>

#include "support/message.hpp"
#include "support/out_forms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// --- what does not compile ---

template <class Bodies>
concept has_poses = requires(const Model& m, const Bodies& bodies) {
  frame_pose(m, bodies, 0);
  body_pose(m, bodies, 0);
};
template <class Bodies>
concept has_velocities = requires(const Model& m, const Bodies& bodies) {
  frame_velocity(m, bodies, 0, Reference::body);
};
template <class Bodies>
concept has_spatial = requires(const Model& m, const Bodies& bodies) {
  frame_acceleration(m, bodies, 0, Reference::body);
};
template <class Bodies>
concept has_classical = requires(const Model& m, const Bodies& bodies) {
  frame_classical_acceleration(m, bodies, 0, Reference::body);
};
static_assert(!has_poses<Workspace> && !has_velocities<Workspace>);
static_assert(!has_spatial<Workspace> && !has_classical<Workspace>);
static_assert(has_poses<Poses> && !has_velocities<Poses>);
static_assert(!has_spatial<Poses> && !has_classical<Poses>);
static_assert(has_poses<Velocities> && has_velocities<Velocities>);
static_assert(!has_spatial<Velocities> && !has_classical<Velocities>);
static_assert(has_poses<Accelerations> && has_velocities<Accelerations>);
static_assert(has_spatial<Accelerations> && has_classical<Accelerations>);

template <class Forces>
concept has_reaction = requires(const Model& m, const Forces& forces) {
  joint_reaction(m, forces, 1);
};
template <class Forces>
concept has_actuators = requires(const Model& m, const Forces& forces) {
  actuator_force(m, forces, 1);
};
template <class Forces>
concept has_bearings = requires(const Model& m, const Forces& forces) {
  bearing_reaction(m, forces, 1);
};
template <class Forces>
constexpr int reaction_calls = int(has_reaction<Forces>) + int(has_actuators<Forces>) +
                               int(has_bearings<Forces>);
static_assert(reaction_calls<JointForces<double>> == 3);
static_assert(reaction_calls<decltype(FloatingBaseForces<double>::tau)> == 3);
static_assert(reaction_calls<decltype(Hybrid<double>::tau)> == 0);
static_assert(reaction_calls<Workspace> == 0 && reaction_calls<std::vector<double>> == 0);

// a smaller object has no room for more than its name says
template <class Bodies>
concept takes_velocities = requires(const Model& m, Workspace& ws, Bodies& out, In<double> x) {
  forward_kinematics(m, x, x, ws, out);
};
template <class Bodies>
concept takes_accelerations = requires(const Model& m, Workspace& ws, Bodies& out, In<double> x) {
  forward_kinematics(m, x, x, x, ws, out);
};
static_assert(!takes_velocities<Poses> && takes_velocities<Velocities>);
static_assert(takes_velocities<Accelerations>);
static_assert(!takes_accelerations<Velocities> && takes_accelerations<Accelerations>);

// --- kinematics ---

void add(const Vec3<double>& x, std::vector<double>& all) {
  all.insert(all.end(), {x.x, x.y, x.z});
}
void add(const Motion<double>& x, std::vector<double>& all) {
  add(x.angular, all);
  add(x.linear, all);
}

// all that can be asked of them
std::vector<double> numbers_of(const Model& m, const Accelerations& bodies) {
  std::vector<double> all;
  for (int f = 0; f < static_cast<int>(m.frames.size()); ++f) {
    const Transform<double> X = frame_pose(m, bodies, f);
    add(X.p, all);
    add(X.R * Vec3<double>{1, 2, 3}, all);
    for (const Reference reference : {Reference::body, Reference::world}) {
      add(frame_velocity(m, bodies, f, reference), all);
      add(frame_acceleration(m, bodies, f, reference), all);
    }
  }
  return all;
}

bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Results, OnlyForwardKinematicsChangesItsOwn) {
  for (const double mimic : {0.0, 0.7}) {
    Robot r(every_kind(mimic));
    const Model& m = r.model;
    Workspace& ws = r.ws;
    const Accelerations& bodies = forward_kinematics(m, in(r.q), in(r.v), in(r.a), ws);
    const std::vector<double> before = numbers_of(m, bodies);
    r.q = matrix(neutral_position(m));  // elsewhere
    OutForms forms(r, {});
    for (const OutForm& form : forms.all()) {
      form.returned();
      EXPECT_TRUE(same_numbers(numbers_of(m, bodies), before)) << form.name;
    }
    const auto q = in(r.q), v = in(r.v), a = in(r.a);
    std::vector<double> out(static_cast<std::size_t>(m.nv)),
        Y(out.size() * static_cast<std::size_t>(10 * (m.bodies() - 1)));
    kinetic_energy(m, q, v, ws);
    potential_energy(m, q, ws);
    momentum(m, q, v, ws);
    center_of_mass(m, q, ws);
    centroidal_momentum_bias(m, q, v, ws);
    jacobian_dot_times_v(m, q, v, 1, Reference::body, ws);
    generalized_momentum(m, q, v, ws, out);
    momentum_observer_bias(m, q, v, ws, out);
    joint_torque_regressor(m, q, v, a, ws, Y);
    Accelerations others(m);
    forward_kinematics(m, q, v, a, ws, others);
    EXPECT_TRUE(same_numbers(numbers_of(m, bodies), before));
    EXPECT_FALSE(same_numbers(numbers_of(m, others), before));
  }
}

TEST(Results, WhatALaterCallHasNotComputedIsRefused) {
  const Model m = build(generate_chain(3));
  Workspace ws(m);
  Accelerations own(m);
  const std::vector<double> zero(3);
  constexpr auto body = Reference::body;
  const Accelerations& bodies = forward_kinematics(m, zero, zero, zero, ws);
  forward_kinematics(m, zero, zero, zero, ws, own);
  for (const Accelerations* x : {&bodies, static_cast<const Accelerations*>(&own)})
    frame_acceleration(m, *x, 1, body);
  forward_kinematics(m, zero, zero, ws);
  forward_kinematics(m, zero, zero, ws, own);
  for (const Accelerations* x : {&bodies, static_cast<const Accelerations*>(&own)}) {
    frame_velocity(m, *x, 1, body);
    EXPECT_TRUE(mentions(message_of([&] { frame_acceleration(m, *x, 1, body); }),
                         {"frame_acceleration", "accelerations", "with v and a"}));
    EXPECT_TRUE(mentions(message_of([&] { frame_classical_acceleration(m, *x, 1, body); }),
                         {"accelerations", "with v and a"}));
  }
  forward_kinematics(m, zero, ws);
  forward_kinematics(m, zero, ws, own);
  for (const Accelerations* x : {&bodies, static_cast<const Accelerations*>(&own)}) {
    frame_pose(m, *x, 1);
    EXPECT_TRUE(mentions(message_of([&] { frame_velocity(m, *x, 1, body); }),
                         {"frame_velocity", "velocities", "with v"}));
  }
}

TEST(Results, KinematicsOfAnotherModelAreRefused) {
  const Model one = build(generate_chain(3)), other = build(generate_chain(3));
  Workspace ws(one);
  const std::vector<double> zero(3);
  Poses foreign(other), none;
  for (Poses* out : {&foreign, &none})
    EXPECT_TRUE(mentions(message_of([&] { forward_kinematics(one, zero, ws, *out); }),
                         {"forward_kinematics", "another model"}));
  const Poses& bodies = forward_kinematics(one, zero, ws);
  EXPECT_TRUE(
      mentions(message_of([&] { frame_pose(other, bodies, 1); }), {"frame_pose", "another model"}));
  EXPECT_TRUE(mentions(message_of([&] { Velocities{Model{}}; }), {"build()"}));
}

TEST(Results, KinematicsInTheCallersMemoryAreTheSame) {
  for_random_robots(20, [](Robot& r) {
    const auto q = in(r.q), v = in(r.v), a = in(r.a);
    Accelerations own(r.model);
    forward_kinematics(r.model, q, v, a, r.ws, own);
    const std::vector<double> found = numbers_of(r.model, own);
    EXPECT_EQ(found, numbers_of(r.model, forward_kinematics(r.model, q, v, a, r.ws)));
    Velocities slower(r.model);
    forward_kinematics(r.model, q, v, r.ws, slower);
    Poses still(r.model);
    forward_kinematics(r.model, q, r.ws, still);
    const int f = static_cast<int>(r.model.frames.size()) - 1;
    EXPECT_EQ(frame_velocity(r.model, slower, f, Reference::world).linear.x,
              frame_velocity(r.model, own, f, Reference::world).linear.x);
    EXPECT_EQ(frame_pose(r.model, still, f).p.y, frame_pose(r.model, own, f).p.y);
    const Accelerations copy = own;  // a value: it stays when the workspace is used again
    EXPECT_EQ(numbers_of(r.model, copy), found);
  });
}

// --- forces through the joints ---

TEST(Results, ReactionsBelongToTheCallThatReturnedThem) {
  Robot r(every_kind(0));
  const Model& m = r.model;
  const auto q = in(r.q), v = in(r.v), a = in(r.a), tau = in(r.tau);
  std::vector<double> out(static_cast<std::size_t>(m.nv)), nothing;
  const std::vector<std::function<JointForces<double>()>> calls{
      [&] { return inverse_dynamics(m, q, v, a, r.ws); },
      [&] { return inverse_dynamics(m, q, v, a, r.ws, out); },
      [&] { return bias_forces(m, q, v, r.ws); },
      [&] { return gravity_forces(m, q, r.ws); },
      [&] { return static_forces(m, q, r.ws); },
      [&] { return floating_base_inverse_dynamics(m, q, v, a.subspan(6), {}, r.ws).tau; }};
  const std::vector<std::function<void()>> overwriting{
      [&] { bias_forces(m, q, v, r.ws); }, [&] { inverse_dynamics(m, q, v, v, r.ws, out); },
      [&] { forward_dynamics_by_mass_matrix(m, q, v, tau, r.ws); },
      [&] { momentum_observer_bias(m, q, v, r.ws, out); }};
  const std::vector<std::function<void()>> harmless{
      [&] { forward_kinematics(m, q, v, a, r.ws); }, [&] { kinetic_energy(m, q, v, r.ws); },
      [&] { mass_matrix(m, q, r.ws); }, [&] { generalized_momentum(m, q, v, r.ws, out); },
      [&] { forward_dynamics(m, q, v, tau, r.ws); }};
  const int body = m.bodies() - 1;
  for (const auto& call : calls) {
    JointForces<double> forces = call();
    const Force<double> expected = joint_reaction(m, forces, body);
    for (const auto& other : harmless) other();
    EXPECT_EQ(joint_reaction(m, forces, body).angular.x, expected.angular.x);
    EXPECT_EQ(joint_reaction(m, forces, body).linear.z, expected.linear.z);
    for (const auto& other : overwriting) {
      forces = call();
      joint_reaction(m, forces, body);
      other();
      EXPECT_TRUE(mentions(message_of([&] { joint_reaction(m, forces, body); }),
                           {"joint_reaction", "later call", "forces through the joints", m.name}));
    }
  }
}

// S of such joints is where they were placed last
TEST(Results, ActuatorForcesNeedTheJointsWhereTheyWere) {
  Spec spec;
  spec.add_body("cross", 1, {0.1, 0.2, 0.3}, Sym3<double>::identity());
  spec.add_joint("cardan", JointKind::universal, "", "cross", {1, 0, 0});
  const Model m = build(spec);
  Workspace ws(m);
  const std::vector<double> here{0.3, 0.4}, there{1.0, -0.5}, rest{0, 0};
  const JointForces<double> forces = inverse_dynamics(m, here, rest, rest, ws);
  actuator_force(m, forces, 1);
  forward_kinematics(m, there, ws);
  joint_reaction(m, forces, 1);
  EXPECT_TRUE(mentions(message_of([&] { actuator_force(m, forces, 1); }),
                       {"actuator_force", "later call", "positions of the joints"}));
  EXPECT_TRUE(mentions(message_of([&] { bearing_reaction(m, forces, 1); }),
                       {"bearing_reaction", "later call", "positions of the joints"}));
}

// --- the caller's memory ---

Loads<double> passive_loads(const std::vector<Force<double>>& forces) {
  return {forces, {}, {}, Passive::included};
}
std::vector<Force<double>> some_forces(const Model& m) {
  return std::vector<Force<double>>(static_cast<std::size_t>(m.bodies()),
                                    Force<double>{{1, 2, 3}, {4, 5, 6}});
}

TEST(Results, InTheCallersMemoryAreTheSameBitForBit) {
  for (const double mimic : {0.0, 0.7}) {
    Robot r(every_kind(mimic));
    const std::vector<Force<double>> forces = some_forces(r.model);
    OutForms forms(r, passive_loads(forces));
    for (const OutForm& form : forms.all()) {
      OutputMemory to(form);
      form.written(to.spans);
      EXPECT_TRUE(std::isnan(to.memory.back())) << form.name << " writes too far";
      to.memory.pop_back();
      EXPECT_TRUE(same_numbers(to.memory, form.returned())) << form.name;
    }
  }
}

TEST(Results, MemoryOfTheWrongSizeIsNamedAndUntouched) {
  Robot r(every_kind(0.7));
  OutForms forms(r, {});
  for (const OutForm& form : forms.all()) {
    const std::string name = form.name;
    for (std::size_t k = 0; k < form.outputs.size(); ++k) {
      OutputMemory to(form);
      Outputs wrong = to.spans;
      wrong[k] = wrong[k].first(wrong[k].size() - 1);
      const auto& [argument, size] = form.outputs[k];
      const std::string message = message_of([&] { form.written(wrong); });
      EXPECT_TRUE(mentions(
          message,
          {name, std::string(": ") + argument + " has " + std::to_string(size - 1) + " entries",
           std::to_string(size), r.model.name}));
      for (const double x : to.memory) ASSERT_TRUE(std::isnan(x)) << name;
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
