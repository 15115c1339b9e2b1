// Approach, impact and motion in touch in one run: against the handbook's equations integrated by
// themselves, collisions in closed form, and springs in series.
#include <limber/sim/environment_contact.hpp>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <limber/constraint/contact_phases.hpp>
#include <limber/limber.hpp>
#include <limber/model/mount.hpp>
#include <limber/sim/simulation.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81;

/// A mass on a vertical rail.
void add_slider(Spec& spec, const std::string& name, const std::string& parent, double mass,
                double stiffness = 0, double damping = 0, const Vec3<double>& axis = {0, 0, 1}) {
  spec.add_body(name, mass, {}, Sym3<double>::diagonal(0.01, 0.01, 0.01));
  DofSpec& dof = spec.add_joint(name + "_rail", JointKind::prismatic, parent, name, axis).dof();
  dof.stiffness = stiffness;
  dof.damping = damping;
}

SimulationSettings tight(double duration) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.record_interval = 1e-3;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = 1e-11;
  settings.integrator.absolute_tolerance = 1e-13;
  return settings;
}

Simulation run_with(const Model& model, const EnvironmentSettings& environment, double duration,
                    const std::vector<double>& q, const std::vector<double>& v) {
  System system(model);
  system.add(std::make_unique<EnvironmentContact>(environment));
  return {std::move(system), tight(duration), q, v};
}

EnvironmentSettings surface(const std::string& frame, const std::string& on = "",
                            const Transform<double>& place = {}) {
  EnvironmentSettings settings;
  settings.name = "board";
  settings.frame = frame;
  settings.surface = on;
  settings.placement = place;
  return settings;
}

// the handbook's way, (20.90), (20.91), then (20.88), (20.89) by a Runge-Kutta method of our own
void follow_phases(ContactPhases& phases, double t, std::vector<double>& q, std::vector<double>& v,
                   int steps) {
  const std::vector<double> tau(v.size(), 0.0);
  const std::size_t n = q.size();
  const double h = t / steps;
  for (int step = 0; step < steps; ++step) {
    std::array<std::vector<double>, 4> dq, dv;
    for (std::size_t stage = 0; stage < 4; ++stage) {
      std::vector<double> qs = q, vs = v;
      const double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      for (std::size_t k = 0; k < n && stage > 0; ++k) {
        qs[k] += part * dq[stage - 1][k];
        vs[k] += part * dv[stage - 1][k];
      }
      phases.constrained_motion(0, qs, vs, tau);
      dq[stage] = vs;
      dv[stage] = phases.acceleration;
    }
    for (std::size_t k = 0; k < n; ++k) {
      q[k] += h / 6 * (dq[0][k] + 2 * dq[1][k] + 2 * dq[2][k] + dq[3][k]);
      v[k] += h / 6 * (dv[0][k] + 2 * dv[1][k] + 2 * dv[2][k] + dv[3][k]);
    }
  }
}

/// Without friction and limits; the inertia of its rotors stays.
Model smooth_puma() {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints) {
    DofSpec& dof = joint.dof();
    dof.damping = dof.friction_positive = dof.friction_negative = 0;
    dof.lower = -HUGE_VAL, dof.upper = HUGE_VAL;
  }
  return build(spec);
}

TEST(EnvironmentContact, ThreePhasesAreThoseOfTheHandbook) {
  const Model model = smooth_puma();
  const std::vector<double> q0{0.3, 0.9, 2.6, 0.2, -0.6, 0.2}, v0(6, 0.0);
  Workspace ws(model);
  const Vec3<double> tool =
      frame_pose(model, forward_kinematics<double>(model, q0, ws), model.frame("tool")).p;
  const Transform<double> board{rotation(Vec3<double>{0, 1, 0}, -0.2),
                                tool + Vec3<double>{0, 0, -0.05}};
  Simulation run = run_with(model, surface("tool", "", board), 0.245, q0, v0);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_TRUE(mentions(run.events()[0].text, {"frame 'tool' meets 'board'", "N s", "J lost"}));
  const double impact = run.events()[0].t;
  ASSERT_GT(impact, 0.05);
  ASSERT_LT(impact, 0.23);
  // free fall until there, without the environment
  Simulation fall(System(model), tight(impact), q0, v0);
  ASSERT_EQ(fall.run(), RunStatus::finished);
  std::vector<double> q(fall.x().begin(), fall.x().begin() + 6),
      v(fall.x().begin() + 6, fall.x().begin() + 12);
  ContactPhases phases(model, {"tool", "", board});
  phases.impact(0, q, v);
  EXPECT_NEAR(phases.coordinates.s[2], 0, 1e-9);
  ASSERT_GT(phases.impulse[0], 0.1);
  // energy: what the impact took, and nothing else but gravity
  EXPECT_NEAR(run.x().back(), -phases.energy_lost, 1e-6 * phases.energy_lost);
  EXPECT_LT(std::abs(run.system().energy(run.x()).error()), 1e-8);
  // momentum: right after the impact, H Δq̇ = J_cᵀ P
  Simulation until = run_with(model, surface("tool", "", board), 0.245, q0, v0);
  while (until.events().empty()) ASSERT_EQ(until.step(), RunStatus::running);
  ASSERT_EQ(until.t(), impact);
  const auto H = mass_matrix<double>(model, q, ws);
  for (int i = 0; i < 6; ++i) {
    double momentum = 0;
    for (int k = 0; k < 6; ++k)
      momentum +=
          H(i, k) * (until.x()[static_cast<std::size_t>(6 + k)] - v[static_cast<std::size_t>(k)]);
    EXPECT_NEAR(momentum,
                phases.coordinates.row(2)[static_cast<std::size_t>(i)] * phases.impulse[0], 1e-6);
  }
  v = phases.velocity;
  follow_phases(phases, 0.245 - impact, q, v, 100);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(run.x()[k], q[k], 1e-7) << k;
    EXPECT_NEAR(run.x()[6 + k], v[k], 1e-6) << k;
  }
}

