// Operational-space quantities against their definitions by dense matrices, and Corke's Puma.
#include <limber/dynamics/operational_space.hpp>
#include <limber/io/load.hpp>

#include "support/dual_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::vector<int> random_frames(const Model& model, int count, Random& random) {
  std::vector<int> frames;
  for (int i = 0; i < count; ++i)
    frames.push_back(random.integer(0, static_cast<int>(model.frames.size()) - 1));
  return frames;
}

MatrixXd stacked_jacobian(Robot& r, std::span<const int> frames, Reference reference) {
  MatrixXd J(6 * static_cast<Eigen::Index>(frames.size()), r.model.nv);
  for (std::size_t f = 0; f < frames.size(); ++f)
    J.middleRows(6 * static_cast<Eigen::Index>(f), 6) =
        matrix(jacobian(r.model, in(r.q), frames[f], reference, r.ws));
  return J;
}

constexpr Reference references[] = {Reference::body, Reference::world, Reference::world_aligned};

TEST(OperationalSpace, InverseInertiaIsThatOfTheDefinition) {
  Random random(1);
  for_random_robots(200, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    const std::vector<int> frames = random_frames(r.model, 3, random);
    const Reference reference = references[random.integer(0, 2)];
    OperationalSpace os(r.model, 3);
    const MatrixXd found =
        matrix(operational_space_inverse_inertia(r.model, in(r.q), frames, reference, r.ws, os));
    const MatrixXd J = stacked_jacobian(r, frames, reference);
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    EXPECT_TRUE(
        near(found, J * solve_definite(M, J.transpose()), std::max(1e-10, 1e-14 * condition(M))));
  });
}

TEST(OperationalSpace, InertiaAndConsistentInverse) {
  Random random(2);
  int solved = 0;
  for_random_robots(200, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    const std::vector<int> frames = random_frames(r.model, 1, random);
    const Reference reference = references[random.integer(0, 2)];
    OperationalSpace os(r.model, 1);
    const MatrixXd J = stacked_jacobian(r, frames, reference);
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const MatrixXd mobility = J * solve_definite(M, J.transpose());
    const double difficulty = condition(mobility);
    if (!(difficulty > 0 && difficulty < 1e8)) return;  // the frame cannot move freely
    ++solved;
    const double tolerance = std::max(1e-10, 1e-14 * condition(M) * difficulty);
    const MatrixXd inertia =
        matrix(operational_space_inertia(r.model, in(r.q), frames, reference, r.ws, os));
    EXPECT_TRUE(near(inertia * mobility, MatrixXd::Identity(6, 6), tolerance));
    const MatrixXd consistent =
        matrix(dynamically_consistent_inverse(r.model, in(r.q), frames, reference, r.ws, os));
    EXPECT_TRUE(near(J * consistent, MatrixXd::Identity(6, 6), tolerance));
    EXPECT_TRUE(near(M * consistent, J.transpose() * inertia, tolerance));
  });
  EXPECT_GT(solved, 50);
}

TEST(OperationalSpace, BiasIsThatOfEveryFrame) {
  Random random(3);
  for_random_robots(50, [&](Robot& r) {
    const std::vector<int> frames = random_frames(r.model, 2, random);
    OperationalSpace os(r.model, 2);
    const VectorXd bias = matrix(
        operational_space_bias(r.model, in(r.q), in(r.v), frames, Reference::world, r.ws, os));
    const BasicModel<Dual> model = cast<Dual>(r.model);
    BasicWorkspace<Dual> ws(model);
    for (std::size_t f = 0; f < 2; ++f) {
      const auto J =
          jacobian(model, dual(r.q, position_rate_along(r, r.v)), frames[f], Reference::world, ws);
      EXPECT_TRUE(near(bias.segment(6 * static_cast<Eigen::Index>(f), 6),
                       derivative(J, 6, r.model.nv) * r.v, 1e-9));
    }
  });
}

TEST(OperationalSpace, SingularPositionsAreNamed) {
  const Model arm = load("arm7");
  Workspace ws(arm);
  OperationalSpace os(arm, 2);
  const std::vector<double> stretched(static_cast<std::size_t>(arm.nq), 0.0);
  const int last = arm.frame(arm.body_name.back());
  const std::vector<int> twice{last, last};
  EXPECT_THROW(operational_space_inertia(arm, stretched, twice, Reference::body, ws, os), Error);
  const std::vector<int> three{last, last, last};
  EXPECT_THROW(operational_space_inverse_inertia(arm, stretched, three, Reference::body, ws, os),
               Error);
  EXPECT_THROW(operational_space_inverse_inertia(arm, stretched, std::vector<int>{999},
                                                 Reference::body, ws, os),
               Error);
}

// Corke's toolbox: diagonal of the operational-space inertia of the Puma 560 at qn in world axes,
// linear rows first, given to four decimals
TEST(OperationalSpace, PumaOfTheToolbox) {
  const Model puma = load("puma560");
  Workspace ws(puma);
  OperationalSpace os(puma, 1);
  const double pi = 3.14159265358979323846;
  const std::vector<double> qn{0, pi / 4, pi, 0, pi / 4, 0};
  const std::vector<int> tool{puma.frame("link6")};
  const MatrixView<double> inertia =
      operational_space_inertia(puma, qn, tool, Reference::world_aligned, ws, os);
  const double expected[] = {17.2954, 12.1909, 13.3348, 0.1941, 0.1713, 0.5791};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(inertia((i + 3) % 6, (i + 3) % 6), expected[i], 5e-5);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
