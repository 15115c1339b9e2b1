// Functional coordinates and the handbook's phases of contact: against differences of the
// coordinates themselves, the loops of the general solvers, dense equations written out, and
// momentum.
#include <limber/constraint/contact_phases.hpp>

#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/constraint/closed_dynamics.hpp>
#include <limber/limber.hpp>
#include <limber/model/mount.hpp>

#include "support/near.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Vec3<double> X_axis{1, 0, 0}, Y_axis{0, 1, 0}, Z_axis{0, 0, 1};

Mat3<double> turned(double roll, double pitch, double yaw) {
  return rotation(Z_axis, yaw) * rotation(Y_axis, pitch) * rotation(X_axis, roll);
}

/// An arm beside a table that turns and slides.
Model arm_and_table() {
  Spec both;
  both.name = "arm and table";
  mount(both, load_spec("puma560"), {.name = "arm"});
  Spec table;
  table.add_body("slide", 2, {0.1, 0, 0}, Sym3<double>::diagonal(0.1, 0.2, 0.3));
  table.add_body("plate", 1, {0, 0.1, 0}, Sym3<double>::diagonal(0.1, 0.2, 0.3));
  table.add_joint("slide", JointKind::prismatic, "", "slide", {1, 0, 0.3});
  table.add_joint("turn", JointKind::revolute, "slide", "plate", {0.2, 1, 0.1}).placement.p = {
      0.2, 0, 0.1};
  mount(both, table, {.name = "table", .placement = {turned(0.2, 0.3, -0.4), {0.5, 0.1, -0.2}}});
  return build(both);
}

/// A turntable: about an axis through `origin` by a law of time.
EnvironmentMotion turntable(double t) {
  const double angle = 0.3 * t + 0.2 * t * t, rate = 0.3 + 0.4 * t, acceleration = 0.4;
  const Vec3<double> origin{0.4, 0.1, -0.1},
      axis = Vec3<double>{0.1, 0.2, 1} * (1 / std::sqrt(1.05));
  const Mat3<double> R = rotation(axis, angle);
  const Vec3<double> arm = R * Vec3<double>{0.2, 0.1, 0.05};
  EnvironmentMotion out;
  out.pose = {R * turned(0.1, -0.2, 0.3), origin + arm};
  out.velocity = {axis * rate, cross(axis * rate, arm)};
  out.acceleration = {axis * acceleration, cross(axis * acceleration, arm) +
                                               cross(axis * rate, cross(axis * rate, arm))};
  return out;
}

struct State {
  std::vector<double> q, v;
};
State random_state(const Model& m, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  State made{std::vector<double>(static_cast<std::size_t>(m.nq)),
             std::vector<double>(static_cast<std::size_t>(m.nv))};
  for (double& x : made.q) x = number(random);
  for (double& x : made.v) x = number(random);
  return made;
}

// s at q + v dt, t + dt by itself; derivatives by differences of fourth order
void expect_derivatives(const Model& m, FunctionalSettings settings, double t, const State& state) {
  Workspace ws(m);
  FunctionalCoordinates there(m, settings), at(m, std::move(settings));
  at.compute(m, t, state.q, state.v, ws);
  const auto s_at = [&](double dt) {
    std::vector<double> q = state.q;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += dt * state.v[k];
    there.place(m, t + dt, q, ws);
    return there.s;
  };
  const double h = 2e-3;
  const auto m2 = s_at(-2 * h), m1 = s_at(-h), p0 = s_at(0), p1 = s_at(h), p2 = s_at(2 * h);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(at.s[i], p0[i], 1e-14);
    EXPECT_NEAR(at.rate[i], (m2[i] - 8 * m1[i] + 8 * p1[i] - p2[i]) / (12 * h), 2e-8) << i;
    EXPECT_NEAR(at.bias[i], (-m2[i] + 16 * m1[i] - 30 * p0[i] + 16 * p1[i] - p2[i]) / (12 * h * h),
                2e-7)
        << i;
    double by_J = at.drift[i];
    for (std::size_t k = 0; k < state.v.size(); ++k)
      by_J += at.row(static_cast<int>(i))[k] * state.v[k];
    EXPECT_NEAR(by_J, at.rate[i], 1e-12) << i;
  }
}

