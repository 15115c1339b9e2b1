// Rows of contacts: against plain Jacobians and the dense mass matrix, on random trees and closed
// mechanisms; islands; no allocation.
#include <limber/contact/contact_rows.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/contact/compliant_balls.hpp>
#include <limber/contact/cone_solver.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "contact/plain_contact.hpp"
#include "sim/point_velocity.hpp"
#include "support/counting_new.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::vector<RowContact> random_contacts(const Model& model, int count, Random& random) {
  const std::vector<int> bodies = moving_bodies(model);
  const auto some = [&] {
    return random.uniform() < -0.4 ? random.integer(-1, 0)
                                   : bodies[static_cast<std::size_t>(
                                         random.integer(0, static_cast<int>(bodies.size()) - 1))];
  };
  std::vector<RowContact> contacts;
  for (int c = 0; c < count; ++c) {
    RowContact one{some(), some(), random.vec3(), random.direction(), {}, 0, {}, {}, {}};
    one.law.friction = random.uniform(0, 1);
    if (c % 3 == 0) one.law.torsion = random.uniform(0, 0.1);
    if (c % 4 == 0) one.law.rolling = random.uniform(0, 0.1);
    one.drift = random.vec3(0.1);
    // standing still is allowed
    one.target = dot(one.drift, one.normal) - random.uniform(0, 0.1);
    contacts.push_back(one);
  }
  return contacts;
}

/// Velocity of body a against b at the point in world axes, as a matrix over v; turning below.
MatrixXd plain_rows(const Model& model, const PlainRobot& robot, const RowContact& c) {
  MatrixXd J = MatrixXd::Zero(6, robot.nv());
  const auto add = [&](int body, double sign) {
    if (body <= 0) return;
    const MatrixXd full = robot.jacobian(model.body_name[body]);
    J.topRows(3) += sign * (full.bottomRows(3) - skew(plain(c.point)) * full.topRows(3));
    J.bottomRows(3) += sign * full.topRows(3);
  };
  add(c.body_a, 1);
  add(c.body_b, -1);
  return J;
}

/// Impulses of all contacts, force and moment, in world axes.
VectorXd world_impulses(const ContactRows& rows, int contacts) {
  VectorXd l(6 * contacts);
  for (int c = 0; c < contacts; ++c)
    l.segment<6>(6 * c) << plain(rows.impulse(c)), plain(rows.turn_impulse(c));
  return l;
}

struct RowCase {
  RowCase(Robot& r, const Mechanism& mechanism, int count, Random& random)
      : contacts(random_contacts(r.model, count, random)),
        rows(mechanism, count),
        factor(mechanism.tree),
        v(r.v) {
    r.move_plain();
    J.resize(6 * count, r.model.nv);
    for (int c = 0; c < count; ++c)
      J.middleRows(6 * c, 6) = plain_rows(r.model, r.plain, contacts[static_cast<std::size_t>(c)]);
    factorize<double>(mechanism.tree, in(r.q), r.ws, factor);
    rows.place(mechanism, 0, in(r.q), factor, contacts, r.ws);
    rows.set_free_velocity(in(r.v));
  }
  void solve() {
    ConeSolver solver;
    ConeSettings settings;
    settings.most_sweeps = 60;
    solve_contacts(rows.problem, settings, solver);
    rows.velocity({v.data(), static_cast<std::size_t>(v.size())});
  }
  std::vector<RowContact> contacts;
  ContactRows rows;
  TreeFactor factor;
  VectorXd v;
  MatrixXd J;
};