// m falls on a base of m_e on a spring that moves itself: momentum is kept, then both swing
// together
TEST(EnvironmentContact, ABaseStartsFromItsOwnVelocity) {
  const double m = 2, m_e = 3, k = 400, base_velocity = -0.3;
  Spec spec;
  spec.name = "hammer and base";
  spec.gravity = {};
  add_slider(spec, "hammer", "", m);
  add_slider(spec, "base", "", m_e, k);
  const Model model = build(spec);
  Simulation run = run_with(model, surface("hammer", "base"), 0.5, {0.01, 0}, {-1, base_velocity});
  const double w_e = std::sqrt(k / m_e);
  run.advance(0.3);
  ASSERT_EQ(run.events().size(), 1U);
  const double t = run.events()[0].t;
  // where 0.01 − t = base_velocity/w_e sin(w_e t)
  EXPECT_NEAR(0.01 - t, base_velocity / w_e * std::sin(w_e * t), 1e-9);
  const double before = base_velocity * std::cos(w_e * t), s = 0.01 - t;
  const double after = (-m + m_e * before) / (m + m_e), w = std::sqrt(k / (m + m_e));
  const double rest = run.t() - t;
  EXPECT_NEAR(run.x()[0], s * std::cos(w * rest) + after / w * std::sin(w * rest), 1e-8);
  EXPECT_NEAR(run.x()[0], run.x()[1], 1e-10);
  EXPECT_NEAR(run.x().back(), -m * m_e / (m + m_e) / 2 * std::pow(1 + before, 2), 1e-8);
  EXPECT_LT(std::abs(run.system().energy(run.x()).error()), 1e-8);
}

// Figure 20.15c against 20.15d with an external deformation that becomes stiffer: robot and base,
// the velocities after the impact. The difference falls with the time that the contact takes.
TEST(EnvironmentContact, TheImpactIsTheLimitOfStiffContact) {
  const LumpedBase base{1.5, 300, 5};
  Spec spec;
  spec.name = "arm and base";
  mount(spec, load_spec("arm7"), {.name = "arm"});
  Spec lump;
  add_slider(lump, "base", "", base.mass, base.stiffness, base.damping);
  const std::vector<double> q_arm{0.2, 0.5, -0.3, 1.2, 0.4, 0.8, 0.1};
  std::vector<double> v_arm{0.1, 0.6, 0.2, 0.5, -0.3, 0.4, 0.2};
  const Model arm = load("arm7");
  Workspace ws(arm);
  const Vec3<double> tool =
      frame_pose(arm, forward_kinematics<double>(arm, q_arm, ws), arm.frame("tool")).p;
  const Transform<double> place{Mat3<double>::identity(), tool};
  mount(spec, lump, {.name = "env", .placement = place});
  const Model model = build(spec);
  const double base_velocity = 0.2;
  ContactPhases phases(arm, {"tool", "", place});
  phases.impact_on_base(base, base_velocity, 0, q_arm, v_arm);
  ASSERT_GT(phases.impulse[0], 0.05);
  std::vector<double> q = q_arm, v = v_arm, differences;
  q.push_back(0);
  v.push_back(base_velocity);
  for (const double damping : {1e4, 1e5, 1e6}) {
    EnvironmentSettings stiff = surface("arm.tool", "env.base");
    stiff.damping = damping;
    stiff.stiffness = 10 * damping;  // so soft beside the damper that nothing is thrown back
    Simulation run = run_with(model, stiff, 20 / damping, q, v);
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    double most = std::abs(run.x()[15] - phases.rate_after);
    for (std::size_t i = 0; i < 7; ++i)
      most = std::fmax(most, std::abs(run.x()[8 + i] - phases.velocity[i]));
    differences.push_back(most);
    EXPECT_LT(std::abs(run.system().energy(run.x()).error()), 1e-9);
  }
  EXPECT_NEAR(differences[0] / differences[1], 10, 2);
  EXPECT_NEAR(differences[1] / differences[2], 10, 1);
  EXPECT_LT(differences[2], 1e-3);
}