TEST(FunctionalCoordinates, RatesAndBiasAreDerivatives) {
  const Model m = arm_and_table();
  std::mt19937 random(7);
  FunctionalSettings on_body{"arm.tool", "table.plate", {turned(0.3, 0.1, 0.5), {0.1, 0.2, 0.3}}};
  FunctionalSettings moving{"arm.tool", "", {}, turntable};
  FunctionalSettings fixed{"arm.tool", "", {turned(0.4, -0.2, 0.7), {0.3, 0.2, 0.1}}};
  for (int round = 0; round < 20; ++round)
    for (const FunctionalSettings& one : {on_body, moving, fixed}) {
      const State state = random_state(m, random);
      Workspace ws(m);
      FunctionalCoordinates probe(m, one);
      probe.place(m, 0.4, state.q, ws);
      if (std::cos(probe.s[4]) < 0.3) continue;  // differences are poor near the singular pitch
      expect_derivatives(m, one, 0.4, state);
    }
}

TEST(FunctionalCoordinates, TheAnglesTurnTheAxes) {
  const Model m = arm_and_table();
  std::mt19937 random(3);
  const State state = random_state(m, random);
  Workspace ws(m);
  const FunctionalSettings settings{"arm.tool", "table.plate", {}};
  FunctionalCoordinates at(m, settings);
  at.place(m, 0, state.q, ws);
  const Poses& bodies = forward_kinematics<double>(m, state.q, ws);
  const Transform<double> table = frame_pose(m, bodies, m.frame("table.plate")),
                          tool = frame_pose(m, bodies, m.frame("arm.tool"));
  const Transform<double> made =
      table * Transform<double>{turned(at.s[3], at.s[4], at.s[5]), {at.s[0], at.s[1], at.s[2]}};
  EXPECT_LT(norm(made.p - tool.p), 1e-13);
  for (int i = 0; i < 3; ++i) EXPECT_LT(norm(made.R.row(i) - tool.R.row(i)), 1e-13);
}

/// q with s_c = 0 by Newton's method on the coordinates.
State on_constraint(const Model& m, const FunctionalSettings& settings, std::mt19937& random,
                    const std::vector<double>& guess) {
  State state = random_state(m, random);
  Workspace ws(m);
  FunctionalCoordinates at(m, settings);
  for (std::size_t k = 0; k < guess.size(); ++k) state.q[k] = guess[k] + 0.1 * state.q[k];
  for (int round = 0; round < 60; ++round) {
    at.compute(m, 0, state.q, state.v, ws);
    const auto rows = static_cast<Eigen::Index>(at.constrained().size());
    MatrixXd J(rows, m.nv);
    VectorXd gap(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const int c = at.constrained()[static_cast<std::size_t>(i)];
      gap[i] = at.s[static_cast<std::size_t>(c)];
      for (int k = 0; k < m.nv; ++k) J(i, k) = at.row(c)[static_cast<std::size_t>(k)];
    }
    const VectorXd step = J.completeOrthogonalDecomposition().solve(gap);
    for (std::size_t k = 0; k < state.q.size(); ++k)
      state.q[k] -= step[static_cast<Eigen::Index>(k)];
  }
  return state;
}

LoopSpec loop_of(const FunctionalSettings& settings, const std::string& body_b,
                 const Transform<double>& tool) {
  LoopSpec loop;
  loop.name = "task";
  loop.body_a = settings.surface;
  loop.placement_a = settings.placement;
  loop.body_b = body_b;
  loop.placement_b = tool;
  const bool hole = settings.constrained.size() == 4;
  loop.kind = hole ? LoopSpec::Kind::joint : LoopSpec::Kind::surface;
  loop.joint_kind = JointKind::cylindrical;
  return loop;
}

