// Compliant contact over an implicit step: the equations that its forces must satisfy at the end of
// the step, written out for one ball after the other; the impedance by differences.
#include <limber/contact/compliant_balls.hpp>

#include <limber/dynamics/kinematics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Spec loose_things(Random& random, int count) {
  Spec spec;
  for (int k = 0; k < count; ++k) {
    const std::string name = "b" + std::to_string(k);
    spec.add_body(name, 0).inertia = random.inertia();
    spec.add_joint("j" + name, JointKind::free, "", name, {0, 0, 1}, random.transform());
  }
  return spec;
}

struct Scene {
  Scene(std::uint64_t seed, double friction);

  Random random;
  Robot robot;
  CompliantLaws laws;
  std::vector<BallOnPlane> balls;
  std::vector<double> z;
  std::vector<Motion<double>> after;
  double h = 0;
};

Scene::Scene(std::uint64_t seed, double friction)
    : random(seed), robot(loose_things(random, random.integer(1, 11)), seed) {
  h = random.uniform(1e-3, 2e-2);
  laws.normal.kind = static_cast<NormalLaw::Kind>(random.integer(0, 1));
  laws.normal.stiffness = random.uniform(1e3, 1e5);
  laws.normal.damping = random.uniform(0, 1e3);
  laws.normal.dissipation = random.uniform(0, 0.3);
  laws.tangential.stiffness = random.uniform(1e3, 1e5);
  laws.tangential.damping = random.uniform(10, 1e3);
  BallOnPlane plane;
  plane.normal = random.direction();
  plane.height = random.uniform();
  for (int b = 1; b < robot.model.bodies(); ++b)
    for (int k = random.integer(1, 4); k > 0; --k) {
      BallOnPlane ball = plane;
      ball.body = b;
      ball.center = random.vec3(0.5);
      ball.radius = random.uniform(0.1, 0.7);
      ball.friction = ball.sliding_friction = friction * random.uniform(0.1, 1.5);
      ball.torsion = random.integer(0, 1) * random.uniform(0, 0.3);
      ball.state = static_cast<int>(4 * balls.size());
      balls.push_back(ball);
    }
  z.resize(4 * balls.size());
  for (double& x : z) x = random.uniform(-0.01, 0.01);
  after.resize(static_cast<std::size_t>(robot.model.bodies()));
  for (Motion<double>& v : after) v = {random.vec3(), random.vec3()};
}

double law_of(const NormalLaw& law, double depth, double rate) {
  if (depth <= 0) return 0;
  const double elastic = law.kind == NormalLaw::Kind::linear
                             ? law.stiffness * depth
                             : law.stiffness * std::pow(depth, law.exponent);
  return std::fmax(0, law.kind == NormalLaw::Kind::linear ? elastic + law.damping * rate
                                                          : elastic * (1 + law.dissipation * rate));
}

