// Dry friction that really holds: closed forms of sliding, sticking and stick-slip.
#include <limber/drive/joint_friction.hpp>

#include <cmath>
#include <numbers>

#include "drive/drive_support.hpp"
#include "sim/parts.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// a block of 1.5 kg on a line with friction of 2 N forward and 3 N backward
constexpr double mass = 1.5;
const FrictionSettings rough{2, 3};

System sliding(double downhill, const FrictionSettings& friction = rough) {
  System system(block(mass, downhill));
  system.add(std::make_unique<JointFriction>(JointFrictionSettings{"slide", friction}));
  return system;
}

std::vector<double> end_of_run(System& system, double duration, double q0, double v0,
                               SimulationSettings settings = accurate(1)) {
  settings.duration = duration;
  Simulation run(system, settings, std::vector{q0}, std::vector{v0});
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return {run.x().begin(), run.x().end()};
}

TEST(JointFriction, ABlockSlidesToRestAndStaysThere) {
  for (const double v0 : {1.0, -1.0}) {
    const double a = (v0 > 0 ? rough.forward : rough.backward) / mass;
    const double stop = std::abs(v0) / a, way = v0 * std::abs(v0) / (2 * a);
    System system = sliding(0);
    const std::vector<double> before = end_of_run(system, 0.9 * stop, 0, v0);
    EXPECT_TRUE(near(before[1], 0.1 * v0, 1e-10));
    const std::vector<double> after = end_of_run(system, 2 * stop, 0, v0);
    EXPECT_TRUE(near(after[0], way, 1e-10));
    EXPECT_EQ(after[1], 0);
    EXPECT_EQ(end_of_run(system, 50, 0, v0)[0], after[0]);          // to the last bit
    EXPECT_TRUE(near(after.back(), -0.5 * mass * v0 * v0, 1e-10));  // all energy is gone
  }
}

TEST(JointFriction, AnInclineHoldsUpToTheStaticLevel) {
  const FrictionSettings sticky{2, 3, 1.5};
  System holds = sliding(2.99 / mass, sticky);
  EXPECT_EQ(end_of_run(holds, 10, 0.25, 0)[0], 0.25);
  EXPECT_TRUE(near(
      column(holds, 0, holds.initial_state(std::vector{0.25}, std::vector{0.0}), "slide.friction"),
      -2.99, 1e-12));
  System slips = sliding(3.01 / mass, sticky);  // with the lower level of motion
  const std::vector<double> x = end_of_run(slips, 2, 0, 0);
  EXPECT_TRUE(near(x[1], (3.01 - 2) / mass * 2, 1e-10));
  System backward = sliding(-5 / mass, sticky);
  EXPECT_TRUE(near(end_of_run(backward, 2, 0, 0)[1], -(5 - 3) / mass * 2, 1e-10));
}

TEST(JointFriction, ThrownUphillItStopsAndSlidesBack) {
  const double pull = -4;  // N, downhill is backward
  System system = sliding(pull / mass);
  const double up = (pull - rough.forward) / mass, down = (pull + rough.backward) / mass;
  const double turn = -1 / up, top = 0.5 * turn;
  const std::vector<double> x = end_of_run(system, turn + 1, 0, 1);
  EXPECT_TRUE(near(x[0], top + 0.5 * down, 1e-10));
  EXPECT_TRUE(near(x[1], down, 1e-10));
}

// a force that turns round within a step: the whole step and its interpolant are far from what
// shorter steps do, which have not come to rest where the interpolant does, and secants from there
// lead back to the rest at the beginning
TEST(JointFriction, AForceThatTurnsRoundWithinAStepPilesUpNoEvents) {
  const double turn = 0.9e-3, push = 3, pull = 100, end = 2e-3;
  System system = sliding(0);
  system.add(std::make_unique<FunctionPart>(
      "turning", Role::world, [&](Evaluation& at) { at.tau[0] += at.t < turn ? push : -pull; }));
  SimulationSettings settings = accurate(1);
  settings.integrator.method = "rk4";
  settings.integrator.step = 1e-3;
  const std::vector<double> x = end_of_run(system, end, 0, 0, settings);
  const double v = (push - rough.forward) / mass * turn,
               stop = turn + v / ((pull + rough.forward) / mass),
               expected = -(pull - rough.backward) / mass * (end - stop);
  EXPECT_NEAR(x[1], expected, 0.01 * std::abs(expected));
}

