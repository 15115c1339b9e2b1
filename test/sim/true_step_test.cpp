// Steps over hard contact where nothing switches: of second order, against equations of motion in
// one freedom that are integrated here; loads that nothing decides; thin walls; loops that are hit.
#include <limber/dynamics/energy.hpp>
#include <limber/model/generate.hpp>
#include <limber/sim/contacts.hpp>
#include <limber/sim/simulation.hpp>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "sim/parts.hpp"
#include "support/planar_linkages.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81;

ShapeSpec touching(ShapeSpec::Kind kind, const Vec3<double>& size, const Vec3<double>& at = {}) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.role = ShapeSpec::Role::collision;
  shape.size = size;
  shape.placement.p = at;
  return shape;
}

SceneryShape ground() {
  SceneryShape plane;
  plane.name = "ground";
  return plane;
}

/// Things and what they touch.
struct Scene {
  Spec spec;
  std::vector<SceneryShape> scenery{ground()};
  double friction = 2, restitution = 0, step = 1e-3;
  ContactMethod method = ContactMethod::stepping;

  Scene() { spec.gravity = {0, 0, -g}; }
  System system() const {
    const Model model = build(spec);
    CollisionScene scene(spec, model, scenery);
    ContactSettings settings;
    settings.method = method;
    ContactMaterial material;
    material.friction = material.sliding_friction = friction;
    material.restitution = restitution;
    settings.materials.assign(scene.shapes().size(), material);
    System made(model);
    made.add(std::make_unique<Contacts>(std::move(scene), settings));
    return made;
  }
  Simulation simulation(System made, const std::vector<double>& q, const std::vector<double>& v,
                        double duration) const {
    SimulationSettings settings;
    settings.duration = duration;
    settings.record_interval = duration / 50;
    settings.integrator.method = method == ContactMethod::event ? "dopri5" : "time_stepping";
    settings.integrator.step = step;
    return {std::move(made), settings, q, v};
  }
  Simulation simulation(const std::vector<double>& q, const std::vector<double>& v,
                        double duration) const {
    return simulation(system(), q, v, duration);
  }
};

double energy_of(const Simulation& run) {
  System system(run.system());
  const std::vector<double> x(run.x().begin(), run.x().end());
  EXPECT_EQ(system.evaluate(run.t(), x), Evaluated::ok);
  return system.energy(x).total();
}

/// Mean normal force of each kept contact on the first of its shapes' bodies, by name.
std::map<std::string, double> loads_of(const Simulation& run) {
  std::map<std::string, double> loads;
  for (const auto& part : run.system().parts())
    if (const auto* contacts = dynamic_cast<const Contacts*>(part.get())) {
      const std::span<const double> d = run.system().discrete_of(*contacts);
      for (int k = 0; k < contacts->kept_count(d); ++k) {
        const KeptContact one = contacts->kept(d, k);
        for (const int shape : {one.shape_a, one.shape_b})
          loads[contacts->scene().shapes()[static_cast<std::size_t>(shape)].name] +=
              std::abs(dot(one.force, one.normal));
      }
    }
  return loads;
}

/// A disc or an ellipse that rolls in the plane x, z, by its angle: T = ½ mu(θ) θ̇², U(θ).
struct Roller {
  double a = 0.1, c = 0.1;  ///< half axes, along x and z at θ = 0
  double down = 0.05;       ///< of the centre of mass, below the middle
  double mass = 1, inertia = 0.004;

