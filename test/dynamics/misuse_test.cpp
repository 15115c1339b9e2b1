// Calls that make no sense are refused in release builds, too, and leave memory as it was: the
// workspace of another model, bodies and frames that do not exist, results before they are
// computed.
#include <functional>
#include <limits>
#include <tuple>

#include <limber/limber.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Calls = std::vector<std::pair<const char*, std::function<void()>>>;

JointForces<double> left_in(const Workspace& ws) { return {ws.tau, ws}; }

// every function that takes a workspace, with q, v and numbers that fit the model
Calls calls_with(const Model& m, Workspace& ws, MatrixWorkspace& mw, OperationalSpace& os) {
  struct Numbers {
    std::vector<double> q, v, out, A, B, Y;
    std::vector<Known> known;
    std::vector<int> frames{0};
  };
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  const auto n = std::make_shared<Numbers>(Numbers{
      neutral_position(m), std::vector<double>(count(m.nv)), std::vector<double>(count(m.nv)),
      std::vector<double>(count(4 * m.nv * m.nv)), std::vector<double>(count(2 * m.nv * m.nv)),
      std::vector<double>(count(m.nv * 10 * (m.bodies() - 1))),
      std::vector<Known>(count(m.nv), Known::force)});
  constexpr auto world = Reference::world;
  return {
      {"inverse_dynamics", [=, &m, &ws] { inverse_dynamics(m, n->q, n->v, n->v, ws); }},
      {"bias_forces", [=, &m, &ws] { bias_forces(m, n->q, n->v, ws); }},
      {"gravity_forces", [=, &m, &ws] { gravity_forces(m, n->q, ws); }},
      {"bias_forces", [=, &m, &ws] { static_forces(m, n->q, ws); }},
      {"joint_reaction", [=, &m, &ws] { joint_reaction(m, left_in(ws), 1); }},
      {"actuator_force", [=, &m, &ws] { actuator_force(m, left_in(ws), 1); }},
      {"bearing_reaction", [=, &m, &ws] { bearing_reaction(m, left_in(ws), 1); }},
      {"joint_forces_from_actuators",
       [=, &m, &ws] { joint_forces_from_actuators(m, n->q, n->v, ws, n->out); }},
      {"actuator_efforts", [=, &m, &ws] { actuator_efforts(m, n->q, n->v, ws, n->out); }},
      {"mass_matrix", [=, &m, &ws] { mass_matrix(m, n->q, ws); }},
      {"factorize", [=, &m, &ws] { factorize(m, n->q, ws); }},
      {"forward_dynamics", [=, &m, &ws] { forward_dynamics(m, n->q, n->v, n->v, ws); }},
      {"forward_dynamics_by_mass_matrix",
       [=, &m, &ws] { forward_dynamics_by_mass_matrix(m, n->q, n->v, n->v, ws); }},
      {"hybrid_dynamics", [=, &m, &ws] { hybrid_dynamics(m, n->q, n->v, n->known, n->v, ws); }},
      {"hybrid_dynamics_by_mass_matrix",
       [=, &m, &ws] { hybrid_dynamics_by_mass_matrix(m, n->q, n->v, n->known, n->v, ws); }},
      {"jacobian", [=, &m, &ws] { jacobian(m, n->q, 0, world, ws); }},
      {"jacobian_dot_times_v", [=, &m, &ws] { jacobian_dot_times_v(m, n->q, n->v, 0, world, ws); }},
      {"forward_kinematics", [=, &m, &ws] { forward_kinematics(m, n->q, ws); }},
      {"forward_kinematics", [=, &m, &ws] { forward_kinematics(m, n->q, n->v, ws); }},
      {"forward_kinematics", [=, &m, &ws] { forward_kinematics(m, n->q, n->v, n->v, ws); }},
      {"frame_pose", [=, &m, &ws] { frame_pose(m, ws.kinematics, 0); }},
      {"body_pose", [=, &m, &ws] { body_pose(m, ws.kinematics, 0); }},
      {"frame_velocity", [=, &m, &ws] { frame_velocity(m, ws.kinematics, 0, world); }},
      {"frame_acceleration", [=, &m, &ws] { frame_acceleration(m, ws.kinematics, 0, world); }},
      {"frame_", [=, &m, &ws] { frame_classical_acceleration(m, ws.kinematics, 0, world); }},
      {"forward_kinematics", [=, &m, &ws] { kinetic_energy(m, n->q, n->v, ws); }},
      {"forward_kinematics", [=, &m, &ws] { potential_energy(m, n->q, ws); }},
      {"forward_kinematics", [=, &m, &ws] { momentum(m, n->q, n->v, ws); }},
      {"forward_kinematics", [=, &m, &ws] { center_of_mass(m, n->q, ws); }},
      {"forward_kinematics", [=, &m, &ws] { center_of_mass_velocity(m, n->q, n->v, ws); }},
      {"centroidal_momentum_matrix", [=, &m, &ws] { centroidal_momentum_matrix(m, n->q, ws); }},
      {"centroidal_momentum_bias", [=, &m, &ws] { centroidal_momentum_bias(m, n->q, n->v, ws); }},
      {"generalized_momentum", [=, &m, &ws] { generalized_momentum(m, n->q, n->v, ws, n->out); }},
      {"gravity_forces", [=, &m, &ws] { momentum_observer_bias(m, n->q, n->v, ws, n->out); }},
      {"joint_torque_regressor",
       [=, &m, &ws] { joint_torque_regressor(m, n->q, n->v, n->v, ws, n->Y); }},
      {"coriolis_matrix", [=, &m, &ws, &mw] { coriolis_matrix(m, n->q, n->v, ws, mw); }},
      {"inverse_mass_matrix", [=, &m, &ws, &mw] { inverse_mass_matrix(m, n->q, ws, mw); }},
      {"inverse_dynamics_tangent_derivatives",
       [=, &m, &ws, &mw] { inverse_dynamics_tangent_derivatives(m, n->q, n->v, n->v, ws, mw); }},
      {"forward_dynamics_tangent_derivatives",
       [=, &m, &ws, &mw] { forward_dynamics_tangent_derivatives(m, n->q, n->v, n->v, ws, mw); }},
      {"forward_dynamics_tangent_derivatives",
       [=, &m, &ws, &mw] { linearize(m, n->q, n->v, n->v, ws, mw, n->A, n->B); }},
      {"operational_space_inverse_inertia",
       [=, &m, &ws, &os] { operational_space_inverse_inertia(m, n->q, n->frames, world, ws, os); }},
      {"operational_space_inertia",
       [=, &m, &ws, &os] { operational_space_inertia(m, n->q, n->frames, world, ws, os); }},
      {"dynamically_consistent_inverse",
       [=, &m, &ws, &os] { dynamically_consistent_inverse(m, n->q, n->frames, world, ws, os); }},
      {"operational_space_bias",
       [=, &m, &ws, &os] { operational_space_bias(m, n->q, n->v, n->frames, world, ws, os); }},
  };
}

