// What meshes weigh: closed forms, and meshes that weigh nothing.
#include <gtest/gtest.h>

#include <limber/error.hpp>
#include <limber/mesh/mesh.hpp>
#include <limber/spatial/transform.hpp>

#include "support/meshes.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

// largest difference, in units of the mass and of the largest number
double difference(const Inertia<double>& found, const Inertia<double>& expected) {
  const Sym3<double> I = found.rotational() - expected.rotational(), E = expected.rotational();
  double worst = std::abs(found.m / expected.m - 1);
  const Vec3<double> com = found.com() - expected.com();
  const double size = std::sqrt(std::max({E.xx, E.yy, E.zz}) / expected.m);
  for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(com[k]) / size);
  for (const double x : {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})
    worst = std::max(worst, std::abs(x) / std::max({E.xx, E.yy, E.zz}));
  return worst;
}

std::string refusal(const Mesh& mesh) {
  try {
    mass_of_mesh(mesh);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(MeshMass, ABoxIsExact) {
  const double density = 700;
  const Vec3<double> low{0.1, -0.3, 2}, edges{0.4, 0.5, 0.9};
  const double mass = density * edges.x * edges.y * edges.z;
  const auto moment = [&](double a, double b) { return mass * (a * a + b * b) / 12; };
  const Inertia<double> expected = Inertia<double>::from_com(
      mass, low + edges * 0.5,
      {moment(edges.y, edges.z), moment(edges.x, edges.z), moment(edges.x, edges.y), 0, 0, 0});
  EXPECT_LT(difference(mass_of_mesh(box(low, low + edges), density), expected), 1e-13);
  // far away, where digits are lost
  const Vec3<double> far{1000, 0, 0};
  EXPECT_LT(
      difference(shifted(mass_of_mesh(box(low + far, low + edges + far), density), -far), expected),
      1e-9);
}

// twice as many triangles in both directions: a fourth of the error
void expect_second_order(const std::function<Mesh(std::uint32_t)>& mesh,
                         const Inertia<double>& expected) {
  double last = difference(mass_of_mesh(mesh(16), 1), expected);
  for (const std::uint32_t n : {32U, 64U, 128U}) {
    const double error = difference(mass_of_mesh(mesh(n), 1), expected);
    EXPECT_NEAR(std::log2(last / error), 2, 0.1) << n;
    last = error;
  }
  EXPECT_LT(last, 2e-3);
}

TEST(MeshMass, ATorusConvergesWithTheSquareOfTheEdges) {
  const double R = 0.7, r = 0.2, mass = 2 * pi * pi * R * r * r;
  const double about_axis = mass * (R * R + 0.75 * r * r),
               across = mass * (R * R / 2 + 0.625 * r * r);
  expect_second_order([&](std::uint32_t n) { return torus(R, r, n, n); },
                      {Inertia<double>::from_com(mass, {}, {across, across, about_axis, 0, 0, 0})});
}

TEST(MeshMass, AnEllipsoidConvergesWithTheSquareOfTheEdges) {
  const Vec3<double> s{0.3, 0.5, 0.2};
  const double mass = 4.0 / 3 * pi * s.x * s.y * s.z;
  const auto moment = [&](double a, double b) { return mass * (a * a + b * b) / 5; };
  expect_second_order(
      [&](std::uint32_t n) { return ellipsoid(s, n, 2 * n); },
      Inertia<double>::from_com(mass, {},
                                {moment(s.y, s.z), moment(s.x, s.z), moment(s.x, s.y), 0, 0, 0}));
}

TEST(MeshMass, ScaleAndMirror) {
  const Mesh part = box({0, 0, 0}, {1, 2, 3});
  EXPECT_NEAR(mass_of_mesh(scaled(part, {2, 0.5, -1}), 1).m, 6, 1e-13);
  EXPECT_NEAR(mass_of_mesh(scaled(part, {2, 0.5, -1}), 1).com().z, -1.5, 1e-13);
}

TEST(MeshMass, OpenMeshesAreRefused) {
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_NE(refusal(open).find("not closed: 3 of its 18 edges"), std::string::npos)
      << refusal(open);
  Mesh turned = box({0, 0, 0}, {1, 1, 1});
  std::swap(turned.triangles[4][0], turned.triangles[4][1]);
  EXPECT_NE(refusal(turned).find("not closed: 3 of"), std::string::npos) << refusal(turned);
  Mesh inside_out = box({0, 0, 0}, {1, 1, 1});
  for (Mesh::Triangle& triangle : inside_out.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_NE(refusal(inside_out).find("inside out"), std::string::npos) << refusal(inside_out);
  EXPECT_NE(refusal({}).find("no triangles"), std::string::npos);
  EXPECT_NE(refusal(box({0, 0, 0}, {1, 1, 0})).find("volume is 0"), std::string::npos);
}

// two boxes that touch along an edge have an edge with four triangles
TEST(MeshMass, BodiesMayTouchAlongAnEdge) {
  Mesh two = box({0, 0, 0}, {1, 1, 1});
  const Mesh other = box({1, 1, 0}, {2, 2, 1});
  for (Mesh::Triangle triangle : other.triangles) {
    for (std::uint32_t& v : triangle) v += 8;
    two.triangles.push_back(triangle);
  }
  two.vertices.insert(two.vertices.end(), other.vertices.begin(), other.vertices.end());
  EXPECT_NEAR(mass_of_mesh(welded(two), 1).m, 2, 1e-14);
}

TEST(MeshMass, VerticesOfTheSamePlaceBecomeOne) {
  // every triangle with vertices of its own, one of them with a negative zero, and one without area
  const Mesh shared = box({0, 0, 0}, {1, 1, 1});
  Mesh soup;
  for (const Mesh::Triangle& triangle : shared.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : triangle) soup.vertices.push_back(shared.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  soup.vertices[0] = {-0.0, 0, -0.0};
  soup.triangles.push_back({0, 0, 1});
  EXPECT_NE(defect_of(soup), "");
  const Mesh joined = welded(soup);
  EXPECT_EQ(joined.vertices.size(), 8U);
  EXPECT_EQ(joined.triangles.size(), 12U);
  EXPECT_EQ(defect_of(joined), "");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
