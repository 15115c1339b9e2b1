// Laws of compliant contact against closed forms: drops on springs, energy balances, Coulomb's
// cone.
#include <limber/contact/compliant_contact.hpp>

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

// a mass on the law, by small steps of the classical Runge-Kutta method
struct Drop {
  double depth = 0, rate = 0, dissipated = 0;
};
Drop fall(const NormalLaw& law, double mass, double speed, double duration, int steps) {
  const double h = duration / steps, g = 9.81;
  struct Rate {
    double depth, rate, lost;
  };
  const auto rate = [&](double depth, double v) {
    const double force = normal_force(law, depth, v);
    return Rate{v, g - force / mass, (force - elastic_force(law, depth)) * v};
  };
  Drop x{0, speed, 0};
  for (int k = 0; k < steps; ++k) {
    const Rate a = rate(x.depth, x.rate);
    const Rate b = rate(x.depth + h / 2 * a.depth, x.rate + h / 2 * a.rate);
    const Rate c = rate(x.depth + h / 2 * b.depth, x.rate + h / 2 * b.rate);
    const Rate d = rate(x.depth + h * c.depth, x.rate + h * c.rate);
    x.depth += h / 6 * (a.depth + 2 * b.depth + 2 * c.depth + d.depth);
    x.rate += h / 6 * (a.rate + 2 * b.rate + 2 * c.rate + d.rate);
    x.dissipated += h / 6 * (a.lost + 2 * b.lost + 2 * c.lost + d.lost);
  }
  return x;
}

// depth(t) = g/ω² (1 − cos ωt) + v/ω sin ωt while it is pressed
TEST(CompliantContact, ADropOnASpringSwingsInClosedForm) {
  NormalLaw law;
  law.kind = NormalLaw::Kind::linear;
  law.stiffness = 2e4;
  const double mass = 2, v = 1.5, w = std::sqrt(law.stiffness / mass), g = 9.81, t = 2.5 / w;
  const Drop end = fall(law, mass, v, t, 2000);
  EXPECT_NEAR(end.depth, g / (w * w) * (1 - std::cos(w * t)) + v / w * std::sin(w * t), 1e-12);
  EXPECT_EQ(end.dissipated, 0);
}

TEST(CompliantContact, EnergyIsStoredOrDissipatedAndNothingElse) {
  for (const auto kind : {NormalLaw::Kind::linear, NormalLaw::Kind::hunt_crossley}) {
    NormalLaw law;
    law.kind = kind;
    law.stiffness = 5e5;
    law.damping = 30;
    const double mass = 0.7, v = 0.8, g = 9.81;
    const Drop end = fall(law, mass, v, 3e-3, 4000);
    ASSERT_GT(end.depth, 0);
    const double kinetic = mass * (v * v - end.rate * end.rate) / 2;
    EXPECT_NEAR(kinetic + mass * g * end.depth, elastic_energy(law, end.depth) + end.dissipated,
                1e-10);
    EXPECT_GT(end.dissipated, 0.01);
  }
}

TEST(CompliantContact, NothingPullsAndNothingActsAcrossAGap) {
  for (const auto kind : {NormalLaw::Kind::linear, NormalLaw::Kind::hunt_crossley}) {
    NormalLaw law;
    law.kind = kind;
    law.damping = 1e4;
    EXPECT_EQ(normal_force(law, -1e-6, 5), 0);
    EXPECT_EQ(normal_force(law, 0, 5), 0);
    EXPECT_EQ(normal_force(law, 1e-6, -50), 0);
    EXPECT_GT(normal_force(law, 1e-6, 0), 0);
    EXPECT_EQ(elastic_energy(law, -1), 0);
  }
}

// the restitution of Hunt and Crossley's law is 1 − 2/3 · dissipation · speed to first order
TEST(CompliantContact, HuntCrossleyLosesWhatItsAuthorsSay) {
  NormalLaw law;
  law.stiffness = 1e8;
  law.dissipation = 0.02;
  const double v = 1;
  Drop end;
  double duration = 0.1e-3;
  do end = fall(law, 1, v, duration += 1e-6, 4000);
  while (end.depth > 0 && duration < 5e-3);
  EXPECT_NEAR(-end.rate, v * (1 - 2.0 / 3 * law.dissipation * v), 2e-3);
}

// a block pulled along the ground: forces to just below the cone leave it where the spring holds it
TEST(CompliantContact, StickingHoldsBelowTheConeAndSlidesAboveIt) {
  FrictionLaw law;
  law.stiffness = 1e4;
  law.damping = 100;
  const double mass = 2, limit = 0.5 * mass * 9.81, h = 1e-4;
  for (const double load : {0.97 * limit, 1.01 * limit}) {
    Vec3<double> x, v, stretch;
    const Vec3<double> pull = Vec3<double>{0.6, 0.8, 0} * load;
    bool slides = false;
    for (int k = 0; k < 50000; ++k) {  // 5 s, the load comes on slowly
      const double part = std::min(1.0, k * h / 2);
      const StickingFriction friction = sticking_friction(law, limit, stretch, v);
      v += (pull * part + friction.force) * (h / mass);
      stretch += friction.rate * h;
      x += v * h;
      slides = friction.slides;
      ASSERT_LE(norm(friction.force), limit * (1 + 1e-12));
    }
    if (load < limit) {
      EXPECT_FALSE(slides);
      EXPECT_NEAR(norm(x), load / law.stiffness, 1e-9);
      EXPECT_LT(norm(v), 1e-12);  // no creep
    } else {
      EXPECT_TRUE(slides);
      EXPECT_NEAR(norm(v), (load - limit) / mass * 3.02, 0.02);  // from 1.98 s on
      EXPECT_NEAR(v.y / v.x, 4.0 / 3, 1e-9);
    }
  }
}

// power of the force = what the spring takes up less what damper and slider dissipate, which is
// never negative
TEST(CompliantContact, StickingFrictionNeverCreatesEnergy) {
  FrictionLaw law;
  for (int k = 0; k < 10000; ++k) {
    const double a = std::sin(1.0 + k), b = std::sin(2.0 + 3 * k), c = std::sin(3.0 + 7 * k),
                 d = std::sin(4.0 + 11 * k);
    const double limit = 50 * (1 + std::sin(5.0 + 13 * k));
    const Vec3<double> stretch = Vec3<double>{a, b, 0} * 1e-3, slip{c, d, 0};
    const StickingFriction friction = sticking_friction(law, limit, stretch, slip);
    const double stored = law.stiffness * dot(stretch, friction.rate);
    EXPECT_GE(-dot(friction.force, slip) - stored, -1e-9);
    EXPECT_LE(norm(friction.force), limit * (1 + 1e-12));
  }
}

TEST(CompliantContact, RegularisedFrictionIsCoulombsFarFromRest) {
  FrictionLaw law;
  law.slip_speed = 1e-4;
  const Vec3<double> fast = regularised_friction(law, 7, {3, 4, 0});
  EXPECT_NEAR(norm(fast), 7, 1e-8);
  EXPECT_NEAR(fast.x, -4.2, 1e-8);
  // a load below the limit creeps at a speed that belongs to it
  const double load = 5.6, speed = law.slip_speed * 0.8 / 0.6;
  EXPECT_NEAR(regularised_friction(law, 7, {speed, 0, 0}).x, -load, 1e-12);
  EXPECT_NEAR(friction_coefficient(0.6, 0.4, 0, 1e-3), 0.6, 1e-15);
  EXPECT_NEAR(friction_coefficient(0.6, 0.4, 0.1, 1e-3), 0.4, 1e-15);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
