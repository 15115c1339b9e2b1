// Added mass from shape: exact numbers, panels that converge to them, symmetry, positivity, and
// moves of the frame.
#include <limber/fluid/added_mass.hpp>

#include <numbers>

#include <limber/fluid/displacement.hpp>

#include "support/dense.hpp"
#include "support/meshes.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

Eigen::MatrixXd dense(const ArticulatedInertia<double>& B) {
  const MarineMatrix m = marine_matrix(B);
  Eigen::MatrixXd result(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      result(i, j) = m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return result;
}
Eigen::VectorXd diagonal(const ArticulatedInertia<double>& B) { return dense(B).diagonal(); }

Eigen::VectorXd six(double a, double b, double c, double d, double e, double f) {
  Eigen::VectorXd x(6);
  x << a, b, c, d, e, f;
  return x;
}

// Lamb's integrals by another quadrature, checked
TEST(AddedMass, EllipsoidHasTheNumbersOfPotentialTheory) {
  EXPECT_TRUE(near(
      diagonal(ellipsoid_added_mass({3, 2, 1}, 1)),
      six(4.65600126976, 9.16197090656, 34.2189176585, 9.63255763137, 35.5998305077, 3.914191475),
      1e-10));
  // coefficients of prolate spheroids
  const auto spheroid = [](double a, double k1, double k2, double kr) {
    const double V = 4 * pi / 3 * a;
    const Eigen::VectorXd found = diagonal(ellipsoid_added_mass({a, 1, 1}, 1));
    EXPECT_TRUE(near(
        found, six(k1 * V, k2 * V, k2 * V, 0, kr * V * (a * a + 1) / 5, kr * V * (a * a + 1) / 5),
        1e-5));
  };
  spheroid(2, .210015, .704210, .239424);
  spheroid(4.99, .059294, .893984, .699103);
  // a small torpedo-shaped vehicle (REMUS 100), numbers of a toolbox for marine craft
  EXPECT_TRUE(near(diagonal(ellipsoid_added_mass({.80768, .095912, .095912}, 1026)),
                   six(.863302, 30.293606, 30.293606, 0, 3.593856, 3.593856), 1e-6));
}

TEST(AddedMass, SphereHasHalfOfTheDisplacedMass) {
  const double half = 2 * pi / 3 * 1028 * 0.001;
  EXPECT_TRUE(near(diagonal(ellipsoid_added_mass({.1, .1, .1}, 1028)),
                   six(half, half, half, 0, 0, 0), 1e-14));
  EXPECT_NEAR(half, 2.1530, 1e-4);
  EXPECT_TRUE(near(diagonal(cylinder_added_mass(.1, 0, CylinderEnds::round, 1028)),
                   six(half, half, half, 0, 0, 0), 1e-14));
}

TEST(AddedMass, IntegralsOfAnyEllipsoidSumToTwo) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Vec3<double> s{std::exp(random.uniform(-4, 4)), std::exp(random.uniform(-4, 4)),
                         std::exp(random.uniform(-4, 4))};
    const Vec3<double> kappa = ellipsoid_integrals(s);
    EXPECT_NEAR(kappa.x + kappa.y + kappa.z, 2, 1e-13);
    for (const double value : eigenvalues(ellipsoid_added_mass(s, 1))) EXPECT_GE(value, 0);
  }
  // next to a body of revolution nothing jumps
  const double J = ellipsoid_added_mass({2, 1, 1 + 1e-9}, 1).I.xx;
  EXPECT_GE(J, 0);
  EXPECT_LT(J, 1e-16);
}

// the polarisability of an impermeable cube is 1.638 times its volume (Sihvola 2007): that of the
// dipole of displaced and added mass; prisms as tabulated in DNV-RP-C205, two digits
TEST(AddedMass, BoxesHavePublishedNumbers) {
  EXPECT_NEAR(box_added_mass({1, 1, 1}, 1).M.xx, 0.638, 2e-3);
  const double prism[] = {0.36, 0.24, 0.19, 0.15, 0.13};
  for (int k = 2; k <= 6; ++k)
    EXPECT_NEAR(box_added_mass({1, 1, 1.0 * k}, 1).M.zz / k, prism[k - 2], 0.03) << k;
}

// between the table's boxes and turned: the panels themselves
TEST(AddedMass, BoxesAgreeWithPanels) {
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::box;
  for (const Vec3<double>& edges : {Vec3<double>{1, 1.7, 3.1}, Vec3<double>{0.9, 0.4, 2.5},
                                    Vec3<double>{0.457, 0.338, 0.254}}) {
    shape.size = edges;
    const Eigen::VectorXd box = diagonal(box_added_mass(edges, 1)),
                          panels = diagonal(mesh_added_mass(surface_of(shape), 1).inertia);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(box[k] / panels[k], 1, k < 3 ? 0.05 : 0.09) << k;
  }
  // order of edges
  const Eigen::VectorXd a = diagonal(box_added_mass({1, 2, 3.3}, 1)),
                        b = diagonal(box_added_mass({3.3, 1, 2}, 1));
  EXPECT_TRUE(near(b, six(a[2], a[0], a[1], a[5], a[3], a[4]), 1e-13));
  EXPECT_TRUE(mentions(message_of([] {
                         box_added_mass({1, 1, 8.1}, 1);
                       }),
                       {"ratio 8", "mesh_added_mass"}));
}

