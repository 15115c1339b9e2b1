// Impact: momentum, energy and the laws of restitution on random bodies; published cases; loops.
// [RDA] §9.9
#include <limber/contact/impact.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "contact/plain_contact.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr RestitutionLaw all_laws[] = {RestitutionLaw::newton, RestitutionLaw::poisson,
                                       RestitutionLaw::energetic};

/// Bodies on free joints.
Spec free_bodies(int count, Random& random) {
  Spec spec;
  spec.name = "bodies";
  for (int i = 0; i < count; ++i) {
    const std::string name = "body" + std::to_string(i);
    spec.add_body(name, 1);
    spec.bodies.back().inertia = random.inertia();
    spec.add_joint("free" + std::to_string(i), JointKind::free, "", name);
  }
  return spec;
}

struct ImpactCase {
  explicit ImpactCase(Robot& r, std::vector<RowContact> list)
      : robot(r), mechanism(r.model), contacts(std::move(list)), factor(r.model) {
    rows = ContactRows(mechanism, static_cast<int>(contacts.size()));
    after = r.v;
  }
  ImpactResult run(const std::vector<double>& e, const ImpactSettings& settings) {
    factorize<double>(robot.model, in(robot.q), robot.ws, factor);
    rows.place(mechanism, 0, in(robot.q), factor, contacts, robot.ws);
    ImpactSolver solver;
    return impact(rows, in(robot.v), e, settings, solver,
                  {after.data(), static_cast<std::size_t>(after.size())});
  }
  /// Velocity of a against b at a contact by the plain robot moving with v.
  Vector3d relative(const VectorXd& v, const RowContact& c) {
    robot.plain.move(robot.q, v, robot.zero());
    const auto at = [&](int body) -> Vector3d {
      if (body <= 0) return Vector3d::Zero();
      const Vector6 m = robot.plain.link(robot.model.body_name[body]).v;
      return m.tail<3>() + m.head<3>().cross(plain(c.point));
    };
    return at(c.body_a) - at(c.body_b);
  }
  double kinetic(const VectorXd& v) {
    robot.plain.move(robot.q, v, robot.zero());
    return robot.plain.kinetic_energy();
  }
  Vector6 momentum(const VectorXd& v) {
    robot.plain.move(robot.q, v, robot.zero());
    return robot.plain.momentum();
  }
  Robot& robot;
  Mechanism mechanism;
  std::vector<RowContact> contacts;
  ContactRows rows;
  TreeFactor factor;
  VectorXd after;
};

TEST(Impact, TwoBodiesWithoutFriction) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Robot robot(free_bodies(2, random), seed);
    const RowContact contact{1, 2, random.vec3(), random.direction(), {}, 0, {}, {}, {}};
    ImpactCase k(robot, {contact});
    const Vector3d n = plain(contact.normal);
    const double before = n.dot(k.relative(robot.v, contact));
    const double e = seed % 5 == 0 ? 1.0 : random.uniform(0, 1);
    ImpactSettings settings;
    settings.law = all_laws[seed % 3];
    const ImpactResult result = k.run({e}, settings);
    EXPECT_TRUE(near(k.momentum(k.after), k.momentum(robot.v), 1e-10));
    if (before >= 0) {
      EXPECT_EQ(result.collisions, 0);
      EXPECT_TRUE(near(k.after, robot.v, 1e-14));
      continue;
    }
    EXPECT_NEAR(n.dot(k.relative(k.after, contact)), -e * before, 1e-10 * (1 - before));
    // nᵀ (I₁⁻¹ + I₂⁻¹) n with plain matrices
    robot.plain.move(robot.q, robot.v, robot.zero());
    Vector6 line;
    line << plain(contact.point).cross(n), n;
    double per_impulse = 0;
    for (const char* name : {"body0", "body1"})
      per_impulse += line.dot(robot.plain.link(name).inertia.ldlt().solve(line));
    const double loss = 0.5 * (1 - e * e) * before * before / per_impulse;
    const double size = k.kinetic(robot.v);
    EXPECT_NEAR(size - k.kinetic(k.after), loss, 1e-10 * size);
    EXPECT_NEAR(-result.energy, loss, 1e-10 * size);
    EXPECT_FALSE(result.would_create_energy);
  }
}