/// Everything of one model.
struct Made {
  Model model;
  Workspace ws;
  MatrixWorkspace mw;
  OperationalSpace os;
  explicit Made(const Spec& spec) : model(build(spec)), ws(model), mw(model), os(model, 1) {}
};

void expect_all_refused(const Calls& calls, const std::string& robot) {
  for (const auto& [function, call] : calls)
    EXPECT_TRUE(mentions(message_of(call), {function, "workspace", "another model", robot}));
}

std::vector<double> bits(const Made& made) {
  std::vector<double> all = made.ws.tree_tau;
  all.insert(all.end(), made.ws.factor.M.values.begin(), made.ws.factor.M.values.end());
  for (const auto* field :
       {&made.ws.J, &made.ws.tau, &made.ws.acceleration, &made.ws.u, &made.ws.sine, &made.ws.zeros})
    all.insert(all.end(), field->begin(), field->end());
  return all;
}

TEST(Misuse, WorkspaceOfASmallerModelIsRefusedAndUntouched) {
  RandomTreeOptions floating;
  floating.floating_base = true;
  for (const Spec& spec :
       {generate_chain(40), generate_tree(8, 3, floating), random_spec(6), random_spec(15)}) {
    Made big(spec), small(generate_chain(2));
    for (const auto& [function, call] : calls_with(small.model, small.ws, small.mw, small.os))
      message_of(call);  // fills it
    const std::vector<double> before = bits(small);
    expect_all_refused(calls_with(big.model, small.ws, small.mw, small.os), big.model.name);
    EXPECT_EQ(bits(small), before);
  }
}

