// What the algorithms refuse, with the name of what is wrong, and the smallest robots they accept.
#include <cmath>
#include <functional>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Refusal, MasslessLeafIsNamed) {
  Spec spec = generate_chain(2);
  spec.add_body("ghost", 0);
  spec.add_joint("loose", JointKind::revolute, "body2", "ghost");
  Robot r(spec);
  EXPECT_TRUE(
      mentions(message_of([&] { forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws); }),
               {"loose", "ghost"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(r.tau),
                                                         r.ws);
                       }),
                       {"loose", "ghost"}));
  // inverse dynamics has no trouble with it
  r.move_plain();
  EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)),
                   r.plain.tau(), 1e-12));
}

TEST(Refusal, MasslessLeafWithRotorIsAccepted) {
  Spec spec = generate_chain(2);
  spec.add_body("ghost", 0);
  spec.add_joint("driven", JointKind::revolute, "body2", "ghost").dof().rotor_inertia = 0.01;
  Robot r(spec);
  r.move_plain();
  const VectorXd tau = r.plain.tau();
  EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws)), r.a, 1e-10));
}

TEST(Refusal, MasslessBodyBetweenIsAccepted) {
  Spec spec = generate_chain(3);
  spec.bodies[1].inertia = {};
  Robot r(spec);
  r.move_plain();
  const VectorXd tau = r.plain.tau();
  EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws)), r.a, 1e-9));
}

// a point mass on its own axis cannot be turned by anything: not seen in the structure, only in
// numbers
TEST(Refusal, SingularInertiaIsNamed) {
  Spec spec;
  spec.add_body("needle", 1, {0, 0, 0.5});
  spec.add_joint("roll", JointKind::revolute, "", "needle", {0, 0, 1});
  Robot r(spec);
  EXPECT_TRUE(mentions(
      message_of([&] { forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws); }), {"roll"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(r.tau),
                                                         r.ws);
                       }),
                       {"roll"}));
}

// names of the joints that the user's positions (or velocities) belong to
std::vector<std::string> owners(const Model& model, const std::vector<int>& counts) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < counts.size(); ++b)
    if (model.master[b] < 0)
      names.insert(names.end(), static_cast<std::size_t>(counts[b]), model.joint_name[b]);
  return names;
}

using Route = std::span<const double> (*)(const Model&, In<double>, In<double>, In<double>,
                                          Workspace&, const Loads<double>&);

// an input that is no number is named, unless nothing depends on it (where a floating base stands)
void expect_named_or_harmless(Robot& r, const VectorXd& q, const VectorXd& v, const VectorXd& tau,
                              const std::string& joint) {
  const Route routes[] = {&forward_dynamics<double>, &forward_dynamics_by_mass_matrix<double>};
  for (const Route route : routes) {
    VectorXd a = VectorXd::Zero(1);
    const std::string message =
        message_of([&] { a = matrix(route(r.model, in(q), in(v), in(tau), r.ws, {})); });
    if (message == no_error) EXPECT_TRUE(a.allFinite()) << "no error, but the result is no number";
    else EXPECT_TRUE(mentions(message, {"'" + joint + "'"}));
  }
}

TEST(Refusal, InputsThatAreNoNumbersAreNamed) {
  for (const std::uint64_t seed :
       {4u, 5u, 9u, 15u}) {  // with and without mimics, fixed and floating
    Robot r(random_spec(seed), seed);
    const std::vector<std::string> by_q = owners(r.model, r.model.q_count),
                                   by_v = owners(r.model, r.model.v_count);
    for (const double bad : {static_cast<double>(NAN), HUGE_VAL}) {
      for (int k = 0; k < r.model.nq; ++k) {
        SCOPED_TRACE(testing::Message() << "robot " << seed << ", position " << k << " is " << bad);
        VectorXd q = r.q;
        q[k] = bad;
        expect_named_or_harmless(r, q, r.v, r.tau, by_q[static_cast<std::size_t>(k)]);
        if (HasFailure()) return;
      }
      for (int k = 0; k < r.model.nv; ++k) {
        SCOPED_TRACE(testing::Message() << "robot " << seed << ", variable " << k << " is " << bad);
        VectorXd v = r.v, tau = r.tau;
        v[k] = bad;
        expect_named_or_harmless(r, r.q, v, r.tau, by_v[static_cast<std::size_t>(k)]);
        tau[k] = bad;
        expect_named_or_harmless(r, r.q, r.v, tau, by_v[static_cast<std::size_t>(k)]);
        if (HasFailure()) return;
      }
    }
  }
}

// --- wrong sizes ---