// a spring whose end moves with constant speed pulls the block: it sticks until the spring bears
// the static level, slips, and sticks again, with a period that is known
TEST(JointFriction, StickSlipHasItsPeriod) {
  const double k = 40, V = 0.3, Fk = 2, Fs = 3;
  System system = sliding(0, {Fk, Fk, Fs / Fk});
  system.add(std::make_unique<Commands>(
      [k, V](Evaluation& at) { at.command[0] = k * (V * at.t - at.q[0]); }));
  const double omega = std::sqrt(k / mass), A = (Fs - Fk) / k, first = Fs / (k * V);
  const double slip = (2 * std::numbers::pi - 2 * std::atan(A * omega / V)) / omega;
  const double period = 2 * A / V + slip;
  for (const int n : {1, 3}) {
    const double release = first + n * period;
    const std::vector<double> stuck = end_of_run(system, release - 1e-6, 0, 0);
    EXPECT_EQ(stuck[1], 0);
    EXPECT_TRUE(near(stuck[0], n * V * period, 1e-9));
    const std::vector<double> gone = end_of_run(system, release + 0.5 * slip, 0, 0);
    const double angle = 0.5 * omega * slip;  // of y = A cos ωt + V/ω sin ωt, the spring's excess
    EXPECT_TRUE(near(gone[1], V + A * omega * std::sin(angle) - V * std::cos(angle), 1e-9));
  }
}

TEST(JointFriction, ASampledCommandBreaksItLoose) {
  class Sampled final : public Part {
   public:
    Sampled() : Part("sampled") {}
    std::unique_ptr<Part> clone() const override { return std::make_unique<Sampled>(*this); }
    Role role() const override { return Role::control; }
    int discrete_states() const override { return 1; }
    double sample_time() const override { return 0.25; }
    void update(Evaluation& at, std::span<double> d) override { d[0] = at.t < 0.4 ? 1 : 5; }
    void apply(Evaluation& at) override { at.command[0] = at.d[0]; }
  };
  System system = sliding(0);
  system.add(std::make_unique<Sampled>());
  EXPECT_EQ(end_of_run(system, 0.5, 0, 0)[0], 0);
  EXPECT_TRUE(near(end_of_run(system, 1.5, 0, 0)[1], (5 - 2) / mass, 1e-10));
}

// a double pendulum with friction swings out and hangs still, off its equilibrium
TEST(JointFriction, AnArmComesToRest) {
  Spec spec;
  for (const char* side : {"upper", "lower"})
    spec.add_body(side, 1, {0.5, 0, 0}, {0.01, 0.08, 0.08, 0, 0, 0});
  Transform<double> end;
  end.p = {1, 0, 0};
  spec.add_joint("shoulder", JointKind::revolute, "", "upper", {0, 1, 0});
  spec.add_joint("elbow", JointKind::revolute, "upper", "lower", {0, 1, 0}, end);
  for (JointSpec& joint : spec.joints) joint.dof().friction_positive = 1.5;
  for (JointSpec& joint : spec.joints) joint.dof().friction_negative = 1.0;
  System system(build(spec));
  for (const char* joint : {"shoulder", "elbow"})
    system.add(std::make_unique<JointFriction>(JointFrictionSettings{joint, {}}));
  EXPECT_EQ(system.model().dof[0].friction_positive, 0);  // taken over
  SimulationSettings settings = accurate(12);
  Simulation run(system, settings, std::vector{0.3, -0.4}, std::vector{0.0, 0.0});
  double energy = HUGE_VAL;
  run.on_record = [&](const System& now, double, std::span<const double> x) {
    const double total = now.energy(x).total();
    EXPECT_LE(total, energy + 1e-9);
    energy = total;
  };
  ASSERT_EQ(run.advance(11), RunStatus::running) << run.message();
  const std::vector<double> x(run.x().begin(), run.x().end());
  EXPECT_EQ(x[2], 0);
  EXPECT_EQ(x[3], 0);
  ASSERT_EQ(run.run(), RunStatus::finished);
  EXPECT_EQ(run.x()[0], x[0]);
  EXPECT_EQ(run.x()[1], x[1]);
  EXPECT_LT(run.cost().steps, 3000);  // no chatter
}

