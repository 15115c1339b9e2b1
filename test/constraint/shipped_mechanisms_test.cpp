// The closed mechanisms that ship with Limber: closed in their named states, as movable as they
// should be, without drift; and their kinematics and accelerations in closed form.
#include <array>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "support/closed_run.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

struct Shipped {
  const char* name;
  int freedoms;   ///< that the loops leave
  int redundant;  ///< rows that depend on others
};
class ShippedMechanism : public testing::TestWithParam<Shipped> {};

TEST_P(ShippedMechanism, IsClosedInItsNamedStates) {
  const Model model = load(GetParam().name);
  ASSERT_FALSE(model.keyframes.empty());
  for (const Keyframe& state : model.keyframes) {
    ClosedRun run(model, state.name);
    EXPECT_LT(run.gap(), 1e-9) << state.name;
    const VectorXd v = run.v;
    EXPECT_TRUE(near(
        matrix(closed_velocity<double>(run.mechanism, 0, in(run.q), in(v), run.closed)), v, 1e-9));
    EXPECT_EQ(run.closed.solver.rank, model.nv - GetParam().freedoms) << state.name;
    EXPECT_EQ(run.mechanism.rows - run.closed.solver.rank, GetParam().redundant) << state.name;
  }
}

TEST_P(ShippedMechanism, FallsWithItsEnergyAndWithoutDrift) {
  ClosedRun run(load(GetParam().name), load(GetParam().name).keyframes.back().name);
  const double energy = run.energy(), scale = 1 + run.tree().mass() * 9.81 * 0.1;
  run.run(0.1, 5e-4);
  EXPECT_LT(run.gap(), 1e-11);
  EXPECT_LT(run.closed.solver.inconsistency, 1e-6);
  EXPECT_NEAR(run.energy(), energy, 1e-8 * scale);
}

INSTANTIATE_TEST_SUITE_P(
    Robots, ShippedMechanism,
    testing::Values(Shipped{"four_bar", 1, 0}, Shipped{"slider_crank", 1, 0},
                    Shipped{"five_bar", 2, 0}, Shipped{"squeezer", 1, 0}, Shipped{"bricard", 1, 1},
                    Shipped{"stewart_platform", 6, 0}, Shipped{"delta_robot", 3, 0},
                    Shipped{"excavator", 4, 0}, Shipped{"three_finger_hand", 6, 0},
                    Shipped{"bicycle", 3, 0}, Shipped{"closed_leg_biped", 14, 0}),
    [](const auto& one) { return std::string(one.param.name); });

/// f′ and f″ by differences of sixth order.
template <class F>
std::array<double, 2> derivatives(F&& f, double x) {
  const double h = 2e-3;
  const double one = f(x + h), two = f(x + 2 * h), three = f(x + 3 * h), back = f(x - h),
               back2 = f(x - 2 * h), back3 = f(x - 3 * h);
  return {
      (45 * (one - back) - 9 * (two - back2) + (three - back3)) / (60 * h),
      (270 * (one + back) - 27 * (two + back2) + 2 * (three + back3) - 490 * f(x)) / (180 * h * h)};
}

/// Angle of the coupler (from x) by that of the crank: rods a, b, c on pins d apart.
double coupler_angle(double crank) {
  const double a = 0.12, b = 0.36, c = 0.28, d = 0.4;
  const double x = d - a * std::cos(crank), z = -a * std::sin(crank), L = std::hypot(x, z);
  return std::atan2(z, x) + std::acos((b * b + L * L - c * c) / (2 * b * L));
}
double rocker_angle(double crank) {
  const double t = coupler_angle(crank);
  return std::atan2(0.12 * std::sin(crank) + 0.36 * std::sin(t),
                    0.12 * std::cos(crank) + 0.36 * std::cos(t) - 0.4);
}

/// What one rigid body in the plane has: mass, moment about its centre, and where this is and how
/// it is turned for the angle of the crank.
struct PlanarBody {
  double m, J;
  std::function<double(double)> x, z, angle;
};