  /// From the contact to the centre of mass, in the world: along x and up.
  std::array<double, 2> arm(double t) const {
    const double s = std::sin(t), k = std::cos(t);
    // the lowest point of the ellipse, from its middle
    const double height = std::sqrt(a * a * s * s + c * c * k * k);
    const double x = (a * a - c * c) * s * k / height;
    return {-x - down * s, height - down * k};
  }
  double mu(double t) const {
    const auto [x, z] = arm(t);
    return inertia + mass * (x * x + z * z);
  }
  double potential(double t) const { return mass * g * arm(t)[1]; }
  double acceleration(double t, double w) const {
    constexpr double h = 1e-5;
    const double mu_slope = (mu(t + h) - mu(t - h)) / (2 * h),
                 slope = (potential(t + h) - potential(t - h)) / (2 * h);
    return -(slope + 0.5 * mu_slope * w * w) / mu(t);
  }
  /// The angle after a time, from rest.
  double angle(double t, double time) const {
    const int steps = static_cast<int>(time * 5000);
    const double h = time / steps;
    double w = 0;
    for (int i = 0; i < steps; ++i) {
      const double a1 = acceleration(t, w), w2 = w + h / 2 * a1,
                   a2 = acceleration(t + h / 2 * w, w2), w3 = w + h / 2 * a2,
                   a3 = acceleration(t + h / 2 * w2, w3), w4 = w + h * a3,
                   a4 = acceleration(t + h * w3, w4);
      t += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return t;
  }
  Simulation run(double start, double step, double time) const {
    Scene scene;
    scene.step = step;
    const double other = inertia;
    scene.spec.add_body("roller", mass, {0, 0, -down},
                        Sym3<double>::diagonal(other, inertia, other));
    scene.spec.bodies.back().shapes.push_back(touching(ShapeSpec::Kind::ellipsoid, {a, a, c}));
    scene.spec.add_joint("root", JointKind::free, "", "roller");
    const double height = arm(start)[1] + down * std::cos(start);
    return scene.simulation({0, 0, height, 0, std::sin(start / 2), 0, std::cos(start / 2)},
                            std::vector<double>(6, 0.0), time);
  }
};
double angle_of(const Simulation& run) { return 2 * std::atan2(run.x()[4], run.x()[6]); }

const Roller roly_poly, egg{0.2, 0.1, 0, 1, 0.01}, lens{0.2, 0.05, 0, 1, 0.0085};

// Steps that are long for what oscillates are taken in parts; below them the order shows.
TEST(TrueStep, WhatRollsAndRocksIsOfSecondOrder) {
  for (const auto& [roller, start, time] :
       {std::tuple{roly_poly, 1.0, 2.0}, std::tuple{egg, 0.5, 2.0}, std::tuple{lens, 0.3, 1.0}}) {
    SCOPED_TRACE(roller.c);
    const double expected = roller.angle(start, time);
    std::map<double, double> errors;
    for (const double step : {1e-2, 1e-3, 5e-4, 2.5e-4, 1e-4}) {
      Simulation run = roller.run(start, step, time);
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      errors[step] = std::abs(angle_of(run) - expected);
    }
    EXPECT_LT(errors[1e-2], 5e-4);
    EXPECT_LT(errors[1e-3], 1e-4);
    EXPECT_LT(errors[1e-4], 3e-6);
    if (roller.c == egg.c && roller.a == egg.a) {
      EXPECT_NEAR(errors[5e-4] / errors[2.5e-4], 4, 0.6);
      EXPECT_NEAR(errors[2.5e-4] / errors[1e-4], 6.25, 1.5);
    }
  }
}

/// Something that contact between events computes, too.
struct Judged {
  const char* name;
  Scene scene;
  std::vector<double> q, v;
  double duration = 1;
  std::array<double, 3> tolerance{};  ///< of positions, with 10, 1 and 0.1 ms
};

Scene with_one(const Vec3<double>& com, const Sym3<double>& inertia, const ShapeSpec& shape) {
  Scene scene;
  scene.spec.add_body("body", 1, com, inertia);
  scene.spec.bodies.back().shapes.push_back(shape);
  scene.spec.add_joint("root", JointKind::free, "", "body");
  return scene;
}

std::vector<Judged> judged() {
  std::vector<Judged> all;
  const Sym3<double> ball = Sym3<double>::diagonal(0.004, 0.004, 0.004);
  {  // down a slope of 0.3 rad, rolling
    Scene scene = with_one({}, ball, touching(ShapeSpec::Kind::sphere, {0.1, 0, 0}));
    scene.scenery[0].placement.R = rotation_from_rpy(0, 0.3, 0);
    all.push_back({"slope",
                   scene,
                   {0.1 * std::sin(0.3), 0, 0.1 * std::cos(0.3), 0, 0, 0, 1},
                   std::vector<double>(6, 0.0),
                   1,
                   {1e-4, 1e-6, 1e-6}});
  }
  {  // slides, with spin, then rolls
    Scene scene = with_one({}, ball, touching(ShapeSpec::Kind::sphere, {0.1, 0, 0}));
    scene.friction = 0.2;
    all.push_back(
        {"slides", scene, {0, 0, 0.1, 0, 0, 0, 1}, {3, -10, 2, 1, 0.3, 0}, 1, {1e-3, 1e-4, 1e-5}});
  }
  {  // a wobbling egg in three dimensions
    Scene scene = with_one({0, 0, -0.01}, Sym3<double>::diagonal(0.004, 0.006, 0.007),
                           touching(ShapeSpec::Kind::ellipsoid, {0.15, 0.12, 0.1}));
    all.push_back({"wobbles",
                   scene,
                   {0, 0, 0.1, 0, 0, 0, 1},
                   {1.5, 1, 2, 0.1, -0.15, 0},
                   2,
                   {2e-2, 3e-4, 1e-5}});
  }
  {  // a top on the round tip of its axis, sleeping no more
    Scene scene = with_one({0, 0, 0.05}, Sym3<double>::diagonal(2e-4, 2e-4, 4e-4),
                           touching(ShapeSpec::Kind::sphere, {0.005, 0, 0}));
    const double tilt = 0.2;
    all.push_back({"top",
                   scene,
                   {0, 0, 0.005, 0, std::sin(tilt / 2), 0, std::cos(tilt / 2)},
                   {0, 0, 120, 0, -0.6 * std::sin(tilt), 0},
                   1,
                   {3e-2, 4e-3, 1e-4}});
  }
  return all;
}

TEST(TrueStep, AsBetweenEvents) {
  for (Judged& one : judged()) {
    SCOPED_TRACE(one.name);
    Scene exact = one.scene;
    exact.method = ContactMethod::event;
    Simulation truth = exact.simulation(one.q, one.v, one.duration);
    EXPECT_EQ(truth.run(), RunStatus::finished) << truth.message();
    const std::array<double, 3> steps{1e-2, 1e-3, 1e-4};
    for (std::size_t k = 0; k < 3; ++k) {
      one.scene.step = steps[k];
      Simulation run = one.scene.simulation(one.q, one.v, one.duration);
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      double same = 0, off = 0;  // q and −q are one orientation
      for (std::size_t i = 3; i < 7; ++i) same += run.x()[i] * truth.x()[i];
      for (std::size_t i = 0; i < 7; ++i)
        off = std::max(off, std::abs((i < 3 || same > 0 ? 1 : -1) * run.x()[i] - truth.x()[i]));
      EXPECT_LT(off, one.tolerance[k]) << steps[k];
    }
  }
}

// what a step leaves for the next one is all saved
TEST(TrueStep, WhatRattlesGoesOnWithTheSameBits) {
  Scene scene = with_one({0, 0, -0.01}, {2e-4, 1.6e-3, 1.7e-3, -2e-5, 0, 0},
                         touching(ShapeSpec::Kind::ellipsoid, {0.2, 0.03, 0.02}));
  const std::vector<double> q{0, 0, 0.02, 0.01, 0, 0, 0.99995}, v{0, 0, -5, 0, 0, 0};
  Simulation whole = scene.simulation(q, v, 1), half = scene.simulation(q, v, 1);
  half.advance(0.3);
  Simulation resumed(scene.system(), half.settings(), half.save());
  EXPECT_EQ(whole.run(), RunStatus::finished);
  EXPECT_EQ(resumed.run(), RunStatus::finished);
  EXPECT_TRUE(std::equal(whole.x().begin(), whole.x().end(), resumed.x().begin()));
}

// Kane and Levinson's rattleback (1982): it is spun the wrong way, rattles, and turns round. Its
// pitching, 107 rad/s, is a tenth of a radian in a step.
TEST(TrueStep, ARattlebackTurnsRoundWhenItShould) {
  Scene scene = with_one({0, 0, -0.01}, {2e-4, 1.6e-3, 1.7e-3, -2e-5, 0, 0},
                         touching(ShapeSpec::Kind::ellipsoid, {0.2, 0.03, 0.02}));
  const double tilt = M_PI / 360;
  const double height = std::hypot(0.03 * std::sin(tilt), 0.02 * std::cos(tilt));
  const std::vector<double> q{0, 0, height, std::sin(tilt / 2), 0, 0, std::cos(tilt / 2)},
      v{0, 0, -5, 0, 0, 0};
  const auto spins = [&](ContactMethod method) {
    scene.method = method;
    System system = scene.system();
    SimulationSettings settings;
    settings.duration = 10;
    settings.record_interval = 0.02;
    settings.integrator.method = method == ContactMethod::event ? "dopri5" : "time_stepping";
    settings.integrator.relative_tolerance = 1e-9;
    Simulation run(std::move(system), settings, q, v);
    std::vector<double> found;
    run.on_record = [&](const System&, double, std::span<const double> x) {
      const Quat<double> at{x[3], x[4], x[5], x[6]};
      found.push_back((to_matrix(at) * Vec3<double>{x[7], x[8], x[9]}).z);
    };
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return found;
  };
  const std::vector<double> truth = spins(ContactMethod::event),
                            stepped = spins(ContactMethod::stepping);
  ASSERT_EQ(truth.size(), stepped.size());
  for (std::size_t k = 0; k < truth.size(); ++k)
    EXPECT_NEAR(stepped[k], truth[k], 0.02 * 5) << 0.02 * static_cast<double>(k);
  EXPECT_GT(truth.back(), 4.5);
}

// the energy of the bodies themselves, beside that of the motion
TEST(TrueStep, WhatRollsAndRocksKeepsItsEnergy) {
  for (const auto& [roller, start] :
       {std::pair{roly_poly, 1.0}, std::pair{egg, 0.5}, std::pair{lens, 0.3}}) {
    SCOPED_TRACE(roller.a);
    const double first = roller.potential(start), motion = first - roller.potential(0);
    for (const double step : {1e-4, 1e-3}) {
      Simulation run = roller.run(start, step, 10);
      double most = 0, least = 0;
      run.on_record = [&](const System& now, double, std::span<const double> x) {
        const double change = now.energy(x).total() - first;
        most = std::max(most, change), least = std::min(least, change);
      };
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      EXPECT_LT(most, 1e-4 * motion) << step;
      EXPECT_GT(least, -1e-4 * motion) << step;
    }
  }
}

// a robot that floats and tumbles: linear and angular momentum are those of the beginning, to
// rounding
TEST(TrueStep, WhatFloatsKeepsItsMomentum) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene;
    scene.spec = generate_tree(6, seed);
    scene.spec.gravity = {};
    // one tree, on a free joint
    for (JointSpec& joint : scene.spec.joints)
      if (&joint == &scene.spec.joints.front()) joint.kind = JointKind::free;
      else if (joint.parent.empty()) joint.parent = scene.spec.joints.front().child;
    scene.step = 5e-3;
    scene.scenery.clear();
    const Model model = build(scene.spec);
    const RandomState state = generate_state(model, seed);
    const std::vector<double>&q = state.q, &v = state.v;
    Workspace ws(model);
    const Force<double> before = momentum<double>(model, q, v, ws);
    Simulation run = scene.simulation(q, v, 1);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    const std::span<const double> x = run.x();
    const Force<double> after =
        momentum<double>(model, x.first(q.size()), x.subspan(q.size(), v.size()), ws);
    EXPECT_LT(norm(after.linear - before.linear), 1e-11 * (1 + norm(before.linear)));
    EXPECT_LT(norm(after.angular - before.angular), 1e-11 * (1 + norm(before.angular)));
  }
}

