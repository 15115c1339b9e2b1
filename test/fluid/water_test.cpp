// Currents and waves: dispersion, continuity, accelerations along particles, statistics, the
// surface.
#include <limber/fluid/water.hpp>

#include <numbers>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

TEST(Waves, ObeyTheDispersionRelation) {
  for (const double depth : {0.1, 1.0, 10.0, 100.0, HUGE_VAL})
    for (const double w : {0.1, 1.0, 5.0}) {
      const double k = wave_number(w, depth);
      const double tanh = std::isinf(depth) ? 1 : std::tanh(k * depth);
      EXPECT_NEAR(9.81 * k * tanh / (w * w), 1, 1e-12) << depth << ' ' << w;
    }
  EXPECT_NEAR(wave_number(0.01, 2), 0.01 / std::sqrt(9.81 * 2), 1e-6);  // shallow: ω/√(gh)
}

// velocities that are given to a particle, differentiated along its path
void expect_particle_acceleration(const Water& water, const Vec3<double>& p, double t,
                                  double tolerance) {
  const double h = 1e-4;
  const Flow flow = water.flow(p, t);
  const Vec3<double> found = (water.flow(p + flow.velocity * h, t + h).velocity -
                              water.flow(p - flow.velocity * h, t - h).velocity) /
                             (2 * h);
  EXPECT_LT(norm(found - flow.acceleration), tolerance);
}

Water wavy(double depth) {
  Water water;
  water.level = 2;
  water.depth = depth;
  water.waves = irregular_waves({1.5, 7, 3.3, 0.4, 0.5, 12, 3}, depth);
  water.profile = {{0, {0.5, 0, 0}}, {5, {0.2, 0.3, 0}}, {20, {0, 0, 0}}};
  water.current = [](double t) {
    return Flow{{0.3 * std::sin(t), 0.1 * t, 0}, {0.3 * std::cos(t), 0.1, 0}};
  };
  return water;
}

TEST(Waves, AccelerationIsThatOfTheParticle) {
  Random random(1);
  for (const double depth : {8.0, 1e9}) {
    const Water water = wavy(depth);
    check_water(water);
    for (int k = 0; k < 20; ++k)
      expect_particle_acceleration(
          water, {random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(-2.9, 1.5)},
          random.uniform(0, 20), 1e-6);
  }
}

// ∇·u = 0 and ∇ × u = 0 under the waves; no flow through the bed; the surface rises as the water
TEST(Waves, ArePotentialFlow) {
  Water water;
  water.level = 0;
  water.depth = 6;
  water.waves = irregular_waves({1, 5, 1, 1.0, 0.7, 9, 5}, 6);
  const double h = 1e-5;
  Random random(2);
  for (int k = 0; k < 20; ++k) {
    const Vec3<double> p{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-5.9, -0.1)};
    const double t = random.uniform(0, 9);
    Mat3<double> J;
    Vec3<double> column[3];
    for (int j = 0; j < 3; ++j) {
      Vec3<double> d;
      d[j] = h;
      column[j] = (water.flow(p + d, t).velocity - water.flow(p - d, t).velocity) / (2 * h);
    }
    J = Mat3<double>::from_columns(column[0], column[1], column[2]);
    EXPECT_NEAR(J.xx + J.yy + J.zz, 0, 1e-8);
    EXPECT_LT(norm(vee2(J)), 1e-8);
    EXPECT_NEAR(water.flow({p.x, p.y, -6}, t).velocity.z, 0, 1e-14);
    const double rise = (water.surface(p.x, p.y, t + h) - water.surface(p.x, p.y, t - h)) / (2 * h);
    EXPECT_NEAR(water.flow({p.x, p.y, 0}, t).velocity.z, rise, 1e-8);
    // the plane touches the surface
    const SurfacePlane plane = water.surface_plane(p, t);
    EXPECT_NEAR(norm(plane.normal), 1, 1e-14);
    for (const double x : {-1e-3, 1e-3}) {
      const Vec3<double> near_by{p.x + x, p.y - 2 * x, water.surface(p.x + x, p.y - 2 * x, t)};
      EXPECT_NEAR(dot(plane.normal, near_by), plane.offset, 1e-5);
    }
  }
}

TEST(Waves, RegularInDeepWater) {
  Water water;
  water.level = 0;
  water.waves = {regular_wave(2, 8, 0, HUGE_VAL)};
  water.depth = HUGE_VAL;
  const double w = 2 * pi / 8, k = w * w / 9.81;
  EXPECT_NEAR(water.surface(0, 0, 0), 1, 1e-15);
  const Flow at_crest = water.flow({0, 0, -3}, 0);
  EXPECT_NEAR(at_crest.velocity.x, w * std::exp(-3 * k), 1e-12);
  EXPECT_NEAR(at_crest.velocity.z, 0, 1e-15);
  // above the mean level as on it
  EXPECT_NEAR(water.flow({0, 0, 0.8}, 0).velocity.x, w, 1e-12);
  // a crest later
  EXPECT_NEAR(water.surface(2 * pi / k, 0, 8), 1, 1e-12);
}