TEST(Refusal, WrongSizesAreNamed) {
  Robot r(generate_chain(3));
  const VectorXd good = VectorXd::Zero(3), bad = VectorXd::Zero(4);
  VectorXd out(2);
  const std::span<double> short_out(out.data(), 2);
  using F = std::function<void()>;
  const Model& m = r.model;
  Workspace& ws = r.ws;
  const auto G = in(good), B = in(bad);
  factorize(m, G, ws);
  const std::vector<std::tuple<const char*, const char*, F>> calls{
      {"inverse_dynamics", "q", [&] { inverse_dynamics(m, B, G, G, ws); }},
      {"inverse_dynamics", "v", [&] { inverse_dynamics(m, G, B, G, ws); }},
      {"inverse_dynamics", "a", [&] { inverse_dynamics(m, G, G, B, ws); }},
      {"bias_forces", "q", [&] { bias_forces(m, B, G, ws); }},
      {"bias_forces", "v", [&] { bias_forces(m, G, B, ws); }},
      {"gravity_forces", "q", [&] { gravity_forces(m, B, ws); }},
      {"passive_forces", "q", [&] { passive_forces(m, B, G, short_out); }},
      {"passive_forces", "v", [&] { passive_forces(m, G, B, short_out); }},
      {"passive_forces", "out", [&] { passive_forces(m, G, G, short_out); }},
      {"mass_matrix", "q", [&] { mass_matrix(m, B, ws); }},
      {"solve", "X", [&] { solve(ws.factor, short_out); }},
      {"forward_dynamics", "q", [&] { forward_dynamics(m, B, G, G, ws); }},
      {"forward_dynamics", "v", [&] { forward_dynamics(m, G, B, G, ws); }},
      {"forward_dynamics", "tau", [&] { forward_dynamics(m, G, G, B, ws); }},
      {"forward_dynamics_by_mass_matrix", "tau",
       [&] { forward_dynamics_by_mass_matrix(m, G, G, B, ws); }},
      {"jacobian", "q", [&] { jacobian(m, B, 0, Reference::body, ws); }},
      {"jacobian_dot_times_v", "q", [&] { jacobian_dot_times_v(m, B, G, 0, Reference::body, ws); }},
      {"jacobian_dot_times_v", "v", [&] { jacobian_dot_times_v(m, G, B, 0, Reference::body, ws); }},
      {"forward_kinematics", "q", [&] { forward_kinematics(m, B, ws); }},
      {"forward_kinematics", "v", [&] { forward_kinematics(m, G, B, ws); }},
      {"forward_kinematics", "a", [&] { forward_kinematics(m, G, G, B, ws); }},
  };
  for (const auto& [function, argument, call] : calls)
    EXPECT_TRUE(
        mentions(message_of(call), {function, std::string(" ") + argument + " has ", "3", m.name}));
  const std::vector<Force<double>> forces(2);
  const Loads<double> loads{forces, {}, {}};
  EXPECT_TRUE(
      mentions(message_of([&] { inverse_dynamics(m, G, G, G, ws, loads); }), {"body_forces"}));
  EXPECT_TRUE(
      mentions(message_of([&] { forward_dynamics(m, G, G, G, ws, loads); }), {"body_forces"}));
}

// --- the smallest robots ---

TEST(Refusal, SingleBodiesOfEveryKindAreAccepted) {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::helical,
                               JointKind::cylindrical, JointKind::planar, JointKind::universal,
                               JointKind::spherical, JointKind::translation, JointKind::free}) {
    SCOPED_TRACE(name(kind));
    Robot r(generate_chain(1, kind));
    r.move_plain();
    const VectorXd tau = r.plain.tau();
    EXPECT_TRUE(
        near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), tau, 1e-13));
    EXPECT_TRUE(
        near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws)), r.a, 1e-11));
  }
}

TEST(Refusal, BaseAloneIsAccepted) {
  Spec spec;
  spec.add_body("rock", 5, {1, 2, 3}, Sym3<double>::identity());
  const Model model = build(spec);
  Workspace ws(model);
  const std::span<const double> none;
  EXPECT_EQ(model.nv, 0);
  EXPECT_EQ(model.bodies(), 1);
  EXPECT_EQ(inverse_dynamics(model, none, none, none, ws).size(), 0u);
  EXPECT_EQ(forward_dynamics(model, none, none, none, ws).size(), 0u);
  EXPECT_EQ(forward_dynamics_by_mass_matrix(model, none, none, none, ws).size(), 0u);
  EXPECT_EQ(mass_matrix(model, none, ws).size, 0);
  EXPECT_EQ(jacobian(model, none, model.frame("rock"), Reference::world, ws).columns, 0);
  EXPECT_EQ(kinetic_energy(model, none, none, ws), 0);
  EXPECT_DOUBLE_EQ(potential_energy(model, none, ws), 5 * 9.81 * 3);
  EXPECT_DOUBLE_EQ(center_of_mass(model, none, ws).y, 2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
