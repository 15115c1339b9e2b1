// Forces between frames: oscillators in closed form, energies, and forces against J^T f.
#include <limber/sim/frame_force.hpp>

#include <cmath>
#include <numbers>

#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using std::numbers::pi;

// two carts on one rail along x
Model carts(double m1, double m2) {
  Spec spec;
  spec.gravity = {};
  for (const auto& [name, mass] : {std::pair{"1", m1}, std::pair{"2", m2}}) {
    const std::string body = std::string("cart") + name;
    spec.add_body(body, mass, {}, {0.1, 0.1, 0.1, 0, 0, 0});
    spec.add_joint(std::string("rail") + name, JointKind::prismatic, "", body, {1, 0, 0});
  }
  return build(spec);
}

FrameForceSettings between_carts() {
  FrameForceSettings settings;
  settings.from = "cart1";
  settings.to = "cart2";
  return settings;
}

Recording run(System& system, const std::vector<double>& q, const std::vector<double>& v,
              double duration) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = 1e-11;
  settings.integrator.absolute_tolerance = 1e-12;
  Simulation simulation(system, settings, q, v);
  Recorder recorder(system, {});
  Recording recording{recorder.columns(), {}};
  simulation.on_record = [&](const System& now, double t, std::span<const double> x) {
    const auto row = recorder.row(now, t, x);
    recording.values.insert(recording.values.end(), row.begin(), row.end());
  };
  EXPECT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
  return recording;
}

double largest(const std::vector<double>& series) {
  double most = 0;
  for (const double x : series) most = std::max(most, std::abs(x));
  return most;
}

// x = x2 − x1 swings about the rest length with w² = k (1/m1 + 1/m2) and decays with D
TEST(FrameForce, TwoMassesOnASpringSwingAsTheBookSays) {
  const double m1 = 2, m2 = 3, k = 50, c = 1.5, rest = 0.8, stretch = 0.1;
  const double inverse = 1 / m1 + 1 / m2, D = c * inverse / 2, w = std::sqrt(k * inverse - D * D);
  System system(carts(m1, m2));
  FrameForceSettings settings = between_carts();
  settings.stiffness = k;
  settings.rest_length = rest;
  settings.damping = c;
  system.add(std::make_unique<FrameForce>(settings));
  const Recording r = run(system, {0, rest + stretch}, {0, 0}, 2);
  const auto t = r.series("time"), length = r.series("spring.length"), f = r.series("spring.fx"),
             tension = r.series("spring.tension");
  double lost = 0;
  const auto power = r.series("spring.power");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double x =
        stretch * std::exp(-D * t[i]) * (std::cos(w * t[i]) + D / w * std::sin(w * t[i]));
    EXPECT_NEAR(length[i], rest + x, 1e-9);
    EXPECT_NEAR(f[i], -tension[i], 1e-12);  // on cart2, towards cart1
    EXPECT_NEAR(r.series("spring.px")[i] - r.series("spring.ox")[i], length[i], 1e-12);
    EXPECT_LE(power[i], 1e-12);
  }
  // what the spring had is in motion, in the spring, or lost in the damper
  EXPECT_NEAR(r.series("total_energy")[0], k * stretch * stretch / 2, 1e-12);
  EXPECT_NEAR(r.series("work").back(), r.series("total_energy").back() - k * stretch * stretch / 2,
              1e-9);
  EXPECT_LT(r.series("work").back(), -0.1);
  EXPECT_LT(largest(r.series("energy_error")), 1e-9);
  for (std::size_t i = 1; i < t.size(); ++i)
    lost += (power[i] + power[i - 1]) / 2 * (t[i] - t[i - 1]);
  EXPECT_NEAR(r.series("work").back(), lost, 1e-3);
}