/// A cart of 43.4 kg on four wheels with sphere shapes.
Scene cart(double turned) {
  Scene scene;
  scene.friction = 0.8;
  Spec& spec = scene.spec;
  spec.add_body("base", 33, {-0.066, 0, 0.022}, Sym3<double>::diagonal(0.6, 1.7, 2.0));
  JointSpec& root = spec.add_joint("root", JointKind::free, "", "base");
  root.placement.R = rotation_from_rpy(0, 0, turned);
  for (const auto& [name, x, y] :
       {std::tuple{"fl", 0.256, 0.285}, std::tuple{"fr", 0.256, -0.285},
        std::tuple{"rl", -0.256, 0.285}, std::tuple{"rr", -0.256, -0.285}}) {
    spec.add_body(std::string(name) + "_wheel", 2.6, {},
                  Sym3<double>::diagonal(0.025, 0.044, 0.025));
    spec.bodies.back().shapes.push_back(touching(ShapeSpec::Kind::sphere, {0.178, 0, 0}));

    spec.add_joint(name, JointKind::revolute, "base", std::string(name) + "_wheel", {0, 1, 0},
                   {Mat3<double>::identity(), {x, y, 0}});
  }
  return scene;
}

// m x'' + 4 I/r² x'' = 4 τ/r; wheel loads by moments about the contacts
TEST(TrueStep, ACartRollsOnAllItsWheels) {
  constexpr double r = 0.178, torque = 4, mass = 43.4, I = 0.044;
  const double a = 4 * torque / r / (mass + 4 * I / (r * r));
  for (const double turned : {0.0, M_PI / 2, 0.7})
    for (const double step : {1e-4, 1e-3, 1e-2}) {
      if (step < 1e-3 && turned > 0) continue;
      SCOPED_TRACE(testing::Message() << turned << ", " << step);
      Scene scene = cart(turned);
      scene.step = step;
      System system = scene.system();
      system.add(std::make_unique<FunctionPart>("motors", Role::world, [](Evaluation& at) {
        for (std::size_t k = 6; k < 10; ++k) at.tau[k] += at.t >= 0.5 ? torque : 0;
      }));
      std::vector<double> q(11, 0.0);
      q[2] = r, q[6] = 1;
      Simulation run = scene.simulation(std::move(system), q, std::vector<double>(10, 0.0), 2);
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(run.x()[11 + 6 + k], a * 1.5 / r, 1e-3);
      EXPECT_NEAR(run.x()[0], a * 1.5 * 1.5 / 2, 1e-3);
      const std::map<std::string, double> loads = loads_of(run);
      EXPECT_NEAR(loads.at("fl_wheel"), 68.65, 0.1);
      EXPECT_NEAR(loads.at("fr_wheel"), 68.65, 0.1);
      EXPECT_NEAR(loads.at("rl_wheel"), 144.23, 0.1);
      EXPECT_NEAR(loads.at("rr_wheel"), 144.23, 0.1);
    }
}

