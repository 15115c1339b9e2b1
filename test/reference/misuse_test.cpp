// Matrices and chains that do not belong together are refused.
#include <limber/limber.hpp>
#include <limber/reference/handbook.hpp>
#include <limber/reference/tree.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using reference::Matrix;

TEST(ReferenceMisuse, MatricesThatDoNotMatch) {
  const Matrix<double> A(2, 3), B(4, 2);
  const std::vector<double> x(4);
  EXPECT_THROW(A * B, Error);
  EXPECT_THROW(A * x, Error);
  EXPECT_THROW(reference::Ldlt<double>(A, "A"), Error);
  Matrix<double> one(2, 2);
  one(0, 0) = one(1, 1) = 1;
  std::vector<double> y(1);
  EXPECT_THROW(reference::Ldlt<double>(one, "one").solve(y), Error);
}

TEST(ReferenceMisuse, ArraysAndChainsOfAnotherRobot) {
  const Spec two = generate_chain(2), three = generate_chain(3);
  const std::vector<double> zero(3);
  const auto tree = reference::tree_at<double>(build(three), zero, zero);
  EXPECT_THROW(reference::fold(tree, std::vector<double>(9)), Error);
  EXPECT_THROW(reference::fold(tree, Matrix<double>(9, 9)), Error);
  const auto model =
      reference::handbook_model<double>(reference::handbook_chain(three), zero, zero);
  EXPECT_THROW(reference::joint_forces<double>(reference::handbook_chain(two), model, zero), Error);
  EXPECT_TRUE(mentions(message_of([] { reference::tree_at<double>(Model{}, {}, {}); }),
                       {"tree_at", "build()"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
