// Contacts with a slip that is given: their solver against the law in plain terms, and how many
// answers there are, against Painlevé's rod in closed form and against all sets of contacts.
#include <limber/contact/sliding_contact.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "contact/plain_contact.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// how far λ is from the law of contacts that slide along s, and from Coulomb's for the others
double switched_error(const PlainProblem& p, const std::vector<Eigen::Vector2d>& slip,
                      const Eigen::VectorXd& l) {
  const Eigen::VectorXd u = p.A * l + p.b;
  double worst = 0;
  for (int c = 0; c < p.contacts(); ++c) {
    const double size = p.A(3 * c, 3 * c), mu = p.friction[c];
    const double un = u[3 * c], ln = l[3 * c] * size;
    const Eigen::Vector2d ut = u.segment<2>(3 * c + 1), lt = l.segment<2>(3 * c + 1) * size;
    worst = std::max({worst, -un, -ln, std::min(std::abs(un), std::abs(ln))});
    const Eigen::Vector2d& s = slip[static_cast<std::size_t>(c)];
    if (s.norm() > 0) worst = std::max(worst, (lt + mu * ln * s).norm());
    else if (ut.norm() > 0 && ln > 0)
      worst = std::max(worst, std::min(ut.norm(), (lt + ut / ut.norm() * mu * ln).norm()));
  }
  return worst;
}

std::vector<Eigen::Vector2d> give_slips(ContactProblem& problem, double share, Random& random) {
  std::vector<Eigen::Vector2d> slip;
  for (int c = 0; c < problem.contacts(); ++c) {
    slip.emplace_back(0, 0);
    if (random.uniform(0, 1) > share) continue;
    const double angle = random.uniform(-M_PI, M_PI);
    slip.back() = {std::cos(angle), std::sin(angle)};
    problem.law[c].slip_1 = slip.back().x();
    problem.law[c].slip_2 = slip.back().y();
  }
  return slip;
}

TEST(SlidingContact, SolutionsObeyTheLaw) {
  Random random(61);
  int solved = 0, all = 0;
  for (int i = 0; i < 400; ++i) {
    PlainProblem p = random_friction_problem(random.integer(1, 16), random);
    p.friction *= 0.3;  // mostly one answer
    ContactProblem problem = p.problem();
    const std::vector<Eigen::Vector2d> slip = give_slips(problem, i % 4 == 0 ? 1 : 0.5, random);
    ConeSettings settings;
    settings.tolerance = 1e-12;
    ConeSolver solver;
    const ConeResult result = solve_contacts(problem, settings, solver);
    ++all;
    if (result.residual > 1e-9) continue;
    ++solved;
    EXPECT_LT(switched_error(p, slip, impulses(problem)), 1e-8) << i;
  }
  EXPECT_GE(solved, all - 4);
}

// the rod of [Painlevé]: half length 1, mass 1, tip at (cos θ, −sin θ) from its centre, sliding
// along +x: n M⁻¹ (n − μ t) = 1 + 3 cos θ (cos θ − μ sin θ)
ContactProblem rod(double theta, double mu, double free_acceleration, double slip) {
  const double c = std::cos(theta), s = std::sin(theta);
  const double nn = 1 + 3 * c * c, nt = 3 * c * s, tt = 1 + 3 * s * s;
  const double A[] = {nn, nt, 0, nt, tt, 0, 0, 0, 1}, b[] = {free_acceleration, 0, 0};
  ContactProblem problem = contact_problem(A, b, std::span(&mu, 1));
  problem.law[0].slip_1 = slip;
  return problem;
}

SlidingAnswers answers_of(ContactProblem& problem) {
  ConeSettings settings;
  settings.tolerance = 1e-12;
  ConeSolver solver;
  const ConeResult result = solve_contacts(problem, settings, solver);
  SlidingAnswers found;
  sliding_answers(problem, result.residual <= 1e-9 ? Solved::yes : Solved::no, found);
  return found;
}

TEST(SlidingContact, PainlevesRodIsInfeasibleOrNotUnique) {
  const double degree = M_PI / 180, first = 37.378 * degree, last = 79.188 * degree;
  const auto status = [](double theta, double mu, double b, double slip) {
    ContactProblem problem = rod(theta, mu, b, slip);
    return answers_of(problem).status;
  };
  for (const double inside : {first + 1e-4, 45 * degree, 60 * degree, last - 1e-4}) {
    EXPECT_EQ(status(inside, 2, -9.81, 1), ContactStatus::infeasible) << inside;
    EXPECT_EQ(status(inside, 2, 3, 1), ContactStatus::not_unique) << inside;
    // the other way friction takes the tip off the ground
    EXPECT_EQ(status(inside, 2, -9.81, -1), ContactStatus::unique) << inside;
    EXPECT_EQ(status(inside, 4.0 / 3 - 1e-6, -9.81, 1), ContactStatus::unique) << inside;
  }
  for (const double outside : {5 * degree, first - 1e-4, last + 1e-4, 89 * degree})
    for (const double b : {-9.81, 3.0})
      EXPECT_EQ(status(outside, 2, b, 1), ContactStatus::unique) << outside;
  // the critical coefficient: p = 0 at one angle, tan θ = 2
  EXPECT_EQ(status(std::atan(2), 4.0 / 3 + 1e-6, -9.81, 1), ContactStatus::infeasible);
}

// w for the forces of one set of contacts that carry, by Eigen
TEST(SlidingContact, AnswersAreThoseOfAllSets) {
  Random random(67);
  int several = 0, none = 0;
  for (int i = 0; i < 300; ++i) {
    const int n = random.integer(1, 6);
    PlainProblem p = random_friction_problem(n, random);
    p.A += 1e-2 * Eigen::MatrixXd::Identity(3 * n, 3 * n);
    p.friction *= 4;
    ContactProblem problem = p.problem();
    const std::vector<Eigen::Vector2d> slip = give_slips(problem, 1, random);
    Eigen::MatrixXd N(n, n);
    Eigen::VectorXd r(n);
    for (int a = 0; a < n; ++a) {
      r[a] = p.b[3 * a];
      for (int b = 0; b < n; ++b)
        N(a, b) = p.A(3 * a, 3 * b) -
                  p.friction[b] *
                      p.A.block<1, 2>(3 * a, 3 * b + 1).dot(slip[static_cast<std::size_t>(b)]);
    }
    std::vector<Eigen::VectorXd> found;
    for (unsigned set = 0; set < 1U << n; ++set) {
      Eigen::MatrixXd G = Eigen::MatrixXd::Identity(n, n);
      Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
      for (int a = 0; a < n; ++a)
        if (set >> a & 1U) G.row(a) = N.row(a), right[a] = -r[a];
      const Eigen::VectorXd l = G.fullPivLu().solve(right), w = N * l + r;
      bool obeys = (l.array() > -1e-10).all() && (w.array() > -1e-9).all();
      for (const Eigen::VectorXd& other : found) obeys = obeys && (other - w).norm() > 1e-7;
      if (obeys) found.push_back(w);
    }
    const SlidingAnswers mine = answers_of(problem);
    const ContactStatus expected = found.empty()       ? ContactStatus::infeasible
                                   : found.size() == 1 ? ContactStatus::unique
                                                       : ContactStatus::not_unique;
    EXPECT_EQ(mine.status, expected) << i << " " << found.size();
    EXPECT_TRUE(mine.count < 0 || mine.count == static_cast<int>(found.size())) << i;
    several += found.size() > 1;
    none += found.empty();
  }
  EXPECT_GT(several, 10);
  EXPECT_GT(none, 10);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
