// One body under water: Fossen's equation, sinking, following the fluid, published motion, large
// added mass.
#include <numbers>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/model/joint_space.hpp>

#include "support/dense.hpp"
#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// Fossen's form: (M_RB + M_A) ν̇ + (C_RB(ν) + C_A(ν)) ν + D ν = 0, written with matrices
TEST(OneBody, OneBodyIsFossensEquation) {
  Robot r(one_body(7, {0.3, 0.4, 0.5, 0, 0, 0}), 3);
  Random random(8);
  Hydrodynamics body = random_hydrodynamics(random);
  body.displacement = {};
  WaterLoads water_loads(r.model, {{"hull", body}});
  Water still;
  const Loads<double> loads = loads_of(r, water_loads, still);
  Matrix6 M = dense(body.added_mass);  // angular first
  M.topLeftCorner<3, 3>() += Eigen::Vector3d(0.3, 0.4, 0.5).asDiagonal();
  M.bottomRightCorner<3, 3>() += 7 * Eigen::Matrix3d::Identity();
  const Vector6 nu = r.v;
  const Vector6 P = M * nu;
  Matrix6 C = Matrix6::Zero();
  C.topLeftCorner<3, 3>() = -skew(head(P));
  C.topRightCorner<3, 3>() = C.bottomLeftCorner<3, 3>() = -skew(tail(P));
  Vector6 right = -C * nu;
  right.tail<3>() +=
      7 * plain(transpose_times(body_pose(r.model, forward_kinematics(r.model, in(r.q), r.ws), 1).R,
                                r.model.gravity));
  for (int k = 0; k < 6; ++k) {
    const auto marine = static_cast<std::size_t>((k + 3) % 6);
    right[k] -= (body.linear_damping[marine][marine] +
                 body.quadratic_damping[marine][marine] * std::abs(nu[k])) *
                nu[k];
  }
  EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws, loads)),
                   solve_general(M, right), 1e-12));
}

// Kirchhoff's power balance: in still water the added mass alone takes −d/dt(½ v·B v)
TEST(OneBody, PowerOfAddedMassIsThatOfTheFluidsEnergy) {
  Robot r(one_body(7, {0.3, 0.4, 0.5, 0, 0, 0}), 4);
  Random random(9);
  Hydrodynamics body;
  body.added_mass = random.articulated();
  WaterLoads water_loads(r.model, {{"hull", body}});
  const Loads<double> loads = loads_of(r, water_loads, Water{});
  const VectorXd wet = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                 dry = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
  EXPECT_NEAR((wet - dry).dot(r.v), r.v.dot(dense(body.added_mass) * r.a), 1e-12);
}

TEST(OneBody, SphereSinksAndReachesItsSpeed) {
  const double radius = 0.1, density = 1000, mass = 8, g = 9.81;
  ShapeSpec ball;
  ball.kind = ShapeSpec::Kind::sphere;
  ball.size = {radius, 0, 0};
  Hydrodynamics body = hydrodynamics_of(ball, density);
  body.surfaces.clear();
  const double displaced = density * body.displacement.volume, drag = 0.5 * density * 0.47 * 0.0314;
  for (std::size_t k = 0; k < 3; ++k) body.quadratic_damping[k][k] = drag;
  Robot r(one_body(mass, {0.03, 0.03, 0.03, 0, 0, 0}), 1);
  r.q.setZero(), r.q[6] = 1, r.v.setZero();
  WaterLoads water_loads(r.model, {{"hull", body}});
  Water water;
  water.density = density;
  const auto acceleration = [&](double speed) {
    r.v[5] = speed;
    const Loads<double> loads = loads_of(r, water_loads, water);
    return forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws, loads)[5];
  };
  const double all = mass + displaced / 2, weight = (mass - displaced) * g;
  EXPECT_NEAR(acceleration(0), -weight / all, 1e-12);
  // m v̇ = −W + d v²: v = −v∞ tanh(t W/(m v∞))
  const double final_speed = std::sqrt(weight / drag);
  double v = 0;
  const double h = 1e-3;
  for (int k = 0; k < 1000; ++k) {
    const double a = acceleration(v), b = acceleration(v + h / 2 * a),
                 c = acceleration(v + h / 2 * b), d = acceleration(v + h * c);
    v += h / 6 * (a + 2 * b + 2 * c + d);
  }
  EXPECT_NEAR(v, -final_speed * std::tanh(weight / (all * final_speed)), 1e-10);
  EXPECT_NEAR(acceleration(-final_speed), 0, 1e-12);
}

// its weight is carried exactly: an hour later it is where it was
TEST(OneBody, NeutralBodyStaysAtRestForAnHour) {
  Robot r(one_body(5, {0.1, 0.2, 0.3, 0, 0, 0}), 7);
  Random random(13);
  Hydrodynamics body = random_hydrodynamics(random);
  body.displacement = {5.0 / 1025, {}};
  WaterLoads water_loads(r.model, {{"hull", body}});
  r.v.setZero();
  const VectorXd start = r.q;
  const double h = 0.1;
  for (int k = 0; k < 36000; ++k) {
    const Loads<double> loads = loads_of(r, water_loads, Water{});
    r.v += h * matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws, loads));
    const VectorXd q = r.q;
    integrate(r.model, in(q), in(r.v), h, {r.q.data(), static_cast<std::size_t>(r.q.size())});
  }
  EXPECT_LT((r.q - start).norm(), 1e-9);
}