// of all loads that carry the table those whose squares have the least sum: linear in x and y
TEST(TrueStep, FourLegsShareALoad) {
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, std::pair{0.2, 0.1}, std::pair{0.3, 0.3}})
    for (const double turned : {0.0, 0.4}) {
      SCOPED_TRACE(testing::Message() << x << ", " << y << ", " << turned);
      Scene scene;
      scene.friction = 0.5;
      scene.spec.add_body("table", 10, {x, y, 0.3}, Sym3<double>::diagonal(1, 1, 1));
      const std::array<std::array<double, 2>, 4> legs{
          {{0.5, 0.4}, {-0.5, 0.4}, {-0.5, -0.4}, {0.5, -0.4}}};
      for (const auto& [lx, ly] : legs) {
        scene.spec.bodies.back().shapes.push_back(
            touching(ShapeSpec::Kind::sphere, {0.02, 0, 0}, {lx, ly, 0.02}));
        scene.spec.bodies.back().shapes.back().name =
            "leg" + std::to_string(scene.spec.bodies.back().shapes.size());
      }
      scene.spec.add_joint("root", JointKind::free, "", "table");
      Simulation run = scene.simulation({0, 0, 0, 0, 0, std::sin(turned / 2), std::cos(turned / 2)},
                                        std::vector<double>(6, 0.0), 0.2);
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      const std::map<std::string, double> loads = loads_of(run);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto [lx, ly] = legs[k];
        double expected = 10 * g / 4 * (1 + x * lx / 0.25 + y * ly / 0.16);
        // with one leg in the air the others are a matter of statics
        if (x == 0.3) expected = std::array{66.2175, 19.62, 0.0, 12.2625}[k];
        EXPECT_NEAR(loads.at("table.leg" + std::to_string(k + 1)), expected, 1e-4 * 10 * g);
      }
    }
}