// the phases against the solvers of loops, with the loop and with the coordinates as constraint
TEST(ContactPhases, AgreeWithTheLoopsOfTheGeneralSolvers) {
  const Model m = arm_and_table();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  const Transform<double> tool{Mat3<double>::identity(), {0, 0, 0.056}};
  const std::vector<double> guess{0.2, 0.5, 2.2, 0.3, 0.6, 0.2, 0.1, -0.2};
  for (const bool hole : {false, true}) {
    FunctionalSettings settings{"arm.tool", "table.plate", {turned(0, 0, 0.3), {-0.1, 0.1, 0.2}}};
    if (hole) settings.constrained = hole_constraint();
    for (int round = 0; round < 5; ++round) {
      const State state = on_constraint(m, settings, random, guess);
      std::vector<double> tau(state.v.size());
      for (double& x : tau) x = 10 * number(random);
      Mechanism by_loop(m), by_function(m);
      by_loop.add(loop_of(settings, "arm.link6", tool));
      by_function.add(functional_constraint(m, settings, "task"));
      ContactPhases phases(m, settings);
      for (const Mechanism* one : {&by_loop, &by_function}) {
        ClosedDynamics closed(*one);
        ASSERT_EQ(one->rows, static_cast<int>(phases.force.size()));
        // the impact
        phases.impact(0, state.q, state.v);
        const auto after = closed_velocity<double>(*one, 0, state.q, state.v, closed);
        double impulses = 0, impulses_loop = 0;
        for (std::size_t k = 0; k < after.size(); ++k)
          EXPECT_NEAR(phases.velocity[k], after[k], 1e-10);
        for (std::size_t i = 0; i < phases.impulse.size(); ++i) {
          impulses += phases.impulse[i] * phases.impulse[i];
          impulses_loop +=
              closed.solver.force[static_cast<int>(i)] * closed.solver.force[static_cast<int>(i)];
        }
        EXPECT_NEAR(impulses, impulses_loop, 1e-9 * impulses);
        const double before = kinetic_energy<double>(m, state.q, state.v, closed.ws);
        EXPECT_NEAR(before - kinetic_energy<double>(m, state.q, phases.velocity, closed.ws),
                    phases.energy_lost, 1e-10 * before);
        // the motion that follows
        const std::vector<double> v = phases.velocity;
        phases.constrained_motion(0, state.q, v, tau);
        const auto a = closed_forward_dynamics<double>(*one, 0, state.q, v, tau, closed);
        for (std::size_t k = 0; k < a.size(); ++k)
          EXPECT_NEAR(phases.acceleration[k], a[k], 1e-8 * (1 + std::abs(a[k])));
      }
    }
  }
}

// the whole system of (20.88), (20.89) as one dense matrix, on a turntable that moves by its law
TEST(ContactPhases, SatisfyTheirEquationsOnAMovingSurface) {
  const Model m = load("puma560");
  Workspace ws(m);
  std::mt19937 random(5);
  const FunctionalSettings settings{"tool", "", {}, turntable};
  ContactPhases phases(m, settings);
  for (int round = 0; round < 10; ++round) {
    const State state = random_state(m, random);
    const std::vector<double> tau(state.v.size(), 3.0);
    phases.impact(0.2, state.q, state.v);
    const auto nv = static_cast<Eigen::Index>(m.nv);
    const auto row = phases.coordinates.row(2);
    double after = phases.coordinates.drift[2];
    VectorXd change(nv), J(nv);
    for (Eigen::Index k = 0; k < nv; ++k) {
      const auto i = static_cast<std::size_t>(k);
      J[k] = row[i];
      change[k] = phases.velocity[i] - state.v[i];
      after += row[i] * phases.velocity[i];
    }
    EXPECT_NEAR(after, 0, 1e-12);
    const MatrixXd H = matrix(mass_matrix<double>(m, state.q, ws));
    EXPECT_LT((H * change - J * phases.impulse[0]).norm(), 1e-10 * (1 + (H * change).norm()));
    const std::vector<double> v = phases.velocity;
    phases.constrained_motion(0.2, state.q, v, tau);
    MatrixXd K = MatrixXd::Zero(nv + 1, nv + 1);
    K.topLeftCorner(nv, nv) = H;
    K.topRightCorner(nv, 1) = -J;
    K.bottomLeftCorner(1, nv) = J.transpose();
    VectorXd right(nv + 1);
    const auto h = bias_forces<double>(m, state.q, v, ws);
    for (Eigen::Index k = 0; k < nv; ++k) right[k] = 3.0 - h[static_cast<std::size_t>(k)];
    right[nv] = -phases.coordinates.bias[2];
    const VectorXd found = K.fullPivLu().solve(right);
    for (Eigen::Index k = 0; k < nv; ++k)
      EXPECT_NEAR(found[k], phases.acceleration[static_cast<std::size_t>(k)], 1e-8);
    EXPECT_NEAR(found[nv], phases.force[0], 1e-8 * std::abs(found[nv]));
  }
}

