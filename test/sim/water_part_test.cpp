// Water as a part of a System: motion in closed form and as published, energy, saved runs.
#include <limber/sim/water_part.hpp>

#include <numbers>

#include <gtest/gtest.h>

#include <limber/sim/external_force.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi, g = 9.81;

std::shared_ptr<const Water> share(Water water) {
  return std::make_shared<const Water>(std::move(water));
}

Water fresh() {
  Water water;
  water.density = 1000;
  return water;
}

System wet_system(const Spec& spec, Water water, std::vector<LinkHydrodynamics> links) {
  System system(build(spec));
  system.add(std::make_unique<WaterPart>(share(std::move(water)), std::move(links)));
  return system;
}

SimulationSettings settings_of(double duration, const std::string& method = "dopri5",
                               double step = 1e-3) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = method;
  settings.integrator.step = step;
  settings.integrator.relative_tolerance = 1e-11;
  settings.integrator.absolute_tolerance = 1e-13;
  return settings;
}

const std::vector<double> upright{0, 0, 0, 0, 0, 0, 1}, rest(6, 0.0);

ShapeSpec shape_of(ShapeSpec::Kind kind, const Vec3<double>& size) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.size = size;
  return shape;
}

// forces in the world on a free ellipsoid; numbers of another simulator's integration test
TEST(WaterPart, FreeEllipsoidMovesAsPublished) {
  Spec spec =
      one_body(1073.3774899765126,
               Sym3<double>::diagonal(107.33774899765126, 268.34437249412815, 268.34437249412815));
  spec.gravity = {};
  Hydrodynamics body;
  body.added_mass.M =
      Sym3<double>::diagonal(236.14304779483277, 901.6370915802705, 901.6370915802705);
  body.added_mass.I = Sym3<double>::diagonal(0, 64.40264939859075, 64.40264939859075);
  for (const char* method : {"rk4", "dopri5", "midpoint", "time_stepping"}) {
    System system = wet_system(spec, {}, {{"hull", body}});
    ExternalForceSettings push;
    push.frame = "hull";
    for (const std::size_t k : {0U, 1U}) {
      push.force.signals[k] = Signal::expression("200*sin(2*pi*t)");
      push.force.signals[k + 3] = Signal::expression("2000*sin(3*pi*t)");
    }
    system.add(std::make_unique<ExternalForce>(push));
    Simulation run(std::move(system), settings_of(1, method), upright, rest);
    run.run();
    const std::span<const double> x = run.x();
    const Eigen::Map<const VectorXd> q(x.data(), 7), v(x.data() + 7, 6);
    EXPECT_LT((q.head<3>() - Vector3d(.1615036, .1071017, -.0024940)).norm(), 2e-5) << method;
    const Vector3d turn = q.segment<3>(3);
    EXPECT_NEAR(2 * std::atan2(turn.norm(), q[6]), .3135110, 2e-5) << method;
    EXPECT_LT((turn.normalized() - Vector3d(.9487133, .2967466, -.1090158)).norm(), 1e-4);
    const Eigen::Quaterniond R(q[6], q[3], q[4], q[5]);
    EXPECT_LT((R * v.tail<3>() - Vector3d(.3208749, .2127726, -.0102837)).norm(), 2e-5) << method;
    EXPECT_LT((R * v.head<3>() - Vector3d(.0031500, .0022452, -.0525643)).norm(), 2e-5) << method;
  }
}

// m v̇ = −W + d v²: v = −v∞ tanh(t W/(m v∞)), the path its integral
TEST(WaterPart, SphereSinksAsTanh) {
  const double radius = 0.1, mass = 8;
  Hydrodynamics body = hydrodynamics_of(shape_of(ShapeSpec::Kind::sphere, {radius, 0, 0}), 1000);
  body.surfaces.clear();
  const double drag = 0.5 * 1000 * 0.47 * pi * radius * radius,
               displaced = 1000 * 4 * pi / 3 * radius * radius * radius;
  for (std::size_t k = 0; k < 3; ++k) body.quadratic_damping[k][k] = drag;
  System system =
      wet_system(one_body(mass, {0.03, 0.03, 0.03, 0, 0, 0}), fresh(), {{"hull", body}});
  Simulation run(std::move(system), settings_of(3), upright, rest);
  const double all = mass + displaced / 2, weight = (mass - displaced) * g,
               terminal = std::sqrt(weight / drag), rate = weight / (all * terminal);
  for (const double t : {0.2, 1.0, 3.0}) {
    run.advance(t);
    const double at = run.t();
    EXPECT_NEAR(run.x()[12], -terminal * std::tanh(rate * at), 1e-9);
    EXPECT_NEAR(run.x()[2], -terminal / rate * std::log(std::cosh(rate * at)), 1e-8);
  }
}