TEST(ContactRows, VelocitiesAndResponsesAreThoseOfThePlainRobot) {
  for_random_robots(share_of(60), [](Robot& r) {
    const Mechanism mechanism(r.model);
    Random random(7);
    const int count = 6;
    RowCase k(r, mechanism, count, random);
    for (int c = 0; c < count; ++c) {
      const RowContact& contact = k.contacts[static_cast<std::size_t>(c)];
      Vec3<double> t1, t2;
      tangents_of(contact.normal, t1, t2);
      const Vector3d u = k.J.middleRows(6 * c, 3) * r.v + plain(contact.drift);
      const Vec3<double> b = k.rows.problem.b[c];
      const double scale = 1e-11 * (1 + r.v.norm());
      EXPECT_NEAR(b.x, u.dot(plain(contact.normal)) - contact.target, scale);
      EXPECT_NEAR(b.y, u.dot(plain(t1)), scale);
      EXPECT_NEAR(b.z, u.dot(plain(t2)), scale);
    }
    k.solve();
    const VectorXd tau = k.J.transpose() * world_impulses(k.rows, count);
    const VectorXd expected = r.v + r.plain.mass_matrix().ldlt().solve(tau);
    EXPECT_TRUE(near(k.v, expected, 1e-7));
    VectorXd found(r.model.nv);
    k.rows.generalized_impulse({found.data(), static_cast<std::size_t>(found.size())});
    EXPECT_TRUE(near(found, tau, 1e-11));
    for (int c = 0; c < count; ++c) {
      const Vector3d u = k.J.middleRows(6 * c, 3) * expected +
                         plain(k.contacts[static_cast<std::size_t>(c)].drift);
      EXPECT_TRUE(near(plain(k.rows.slip(c)), u, 1e-6));
    }
  });
}

TEST(ContactRows, LoopsStayClosed) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    ClosedRobot c(seed);
    if (c.robot.model.nv == 0) continue;
    Random random(seed);
    RowCase k(c.robot, *c.mechanism, 4, random);
    if (k.rows.loop_solver.is_dependent) continue;  // then its forces are one choice of many
    ++tried;
    k.solve();
    const int n = c.mechanism->rows;
    MatrixXd JL(n, c.robot.model.nv);
    for (int i = 0; i < n; ++i)
      for (int f = 0; f < c.robot.model.nv; ++f) JL(i, f) = k.rows.loops.jt(f, i);
    EXPECT_LT((JL * k.v).lpNorm<Eigen::Infinity>(), 1e-7 * (1 + k.v.norm()));
    const VectorXd loops = matrix(k.rows.loop_impulses());
    const VectorXd tau = k.J.transpose() * world_impulses(k.rows, 4) + JL.transpose() * loops;
    const MatrixXd M = c.robot.plain.mass_matrix();
    EXPECT_TRUE(near(M * (k.v - c.robot.v), tau, 1e-6));
  }
  EXPECT_GT(tried, 20);
}