// without a damper no work is done: all of it is potential energy
TEST(FrameForce, TablesStoreEnergyAndLawsDoWork) {
  FrameForceSettings table = between_carts();
  table.lengths = {0.5, 0.9, 1.0, 1.6};
  table.tensions = {-30, -10, 0, 60};
  FrameForceSettings law = between_carts();
  law.law = frame_force_law("100*(length-1) - 4*rate*0 + 20*(length-1)^3");
  for (const bool stores : {true, false}) {
    System system(carts(2, 3));
    system.add(std::make_unique<FrameForce>(stores ? table : law));
    const Recording r = run(system, {0, 1.3}, {0, 0.5}, 2);
    EXPECT_LT(largest(r.series("energy_error")), stores ? 1e-6 : 1e-8);
    EXPECT_EQ(largest(r.series("work")) < 1e-9, stores);
    EXPECT_EQ(largest(r.series("spring.stored_energy")) > 1, stores);
  }
  // beyond its ends a table is constant: V grows by 60 N times the way
  System system(carts(2, 3));
  system.add(std::make_unique<FrameForce>(table));
  const auto energy_at = [&](double length) {
    const auto x = system.initial_state(std::vector<double>{0, length}, std::vector<double>{0, 0});
    EXPECT_EQ(system.evaluate(0, x), Evaluated::ok);
    return system.energy(x).potential;
  };
  EXPECT_NEAR(energy_at(2.1) - energy_at(1.6), 30, 1e-12);
  EXPECT_NEAR(energy_at(0.5) - energy_at(0.2), -30 * 0.3, 1e-12);
  EXPECT_NEAR(energy_at(1.6) - energy_at(1.0), 60 * 0.6 / 2, 1e-12);
}

// points off the origins of two links of a robot, against the Jacobians of the points
TEST(FrameForce, ActsOnBothBodiesAtItsPoints) {
  const Model m = load("puma560");
  const Vec3<double> a{0.1, -0.2, 0.05}, b{0.03, 0.1, -0.2};
  FrameForceSettings settings;
  settings.from = "link2";
  settings.to = "link5";
  settings.from_point = a;
  settings.to_point = b;
  settings.law = frame_force_law("30*length + 7*rate + t");
  System system(m);
  system.add(std::make_unique<FrameForce>(settings));
  const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, v{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};
  const auto x = system.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0.2, x), Evaluated::ok);
  // the way, its rate by differences, and the accelerations by virtual work
  const auto point = [&](const std::vector<double>& at, const char* frame, const Vec3<double>& p) {
    Workspace ws(m);
    const Transform<double> X =
        frame_pose(m, forward_kinematics<double>(m, at, ws), m.frame(frame));
    return X.R * p + X.p;
  };
  const auto length = [&](const std::vector<double>& at) {
    return norm(point(at, "link5", b) - point(at, "link2", a));
  };
  const double h = 1e-6;
  std::vector<double> ahead = q, back = q, tau(6);
  for (std::size_t k = 0; k < 6; ++k) ahead[k] += h * v[k], back[k] -= h * v[k];
  const double F = 30 * length(q) + 7 * (length(ahead) - length(back)) / (2 * h) + 0.2;
  for (std::size_t k = 0; k < 6; ++k) {
    std::vector<double> up = q, down = q;
    up[k] += h;
    down[k] -= h;
    tau[k] = -F * (length(up) - length(down)) / (2 * h);
  }
  Workspace ws(m);
  Loads<double> loads;
  loads.passive = Passive::included;
  const auto expected = forward_dynamics<double>(m, q, v, tau, ws, loads);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(system.accelerations()[k], expected[k], 1e-5);
}

TEST(FrameForce, Refusals) {
  const Model m = carts(1, 1);
  const auto message = [&](FrameForceSettings settings, std::vector<double> q = {0, 1}) {
    return message_of([&] {
      System system(m);
      system.add(std::make_unique<FrameForce>(settings));
      Simulation simulation(system, {}, q, std::vector<double>{0, 0});
    });
  };
  FrameForceSettings s = between_carts();
  EXPECT_TRUE(mentions(message(s), {"'spring'", "no force", "stiffness"}));
  s.stiffness = -1;
  EXPECT_TRUE(mentions(message(s), {"'spring'", "stiffness", "-1"}));
  s.stiffness = 10;
  s.rest_length = 0.5;
  EXPECT_EQ(message(s), no_error);
  EXPECT_TRUE(mentions(message(s, {0, 0}), {"'spring'", "coincide", "no direction"}));
  s.to = "cart1";
  EXPECT_TRUE(mentions(message(s), {"same body"}));
  s.to = "cart3";
  EXPECT_TRUE(mentions(message(s), {"'spring'", "cart3"}));
  s.to = "cart2";
  s.lengths = {1, 1};
  s.tensions = {0, 1};
  EXPECT_TRUE(mentions(message(s), {"lengths", "increase", "entry 2"}));
  s.lengths = {1};
  EXPECT_TRUE(mentions(message(s), {"1 lengths", "2 forces"}));
  s.lengths = s.tensions = {};
  s.law = frame_force_law("log(length - 2)");
  EXPECT_TRUE(mentions(message(s), {"'spring'", "length 1 m", "finite"}));
  EXPECT_TRUE(
      mentions(message_of([] { frame_force_law("k*length"); }), {"column 1", "'k'", "rate"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
