// Problems of the IFToMM library of computational benchmark problems: A02, a row of N four-bars
// that passes positions where it could move in N + 1 ways, and A04, Bricard's mechanism, which by
// counting could not move at all. Numbers of reduced models of one freedom.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "support/closed_run.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

/// N four-bars in a row in the plane x, y, gravity along −y: N + 1 rods that stand, N that lie on
/// them; all of 1 m and 1 kg. The angles of rods that stand count from y, clockwise.
Model n_four_bar(int n) {
  Spec spec;
  spec.name = "n_four_bar";
  spec.gravity = {0, -9.81, 0};
  const auto name = [](const char* kind, int k) { return kind + std::to_string(k); };
  const Sym3<double> along_x{0.001, 1.0 / 12, 1.0 / 12, 0, 0, 0},
      along_y{1.0 / 12, 0.001, 1.0 / 12, 0, 0, 0};
  for (int k = 0; k <= n; ++k) {
    Transform<double> foot;
    foot.p = {1.0 * k, 0, 0};
    spec.add_body(name("leg", k), 1, {0, 0.5, 0}, along_y);
    spec.add_joint(name("foot", k), JointKind::revolute, "", name("leg", k), {0, 0, -1}, foot);
  }
  for (int k = 0; k < n; ++k) {
    Transform<double> top;
    top.p = {0, 1, 0};
    spec.add_body(name("bar", k), 1, {0.5, 0, 0}, along_x);
    spec.add_joint(name("top", k), JointKind::revolute, name("leg", k), name("bar", k), {0, 0, -1},
                   top);
    LoopSpec pin;
    pin.name = name("pin", k);
    pin.kind = LoopSpec::Kind::slot;
    pin.body_a = name("leg", k + 1);
    pin.placement_a = top;
    pin.body_b = name("bar", k);
    pin.placement_b.p = {1, 0, 0};
    spec.loops.push_back(pin);
  }
  spec.frames.push_back({"B0", "leg0", {}, {}});
  spec.frames.back().placement.p = {0, 1, 0};
  return build(spec);
}

struct FourBars : ClosedRun {
  explicit FourBars(int n) : ClosedRun(n_four_bar(n)) {
    for (int k = 0; k <= n; ++k) v[index("foot" + std::to_string(k))] = 1;
    for (int k = 0; k < n; ++k) v[index("top" + std::to_string(k))] = -1;
  }
};