// a block that drags a second one backwards with it, at half its speed
TEST(JointFriction, CountsTheJointsThatFollow) {
  Spec spec;
  for (const char* body : {"first", "second"}) spec.add_body(body, 1);
  DofSpec dry;
  dry.friction_positive = 0.5;
  dry.friction_negative = 0.8;
  spec.add_joint("slide", JointKind::prismatic, "", "first", {1, 0, 0}).dofs = {dry};
  JointSpec& follower = spec.add_joint("other", JointKind::prismatic, "", "second", {1, 0, 0});
  follower.dofs = {dry};
  follower.mimic = MimicSpec{"slide", -0.5, 0};
  System system(build(spec));
  system.add(std::make_unique<JointFriction>(JointFrictionSettings{"slide", {}}));
  const double force = 0.5 + 0.5 * 0.8, inertia = 1 + 0.25;
  const std::vector<double> x = end_of_run(system, 1, 0, 1);
  EXPECT_TRUE(near(x[1], 1 - force / inertia, 1e-10));
  EXPECT_EQ(end_of_run(system, 3, 0, 1)[1], 0);
}

TEST(JointFriction, LevelsAndRefusals) {
  const FrictionSettings stribeck{2, 3, 1.5, 0.1};
  EXPECT_TRUE(near(kinetic_friction(stribeck, 1, 0), 3, 1e-15));
  EXPECT_TRUE(near(kinetic_friction(stribeck, -1, 0.1), 3 * (1 + 0.5 * std::exp(-1)), 1e-15));
  EXPECT_TRUE(near(kinetic_friction(stribeck, 1, 10), 2, 1e-15));
  EXPECT_EQ(through_gear(stribeck, -10).forward, 30);
  EXPECT_TRUE(mentions(message_of([] {
                         JointFriction({"slide", FrictionSettings{-1, 0}});
                       }),
                       {"forward is -1"}));
  System system(block(1));
  EXPECT_TRUE(
      mentions(message_of([&] {
                 system.add(std::make_unique<JointFriction>(JointFrictionSettings{"slide", {}}));
               }),
               {"dry friction"}));
}

SimulationSettings implicit_steps(double h) {
  SimulationSettings settings = accurate(1);
  settings.integrator.method = "implicit_euler";
  settings.integrator.step = h;
  return settings;
}

// without events: the step decides
TEST(JointFriction, StepsDecideWhetherABlockSticks) {
  constexpr double h = 1e-3;
  for (const double v0 : {1.0, -1.0}) {
    const double a = (v0 > 0 ? rough.forward : rough.backward) / mass;
    const double stop = std::abs(v0) / a, way = v0 * std::abs(v0) / (2 * a);
    System system = sliding(0);
    const std::vector<double> before = end_of_run(system, 0.3, 0, v0, implicit_steps(h));
    EXPECT_NEAR(before[1], v0 - 0.3 * a * v0, 1e-12);
    const std::vector<double> after = end_of_run(system, 2 * stop, 0, v0, implicit_steps(h));
    EXPECT_NEAR(after[0], way, std::abs(v0) * h);
    EXPECT_EQ(after[1], 0);
    EXPECT_EQ(end_of_run(system, 50, 0, v0, implicit_steps(h))[0], after[0]);  // to the last bit
  }
}

TEST(JointFriction, StepsHoldOnAnInclineUpToTheStaticLevel) {
  const FrictionSettings sticky{2, 3, 1.5};
  System holds = sliding(2.99 / mass, sticky);
  EXPECT_EQ(end_of_run(holds, 10, 0.25, 0, implicit_steps(0.01))[0], 0.25);
  System slips = sliding(3.01 / mass, sticky);
  EXPECT_NEAR(end_of_run(slips, 2, 0, 0, implicit_steps(0.01))[1], (3.01 - 2) / mass * 2, 1e-12);
  System backward = sliding(-5 / mass, sticky);
  EXPECT_NEAR(end_of_run(backward, 2, 0, 0, implicit_steps(0.01))[1], -(5 - 3) / mass * 2, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
