// Boxes on boxes, each on its corners: far more rows than freedoms.
#include <gtest/gtest.h>

#include <limber/contact/cone_solver.hpp>
#include <limber/contact/contact_rows.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// A pyramid of bricks of 1 × 0.5 × 0.2 m and 1 kg, `base` of them on the ground.
struct Pyramid {
  explicit Pyramid(int base) {
    Spec spec;
    spec.name = "pyramid";
    for (int r = 0; r < base; ++r)
      for (int c = 0; c < base - r; ++c) place.push_back({1.02 * (c + 0.5 * r), r});
    for (std::size_t i = 0; i < place.size(); ++i) {
      const std::string name = "brick" + std::to_string(i);
      spec.add_body(name, 1, {}, Sym3<double>::diagonal(0.0243, 0.0867, 0.104));
      spec.add_joint("free" + std::to_string(i), JointKind::free, "", name);
    }
    model = build(spec);
    for (const Brick& brick : place)
      for (const double x : {brick.x, 0.0, 0.1 + 0.2 * brick.row, 0.0, 0.0, 0.0, 1.0})
        q.push_back(x);
    for (std::size_t a = 0; a < place.size(); ++a) {
      if (place[a].row == 0) rest(a, 0, place[a].x - 0.5, place[a].x + 0.5);
      for (std::size_t b = 0; b < a; ++b)
        if (place[b].row == place[a].row - 1 && std::abs(place[a].x - place[b].x) < 1)
          rest(a, static_cast<int>(b) + 1, std::max(place[a].x, place[b].x) - 0.5,
               std::min(place[a].x, place[b].x) + 0.5);
    }
  }
  void rest(std::size_t a, int b, double left, double right) {
    for (const double x : {left, right})
      for (const double y : {-0.25, 0.25}) {
        RowContact c;
        c.body_a = static_cast<int>(a) + 1;
        c.body_b = b;
        c.point = {x, y, 0.2 * place[a].row};
        c.normal = {0, 0, 1};
        c.law.friction = 0.6;
        contacts.push_back(c);
      }
  }
  struct Brick {
    double x;
    int row;
  };
  std::vector<Brick> place;
  Model model;
  std::vector<double> q;
  std::vector<RowContact> contacts;
};

TEST(Heap, APyramidOfBricksStands) {
  Pyramid p(5);
  const Mechanism mechanism(p.model);
  Workspace ws(p.model);
  TreeFactor factor(p.model);
  factorize<double>(p.model, p.q, ws, factor);
  ContactRows rows(mechanism, static_cast<int>(p.contacts.size()));
  std::vector<double> v(static_cast<std::size_t>(p.model.nv), 0.0), after = v;
  for (std::size_t i = 5; i < v.size(); i += 6) v[i] = -9.81e-3;
  rows.place(mechanism, 0, p.q, factor, p.contacts, ws);
  rows.set_free_velocity(v);
  ConeSolver solver;
  const ConeResult result = solve_contacts(rows.problem, {}, solver);
  EXPECT_TRUE(result.converged) << result.residual;
  rows.velocity(after);
  EXPECT_LT(matrix(after).lpNorm<Eigen::Infinity>(), 1e-7);
  double weight = 0;
  for (std::size_t c = 0; c < p.contacts.size(); ++c)
    if (p.contacts[c].body_b == 0) weight += rows.impulse(static_cast<int>(c)).z;
  EXPECT_NEAR(weight, 15 * 9.81e-3, 1e-7);
}

TEST(Heap, PushedPyramidsAreSolvedToo) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Pyramid p(3);
    Random random(seed);
    const Mechanism mechanism(p.model);
    Workspace ws(p.model);
    TreeFactor factor(p.model);
    factorize<double>(p.model, p.q, ws, factor);
    ContactRows rows(mechanism, static_cast<int>(p.contacts.size()));
    std::vector<double> v(static_cast<std::size_t>(p.model.nv));
    for (double& x : v) x = random.uniform(-0.01, 0.01);
    for (std::size_t i = 5; i < v.size(); i += 6) v[i] -= 9.81e-3;
    rows.place(mechanism, 0, p.q, factor, p.contacts, ws);
    rows.set_free_velocity(v);
    ConeSolver solver;
    ConeSettings settings;
    settings.most_sweeps = 1000;
    const ConeResult result = solve_contacts(rows.problem, settings, solver);
    solved += result.converged ? 1 : 0;
    EXPECT_LT(result.residual, 1e-5);
  }
  EXPECT_GE(solved, 18);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