TEST(Impact, TwoBodiesWithFriction) {
  int slid = 0, stuck = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Robot robot(free_bodies(2, random), seed);
    RowContact contact{1, 2, random.vec3(), random.direction(), {}, 0, {}, {}, {}};
    contact.law.friction = random.uniform(0, 1);
    ImpactCase k(robot, {contact});
    const Vector3d n = plain(contact.normal);
    const double before = n.dot(k.relative(robot.v, contact));
    if (before >= 0) continue;
    ImpactSettings settings;
    settings.law = all_laws[seed % 3];
    const ImpactResult result = k.run({random.uniform(0, 1)}, settings);
    EXPECT_TRUE(result.converged) << result.residual;
    EXPECT_TRUE(near(k.momentum(k.after), k.momentum(robot.v), 1e-10));
    const double size = k.kinetic(robot.v);
    EXPECT_LE(k.kinetic(k.after), size * (1 + 1e-10));
    EXPECT_NEAR(k.kinetic(k.after) - size, result.energy, 1e-10 * size);
    EXPECT_EQ(result.restitution_share < 1, result.would_create_energy);
    const Vector3d p = plain(k.rows.impulse(0)), u = k.relative(k.after, contact);
    const double normal = p.dot(n), across = (p - n * normal).norm();
    EXPECT_GE(u.dot(n), -1e-10);
    EXPECT_LE(across, contact.law.friction * normal * (1 + 1e-9));
    ++((u - n * u.dot(n)).norm() < 1e-9 ? stuck : slid);
  }
  EXPECT_GT(slid, 20);
  EXPECT_GT(stuck, 20);
}

/// Three equal balls in a row along x that touch; the first comes with speed 1.
struct Row {
  Row() {
    Spec spec;
    spec.name = "balls";
    for (int i = 0; i < 3; ++i) {
      const std::string name = "ball" + std::to_string(i);
      spec.add_body(name, 2, {}, Sym3<double>::diagonal(1, 1, 1));
      spec.add_joint("slide" + std::to_string(i), JointKind::prismatic, "", name, {1, 0, 0});
    }
    robot = std::make_unique<Robot>(spec);
    robot->q.setZero();
    robot->v << 1, 0, 0;
    k = std::make_unique<ImpactCase>(
        *robot, std::vector<RowContact>{{2, 1, {}, {1, 0, 0}, {}, 0, {}, {}, {}},
                                        {3, 2, {}, {1, 0, 0}, {}, 0, {}, {}, {}}});
  }
  std::unique_ptr<Robot> robot;
  std::unique_ptr<ImpactCase> k;
};

TEST(Impact, ThreeBallsTogetherAndOneByOne) {
  Row row;
  ImpactSettings settings;
  for (const RestitutionLaw law : {RestitutionLaw::poisson, RestitutionLaw::energetic}) {
    settings.law = law;
    row.k->run({1, 1}, settings);
    EXPECT_TRUE(near(row.k->after, Eigen::Vector3d(-1. / 3, 2. / 3, 2. / 3), 1e-11));
  }
  settings.order = ImpactOrder::sequential;
  for (const RestitutionLaw law : all_laws) {
    settings.law = law;
    const ImpactResult result = row.k->run({1, 1}, settings);
    EXPECT_TRUE(near(row.k->after, Eigen::Vector3d(0, 0, 1), 1e-11));
    EXPECT_EQ(result.collisions, 2);
    EXPECT_NEAR(result.energy, 0, 1e-12);
  }
  // without restitution one after the other never ends by itself; what is left ends together
  settings.most_collisions = 5;
  const ImpactResult result = row.k->run({0, 0}, settings);
  EXPECT_TRUE(result.ended_together);
  EXPECT_TRUE(near(row.k->after, Eigen::Vector3d(1. / 3, 1. / 3, 1. / 3), 1e-11));
}