TEST(Waves, HaveTheirSignificantHeight) {
  const SeaState sea{2.5, 9, 3.3, 0, 0, 50, 7};
  const std::vector<Wave> waves = irregular_waves(sea, 100);
  double variance = 0;
  for (const Wave& w : waves) variance += w.amplitude * w.amplitude / 2;
  EXPECT_NEAR(4 * std::sqrt(variance), 2.5, 1e-12);
  // the highest near the peak
  const auto highest =
      std::max_element(waves.begin(), waves.end(),
                       [](const auto& a, const auto& b) { return a.amplitude < b.amplitude; });
  EXPECT_NEAR(highest->frequency, 2 * pi / 9, 0.06);
  // another seed, another sea; the same seed, the same
  EXPECT_EQ(irregular_waves(sea, 100)[3].phase, waves[3].phase);
  SeaState other = sea;
  other.seed = 8;
  EXPECT_NE(irregular_waves(other, 100)[3].phase, waves[3].phase);
}

TEST(GaussMarkov, HasItsMeanDeviationAndTime) {
  const GaussMarkovCurrent current({{0.5, 0, -0.1}, {0.2, 0.1, 0}, 5, 0.5, 50000, 3});
  const auto& v = current.samples();
  EXPECT_EQ(v.size(), 100001U);
  double mean = 0, square = 0, later = 0;
  for (const auto& x : v) mean += x.x / static_cast<double>(v.size());
  for (std::size_t k = 0; k + 10 < v.size(); ++k) {
    square += (v[k].x - mean) * (v[k].x - mean);
    later += (v[k].x - mean) * (v[k + 10].x - mean);
  }
  EXPECT_NEAR(mean, 0.5, 0.02);
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(v.size())), 0.2, 0.01);
  EXPECT_NEAR(later / square, std::exp(-1), 0.03);  // after one time constant
  for (const auto& x : v) ASSERT_EQ(x.z, -0.1);
  // between samples
  const double h = 1e-6;
  const Flow f = current(12.3);
  EXPECT_LT(norm((current(12.3 + h).velocity - f.velocity) / h - f.acceleration), 1e-7);
  EXPECT_LT(norm(current(12.5).velocity - v[25]), 1e-12);
  EXPECT_EQ(current(1e9).velocity.x, v.back().x);
  EXPECT_EQ(norm(current(1e9).acceleration), 0);
}

TEST(Profile, IsLinearBetweenDepths) {
  Water water;
  water.profile = {{0, {1, 0, 0}}, {10, {0, 1, 0}}};
  EXPECT_LT(norm(water.flow({0, 0, -2.5}, 0).velocity - Vec3<double>{0.75, 0.25, 0}), 1e-15);
  EXPECT_LT(norm(water.flow({0, 0, 3}, 0).velocity - Vec3<double>{1, 0, 0}), 1e-15);
  EXPECT_LT(norm(water.flow({0, 0, -30}, 0).velocity - Vec3<double>{0, 1, 0}), 1e-15);
  EXPECT_EQ(norm(water.flow({0, 0, -2.5}, 0).acceleration), 0);
  EXPECT_TRUE(std::isinf(water.surface(0, 0, 0)));
}

TEST(WaterChecks, NameWhatIsWrong) {
  const auto refusal = [](auto&& spoil) {
    Water water;
    spoil(water);
    return message_of([&] { check_water(water); });
  };
  EXPECT_TRUE(mentions(refusal([](Water& w) { w.density = -1; }), {"density", "-1"}));
  EXPECT_TRUE(mentions(refusal([](Water& w) { w.waves = {regular_wave(1, 8, 0, 100)}; }),
                       {"waves need a surface", "level"}));
  EXPECT_TRUE(mentions(refusal([](Water& w) {
                         w.level = 0;
                         w.waves = {regular_wave(3, 3, 0, 100)};
                       }),
                       {"wave 1 is 3 m high", "break"}));
  EXPECT_TRUE(mentions(refusal([](Water& w) {
                         w.profile = {{5, {}}, {4, {}}};
                       }),
                       {"depth 2", "must rise"}));
  EXPECT_TRUE(mentions(message_of([] { wave_number(-1, 10); }), {"frequency", "positive"}));
  EXPECT_TRUE(mentions(message_of([] {
                         GaussMarkovCurrent({{}, {}, 1, 1e-9, 1e9});
                       }),
                       {"1e+18 samples", "interval"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