/// The same motion by its one freedom: φ″ = rate² sin φ, by small steps.
struct OnePendulum {
  double rate2, phi = 0, speed = 1;
  explicit OnePendulum(int n) : rate2(((n + 1) / 2.0 + n) * 9.81 / ((n + 1) / 3.0 + n)) {}
  void run(double time, int steps) {
    const double h = time / steps;
    const auto a = [&](double x) { return rate2 * std::sin(x); };
    for (int k = 0; k < steps; ++k) {
      const double k1 = a(phi), k2 = a(phi + h / 2 * speed),
                   k3 = a(phi + h / 2 * speed + h * h / 4 * k1),
                   k4 = a(phi + h * speed + h * h / 2 * k2);
      phi += h * speed + h * h / 6 * (k1 + k2 + k3);
      speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
};

TEST(PublishedFourBars, Two) {
  FourBars run(2);
  const double energy = run.energy();
  run.run(4, 1e-3);
  Vec3<double> B0 = run.origin("B0");
  EXPECT_NEAR(B0.x, 0.1176161024, 1e-7);
  EXPECT_NEAR(B0.y, 0.9930591385, 1e-7);
  run.run(10, 1e-3);
  B0 = run.origin("B0");
  EXPECT_NEAR(B0.x, 0.3284581115, 1e-6);
  EXPECT_NEAR(B0.y, 0.9445185382, 1e-6);
  const double speed = run.rate("foot0");
  EXPECT_NEAR(speed * B0.y, 1.4230514702, 1e-5);
  EXPECT_NEAR(-speed * B0.x, -0.4948688455, 1e-5);
  EXPECT_NEAR(run.energy() / energy, 1, 1e-8);
}

TEST(PublishedFourBars, Forty) {
  FourBars run(40);
  OnePendulum one(40);
  const double energy = run.energy();
  double worst = 0;
  int least_rank = 80;
  for (int k = 1; k <= 400; ++k) {  // the points at which the library judges
    run.run(0.05 * k, 5e-3);
    one.run(0.05, 200);
    least_rank = std::min(least_rank, run.closed.solver.rank);
    const Vec3<double> B0 = run.origin("B0");
    worst = std::fmax(worst, std::hypot(B0.x - std::sin(one.phi), B0.y - std::cos(one.phi)));
    if (k == 200) {
      EXPECT_NEAR(B0.x, 0.1805122267, 1e-3);
      EXPECT_NEAR(B0.y, 0.9835727406, 1e-3);
    }
  }
  const Vec3<double> B0 = run.origin("B0");
  EXPECT_NEAR(B0.x, 0.4109011538, 1e-3);
  EXPECT_NEAR(B0.y, 0.9116799010, 1e-3);
  EXPECT_LT(worst, 1e-3);
  EXPECT_NEAR(run.energy() / energy, 1, 1e-6);
}

// steps that begin in a singular position, or so near to it that errors of 1e-9 are no longer small
// against the distance: they go on as the row of four-bars that it was
TEST(PublishedFourBars, StepsThatBeginInASingularPosition) {
  for (const double distance : {0.0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2})
    for (const double noise : {0.0, 1e-10, 1e-9}) {
      SCOPED_TRACE(testing::Message() << distance << ", noise " << noise);
      const int n = 3;
      FourBars run(n);
      OnePendulum one(n);
      one.phi = M_PI / 2 + distance, one.speed = 4;
      for (int k = 0; k <= n; ++k) {
        const std::string foot = "foot" + std::to_string(k), top = "top" + std::to_string(k);
        run.q[run.q_index(foot)] = one.phi + noise * std::sin(7 * k + 1);
        run.v[run.index(foot)] = one.speed;
        if (k == n) continue;
        run.q[run.q_index(top)] = -one.phi + noise * std::sin(5 * k + 2);
        run.v[run.index(top)] = -one.speed;
      }
      run.project();
      run.run(0.2, 5e-3);
      one.run(0.2, 2000);
      const Vec3<double> B0 = run.origin("B0");
      EXPECT_NEAR(B0.x, std::sin(one.phi), 1e-5);
      EXPECT_NEAR(B0.y, std::cos(one.phi), 1e-5);
      EXPECT_EQ(run.closed.solver.rank, 2 * n);
    }
}

// at rest with all rods on one line, each four-bar can go its own way
TEST(PublishedFourBars, RankWhereAllRodsAreHorizontal) {
  FourBars run(40);
  for (int k = 0; k <= 40; ++k) run.q[run.q_index("foot" + std::to_string(k))] = M_PI / 2;
  for (int k = 0; k < 40; ++k) run.q[run.q_index("top" + std::to_string(k))] = -M_PI / 2;
  run.acceleration(0, run.q, run.v);
  EXPECT_EQ(run.closed.solver.rank, 40);  // of 80: 41 freedoms instead of 1
  EXPECT_LT(run.closed.solver.inconsistency, 1e-12);
}

TEST(PublishedBricard, TenSeconds) {
  ClosedRun run(load("bricard"), "start");
  const double energy = run.energy();
  run.run(1, 1e-3);
  EXPECT_EQ(run.closed.solver.rank, 4);
  EXPECT_EQ(run.mechanism.rows, 5);
  Vec3<double> P2 = run.origin("P2"), P3 = run.origin("P3");
  EXPECT_LT(norm(P2 - Vec3<double>{0.274481319, -0.886707939, -0.462330003}), 2e-9);
  EXPECT_LT(norm(P3 - Vec3<double>{0.510501461, -1.649167599, 0.140123115}), 2e-9);
  EXPECT_NEAR(std::abs(run.position("q1")), 1.035028460, 1e-9);
  EXPECT_NEAR(std::abs(run.rate("q1")), 2.036415381, 1e-8);
  double worst = 0;
  for (int k = 101; k <= 1000; ++k) {
    run.run(0.01 * k, 1e-3);
    worst = std::fmax(worst, std::abs(run.energy() - energy));
  }
  P3 = run.origin("P3");
  EXPECT_LT(norm(P3 - Vec3<double>{0.999999964, -1.000269013, 0.999730951}), 1e-6);
  EXPECT_LT(worst, 1e-8);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