/// The acceleration of the crank by Lagrange's equation of one freedom: (½ I(θ) θ′² − V(θ)).
double crank_acceleration(const std::vector<PlanarBody>& bodies, double theta, double speed) {
  double inertia = 0, slope = 0, weight = 0;  // I, I′/2, V′
  for (const PlanarBody& body : bodies) {
    const auto dx = derivatives(body.x, theta), dz = derivatives(body.z, theta),
               da = derivatives(body.angle, theta);
    inertia += body.m * (dx[0] * dx[0] + dz[0] * dz[0]) + body.J * da[0] * da[0];
    slope += body.m * (dx[0] * dx[1] + dz[0] * dz[1]) + body.J * da[0] * da[1];
    weight += body.m * 9.81 * dz[0];
  }
  return (-weight - slope * speed * speed) / inertia;
}

TEST(ClosedForms, FourBar) {
  const double speed = 7;
  ClosedRun run(load("four_bar"));
  for (double crank = 0.2; crank < 6.3; crank += 0.5) {
    run.q[run.q_index("crank")] = crank;
    run.q[run.q_index("coupler")] = coupler_angle(crank) - crank;
    run.q[run.q_index("rocker")] = rocker_angle(crank);
    ASSERT_LT(run.gap(), 1e-14);
    const auto b = derivatives(coupler_angle, crank), c = derivatives(rocker_angle, crank);
    run.v[run.index("crank")] = speed;
    run.v[run.index("coupler")] = (b[0] - 1) * speed;
    run.v[run.index("rocker")] = c[0] * speed;
    const VectorXd a = run.acceleration(0, run.q, run.v);
    const std::vector<PlanarBody> bodies{
        {0.3, 0.0003708, [](double t) { return 0.06 * std::cos(t); },
         [](double t) { return 0.06 * std::sin(t); }, [](double t) { return t; }},
        {0.6, 0.006495,
         [](double t) { return 0.12 * std::cos(t) + 0.18 * std::cos(coupler_angle(t)); },
         [](double t) { return 0.12 * std::sin(t) + 0.18 * std::sin(coupler_angle(t)); },
         coupler_angle},
        {0.5, 0.003285, [](double t) { return 0.14 * std::cos(rocker_angle(t)); },
         [](double t) { return 0.14 * std::sin(rocker_angle(t)); }, rocker_angle}};
    const double turn = crank_acceleration(bodies, crank, speed);
    EXPECT_TRUE(near(a[run.index("crank")], turn, 1e-7));
    EXPECT_TRUE(near(a[run.index("coupler")], (b[0] - 1) * turn + b[1] * speed * speed, 1e-7));
    EXPECT_TRUE(near(a[run.index("rocker")], c[0] * turn + c[1] * speed * speed, 1e-7));
  }
}

TEST(ClosedForms, SliderCrank) {
  const double r = 0.1, l = 0.3, speed = -12;
  const auto rod = [=](double t) { return -std::asin(r / l * std::sin(t)); };
  const auto piston = [=](double t) { return r * std::cos(t) + l * std::cos(rod(t)); };
  ClosedRun run(load("slider_crank"));
  for (double crank = -3; crank < 3.2; crank += 0.5) {
    run.q[run.q_index("crank")] = crank;
    run.q[run.q_index("rod")] = rod(crank) - crank;
    run.q[run.q_index("piston")] = piston(crank);
    ASSERT_LT(run.gap(), 1e-14);
    const auto b = derivatives(rod, crank), c = derivatives(piston, crank);
    run.v[run.index("crank")] = speed;
    run.v[run.index("rod")] = (b[0] - 1) * speed;
    run.v[run.index("piston")] = c[0] * speed;
    const VectorXd a = run.acceleration(0, run.q, run.v);
    const auto zero = [](double) { return 0.0; };
    const std::vector<PlanarBody> bodies{
        {2, 0.01, [](double t) { return 0.02 * std::cos(t); },
         [](double t) { return 0.02 * std::sin(t); }, [](double t) { return t; }},
        {0.5, 0.003762, [=](double t) { return r * std::cos(t) + l / 2 * std::cos(rod(t)); },
         [=](double t) { return r * std::sin(t) + l / 2 * std::sin(rod(t)); }, rod},
        {1, 0, piston, zero, zero}};
    const double turn = crank_acceleration(bodies, crank, speed);
    EXPECT_TRUE(near(a[run.index("crank")], turn, 1e-7));
    EXPECT_TRUE(near(a[run.index("rod")], (b[0] - 1) * turn + b[1] * speed * speed, 1e-7));
    EXPECT_TRUE(near(a[run.index("piston")], c[0] * turn + c[1] * speed * speed, 1e-7));
  }
}