TEST(Misuse, ASecondBuildIsAnotherModel) {
  Made one(generate_chain(3)), other(generate_chain(3));
  expect_all_refused(calls_with(one.model, other.ws, other.mw, other.os), one.model.name);
}

TEST(Misuse, MatrixWorkspaceAndOperationalSpaceOfAnotherModelAreRefused) {
  Made one(generate_chain(9)), other(generate_chain(3));
  int refused = 0;
  for (const auto& [function, call] : calls_with(one.model, one.ws, other.mw, other.os))
    refused += message_of(call).find("another model") != std::string::npos;
  EXPECT_EQ(refused, 9);
}

TEST(Misuse, CopiesAndCastsShareTheirWorkspaces) {
  Made made(generate_chain(3));
  const Model copy = made.model;
  Workspace copied_ws = made.ws;
  const std::vector<double> zero(3);
  const VectorXd tau = matrix(inverse_dynamics(made.model, zero, zero, zero, made.ws));
  EXPECT_TRUE(near(matrix(inverse_dynamics(copy, zero, zero, zero, copied_ws)), tau, 0));
  const Model moved = std::move(made.model);
  EXPECT_TRUE(near(matrix(inverse_dynamics(moved, zero, zero, zero, made.ws)), tau, 0));
  const auto first = cast<float>(moved), second = cast<float>(moved);
  BasicWorkspace<float> ws(first);
  const std::vector<float> none(3);
  EXPECT_EQ(inverse_dynamics(second, none, none, none, ws).size(), 3u);
}

TEST(Misuse, WhatWasMovedAwayIsRefused) {
  Made made(generate_chain(3));
  const Model kept = std::move(made.model);
  const std::vector<double> zero(3);
  // NOLINTNEXTLINE(bugprone-use-after-move): that is what is tested
  EXPECT_TRUE(mentions(message_of([&] { inverse_dynamics(made.model, zero, zero, zero, made.ws); }),
                       {"inverse_dynamics", "workspace"}));
  const Workspace taken = std::move(made.ws);
  EXPECT_TRUE(mentions(message_of([&] { inverse_dynamics(kept, zero, zero, zero, made.ws); }),
                       {"inverse_dynamics", "workspace"}));
}

TEST(Misuse, AModelThatNobodyBuiltIsRefused) {
  const Model none;
  EXPECT_TRUE(mentions(message_of([&] { Workspace{none}; }), {"Workspace", "build()"}));
  EXPECT_TRUE(mentions(message_of([&] { MatrixWorkspace{none}; }), {"MatrixWorkspace", "build()"}));
  EXPECT_TRUE(
      mentions(message_of([&] { OperationalSpace(none, 1); }), {"OperationalSpace", "build()"}));
}

// --- numbers of bodies and frames ---

