// Many balls on planes at once, against the laws written out for one ball after the other; where
// the power goes.
#include <limber/contact/compliant_balls.hpp>

#include <limber/dynamics/kinematics.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// loose bodies, some of them turned and moved in their files
Spec loose_bodies(Random& random, int count) {
  Spec spec;
  for (int k = 0; k < count; ++k) {
    const std::string name = "b" + std::to_string(k);
    spec.add_body(name, 0).inertia = random.inertia();
    spec.add_joint("j" + name, k % 3 == 0 ? JointKind::revolute : JointKind::free, "", name,
                   random.direction(), random.transform());
  }
  return spec;
}

CompliantLaws random_laws(Random& random) {
  CompliantLaws laws;
  constexpr double exponents[] = {1.5, 1, 2.2};
  laws.normal.kind = static_cast<NormalLaw::Kind>(random.integer(0, 1));
  laws.normal.stiffness = random.uniform(1e3, 1e4);
  laws.normal.damping = random.uniform(0, 1e3);
  laws.normal.exponent = exponents[random.integer(0, 2)];
  laws.normal.dissipation = random.uniform(0, 2);
  laws.tangential.kind = static_cast<FrictionLaw::Kind>(random.integer(0, 1));
  laws.tangential.stiffness = random.uniform(1e3, 1e4);
  laws.tangential.damping = random.uniform(10, 1e3);
  laws.tangential.slip_speed = random.uniform(1e-2, 1);
  laws.transition_speed = random.uniform(0.1, 2);
  return laws;
}

std::vector<BallOnPlane> random_balls(Random& random, const Model& m) {
  std::vector<BallOnPlane> balls;
  BallOnPlane planes[2];
  for (BallOnPlane& plane : planes) plane.height = random.uniform();
  planes[1].normal = random.direction();
  const bool alike = random.integer(0, 1) == 0, twists = random.integer(0, 1) == 0;
  for (int b = 1; b < m.bodies(); ++b)
    for (int k = random.integer(1, 5); k > 0; --k) {
      BallOnPlane ball = planes[b % 4 == 3 ? 1 : 0];
      ball.body = b;
      ball.center = random.vec3(0.5);
      ball.radius = random.uniform(0.1, 0.7);
      ball.friction = random.uniform(0, 1.5);
      ball.sliding_friction = alike ? ball.friction : ball.friction * random.uniform(0, 1);
      ball.torsion = twists && random.integer(0, 1) == 0 ? random.uniform(0, 0.3) : 0;
      balls.push_back(ball);
    }
  // states in another order than balls
  for (std::size_t k = 0; k < balls.size(); ++k)
    balls[k].state = static_cast<int>(4 * (balls.size() - 1 - k));
  return balls;
}

struct Plain {
  bool touches = false;
  Vec3<double> point, force, moment;
  std::array<double, 4> rate{};
  double stored = 0, stored_rate = 0, lost = 0;
};