// a leg is as long as its balls are apart
TEST(ClosedForms, LegsOfTheStewartPlatform) {
  ClosedRun run(load("stewart_platform"), "home");
  run.v[run.index("platform") + 2] = 1;  // a turn about the vertical, which the legs follow
  run.project();
  run.run(0.2, 1e-3);
  const auto ball = [](double radius, double degrees) {
    return Vec3<double>{radius * std::cos(degrees * M_PI / 180),
                        radius * std::sin(degrees * M_PI / 180), 0};
  };
  const std::array<double, 6> base{-15, 15, 105, 135, 225, 255}, top{-45, 45, 75, 165, 195, 285};
  const Velocities& bodies = forward_kinematics<double>(run.tree(), in(run.q), in(run.v), run.ws);
  const int frame = run.tree().frame("platform");
  const Transform<double> X = frame_pose(run.tree(), bodies, frame);
  const Motion<double> V = frame_velocity(run.tree(), bodies, frame, Reference::world_aligned);
  EXPECT_GT(norm(V.angular), 0.5);
  EXPECT_LT(X.p.z, 0.6);
  for (std::size_t k = 0; k < 6; ++k) {
    const Vec3<double> arm = X.R * ball(0.3, top[k]), from = ball(0.5, base[k]);
    const Vec3<double> leg = X.p + arm - from;
    const double home = norm(ball(0.3, top[k]) + Vec3<double>{0, 0, 0.7} - from);
    const std::string name = "leg" + std::to_string(k + 1);
    EXPECT_NEAR(run.position(name), norm(leg) - home, 1e-12);
    EXPECT_NEAR(run.rate(name), dot(leg, V.linear + cross(V.angular, arm)) / norm(leg), 1e-11);
  }
}

// the angle of a motor by the place of the platform, which stays level
TEST(ClosedForms, MotorsOfTheDeltaRobot) {
  ClosedRun run(load("delta_robot"), "home");
  run.v[run.index("motor_A")] = 1;
  run.v[run.index("motor_B")] = -2;
  run.project();
  run.run(0.1, 1e-3);
  const Poses& bodies = forward_kinematics<double>(run.tree(), in(run.q), run.ws);
  const Transform<double> X = frame_pose(run.tree(), bodies, run.tree().frame("platform"));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(X.R.column(k)[k], 1, 1e-14);
  for (int k = 0; k < 3; ++k) {
    // in the plane of the arm: a circle of 0.3 m about the motor meets a sphere of 0.55 m
    const double f = 2 * M_PI * k / 3;
    const double x = std::cos(f) * X.p.x + std::sin(f) * X.p.y + 0.06 - 0.2,
                 y = std::cos(f) * X.p.y - std::sin(f) * X.p.x, z = X.p.z - 1;
    const double c = (x * x + y * y + z * z + 0.3 * 0.3 - 0.55 * 0.55) / (2 * 0.3);
    const double angle = std::atan2(-z, x) - std::acos(c / std::hypot(x, z));
    EXPECT_NEAR(run.position(std::string("motor_") + "ABC"[k]), angle, 1e-10);
  }
  EXPECT_GT(std::abs(run.position("motor_A") - run.position("motor_B")), 0.1);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