// a leg that is softer than the others bears less: least Σ s λ² for forces that carry the table
TEST(TrueStep, ASoftLegBearsLess) {
  constexpr double soft = 4;
  Scene scene;
  scene.friction = 0;
  scene.spec.add_body("table", 10, {0, 0, 0.3}, Sym3<double>::diagonal(1, 1, 1));
  for (const auto& [x, y] : {std::pair{0.5, 0.4}, {-0.5, 0.4}, {-0.5, -0.4}, {0.5, -0.4}}) {
    scene.spec.bodies.back().shapes.push_back(
        touching(ShapeSpec::Kind::sphere, {0.02, 0, 0}, {x, y, 0.02}));
    scene.spec.bodies.back().shapes.back().name =
        "leg" + std::to_string(scene.spec.bodies.back().shapes.size());
  }
  scene.spec.add_joint("root", JointKind::free, "", "table");
  const Model model = build(scene.spec);
  CollisionScene shapes(scene.spec, model, scene.scenery);
  ContactSettings settings;
  settings.materials.assign(shapes.shapes().size(), {0, 0});
  settings.materials[0].softness = 2 * soft - 1;  // beside the ground's 1: the mean is 4
  ASSERT_EQ(shapes.shapes()[0].name, "table.leg1");
  System system(model);
  system.add(std::make_unique<Contacts>(std::move(shapes), settings));
  Simulation run =
      scene.simulation(std::move(system), {0, 0, 0, 0, 0, 0, 1}, std::vector<double>(6, 0.0), 0.2);
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  // the loads are mg/4 + t (1, −1, 1, −1): soft (m + t) + (m + t) = 2 (m − t)
  const double m = 10 * g / 4, t = m * (2 - soft - 1) / (soft + 3);
  const std::map<std::string, double> loads = loads_of(run);
  EXPECT_NEAR(loads.at("table.leg1"), m + t, 1e-3);
  EXPECT_NEAR(loads.at("table.leg2"), m - t, 1e-3);
  EXPECT_NEAR(loads.at("table.leg3"), m + t, 1e-3);
  EXPECT_NEAR(loads.at("table.leg4"), m - t, 1e-3);
  for (const auto& part : run.system().parts())
    if (const auto* contacts = dynamic_cast<const Contacts*>(part.get()))
      for (int k = 0; k < 4; ++k)
        EXPECT_TRUE(contacts->kept(run.system().discrete_of(*contacts), k).shared) << k;
}