TEST(WaterPart, NeutralBodyStaysForAnHour) {
  Random random(13);
  Hydrodynamics body = random_hydrodynamics(random);
  body.displacement = {5.0 / 1025, {}};
  System system = wet_system(one_body(5, {0.1, 0.2, 0.3, 0, 0, 0}), Water{}, {{"hull", body}});
  Simulation run(std::move(system), settings_of(3600, "rk4", 0.1), upright, rest);
  run.run();
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(run.x()[k], upright[k], 1e-9);
}

// whatever its added mass is, it goes where the water goes, which turns round twice
TEST(WaterPart, BodyOfTheFluidsDensityFollowsIt) {
  Random random(10);
  Hydrodynamics body;
  body.added_mass = random.articulated();
  body.displacement.volume = 0.02;
  Water water = fresh();
  water.current = [](double t) {
    return Flow{{std::sin(2 * t), 0.5 * t * t, -std::cos(t)},
                {2 * std::cos(2 * t), t, std::sin(t)}};
  };
  System system = wet_system(one_body(20, {0.3, 0.4, 0.5, 0, 0, 0}), water, {{"hull", body}});
  std::vector<double> v = rest;
  v[5] = -1;
  Simulation run(std::move(system), settings_of(4), upright, v);
  run.run();
  const double t = 4;
  EXPECT_NEAR(run.x()[0], (1 - std::cos(2 * t)) / 2, 1e-8);
  EXPECT_NEAR(run.x()[1], t * t * t / 6, 1e-8);
  EXPECT_NEAR(run.x()[2], -std::sin(t), 1e-8);
}

/// A box that floats half in the water.
struct Floating {
  Vec3<double> edges{1.2, 0.8, 0.5};
  double mass = 1000 * edges.x * edges.y * edges.z / 2;
  Hydrodynamics body = hydrodynamics_of(shape_of(ShapeSpec::Kind::box, edges), 1000);
  Sym3<double> inertia =
      Sym3<double>::diagonal(mass / 12 * (edges.y * edges.y + edges.z * edges.z),
                             mass / 12 * (edges.x * edges.x + edges.z * edges.z),
                             mass / 12 * (edges.x * edges.x + edges.y * edges.y));
  Floating() { body.surfaces.clear(); }
  System system(Water water = fresh()) const {
    water.level = 0;
    return wet_system(one_body(mass, inertia), water, {{"hull", body}});
  }
};

// the mean time between passages of a number of x through zero, times two
double period_of(Simulation& run, std::size_t index) {
  double last_t = 0, last = run.x()[index], first_zero = -1, end_zero = -1;
  int zeros = 0;
  while (run.step() == RunStatus::running) {
    const double now = run.x()[index];
    if ((now > 0) != (last > 0)) {
      end_zero = last_t + (run.t() - last_t) * last / (last - now);
      if (zeros++ == 0) first_zero = end_zero;
    }
    last = now;
    last_t = run.t();
  }
  return 2 * (end_zero - first_zero) / (zeros - 1);
}

// hydrostatics with half of the added mass: the part that is wet
TEST(WaterPart, FloatingBoxHeaves) {
  const Floating box;
  std::vector<double> q = upright;
  q[2] = 1e-4;
  Simulation run(box.system(), settings_of(20, "rk4", 2e-3), q, rest);
  const double stiffness = 1000 * g * box.edges.x * box.edges.y;
  EXPECT_NEAR(period_of(run, 2),
              2 * pi * std::sqrt((box.mass + box.body.added_mass.M.zz / 2) / stiffness), 1e-3);
}

// about its waterline: the metacentre is I/V − (distance of the centres) above the centre of mass
TEST(WaterPart, FloatingBoxRolls) {
  const Floating box;
  const double half = 0.5e-3;
  std::vector<double> q{0, 0, 0, std::sin(half), 0, 0, std::cos(half)};
  Simulation run(box.system(), settings_of(20, "rk4", 2e-3), q, rest);
  const Vec3<double>& e = box.edges;
  const double volume = e.x * e.y * e.z / 2, second = e.x * e.y * e.y * e.y / 12,
               height = second / volume - e.z / 4;
  ASSERT_GT(height, 0);
  // the centre of buoyancy is e.z/4 below the centre of mass, which is that of the added mass
  const double stiffness = 1000 * g * volume * height;
  EXPECT_NEAR(period_of(run, 3),
              2 * pi * std::sqrt((box.inertia.xx + box.body.added_mass.I.xx / 2) / stiffness),
              2e-3);
}