// A planar four-bar in any plane, whose loop has more rows than it needs: those across the plane
// vanish but for rounding. A contact at its coupler moves it with the inertia of its one freedom.
TEST(ContactRows, RedundantLoopsInAnyPlaneTakeImpulses) {
  const FourBar bars;
  using Kind = LoopSpec::Kind;
  const std::pair<Kind, JointKind> sorts[] = {{Kind::connect, JointKind::fixed},
                                              {Kind::joint, JointKind::revolute},
                                              {Kind::joint, JointKind::spherical},
                                              {Kind::joint, JointKind::cylindrical}};
  const auto check = [&](const Transform<double>& place, Kind kind, JointKind joint, double angle) {
    Spec spec = bars.tree(angle);
    for (JointSpec& one : spec.joints)
      if (one.parent.empty()) one.placement = place * one.placement;
    spec.loops.push_back(bars.loop(kind, joint));
    spec.loops.back().axis = {0, 0, 1};
    const Model model = build(spec);
    const Mechanism mechanism(model);
    Workspace ws(model);
    const std::vector<double> q(3, 0.0);
    // the one freedom: the crank turns at 1 rad/s
    constexpr double h = 1e-6;
    const std::vector<double> high = bars.position(angle + h, 1, angle),
                              low = bars.position(angle - h, 1, angle);
    VectorXd T(3);
    for (int k = 0; k < 3; ++k)
      T[k] = (high[static_cast<std::size_t>(k)] - low[static_cast<std::size_t>(k)]) / (2 * h);
    const MatrixXd M = matrix(mass_matrix<double>(model, q, ws));
    const double inertia = T.dot(M * T);
    const Velocities& moving = forward_kinematics<double>(model, q, in(T), ws);
    const int coupler = model.find_body("coupler").value();
    const Transform<double>& X = moving.X_W[coupler];
    RowContact contact{coupler,
                       0,
                       X.p + X.R * Vec3<double>{1.1, 0, 0},
                       place.R * Vec3<double>{0.6, 0.8, 0},
                       {},
                       0,
                       {},
                       {},
                       {}};
    const Vec3<double> u = point_velocity(moving, coupler, contact.point);
    TreeFactor factor(model);
    factorize<double>(model, q, ws, factor);
    ContactRows rows(mechanism, 1);
    rows.place(mechanism, 0, q, factor, {&contact, 1}, ws);
    double response = 0;
    for (const Vec3<double>& w : rows.problem.W) response += w.x * w.x;
    const double expected = dot(u, contact.normal) * dot(u, contact.normal) / inertia;
    EXPECT_NEAR(response, expected, 1e-7 * expected);
  };
  Random random(5);
  for (const auto& [kind, joint] : sorts)
    for (int k = 0; k < 40; ++k) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(joint) << ", " << k);
      check({random.rotation(), random.vec3()}, kind, joint, 0.3 + 0.1 * k);
    }
}

/// Balls on free joints.
Model balls(int count) {
  Spec spec;
  spec.name = "balls";
  for (int i = 0; i < count; ++i) {
    const std::string name = "ball" + std::to_string(i);
    spec.add_body(name, 1 + 0.1 * i);
    spec.bodies.back().inertia = Inertia<double>::from_com(1, {}, Sym3<double>::diagonal(1, 1, 1));
    spec.add_joint("free" + std::to_string(i), JointKind::free, "", name);
  }
  return build(spec);
}

TEST(ContactRows, IslandsAreTreesThatContactsJoin) {
  const Model model = balls(6);
  const Mechanism mechanism(model);
  Workspace ws(model);
  std::vector<double> q(static_cast<std::size_t>(model.nq), 0.0);
  for (int i = 0; i < 6; ++i) q[static_cast<std::size_t>(7 * i + 6)] = 1;
  TreeFactor factor(model);
  factorize<double>(model, q, ws, factor);
  const auto touch = [](int a, int b) {
    return RowContact{a, b, {}, {0, 0, 1}, {.friction = 0.5}, 0, {}, {}, {}};
  };
  const std::vector<RowContact> contacts = {touch(1, 0), touch(2, 3),  touch(5, -1),
                                            touch(3, 4), touch(0, -1), touch(5, 0)};
  ContactRows rows(mechanism, 6);
  rows.place(mechanism, 0, q, factor, contacts, ws);
  ASSERT_EQ(rows.problem.islands.count(), 3);
  EXPECT_EQ(rows.problem.islands[0].contacts, 1);
  EXPECT_EQ(rows.problem.islands[1].contacts, 2);
  EXPECT_EQ(rows.problem.islands[2].contacts, 2);
  EXPECT_EQ(rows.problem.order, (List<int>{0, 1, 3, 2, 5}));
  EXPECT_EQ(rows.island_of_tree(rows.tree_of_body(4)), 1);
  EXPECT_EQ(rows.island_of_tree(rows.tree_of_body(6)), -1);
  EXPECT_EQ(rows.problem.place.count(), 6 + 12 + 6 + 12 + 0 + 6);  // nothing dense
}

