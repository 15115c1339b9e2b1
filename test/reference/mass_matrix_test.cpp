// Walker and Orin's methods 1 to 3 against limber/dynamics, and the zeros of the book's tree.
#include <limber/reference/mass_matrix.hpp>

#include <limber/dynamics/mass_matrix.hpp>

#include "reference/support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(ReferenceInertiaMatrix, AllMethodsAgree) {
  for_random_robots(200, [](Robot& r) {
    const reference::Tree<double> t = tree(r);
    const MatrixXd H = matrix(mass_matrix(r.model, in(r.q), r.ws));
    EXPECT_TRUE(near(matrix(reference::walker_orin_1(t)), H, 1e-10));
    EXPECT_TRUE(near(matrix(reference::walker_orin_2(t)), H, 1e-10));
    EXPECT_TRUE(near(matrix(reference::walker_orin_3(t)), H, 1e-10));
    EXPECT_TRUE(near(matrix(reference::inertia_times(t, in(r.a))), H * r.a, 1e-10));
  });
}

// [RDA] fig. 7-1: λ = (0, 1, 2, 1, 4, 4)
TEST(ReferenceInertiaMatrix, IsZeroBetweenBranches) {
  Spec spec = generate_tree(6, 3, {.kinds = {JointKind::revolute}, .branching = 0});
  const int parents[] = {0, 1, 2, 1, 4, 4};
  for (std::size_t j = 0; j < 6; ++j)
    spec.joints[j].parent = parents[j] == 0 ? "" : "body" + std::to_string(parents[j]);
  Robot r(spec);
  using reference::Tree;
  for (const auto method : {&reference::walker_orin_1<double>, &reference::walker_orin_2<double>,
                            &reference::walker_orin_3<double>}) {
    const MatrixXd H = matrix(method(tree(r)));
    for (int i = 1; i <= 6; ++i)
      for (int j = 1; j <= 6; ++j)
        EXPECT_EQ(H(i - 1, j - 1) != 0, r.model.supports(i, j) || r.model.supports(j, i))
            << i << ' ' << j;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