// the text of compliant_contact.hpp and of sim/contacts.hpp, for one ball
Plain plain_contact(const BallOnPlane& ball, const CompliantLaws& laws, const Velocities& bodies,
                    const double* z) {
  const Transform<double>& X = bodies.X_W[ball.body];
  const Motion<double>& v = bodies.v[ball.body];
  const Vec3<double> n = ball.normal, c = X.R * ball.center + X.p;
  const double depth = ball.height + ball.radius - dot(n, c);
  const NormalLaw& press = laws.normal;
  const FrictionLaw& rub = laws.tangential;
  Plain r;
  for (std::size_t k = 0; k < 4; ++k) r.rate[k] = -z[k] * rub.stiffness / rub.damping;
  if (depth <= 0) return r;
  r.touches = true;
  r.point = c - n * (ball.radius - depth / 2);
  const Vec3<double> u = X.R * v.linear + cross(X.R * v.angular, r.point - X.p);
  const double rate = -dot(n, u), spin = dot(n, X.R * v.angular);
  const bool linear = press.kind == NormalLaw::Kind::linear;
  const double power = linear ? 1 : press.exponent;
  const double elastic = press.stiffness * std::pow(depth, power);
  const double load = std::fmax(
      0, linear ? elastic + press.damping * rate : elastic * (1 + press.dissipation * rate));
  r.stored = press.stiffness * std::pow(depth, power + 1) / (power + 1);
  r.stored_rate = elastic * rate;
  const Vec3<double> slip = u - n * dot(n, u);
  const double speed = norm(slip), fall = speed / laws.transition_speed;
  const double mu =
      ball.sliding_friction + (ball.friction - ball.sliding_friction) * std::exp(-fall * fall);
  const double limit = mu * load, twist_limit = ball.torsion * load;
  Vec3<double> friction;
  double twist = 0;
  if (rub.kind == FrictionLaw::Kind::regularised) {
    friction = slip * (-limit / std::hypot(speed, rub.slip_speed));
    const double turning = spin * ball.torsion;
    twist = -twist_limit * turning / std::hypot(turning, rub.slip_speed);
  } else {
    const Vec3<double> all{z[0], z[1], z[2]}, stretch = all - n * dot(n, all);
    Vec3<double> held = stretch * rub.stiffness + slip * rub.damping;
    if (norm(held) > limit) held = held * (limit / norm(held));
    friction = held * -1.0;
    const Vec3<double> pulled = (held - stretch * rub.stiffness) / rub.damping;
    for (int k = 0; k < 3; ++k)
      r.rate[static_cast<std::size_t>(k)] =
          pulled[k] - (all - stretch)[k] * rub.stiffness / rub.damping;
    r.stored += rub.stiffness * dot(stretch, stretch) / 2;
    r.stored_rate += rub.stiffness * dot(stretch, pulled);
    if (ball.torsion > 0) {
      const double arm2 = ball.torsion * ball.torsion;
      const double spring = rub.stiffness * arm2, damper = rub.damping * arm2;
      const double borne =
          std::fmin(std::fmax(spring * z[3] + damper * spin, -twist_limit), twist_limit);
      twist = -borne;
      r.rate[3] = (borne - spring * z[3]) / damper;
      r.stored += spring * z[3] * z[3] / 2;
      r.stored_rate += spring * z[3] * r.rate[3];
    }
  }
  r.force = n * load + friction;
  r.moment = n * twist;
  // what the body loses and the springs do not get
  r.lost = -dot(r.force, u) - twist * spin - r.stored_rate;
  return r;
}

TEST(CompliantBalls, ManyAtOnceAreOneAfterTheOther) {
  int touching = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Spec spec = loose_bodies(random, random.integer(1, 19));
    Robot r(spec, seed);
    const CompliantLaws laws = random_laws(random);
    const std::vector<BallOnPlane> balls = random_balls(random, r.model);
    CompliantBalls all(balls, laws);
    std::vector<double> z(4 * balls.size()), z_dot(z.size());
    for (double& x : z) x = random.uniform(-0.1, 0.1);
    const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
    std::vector<Force<double>> forces(static_cast<std::size_t>(r.model.bodies()));
    const bool touches = all.press(r.model, bodies, z);
    all.add_forces(forces);
    all.rates(z, z_dot);

    std::vector<Force<double>> expected(forces.size());  // about the world's origin
    Plain sum;
    double size = 1;
    for (const BallOnPlane& ball : balls) {
      const Plain one = plain_contact(ball, laws, bodies, z.data() + ball.state);
      expected[static_cast<std::size_t>(ball.body)] +=
          Force<double>{one.moment + cross(one.point, one.force), one.force};
      sum.touches = sum.touches || one.touches;
      ++(one.touches ? touching : apart);
      sum.stored += one.stored, sum.stored_rate += one.stored_rate, sum.lost += one.lost;
      size += norm(one.force) * (1 + norm(one.point)) + std::fabs(one.stored_rate);
      for (std::size_t k = 0; k < 4; ++k) {
        const double found = z_dot[static_cast<std::size_t>(ball.state) + k];
        EXPECT_NEAR(found, one.rate[k], 1e-10 * (1 + std::fabs(one.rate[k])));
      }
    }
    EXPECT_EQ(touches, sum.touches);
    EXPECT_NEAR(all.energies().stored, sum.stored, 1e-11 * size);
    EXPECT_NEAR(all.energies().stored_rate, sum.stored_rate, 1e-11 * size);
    EXPECT_NEAR(all.energies().lost, sum.lost, 1e-11 * size);
    for (int b = 1; b < r.model.bodies(); ++b) {
      const Force<double> found =
          body_pose(r.model, bodies, b) * forces[static_cast<std::size_t>(b)];
      const Force<double> missing = found - expected[static_cast<std::size_t>(b)];
      EXPECT_LT(norm(missing.angular) + norm(missing.linear), 1e-11 * size) << "body " << b;
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(apart, 1000);
}

TEST(CompliantBalls, SaysWhatItDoesNotTake) {
  const BallOnPlane fixed;
  EXPECT_NE(message_of([&] {
              CompliantBalls({&fixed, 1}, {});
            }).find("ball 0 stands on the world"),
            std::string::npos);
  EXPECT_TRUE(CompliantBalls().empty());
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