TEST(ContactRows, AStepAllocatesNothing) {
  const Model model = balls(20);
  const Mechanism mechanism(model);
  Workspace ws(model);
  std::vector<double> q(static_cast<std::size_t>(model.nq), 0.0);
  for (int i = 0; i < 20; ++i) q[static_cast<std::size_t>(7 * i + 6)] = 1;
  std::vector<double> v(static_cast<std::size_t>(model.nv));
  TreeFactor factor(model);
  Random random(1);
  const std::vector<RowContact> contacts = random_contacts(model, 30, random);
  ContactRows rows(mechanism, 30);
  ConeSolver solver(30);
  const auto step = [&] {
    factorize<double>(model, q, ws, factor);
    rows.place(mechanism, 0, q, factor, contacts, ws);
    rows.set_free_velocity(v);
    solve_contacts(rows.problem, {}, solver);
    rows.velocity(v);
  };
  for (double& x : v) x = random.uniform();
  const std::vector<double> start = v;
  step();
  v = start;
  EXPECT_EQ(allocations_in(step), 0);
}

TEST(CompliantBalls, PressWithoutAllocation) {
  const Model model = balls(11);
  Workspace ws(model);
  std::vector<double> q(static_cast<std::size_t>(model.nq), 0.0);
  const std::vector<double> v(static_cast<std::size_t>(model.nv), 0.1);
  std::vector<BallOnPlane> all(static_cast<std::size_t>(model.bodies() - 1));
  for (std::size_t k = 0; k < all.size(); ++k) {
    q[7 * k + 6] = 1;
    all[k].body = static_cast<int>(k + 1);
    all[k].radius = 0.1;
    all[k].state = static_cast<int>(4 * k);
  }
  CompliantBalls pressing(all, {});
  std::vector<Force<double>> forces(static_cast<std::size_t>(model.bodies()));
  std::vector<double> z(4 * all.size()), z_dot(z.size());
  const Velocities& bodies = forward_kinematics<double>(model, q, v, ws);
  bool touches = false;
  EXPECT_EQ(allocations_in([&] {
              touches = pressing.press(model, bodies, z);
              pressing.add_forces(forces);
              pressing.rates(z, z_dot);
            }),
            0);
  EXPECT_TRUE(touches);
}

TEST(ContactRows, RefusesWhatCannotBe) {
  const Model model = balls(2);
  const Mechanism mechanism(model);
  Workspace ws(model);
  std::vector<double> q(static_cast<std::size_t>(model.nq), 0.0), v(12);
  q[6] = q[13] = 1;
  TreeFactor factor(model);
  ContactRows rows(mechanism, 1);
  EXPECT_THROW(rows.set_free_velocity(v), Error);
  RowContact contact{1, 2, {}, {0, 0, 1}, {}, 0, {}, {}, {}};
  EXPECT_THROW(rows.place(mechanism, 0, q, factor, {&contact, 1}, ws), Error);  // no factor
  factorize<double>(model, q, ws, factor);
  rows.place(mechanism, 0, q, factor, {&contact, 1}, ws);
  contact.body_b = 3;
  EXPECT_THROW(rows.place(mechanism, 0, q, factor, {&contact, 1}, ws), Error);
  contact.body_b = 2;
  contact.normal = {0, 0, 2};
  EXPECT_THROW(rows.place(mechanism, 0, q, factor, {&contact, 1}, ws), Error);
  contact.normal = {0, NAN, 1};
  EXPECT_THROW(rows.place(mechanism, 0, q, factor, {&contact, 1}, ws), Error);
}

TEST(ContactRows, TangentsAreSquare) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const Vec3<double> n = i < 6 ? Vec3<double>{i == 0   ? 1.0
                                                : i == 1 ? -1.0
                                                         : 0.0,
                                                i == 2   ? 1.0
                                                : i == 3 ? -1.0
                                                         : 0.0,
                                                i == 4   ? 1.0
                                                : i == 5 ? -1.0
                                                         : 0.0}
                                 : random.direction();
    Vec3<double> t1, t2;
    tangents_of(n, t1, t2);
    Eigen::Matrix3d R;
    R << plain(n), plain(t1), plain(t2);
    EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