// strips and what is said of the ends are near the truth for slender cylinders
TEST(AddedMass, CylindersAgreeWithPanels) {
  ShapeSpec shape;
  for (const auto kind : {ShapeSpec::Kind::cylinder, ShapeSpec::Kind::capsule}) {
    shape.kind = kind;
    shape.size = {0.1, 1.5, 0};
    const Eigen::VectorXd strips = diagonal(added_mass_of(shape, 1000)),
                          panels = diagonal(
                              mesh_added_mass(surface_of(shape, 24), 1000, {1200}).inertia);
    EXPECT_NEAR(strips[0] / panels[0], 1, 0.1);
    EXPECT_NEAR(strips[3] / panels[3], 1, 0.3);
    EXPECT_NEAR(strips[2] / panels[2], 1, 0.45);
    EXPECT_EQ(strips[5], 0);
  }
  EXPECT_TRUE(near(diagonal(cylinder_added_mass(0.2, 3, CylinderEnds::open, 1000)),
                   six(120 * pi, 120 * pi, 0, 90 * pi, 90 * pi, 0), 1e-13));
}

TEST(Panels, ConvergeToTheEllipsoid) {
  const Eigen::VectorXd exact = diagonal(ellipsoid_added_mass({3, 2, 1}, 1));
  double error[3];
  const std::uint32_t rows[] = {5, 10, 20};
  for (int k = 0; k < 3; ++k) {
    const PanelAddedMass found =
        mesh_added_mass(ellipsoid({3, 2, 1}, rows[k], 2 * rows[k]), 1, {1});
    error[k] = ((diagonal(found.inertia) - exact).array() / exact.array()).abs().maxCoeff();
    EXPECT_LT(found.asymmetry, 0.01);
  }
  EXPECT_LT(error[2], 0.02);
  EXPECT_GT(error[0] / error[1], 3.3);  // second order
  EXPECT_GT(error[1] / error[2], 3.3);
}

TEST(Panels, ConvergeForATorus) {
  double value[3];
  const std::uint32_t rows[] = {5, 10, 20};
  for (int k = 0; k < 3; ++k)
    value[k] = mesh_added_mass(torus(1, 0.3, 2 * rows[k], rows[k]), 1, {1}).inertia.M.zz;
  EXPECT_GT((value[0] - value[1]) / (value[1] - value[2]), 3.2);
}

// a body without any symmetry
Mesh odd_body() {
  Random random(4);
  std::vector<Vec3<double>> points;
  for (int k = 0; k < 14; ++k) points.push_back(random.vec3());
  return convex_hull(points);
}

TEST(Panels, MatrixIsNearlySymmetricAndPositive) {
  const Mesh body = odd_body();
  double asymmetry = 1;
  for (const int panels : {100, 400, 1600}) {
    const PanelAddedMass found = mesh_added_mass(body, 1, {panels});
    EXPECT_EQ(found.panels, panels);
    EXPECT_LT(found.asymmetry, 0.7 * asymmetry);
    asymmetry = found.asymmetry;
    EXPECT_GT(symmetric_eigenvalues(dense(found.inertia))[0], 0);
    EXPECT_NEAR(eigenvalues(found.inertia)[0], symmetric_eigenvalues(dense(found.inertia))[0],
                1e-12);
  }
  EXPECT_LT(asymmetry, 1e-3);
}

// the mesh elsewhere is the matrix in another frame
TEST(Panels, FollowTheFrame) {
  const Mesh body = odd_body();
  Random random(5);
  const Transform<double> X = random.transform();
  Mesh moved = body;
  for (Vec3<double>& p : moved.vertices) p = X.p + X.R * p;
  EXPECT_TRUE(near(dense(mesh_added_mass(moved, 3, {1}).inertia),
                   dense(X * mesh_added_mass(body, 3, {1}).inertia), 1e-9));
}

TEST(Panels, RefuseWhatIsNotClosed) {
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_TRUE(
      mentions(message_of([&] { mesh_added_mass(open, 1); }), {"not closed", "convex_hull()"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         mesh_added_mass(ellipsoid({1, 1, 1}, 20, 20), 1, {1, 100});
                       }),
                       {"760 triangles", "simplified()"}));
}

TEST(MarineMatrices, SymmetricPartIsUsedAndAsymmetryTold) {
  Random random(6);
  const ArticulatedInertia<double> B = random.articulated();
  MarineMatrix m = marine_matrix(B);
  std::vector<std::string> warnings;
  EXPECT_TRUE(near(dense(added_mass_from(m, "hull", warnings)), dense(B), 1e-15));
  EXPECT_TRUE(warnings.empty());
  m[1][3] += 0.5, m[3][1] -= 0.5;
  EXPECT_TRUE(near(dense(added_mass_from(m, "hull", warnings)), dense(B), 1e-15));
  EXPECT_TRUE(mentions(warnings, {"'hull'", "not symmetric", "row 2, column 4"}));
  for (auto& row : m)
    for (double& value : row) value = -value;
  added_mass_from(m, "hull", warnings);
  EXPECT_TRUE(mentions(warnings, {"negative eigenvalue", "derivatives"}));
  // the order: surge couples with the moment about z as force with moment
  MarineMatrix one{};
  one[0][5] = one[5][0] = 2;
  const Force<double> f = added_mass_from(one, "", warnings) * Motion<double>{{}, {1, 0, 0}};
  EXPECT_EQ(f.angular.z, 2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