TEST(Misuse, BodiesAndFramesThatDoNotExistAreNamed) {
  Spec spec = generate_chain(3);
  Made r(spec);
  const std::vector<double> zero(3);
  const Accelerations& bodies = forward_kinematics(r.model, zero, zero, zero, r.ws);
  const JointForces<double> forces = inverse_dynamics(r.model, zero, zero, zero, r.ws);
  constexpr auto body = Reference::body;
  const Model& m = r.model;
  Workspace& ws = r.ws;
  const int frames = static_cast<int>(m.frames.size());
  for (const int wrong : {-1, frames, frames + 1000, std::numeric_limits<int>::max(),
                          std::numeric_limits<int>::min()}) {
    const std::vector<int> list{wrong};
    const std::string number = std::to_string(wrong);
    const Calls of_frames{
        {"frame_pose", [&] { frame_pose(m, bodies, wrong); }},
        {"frame_velocity", [&] { frame_velocity(m, bodies, wrong, body); }},
        {"frame_acceleration", [&] { frame_acceleration(m, bodies, wrong, body); }},
        {"frame_", [&] { frame_classical_acceleration(m, bodies, wrong, body); }},
        {"jacobian", [&] { jacobian(m, zero, wrong, body, ws); }},
        {"jacobian_dot_times_v", [&] { jacobian_dot_times_v(m, zero, zero, wrong, body, ws); }},
        {"operational_space_inverse_inertia",
         [&] { operational_space_inverse_inertia(m, zero, list, body, ws, r.os); }},
        {"operational_space_bias",
         [&] { operational_space_bias(m, zero, zero, list, body, ws, r.os); }}};
    for (const auto& [function, call] : of_frames)
      EXPECT_TRUE(mentions(message_of(call), {function, "frame " + number, "model.frame(name)"}));
    const Calls of_bodies{{"body_pose", [&] { body_pose(m, bodies, wrong); }},
                          {"joint_reaction", [&] { joint_reaction(m, forces, wrong); }},
                          {"actuator_force", [&] { actuator_force(m, forces, wrong); }},
                          {"bearing_reaction", [&] { bearing_reaction(m, forces, wrong); }},
                          {"children", [&] { m.children(wrong); }},
                          {"support", [&] { m.support(wrong); }}};
    for (const auto& [function, call] : of_bodies)
      EXPECT_TRUE(mentions(message_of(call), {function, "body " + number, "0 to 3"}));
    EXPECT_FALSE(m.supports(wrong, 1));
    EXPECT_FALSE(m.supports(0, wrong));
  }
}

// --- results before they are computed ---

TEST(Misuse, ResultsThatNothingHasComputedAreRefused) {
  const Model m = build(generate_chain(3));
  Workspace ws(m);
  const std::vector<double> zero(3);
  std::vector<double> x(3, 1.0);
  constexpr auto body = Reference::body;
  const auto refused = [](const std::function<void()>& call,
                          std::initializer_list<const char*> say) {
    const std::string message = message_of(call);
    for (const char* word : say) EXPECT_TRUE(mentions(message, {word}));
  };
  refused([&] { factorize(ws.factor); }, {"factorize", "call mass_matrix()"});
  mass_matrix(m, zero, ws);
  refused([&] { solve(ws.factor, std::span<double>(x)); }, {"solve", "call factorize"});
  factorize(ws.factor);
  solve(ws.factor, std::span<double>(x));
  // the factor of a part of the matrix is no factor of the matrix
  const std::vector<Known> known{Known::force, Known::acceleration, Known::force};
  hybrid_dynamics_by_mass_matrix(m, zero, zero, known, zero, ws);
  refused([&] { solve(ws.factor, std::span<double>(x)); }, {"solve", "call factorize"});

  const Accelerations& bodies = ws.kinematics;
  refused([&] { frame_pose(m, bodies, 1); }, {"frame_pose", "call forward_kinematics()"});
  refused([&] { body_pose(m, bodies, 1); }, {"body_pose", "call forward_kinematics()"});
  forward_kinematics(m, zero, ws);
  frame_pose(m, bodies, 1);
  body_pose(m, bodies, 1);
  refused([&] { frame_velocity(m, bodies, 1, body); }, {"frame_velocity", "with v"});
  forward_kinematics(m, zero, zero, ws);
  frame_velocity(m, bodies, 1, body);
  refused([&] { frame_acceleration(m, bodies, 1, body); }, {"frame_acceleration", "with v and a"});
  forward_kinematics(m, zero, zero, zero, ws);
  frame_acceleration(m, bodies, 1, body);
}

TEST(Misuse, ReactionsNeedInverseDynamics) {
  const Model m = build(generate_chain(3));
  Workspace ws(m);
  const std::vector<double> zero(3);
  for (const JointForces<double>& none : {JointForces<double>{}, left_in(ws)})
    for (const auto call :
         {&joint_reaction<double>, &actuator_force<double>, &bearing_reaction<double>})
      EXPECT_TRUE(mentions(message_of([&] { call(m, none, 1); }), {"call inverse_dynamics()"}));
  joint_reaction(m, inverse_dynamics(m, zero, zero, zero, ws), 1);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