TEST(WaterPart, LargeAddedMassIsStableAtTenMilliseconds) {
  for (const double factor : {10.0, 100.0})
    for (const char* method : {"rk4", "midpoint", "time_stepping"}) {
      Hydrodynamics body;
      body.added_mass.M = Sym3<double>::diagonal(5 * factor, 5 * factor, 3 * factor);
      body.added_mass.I = Sym3<double>::diagonal(0.1 * factor, 0.1 * factor, 0.2 * factor);
      body.displacement.volume = 5e-3;
      for (std::size_t k = 0; k < 6; ++k) body.linear_damping[k][k] = 1;
      System system = wet_system(one_body(5, {0.1, 0.1, 0.1, 0, 0, 0}), fresh(), {{"hull", body}});
      Simulation run(std::move(system), settings_of(20, method, 0.01), upright,
                     std::vector<double>{0.3, -0.4, 0.5, 1, 2, -1});
      double energy = HUGE_VAL;
      run.on_record = [&](const System& at, double, std::span<const double> x) {
        const double now = at.energy(x).total();
        EXPECT_LT(now, energy) << method << " " << factor;
        energy = now;
      };
      EXPECT_EQ(run.run(), RunStatus::finished) << method;
    }
}

/// A vehicle with two links, each with volume, hull and odd added mass.
struct Swimmer {
  Spec spec;
  std::vector<LinkHydrodynamics> links;
  explicit Swimmer(double damping) {
    spec.add_body("hull", 20, {0, 0, -0.02}, {0.8, 1, 1.2});
    spec.add_body("upper", 3, {0.2, 0, 0}, {0.02, 0.1, 0.1});
    spec.add_body("lower", 2, {0.15, 0, 0}, {0.01, 0.04, 0.04});
    spec.add_joint("root", JointKind::free, "", "hull");
    spec.add_joint("shoulder", JointKind::revolute, "hull", "upper", {0, 1, 0},
                   Transform<double>::translation({0.3, 0, 0}));
    spec.add_joint("elbow", JointKind::revolute, "upper", "lower", {0, 0, 1},
                   Transform<double>::translation({0.4, 0, 0}));
    const auto add = [&](const char* link, const Vec3<double>& edges, const Vec3<double>& at) {
      ShapeSpec box = shape_of(ShapeSpec::Kind::box, edges);
      box.placement.p = at;
      Hydrodynamics body = hydrodynamics_of(box, 1000);
      body.surfaces.clear();
      for (std::size_t k = 0; k < 6; ++k) body.linear_damping[k][k] = damping;
      links.push_back({link, body});
    };
    add("hull", {0.5, 0.3, 0.14}, {});
    add("upper", {0.4, 0.08, 0.08}, {0.2, 0, 0});
    add("lower", {0.3, 0.07, 0.07}, {0.15, 0, 0});
  }
  std::vector<double> q(double height) const { return {0, 0, height, 0, 0, 0, 1, 0.3, -0.5}; }
  std::vector<double> v{0.5, -0.3, 0.6, 0.2, 0.4, -0.3, 1, -1.5};
};

// below the surface and through it, without drag: energy is what it was, to the integrator's error
TEST(WaterPart, EnergyIsKeptInStillWater) {
  const Swimmer swimmer(0);
  for (const double height : {-5.0, 0.05}) {
    Water water = fresh();
    water.level = 0;
    std::vector<double> errors;
    for (const double step : {4e-3, 2e-3}) {
      System system = wet_system(swimmer.spec, water, swimmer.links);
      Simulation run(std::move(system), settings_of(2, "rk4", step), swimmer.q(height), swimmer.v);
      double error = 0, least = HUGE_VAL, most = -HUGE_VAL, change = 0;
      run.on_record = [&](const System& at, double, std::span<const double> x) {
        const EnergyBalance now = at.energy(x);
        error = std::max(error, std::abs(now.error()));
        least = std::min(least, now.kinetic), most = std::max(most, now.kinetic);
        change = std::max(change, std::abs(now.total() - now.at_start));
      };
      run.run();
      EXPECT_GT(most - least, 0.5);
      if (height < -1) {  // no work at all
        EXPECT_LT(change, 1e-5);
      }
      errors.push_back(error);
    }
    EXPECT_LT(errors[1], height < -1 ? 1e-7 : 2e-4) << height;
    // of fourth order; where corners of a hull pass the surface forces have kinks
    EXPECT_GT(errors[0] / errors[1], height < -1 ? 10 : 2) << height;
  }
}