// springs in series: on the tool, on the surface, under the base (both sides deform)
TEST(EnvironmentContact, DeformationsOfBothSidesAddUp) {
  const double hand = 2, tip = 0.1, m_e = 0.5, k_tip = 3000, k_skin = 8000, k_base = 5000;
  Spec spec;
  spec.name = "press";
  add_slider(spec, "hand", "", hand, 0, 40);
  add_slider(spec, "tip", "hand", tip, k_tip, 20);
  add_slider(spec, "base", "", m_e, k_base, 30);
  const Model model = build(spec);
  EnvironmentSettings skin = surface("tip", "base");
  skin.stiffness = k_skin;
  skin.damping = 15;
  Simulation run = run_with(model, skin, 6, {0.01, 0, 0}, {0, 0, 0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  const double on_tip = (hand)*g, force = (hand + tip) * g, under = (hand + tip + m_e) * g;
  EXPECT_NEAR(run.x()[1], on_tip / k_tip, 1e-7);  // the hand presses the tip's spring together
  EXPECT_NEAR(run.x()[2], -under / k_base, 1e-7);
  EXPECT_NEAR(run.x()[0] + run.x()[1] - run.x()[2], -force / k_skin, 1e-7);
  EXPECT_LT(std::abs(run.system().energy(run.x()).error()), 1e-8);
}

TEST(EnvironmentContact, ARigidSurfaceLetsGo) {
  Spec spec;
  spec.name = "block";
  spec.gravity = {};
  add_slider(spec, "block", "", 1, 100);  // pulled up by its spring after its way down
  spec.joints[0].dof().spring_reference = 0.5;
  const Model model = build(spec);
  // it is pressed down by its speed alone: the spring pulls it off at once
  Simulation run = run_with(model, surface("block"), 0.5, {0.1}, {-5});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(run.events().size(), 2U);
  EXPECT_TRUE(mentions(run.events()[0].text, {"meets 'board'"}));
  EXPECT_TRUE(mentions(run.events()[1].text, {"leaves 'board'"}));
  EXPECT_NEAR(run.events()[1].t, run.events()[0].t, 1e-8);
  const double rest = 0.5 - run.events()[1].t;
  EXPECT_NEAR(run.x()[0], 0.5 - 0.5 * std::cos(10 * rest), 1e-8);
}

/// Moves the second joint up with 0.5 m/s, whatever it meets.
class Lift final : public Part {
 public:
  Lift() : Part("lift") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Lift>(*this); }
  Role role() const override { return Role::world; }
  std::span<const int> prescribed() const override { return joint_; }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override {
    motion.q[1] = -0.2 + 0.5 * at.t;
    motion.v[1] = 0.5;
    motion.given[1] = 0;
    motion.known[1] = Known::acceleration;
  }

 private:
  std::array<int, 1> joint_{1};
};

// a table that a law lifts meets a mass at rest: the mass is carried along, and the table's work is
// counted
TEST(EnvironmentContact, AMovingSurfaceCarriesWhatItMeets) {
  Spec spec;
  spec.name = "lift";
  add_slider(spec, "mass", "", 2);
  add_slider(spec, "table", "", 1);
  const Model model = build(spec);
  System system(model);
  system.add(std::make_unique<Lift>());
  system.add(std::make_unique<EnvironmentContact>(surface("mass", "table")));
  const std::vector<double> q{0, -0.2}, v{0, 0.5};
  Simulation run(std::move(system), tight(0.8), q, v);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(run.events().size(), 1U);
  const double t = run.events()[0].t;  // −g t²/2 = −0.2 + t/2
  EXPECT_NEAR(-g * t * t / 2, -0.2 + t / 2, 1e-9);
  EXPECT_NEAR(run.x()[0], -0.2 + 0.5 * 0.8, 1e-9);
  EXPECT_NEAR(run.x()[2], 0.5, 1e-9);
  EXPECT_LT(std::abs(run.system().energy(run.x()).error()), 1e-8);
}

/// Three rails and a ball joint: a peg that may go anywhere.
Model peg_on_gantry() {
  Spec spec;
  spec.name = "gantry";
  add_slider(spec, "a", "", 1, 0, 0, {1, 0, 0});
  add_slider(spec, "b", "a", 1, 0, 0, {0, 1, 0});
  add_slider(spec, "c", "b", 1, 0, 0, {0, 0, -1});
  spec.add_body("peg", 0.5, {0, 0, 0.05}, Sym3<double>::diagonal(0.01, 0.02, 0.03));
  spec.add_joint("ball", JointKind::revolute, "c", "peg", {1, 0, 0}).placement = {
      rotation(Vec3<double>{1, 0, 0}, std::acos(-1.0)), {}};
  return build(spec);
}

TEST(EnvironmentContact, APegGoesIntoItsHole) {
  const Model model = peg_on_gantry();
  EnvironmentSettings hole = surface("peg");
  hole.name = "hole";
  hole.kind = EnvironmentKind::hole;
  hole.placement = {rotation(Vec3<double>{1, 0, 0}, std::acos(-1.0)), {0.1, 0.2, -0.1}};
  const std::vector<double> q{0.1, 0.2, 0, 0}, v{0, 0, 1, 0};
  Simulation run = run_with(model, hole, 0.3, q, v);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_TRUE(mentions(run.events()[0].text, {"frame 'peg' enters 'hole'"}));
  EXPECT_NEAR(run.x()[2], 0.3 + g / 2 * 0.09, 1e-9);  // nothing holds it along the axis
  // a millimetre and more beside the axis: it misses
  Simulation miss = run_with(model, hole, 0.3, {0.102, 0.2, 0, 0}, v);
  EXPECT_EQ(miss.run(), RunStatus::failed);
  EXPECT_TRUE(mentions(miss.message(), {"hole", "open by 0.002 m"}));
  // moving sideways it is stopped there, and the energy of that is lost
  const double t = (std::sqrt(1 + 2 * g * 0.1) - 1) / g;
  Simulation swerve = run_with(model, hole, 0.2, {0.1 - 0.05 * t, 0.2, 0, 0}, {0.05, 0, 1, 0});
  ASSERT_EQ(swerve.run(), RunStatus::finished) << swerve.message();
  EXPECT_NEAR(swerve.x()[0], 0.1, 1e-9);
  EXPECT_NEAR(swerve.x().back(), -3.5 / 2 * 0.05 * 0.05, 1e-8);
}

TEST(EnvironmentContact, ACopyOfARunGoesOnAlike) {
  const Model model = smooth_puma();
  const std::vector<double> q{0.3, 0.9, 2.6, 0.2, -0.6, 0.2}, v(6, 0.0);
  Workspace ws(model);
  const Vec3<double> tool =
      frame_pose(model, forward_kinematics<double>(model, q, ws), model.frame("tool")).p;
  const Transform<double> board{Mat3<double>::identity(), tool + Vec3<double>{0, 0, -0.01}};
  Simulation run = run_with(model, surface("tool", "", board), 0.2, q, v);
  run.advance(0.12);
  ASSERT_EQ(run.events().size(), 1U);  // in touch
  Simulation copy(run);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(copy.run(), RunStatus::finished) << copy.message();
  for (std::size_t k = 0; k < run.x().size(); ++k) EXPECT_EQ(run.x()[k], copy.x()[k]) << k;
}

TEST(EnvironmentContact, WrongInputIsRefused) {
  const auto refusal = [](EnvironmentSettings settings) {
    return message_of([&] { EnvironmentContact{std::move(settings)}; });
  };
  EXPECT_TRUE(mentions(refusal(surface("")), {"'board'", "frame: none found"}));
  EnvironmentSettings soft = surface("tip");
  soft.damping = 3;
  EXPECT_TRUE(mentions(refusal(soft), {"damping without stiffness"}));
  soft.stiffness = -1;
  EXPECT_TRUE(mentions(refusal(soft), {"must not be negative"}));
  soft.stiffness = 100;
  soft.kind = EnvironmentKind::hole;
  EXPECT_TRUE(mentions(refusal(soft), {"a hole is rigid"}));
  const Model model = load("arm7");
  const auto fits = [&](const EnvironmentSettings& settings) {
    return message_of([&] {
      System system(model);
      system.add(std::make_unique<EnvironmentContact>(settings));
      const std::vector<double> zero(7, 0.0);
      system.initial_state(zero, zero);
    });
  };
  EXPECT_TRUE(mentions(fits(surface("tol")), {"tol", "tool"}));
  EXPECT_TRUE(mentions(fits(surface("tool", "tool")), {"same body"}));
  EXPECT_TRUE(mentions(fits(surface("base")), {"does not move"}));
  EXPECT_TRUE(mentions(fits(surface("tool", "", Transform<double>::translation({0, 0, 2}))),
                       {"begins", "below the surface"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