// a ball that is faster than the wall is thick in a step
TEST(TrueStep, NothingIsRunThroughWithRestitution) {
  Random random(4);
  for (const double step : {1e-3, 1e-2})
    for (int k = 0; k < 25; ++k) {
      SCOPED_TRACE(testing::Message() << step << ", " << k);
      Scene scene;
      scene.spec.gravity = {};
      scene.step = step;
      scene.friction = 0;
      scene.restitution = random.uniform(0.01, 1);
      const double radius = 0.01, thick = random.uniform(0.01, 0.1), speed = random.uniform(5, 50);
      SceneryShape wall;
      wall.name = "wall";
      wall.shape = Shape::box({thick, 2, 2});
      scene.scenery = {wall};
      scene.spec.add_body("ball", 0.01, {}, Sym3<double>::diagonal(1e-6, 1e-6, 1e-6));
      scene.spec.bodies.back().shapes.push_back(touching(ShapeSpec::Kind::sphere, {radius, 0, 0}));
      scene.spec.add_joint("root", JointKind::free, "", "ball");
      const double away = thick / 2 + radius + speed * random.uniform(0.011, 0.02);
      Simulation run = scene.simulation({-away, 0, 0, 0, 0, 0, 1}, {0, 0, 0, speed, 0, 0}, 0.05);
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      EXPECT_LT(run.x()[0], -thick / 2 - radius + 1e-6);
      EXPECT_NEAR(run.x()[7 + 3], -scene.restitution * speed, 1e-9 * speed);
    }
}