TEST(Impact, EqualCoefficientsScaleTheCompression) {
  // [RDA] after (9.83): γ = (1 + e) γ_c where nothing separated before
  Row row;
  row.robot->v << 1, 0.3, -0.5;
  ImpactSettings settings;
  row.k->run({0, 0}, settings);
  const double c0 = row.k->rows.impulse(0).x, c1 = row.k->rows.impulse(1).x;
  row.k->run({0.6, 0.6}, settings);
  EXPECT_NEAR(row.k->rows.impulse(0).x, 1.6 * c0, 1e-11);
  EXPECT_NEAR(row.k->rows.impulse(1).x, 1.6 * c1, 1e-11);
}

TEST(Impact, AMixtureThatCreatesEnergyIsNamedAndLimited) {
  int created = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Robot robot(free_bodies(2, random), seed);
    std::vector<RowContact> contacts;
    std::vector<double> e;
    for (int c = 0; c < 4; ++c) {
      RowContact one{1, 2, random.vec3(), {0, 0, 1}, {}, 0, {}, {}, {}};
      one.law.friction = seed % 2 == 0 ? random.uniform(0, 1) : 0;
      contacts.push_back(one);
      e.push_back(random.integer(0, 1));
    }
    ImpactCase k(robot, contacts);
    const double size = k.kinetic(robot.v);
    for (const RestitutionLaw law : all_laws) {
      ImpactSettings settings;
      settings.law = law;
      settings.gain = EnergyGain::allowed;
      const ImpactResult free = k.run(e, settings);
      EXPECT_EQ(free.would_create_energy, k.kinetic(k.after) > size * (1 + 1e-11));
      EXPECT_NEAR(k.kinetic(k.after) - size, free.energy, 1e-9 * size);
      settings.gain = EnergyGain::limited;
      const ImpactResult limited = k.run(e, settings);
      EXPECT_LE(k.kinetic(k.after), size * (1 + 1e-10));
      EXPECT_EQ(limited.would_create_energy, free.would_create_energy);
      EXPECT_TRUE(near(k.momentum(k.after), k.momentum(robot.v), 1e-10));
      for (const RowContact& c : contacts)
        EXPECT_GE(k.relative(k.after, c).z(), -1e-9) << "nothing approaches any more";
      if (law == RestitutionLaw::energetic && seed % 2 == 1) {
        EXPECT_FALSE(free.would_create_energy) << "this law never does without friction";
      }
      created += free.would_create_energy ? 1 : 0;
    }
  }
  EXPECT_GT(created, 0);
}

