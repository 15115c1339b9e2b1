// Derivatives of the velocities after a contact step, against differences.
#include <limber/contact/contact_derivatives.hpp>

#include <gtest/gtest.h>

#include <limber/contact/cone_solver.hpp>

#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct DerivativeCase {
  DerivativeCase(Robot& r, const Mechanism& mechanism, std::uint64_t seed)
      : rows(mechanism, 3), factor(mechanism.tree) {
    Random random(seed);
    const std::vector<int> bodies = moving_bodies(r.model);
    std::vector<RowContact> contacts;
    for (int c = 0; c < 3; ++c) {
      const int body =
          bodies[static_cast<std::size_t>(random.integer(0, static_cast<int>(bodies.size()) - 1))];
      contacts.push_back({body, 0, random.vec3(), random.direction(), {}, 0, {}, {}, {}});
      contacts.back().law.friction = random.uniform(0, 0.8);
    }
    factorize<double>(mechanism.tree, in(r.q), r.ws, factor);
    rows.place(mechanism, 0, in(r.q), factor, contacts, r.ws);
  }
  VectorXd after(const VectorXd& v) {
    rows.set_free_velocity(in(v));
    ConeSettings settings;
    settings.tolerance = 1e-13;
    settings.most_sweeps = 5000;
    result = solve_contacts(rows.problem, settings, solver);
    VectorXd found(v.size());
    rows.velocity({found.data(), static_cast<std::size_t>(found.size())});
    return found;
  }
  ContactRows rows;
  TreeFactor factor;
  ConeSolver solver;
  ConeResult result;
};

void compare(DerivativeCase& k, const VectorXd& v, int (&modes)[3], int& compared) {
  k.after(v);
  if (!k.result.converged) return;
  const ContactDerivatives found = contact_derivatives(k.rows, 1e-4);
  if (found.at_border >= 0) return;
  const double h = 1e-6;
  const int nv = static_cast<int>(v.size());
  MatrixXd expected(nv, nv);
  for (int i = 0; i < nv; ++i) {
    VectorXd plus = v, minus = v;
    plus[i] += h;
    minus[i] -= h;
    expected.col(i) = (k.after(plus) - k.after(minus)) / (2 * h);
    if (!k.result.converged) return;
  }
  // numbers beyond this are of positions that are nearly singular
  if (expected.cwiseAbs().maxCoeff() > 1e3) return;
  ++compared;
  for (const ContactMode mode : found.mode) ++modes[static_cast<int>(mode)];
  EXPECT_TRUE(near(matrix(MatrixView<double>{found.velocity.data(), nv, nv}), expected, 1e-4));
}

TEST(ContactDerivatives, OfTreesByDifferences) {
  int compared = 0, modes[3] = {};
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    Robot r(generate_tree(3, seed), seed);
    const Mechanism mechanism(r.model);
    DerivativeCase k(r, mechanism, seed);
    compare(k, r.v, modes, compared);
  }
  EXPECT_GT(compared, 25);
  for (const int count : modes) EXPECT_GT(count, 5);
}

TEST(ContactDerivatives, OfClosedMechanismsByDifferences) {
  int compared = 0, modes[3] = {};
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    ClosedRobot c(seed);
    if (c.robot.model.nv == 0 || c.robot.model.nv > 30) continue;
    DerivativeCase k(c.robot, *c.mechanism, seed);
    compare(k, c.robot.v, modes, compared);
  }
  EXPECT_GT(compared, 5);
}

TEST(ContactDerivatives, RefusesTorsion) {
  Robot r(generate_tree(2, 1), 1);
  const Mechanism mechanism(r.model);
  ContactRows rows(mechanism, 1);
  TreeFactor factor(r.model);
  factorize<double>(r.model, in(r.q), r.ws, factor);
  RowContact contact{1, 0, {}, {0, 0, 1}, {}, 0, {}, {}, {}};
  contact.law.torsion = 0.1;
  rows.place(mechanism, 0, in(r.q), factor, {&contact, 1}, r.ws);
  rows.set_free_velocity(in(r.v));
  EXPECT_THROW(contact_derivatives(rows), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