TEST(WaterPart, DragOnlyTakesEnergy) {
  const Swimmer swimmer(4);
  for (const char* method : {"rk4", "time_stepping"}) {
    System system = wet_system(swimmer.spec, fresh(), swimmer.links);
    Simulation run(std::move(system), settings_of(3, method, 1e-3), swimmer.q(-3), swimmer.v);
    double last = HUGE_VAL, error = 0, first = 0;
    run.on_record = [&](const System& at, double t, std::span<const double> x) {
      const EnergyBalance now = at.energy(x);
      EXPECT_LT(now.total(), last) << method << " " << t;
      if (t == 0) first = now.total();
      last = now.total();
      error = std::max(error, std::abs(now.error()));
    };
    run.run();
    EXPECT_LT(last, first - 5) << method;
    EXPECT_LT(error, std::string(method) == "rk4" ? 1e-7 : 1e-3) << method;
  }
}

// currents, waves and a surface do work; the balance still has the integrator's error alone
TEST(WaterPart, EnergyBalanceInWavesAndCurrents) {
  const Swimmer swimmer(2);
  Water water = fresh();
  water.level = 0;
  water.current = [](double t) {
    return Flow{{0.3 * std::sin(t), 0.1, 0}, {0.3 * std::cos(t), 0, 0}};
  };
  water.profile = {{0, {0.2, 0, 0}}, {2, {0, 0.1, 0}}};
  water.waves = {regular_wave(0.2, 3, 0.4, water.depth), regular_wave(0.1, 2, 1.4, water.depth)};
  System system = wet_system(swimmer.spec, water, swimmer.links);
  Simulation run(std::move(system), settings_of(3, "rk4", 1e-3), swimmer.q(0), swimmer.v);
  double error = 0, work = 0;
  run.on_record = [&](const System& at, double, std::span<const double> x) {
    error = std::max(error, std::abs(at.energy(x).error()));
    work = std::max(work, std::abs(at.energy(x).work));
  };
  run.run();
  EXPECT_GT(work, 5);
  EXPECT_LT(error, 1e-4);
}

// the same forces as those that are given to the algorithms by hand, and none allocated
TEST(WaterPart, GivesTheLoadsOfItsWater) {
  Robot r(random_spec(5), 7);
  std::vector<LinkHydrodynamics> links = all_links(random_spec(5), 3);
  WaterLoads by_hand(r.model, links);
  const Water water = streaming();
  const VectorXd expected = matrix(
      forward_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws, loads_of(r, by_hand, water)));
  System system(r.model);
  system.add(std::make_unique<WaterPart>(share(water), links));
  const std::vector<double> x = system.initial_state(in(r.q), in(r.v));
  std::vector<double> x_dot(x.size());
  ASSERT_EQ(system.derivative(when, x, x_dot), Evaluated::ok) << system.failure();
  EXPECT_TRUE(near(matrix(system.accelerations()), expected, 1e-10));
  System copy(system);
  ASSERT_EQ(copy.derivative(when, x, x_dot), Evaluated::ok);
  EXPECT_TRUE(near(matrix(copy.accelerations()), expected, 1e-10));
}

// its input adds to the current; a change is part of the run, which a saved run goes on with
TEST(WaterPart, CurrentChangesDuringARunAndItIsSaved) {
  const Swimmer swimmer(3);
  Water water = fresh();
  water.level = 0;
  water.current = GaussMarkovCurrent({{0.2, 0, 0}, {0.1, 0.1, 0}, 5, 0.5, 20, 3});
  water.waves = irregular_waves({0.3, 3}, water.depth);
  const auto make = [&] { return wet_system(swimmer.spec, water, swimmer.links); };
  const SimulationSettings settings = settings_of(2, "rk4", 2e-3);
  Simulation whole(make(), settings, swimmer.q(0), swimmer.v);
  whole.advance(0.7);
  whole.change("water.current.x", 0.5);
  whole.advance(1.1);
  const SavedRun saved = whole.save();
  whole.run();
  Simulation rest_of_it(make(), settings, saved);
  rest_of_it.run();
  EXPECT_TRUE(std::equal(whole.x().begin(), whole.x().end(), rest_of_it.x().begin()));
  Simulation without(make(), settings, swimmer.q(0), swimmer.v);
  without.run();
  EXPECT_GT(std::abs(without.x()[0] - whole.x()[0]), 1e-3);
  EXPECT_THROW(whole.change("water.current.x", NAN), Error);
}

TEST(WaterPart, RefusesWhatCannotBe) {
  EXPECT_THROW(WaterPart(nullptr, {}), Error);
  Water water;
  water.density = -1;
  EXPECT_THROW(WaterPart(share(water), {}), Error);
  System system(build(one_body(1, {1, 1, 1})));
  EXPECT_THROW(system.add(std::make_unique<WaterPart>(share(Water{}),
                                                      std::vector<LinkHydrodynamics>{{"hul", {}}})),
               Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