TEST(Impact, SliderCrankAgainstAWall) {
  // crank r, rod l, masses at known places; one freedom: θ̇ turns round with e, the wall's impulse
  // is what the inertia seen by θ needs
  const double r = 0.3, l = 0.8, m1 = 1.3, m2 = 0.9, m3 = 2.1, J1 = 0.02, J2 = 0.06;
  Spec spec;
  spec.name = "slider-crank";
  spec.add_body("crank", m1, {r / 2, 0, 0}, Sym3<double>::diagonal(0.01, J1, J1));
  spec.add_body("rod", m2, {l / 2, 0, 0}, Sym3<double>::diagonal(0.01, J2, J2));
  spec.add_body("slider", m3, {}, Sym3<double>::diagonal(0.1, 0.1, 0.1));
  spec.add_joint("crank", JointKind::revolute, "", "crank", {0, 0, 1});
  Transform<double> end;
  end.p = {r, 0, 0};
  spec.add_joint("rod", JointKind::revolute, "crank", "rod", {0, 0, 1}, end);
  spec.add_joint("slider", JointKind::prismatic, "", "slider", {1, 0, 0});
  Robot robot(spec);
  Mechanism mechanism(robot.model);
  LoopSpec pin;
  pin.name = "pin";
  pin.kind = LoopSpec::Kind::connect;
  pin.body_a = "rod";
  pin.body_b = "slider";
  pin.placement_a.p = {l, 0, 0};
  mechanism.add(pin);
  const double theta = 0.9, rate = 3;  // the slider goes inward, to −x
  const double phi = -std::asin(r * std::sin(theta) / l);
  const double phi_rate = -r * std::cos(theta) / (l * std::cos(phi));  // per θ̇
  const double x = r * std::cos(theta) + l * std::cos(phi);
  const double x_rate = -r * std::sin(theta) - l * std::sin(phi) * phi_rate;
  robot.q << theta, phi - theta, x;
  robot.v << rate, (phi_rate - 1) * rate, x_rate * rate;
  const Eigen::Vector2d rod(-r * std::sin(theta) - l / 2 * std::sin(phi) * phi_rate,
                            r * std::cos(theta) + l / 2 * std::cos(phi) * phi_rate);
  const double inertia = J1 + m1 * r * r / 4 + J2 * phi_rate * phi_rate + m2 * rod.squaredNorm() +
                         m3 * x_rate * x_rate;
  ASSERT_LT(x_rate * rate, 0);
  TreeFactor factor(robot.model);
  factorize<double>(robot.model, in(robot.q), robot.ws, factor);
  ContactRows rows(mechanism, 2);
  // the wall at −x pushes the slider to +x; a second contact on the rail is there and carries
  // nothing
  const std::vector<RowContact> contacts = {
      {3, 0, {x, 0, 0}, {1, 0, 0}, {.friction = 0.3}, 0, {}, {}, {}},
      {3, 0, {x, 0.1, 0}, {0, 1, 0}, {}, 0, {}, {}, {}}};
  rows.place(mechanism, 0, in(robot.q), factor, contacts, robot.ws);
  for (const RestitutionLaw law : all_laws)
    for (const double e : {0.0, 0.4, 1.0}) {
      ImpactSettings settings;
      settings.law = law;
      ImpactSolver solver;
      Eigen::Vector3d after;
      const ImpactResult result =
          impact(rows, in(robot.v), std::vector<double>{e, e}, settings, solver, {after.data(), 3});
      EXPECT_TRUE(result.converged);
      EXPECT_TRUE(near(after, -e * robot.v, 1e-10));
      EXPECT_NEAR(rows.impulse(0).x, (1 + e) * rate * inertia / -x_rate, 1e-9);
      EXPECT_NEAR(result.energy, -0.5 * (1 - e * e) * inertia * rate * rate, 1e-9);
      // M (v⁺ − v) = Jᵀ λ of contact and loop together
      MatrixXd M = matrix(mass_matrix(robot.model, in(robot.q), robot.ws));
      VectorXd right = Eigen::Vector3d(0, 0, rows.impulse(0).x);
      const auto loop = rows.loop_impulses();
      for (int f = 0; f < 3; ++f)
        for (int i = 0; i < mechanism.rows; ++i)
          right[f] += rows.loops.jt(f, i) * loop[static_cast<std::size_t>(i)];
      EXPECT_TRUE(near(M * (after - robot.v), right, 1e-9));
    }
  // a blow on the crank alone: θ̇ changes by what its inertia says, the loop passes it on
  Eigen::Vector3d after, blow(0.7, 0, 0);
  apply_impulse(rows, factor, in(robot.v), {blow.data(), 3}, {after.data(), 3});
  EXPECT_NEAR(after[0], rate + 0.7 / inertia, 1e-10);
  EXPECT_NEAR(after[2], x_rate * after[0], 1e-10);
}

TEST(Impact, RefusesCoefficientsThatCannotBe) {
  Row row;
  EXPECT_THROW(row.k->run({1.1, 0}, {}), Error);
  EXPECT_THROW(row.k->run({NAN, 0}, {}), Error);
  EXPECT_THROW(row.k->run({0.5}, {}), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