/// A four-bar in a plane of any direction, with a ball; gravity along its y.
struct HitFourBar {
  FourBar bars;
  double angle = 0.7;
  Scene scene;
  std::vector<double> q{0, 0, 0}, v;

  HitFourBar(LoopSpec::Kind kind, JointKind joint, const Vec3<double>& ball) {
    const Mat3<double> R = rotation_from_rpy(M_PI / 2, 0, 0.3);
    Spec spec = bars.tree(angle);
    spec.gravity = R * Vec3<double>{0, -g, 0};
    for (JointSpec& one : spec.joints)
      if (one.parent.empty()) one.placement = Transform<double>{R, {}} * one.placement;
    for (BodySpec& body : spec.bodies)
      if (body.name == "coupler") {
        ShapeSpec shape =
            touching(ShapeSpec::Kind::capsule, {0.05, bars.coupler, 0}, {bars.coupler / 2, 0, 0});
        shape.placement.R = rotation_from_rpy(0, M_PI / 2, 0);
        body.shapes.push_back(shape);
      }
    spec.loops.push_back(bars.loop(kind, joint));
    spec.loops.back().axis = {0, 0, 1};
    spec.add_body("ball", 5, {}, Sym3<double>::diagonal(0.01, 0.01, 0.01));
    spec.bodies.back().shapes.push_back(touching(ShapeSpec::Kind::sphere, {0.1, 0, 0}));
    spec.add_joint("root", JointKind::free, "", "ball");
    const Vec3<double> at = R * ball;
    q.insert(q.end(), {at.x, at.y, at.z, 0, 0, 0, 1});
    scene.spec = spec;
    scene.friction = 0.5;
    scene.scenery.clear();
  }
};

// the same ball falls onto the same linkage, whatever closes it
TEST(TrueStep, ClosedMechanismsAreHit) {
  using Kind = LoopSpec::Kind;
  double expected = 0;
  for (const auto& [kind, joint] :
       {std::pair{Kind::connect, JointKind::fixed}, std::pair{Kind::joint, JointKind::revolute},
        std::pair{Kind::joint, JointKind::spherical}})
    for (const ContactMethod method : {ContactMethod::stepping, ContactMethod::event}) {
      HitFourBar hit(kind, joint, {1.9, 2.6, 0});
      hit.scene.method = method;
      std::vector<double> v(9, 0.0);
      Simulation run = hit.scene.simulation(hit.q, v, 0.5);
      EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
      const double crank = run.x()[10];
      if (expected == 0) expected = crank;
      EXPECT_NEAR(crank, expected, 0.01 * std::abs(expected)) << static_cast<int>(joint);
    }
  // without the ball it is another one
  HitFourBar alone(Kind::connect, JointKind::fixed, {1.9, 30, 0});
  Simulation run = alone.scene.simulation(alone.q, std::vector<double>(9, 0.0), 0.5);
  run.run();
  EXPECT_GT(std::abs(run.x()[10] - expected), 0.1 * std::abs(expected));
}

// a linkage that touches nothing is of second order, too, while something lies far away
TEST(TrueStep, ARestingBallDoesNotDisturbALinkageFarAway) {
  double reference = 0;
  std::vector<double> errors;
  for (const double step : {1e-4, 2e-3, 1e-3}) {
    HitFourBar linkage(LoopSpec::Kind::connect, JointKind::fixed, {0, 0, 0});
    linkage.scene.step = step;
    const Vec3<double> up = linkage.scene.spec.gravity * (-1 / g);
    SceneryShape floor = ground();
    Vec3<double> t1, t2;
    tangents_of(up, t1, t2);
    floor.placement = {Mat3<double>::from_columns(t1, t2, up), up * -20.0};
    linkage.scene.scenery = {floor};
    const Vec3<double> at = up * -19.9;
    std::copy_n(std::array{at.x, at.y, at.z}.begin(), 3, linkage.q.begin() + 3);
    Simulation run = linkage.scene.simulation(linkage.q, std::vector<double>(9, 0.0), 2);
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    if (reference == 0) reference = run.x()[0];
    else errors.push_back(std::abs(run.x()[0] - reference));
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.8);
  EXPECT_LT(errors[1], 1e-3);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
