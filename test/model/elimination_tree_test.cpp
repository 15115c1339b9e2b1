// The tree along which the inertia matrix fills in, when mimic joints and rotors tie branches
// together: against elimination of a matrix of zeros and ones, and for robots that are long.
#include <gtest/gtest.h>

#include <limber/model/model.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// the last non-zero before i in row i, after all later variables are eliminated from a dense matrix
std::vector<int> dense_elimination_tree(const Model& m) {
  const auto n = static_cast<std::size_t>(m.nv);
  std::vector<std::vector<char>> full(n, std::vector<char>(n, 0));
  for (int b = 1; b < m.bodies(); ++b) {
    std::vector<std::size_t> carrying;
    for (const int s : m.support(b))
      for (int k = 0; k < m.v_count[static_cast<std::size_t>(s)]; ++k)
        carrying.push_back(static_cast<std::size_t>(
            m.v_fold[static_cast<std::size_t>(m.v_index[static_cast<std::size_t>(s)] + k)].index));
    for (const std::size_t i : carrying)
      for (const std::size_t j : carrying) full[i][j] = 1;
  }
  std::vector<int> tree(n, -1);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = 0; j < i; ++j)
      if (full[i][j]) {
        tree[i] = static_cast<int>(j);
        for (std::size_t k = 0; k < i; ++k)
          if (full[i][k]) full[j][k] = full[k][j] = 1;
      }
  }
  return tree;
}

TEST(EliminationTree, IsThatOfTheMatrix) {
  int tied = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Model m = build(random_spec(seed));
    EXPECT_EQ(m.dof_parent, dense_elimination_tree(m)) << "robot " << seed;
    tied += m.has_mimic() ? 1 : 0;
  }
  EXPECT_GT(tied, 15);
}

// a comb of fingers whose joints all follow their own first one: nothing grows with the square
TEST(EliminationTree, ManyTiedBranchesAreBuilt) {
  Spec spec;
  spec.add_body("palm", 1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string finger = std::to_string(i);
    spec.add_body("a" + finger, 1, {0.1, 0, 0});
    spec.add_body("b" + finger, 1, {0.1, 0, 0});
    spec.add_joint("p" + finger, JointKind::revolute, "palm", "a" + finger);
    spec.add_joint("d" + finger, JointKind::revolute, "a" + finger, "b" + finger).mimic =
        MimicSpec{"p" + finger, 0.5, 0};
  }
  const Model m = build(spec);
  EXPECT_EQ(m.nv, 20'000);
  EXPECT_EQ(m.dof_parent, std::vector<int>(20'000, -1));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