// With s the stretch before and s' after the step: the friction is −(k s' + c (s' − s)/h) and obeys
// Coulomb's law at the end of the step; below it s' is what the slip of the end makes of s.
TEST(ContactOverStep, ForcesAreThoseOfTheEnd) {
  int sticking = 0, sliding = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scene s(seed, 1);
    const Model& m = s.robot.model;
    const Velocities& bodies = forward_kinematics(m, in(s.robot.q), in(s.robot.v), s.robot.ws);
    CompliantBalls all(s.balls, s.laws);
    all.press_over_step(m, bodies, s.after, s.z, s.h);
    std::vector<double> z_dot(s.z.size());
    all.rates(s.z, z_dot);
    std::vector<Force<double>> expected(s.after.size()), found(s.after.size());
    double size = 1, power = 0;
    const double k = s.laws.tangential.stiffness, c = s.laws.tangential.damping;
    for (const BallOnPlane& ball : s.balls) {
      const Transform<double>& X = bodies.X_W[ball.body];
      const Vec3<double> n = ball.normal, center = X.R * ball.center + X.p;
      const double depth = ball.height + ball.radius - dot(n, center);
      const Vec3<double> point = center - n * (ball.radius - std::fmax(depth, 0) / 2);
      const auto velocity = [&](const Motion<double>& v) {
        return X.R * v.linear + cross(X.R * v.angular, point - X.p);
      };
      const Motion<double>& after = s.after[static_cast<std::size_t>(ball.body)];
      const Vec3<double> u = velocity(after);
      const double rate = -dot(n, u), end = depth + s.h * rate;
      const double load = law_of(s.laws.normal, end, (end - std::fmax(depth, 0)) / s.h);
      if (end <= 0) continue;
      const auto state = static_cast<std::size_t>(ball.state);
      const Vec3<double> raw{s.z[state], s.z[state + 1], s.z[state + 2]},
          stretch = raw - n * dot(n, raw), slip = u - n * dot(n, u);
      const Vec3<double> rates{z_dot[state], z_dot[state + 1], z_dot[state + 2]};
      const Vec3<double> rate_along = rates - n * dot(n, rates);
      const Vec3<double> borne = (stretch + rate_along * s.h) * k + rate_along * c;
      const double limit = ball.friction * load;
      EXPECT_LE(norm(borne), limit * (1 + 1e-9) + 1e-12);
      if (norm(borne) < limit * (1 - 1e-9)) {
        ++sticking;
        EXPECT_LT(norm(rate_along - slip), 1e-10 * (1 + norm(slip)));
      } else {  // the slider gives way along what pulls at it
        ++sliding;
        const Vec3<double> pulls = (stretch + slip * s.h) * k + slip * c;
        EXPECT_LT(norm(cross(borne, pulls)), 1e-9 * (1 + norm(borne) * norm(pulls)));
        EXPECT_GE(dot(borne, pulls), -1e-9 * (1 + norm(borne) * norm(pulls)));
      }
      double twist = 0;
      if (ball.torsion > 0) {
        const double arm2 = ball.torsion * ball.torsion,
                     turned = s.z[state + 3] + s.h * z_dot[state + 3];
        twist = -arm2 * (k * turned + c * z_dot[state + 3]);
        EXPECT_LE(std::fabs(twist), ball.torsion * load * (1 + 1e-9) + 1e-12);
        power += twist * dot(n, X.R * after.angular);
      }
      const Vec3<double> force = n * load - borne;
      power += dot(force, u);
      expected[static_cast<std::size_t>(ball.body)] +=
          Force<double>{cross(point, force) + n * twist, force};
      size += norm(force) * (1 + norm(point));
    }
    all.for_each_press([&](int body, const Force<double>& force, const auto&) {
      found[static_cast<std::size_t>(body)] += body_pose(m, bodies, body) * force;
    });
    for (std::size_t b = 1; b < found.size(); ++b)
      EXPECT_LT(
          norm(found[b].angular - expected[b].angular) + norm(found[b].linear - expected[b].linear),
          1e-11 * size);
    // what the bodies give is kept or lost
    EXPECT_NEAR(all.energies().stored_rate + all.energies().lost, -power, 1e-11 * size);
  }
  EXPECT_GT(sticking, 200);
  EXPECT_GT(sliding, 50);
}

TEST(ContactOverStep, ImpedanceIsTheDerivativeWhereContactSticks) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scene s(seed, 1e6);
    const Model& m = s.robot.model;
    const Velocities& bodies = forward_kinematics(m, in(s.robot.q), in(s.robot.v), s.robot.ws);
    CompliantBalls all(s.balls, s.laws);
    const auto force_on_first = [&](const Motion<double>& change) {
      std::vector<Motion<double>> after = s.after;
      after[1] += change;
      Force<double> sum;
      if (all.press_over_step(m, bodies, after, s.z, s.h))
        all.for_each_press([&](int body, const Force<double>& f, const auto&) {
          if (body == 1) sum += f;
        });
      return sum;
    };
    ArticulatedInertia<double> Z;
    if (all.press_over_step(m, bodies, s.after, s.z, s.h))
      all.for_each_press([&](int body, const auto&, const ArticulatedInertia<double>& one) {
        if (body == 1) Z += one;
      });
    Random random(seed);
    const Motion<double> d{random.vec3(), random.vec3()};
    constexpr double small = 1e-6;
    const Force<double> slope =
        (force_on_first(d * small) - force_on_first(d * -small)) * (1 / (2 * small));
    const Force<double> expected = Z * apply_inverse(m.body_placement[1], d) * -1.0;
    const double size = 1 + norm(expected.angular) + norm(expected.linear);
    EXPECT_LT(norm(slope.angular - expected.angular) + norm(slope.linear - expected.linear),
              1e-5 * size);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