// the fluid carries a body of its own density along, however odd its added mass is
TEST(OneBody, BodyOfTheFluidsDensityFollowsIt) {
  const double density = 1025, volume = 0.02;
  Spec spec = one_body(density * volume, {0.3, 0.4, 0.5, 0, 0, 0});
  Robot r(spec, 5);
  Random random(10);
  Hydrodynamics body;
  body.added_mass = random.articulated();
  body.displacement.volume = volume;
  WaterLoads water_loads(r.model, {{"hull", body}});
  Water water;
  water.density = density;
  const Vec3<double> u{0.3, -0.4, 0.5}, a_f{1.1, 0.7, -0.2};
  water.current = [&](double) { return Flow{u, a_f}; };
  const Transform<double> pose = body_pose(r.model, forward_kinematics(r.model, in(r.q), r.ws), 1);
  const Vec3<double> own = transpose_times(pose.R, u), expected = transpose_times(pose.R, a_f);
  r.v << 0, 0, 0, own.x, own.y, own.z;
  const Loads<double> loads = loads_of(r, water_loads, water);
  VectorXd a(6);
  a << 0, 0, 0, expected.x, expected.y, expected.z;
  EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws, loads)),
                   a, 1e-12));
}

// A free ellipsoid: forces in the world that vary in time, from rest for a second; numbers of
// another simulator's integration test, and of a fine integration of Kirchhoff's equations
TEST(OneBody, FreeEllipsoidMovesAsPublished) {
  Spec spec =
      one_body(1073.3774899765126,
               Sym3<double>::diagonal(107.33774899765126, 268.34437249412815, 268.34437249412815));
  spec.gravity = {};
  Robot r(spec, 1);
  r.q.setZero(), r.q[6] = 1, r.v.setZero();
  Hydrodynamics body;
  body.added_mass.M =
      Sym3<double>::diagonal(236.14304779483277, 901.6370915802705, 901.6370915802705);
  body.added_mass.I = Sym3<double>::diagonal(0, 64.40264939859075, 64.40264939859075);
  WaterLoads water_loads(r.model, {{"hull", body}});
  constexpr double pi = std::numbers::pi;
  const auto rate = [&](double t, const VectorXd& x) {
    const VectorXd q = x.head(7), v = x.tail(6);
    const Velocities& bodies = forward_kinematics(r.model, in(q), in(v), r.ws);
    const Mat3<double> R = body_pose(r.model, bodies, 1).R;
    const Vec3<double> f = Vec3<double>{2000, 2000, 0} * std::sin(3 * pi * t),
                       n = Vec3<double>{200, 200, 0} * std::sin(2 * pi * t);
    const std::vector<Force<double>> push{{}, {transpose_times(R, n), transpose_times(R, f)}};
    Loads<double> others;
    others.body_forces = push;
    const Loads<double> loads = water_loads.update(r.model, bodies, Water{}, t, others);
    VectorXd dx(13);
    position_rate(r.model, in(q), in(v), {dx.data(), 7});
    dx.tail(6) = matrix(forward_dynamics(r.model, in(q), in(v), in(r.zero()), r.ws, loads));
    return dx;
  };
  VectorXd x(13);
  x << r.q, r.v;
  const double h = 0.005;
  for (int k = 0; k < 200; ++k) {
    const double t = k * h;
    const VectorXd a = rate(t, x), b = rate(t + h / 2, x + h / 2 * a),
                   c = rate(t + h / 2, x + h / 2 * b), d = rate(t + h, x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  EXPECT_LT((x.head<3>() - Vector3d(.1615036, .1071017, -.0024940)).norm(), 2e-5);
  const Vector3d turn = x.segment<3>(3);
  EXPECT_NEAR(2 * std::atan2(turn.norm(), x[6]), .3135110, 2e-5);
  EXPECT_LT((turn.normalized() - Vector3d(.9487133, .2967466, -.1090158)).norm(), 5e-5);
  const Velocities& bodies = forward_kinematics(r.model, in(x.head(7)), in(x.tail(6)), r.ws);
  const Motion<double> v =
      frame_velocity(r.model, bodies, r.model.frame("hull"), Reference::world_aligned);
  EXPECT_LT((plain(v.linear) - Vector3d(.3208749, .2127726, -.0102837)).norm(), 2e-5);
  EXPECT_LT((plain(v.angular) - Vector3d(.0031500, .0022452, -.0525643)).norm(), 2e-5);
}

// explicit steps of 10 ms with added mass 10 and 100 times the mass: inertia, so nothing grows
TEST(OneBody, LargeAddedMassIsStable) {
  for (const double factor : {10.0, 100.0}) {
    Robot r(one_body(5, {0.1, 0.1, 0.1, 0, 0, 0}), 6);
    Hydrodynamics body;
    body.added_mass.M = Sym3<double>::diagonal(5 * factor, 5 * factor, 5 * factor);
    body.added_mass.I = Sym3<double>::diagonal(0.1 * factor, 0.1 * factor, 0.1 * factor);
    body.displacement.volume = 5e-3;
    for (std::size_t k = 0; k < 6; ++k) body.linear_damping[k][k] = 1;
    WaterLoads water_loads(r.model, {{"hull", body}});
    Water water;
    water.density = 1000;
    double speed = r.v.norm();
    for (int k = 0; k < 500; ++k) {
      const Loads<double> loads = loads_of(r, water_loads, water);
      r.v += 0.01 * matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws, loads));
      VectorXd q = r.q;
      integrate(r.model, in(q), in(r.v), 0.01, {r.q.data(), static_cast<std::size_t>(r.q.size())});
      EXPECT_LE(r.v.norm(), speed * (1 + 1e-12));
      speed = r.v.norm();
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