// a base as a body of its own on a spring, beside the robot: the general solvers know nothing of
// (20.92) to (20.97)
TEST(ContactPhases, ABaseIsABodyOnASpring) {
  std::mt19937 random(9);
  const LumpedBase base{3, 500, 20};
  const Vec3<double> normal{0.1, -0.2, 1};
  const double length = norm(normal);
  // axes with z along the normal
  const Vec3<double> z = normal * (1 / length), x = cross(Y_axis, z) * (1 / norm(cross(Y_axis, z)));
  const Transform<double> place{Mat3<double>::from_columns(x, cross(z, x), z), {0.4, 0.2, 0.1}};
  Spec both;
  both.name = "arm and base";
  both.gravity = {0, 0, 0};
  mount(both, load_spec("puma560"), {.name = "arm"});
  Spec spec;
  spec.add_body("base", base.mass, {0, 0, 0}, Sym3<double>::diagonal(1, 1, 1));
  JointSpec& slide = spec.add_joint("slide", JointKind::prismatic, "", "base", {0, 0, 1});
  slide.dof().stiffness = base.stiffness;
  slide.dof().damping = base.damping;
  mount(both, spec, {.name = "base", .placement = place});
  both.gravity = {0, 0, 0};
  const Model m = build(both);
  Spec alone = load_spec("puma560");
  alone.gravity = {0, 0, 0};
  const Model arm = build(alone);
  const FunctionalSettings settings{"tool", "", place};
  for (int round = 0; round < 10; ++round) {
    State state = random_state(arm, random);
    ContactPhases phases(arm, settings);
    const double base_velocity = 0.4 - 0.1 * round;
    phases.impact_on_base(base, base_velocity, 0, state.q, state.v);
    // the same as a closed mechanism; the base is where the tool is
    const double s = phases.coordinates.s[2];
    std::vector<double> q = state.q, v = state.v;
    q.push_back(s);
    v.push_back(base_velocity);
    Mechanism mechanism(m);
    LoopSpec loop = loop_of({"arm.tool", "base.base", {}}, "arm.link6",
                            Transform<double>::translation({0, 0, 0.056}));
    mechanism.add(loop);
    ClosedDynamics closed(mechanism);
    const auto after = closed_velocity<double>(mechanism, 0, q, v, closed);
    const double before = kinetic_energy<double>(m, q, v, closed.ws);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(phases.velocity[k], after[k], 1e-11);
    EXPECT_NEAR(phases.rate_after, after[6], 1e-11);
    // momentum of the base
    EXPECT_NEAR(base.mass * (after[6] - base_velocity), -phases.impulse[0], 1e-10);
    EXPECT_NEAR(before - kinetic_energy<double>(m, q, after, closed.ws), phases.energy_lost,
                1e-10 * before);
    // and the motion after it
    const std::vector<double> tau(6, 2.0), v_robot = phases.velocity,
                                           v_both(after.begin(), after.end());
    std::vector<double> tau_both(tau);
    tau_both.push_back(0);
    phases.motion_on_base(base, 0, state.q, v_robot, tau);
    tau_both[6] = -base.stiffness * s - base.damping * v_both[6];
    const auto a = closed_forward_dynamics<double>(mechanism, 0, q, v_both, tau_both, closed);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(phases.acceleration[k], a[k], 1e-8 * (1 + std::abs(a[k])));
    EXPECT_NEAR(phases.acceleration_after, a[6], 1e-8 * (1 + std::abs(a[6])));
  }
}

TEST(FunctionalCoordinates, WrongInputIsRefused) {
  const Model m = arm_and_table();
  const auto refusal = [&](FunctionalSettings settings) {
    return message_of([&] { FunctionalCoordinates(m, std::move(settings)); });
  };
  EXPECT_NE(refusal({"arm.tol", "", {}}).find("arm.tool"), std::string::npos);
  EXPECT_NE(refusal({"arm.tool", "arm.link6", {}}).find("same body"), std::string::npos);
  FunctionalSettings all{"arm.tool", "", {}};
  all.constrained = {Functional::x,    Functional::y,     Functional::z,
                     Functional::roll, Functional::pitch, Functional::yaw};
  EXPECT_NE(refusal(all).find("no direction is free"), std::string::npos);
  all.constrained = {};
  EXPECT_NE(refusal(all).find("none is constrained"), std::string::npos);
  all.constrained = {Functional::z, Functional::z};
  EXPECT_NE(refusal(all).find("'z' is constrained twice"), std::string::npos);
  FunctionalSettings both{"arm.tool", "table.plate", {}, turntable};
  EXPECT_NE(refusal(both).find("leave out one"), std::string::npos);
  FunctionalSettings hole{"arm.tool", "table.plate", {}};
  hole.constrained = hole_constraint();
  ContactPhases phases(m, hole);
  const std::vector<double> zero(8, 0.0);
  EXPECT_NE(message_of([&] {
              phases.impact_on_base({1, 1, 1}, 0, 0, zero, zero);
            }).find("4 are constrained"),
            std::string::npos);
  ContactPhases one(m, {"arm.tool", "table.plate", {}});
  EXPECT_NE(message_of([&] {
              one.impact_on_base({0, 1, 1}, 0, 0, zero, zero);
            }).find("mass must be positive"),
            std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
