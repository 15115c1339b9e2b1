// Multiplications and additions of every operation: at most those of the books' tables, and exactly
// those that the headers state. [RDA] tables 8-3 to 8-5; [McM] tables 21 to 24.
#include <limber/scalar/counted.hpp>
#include <limber/spatial/acceleration_field.hpp>
#include <limber/spatial/screw.hpp>

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using C = Counted;

// random values of which every number is a variable
C variable(double x) { return C::variable(x); }
Vec3<C> variable(const Vec3<double>& v) { return {variable(v.x), variable(v.y), variable(v.z)}; }
Mat3<C> variable(const Mat3<double>& A) {
  return Mat3<C>::from_rows(variable(A.row(0)), variable(A.row(1)), variable(A.row(2)));
}
Sym3<C> variable(const Sym3<double>& A) {
  return {variable(A.xx), variable(A.yy), variable(A.zz),
          variable(A.xy), variable(A.xz), variable(A.yz)};
}
Motion<C> variable(const Motion<double>& v) { return {variable(v.angular), variable(v.linear)}; }
Force<C> variable(const Force<double>& f) { return {variable(f.angular), variable(f.linear)}; }
Transform<C> variable(const Transform<double>& X) { return {variable(X.R), variable(X.p)}; }
Inertia<C> variable(const Inertia<double>& I) {
  return {variable(I.m), variable(I.h), variable(I.J)};
}
ArticulatedInertia<C> variable(const ArticulatedInertia<double>& A) {
  return {variable(A.I), variable(A.H), variable(A.M)};
}

Random random_values(140);
const Transform<C> X = variable(random_values.transform());
const Transform<C> Y = variable(random_values.transform());
const Motion<C> v = variable(random_values.motion());
const Force<C> f = variable(random_values.force());
const Inertia<C> I = variable(random_values.inertia());
const ArticulatedInertia<C> IA = variable(random_values.articulated());
const Sym3<C> K = variable(random_values.sym3());
const Mat3<C> N = variable(random_values.mat3());

const C cosine = variable(0.8), sine = variable(0.6), length = variable(0.3);
const Screw<2, C> z{cosine, sine, length};               // all variable
const Screw<2, C> revolute_z{cosine, sine, C(0.3)};      // the joint turns
const Screw<2, C> prismatic_z{C(0.8), C(0.6), length};   // the joint slides
const Screw<0, C> constant_x{C(0.28), C(0.96), C(0.5)};  // between two joint axes

struct Count {
  long multiplications, additions;
};

template <class Work>
Count count(Work work) {
  C::start();
  (void)work();
  const OperationCount n = C::count();
  return {n.multiplications, n.additions};
}
// exactly `ours`, and not above `book`
void expect_count(const Count& n, const Count& ours, const Count& book) {
  EXPECT_EQ(n.multiplications, ours.multiplications);
  EXPECT_EQ(n.additions, ours.additions);
  EXPECT_LE(n.multiplications, book.multiplications);
  EXPECT_LE(n.additions, book.additions);
}

TEST(OperationCount, GeneralTransform) {  // [RDA] tables 8-3 and 8-4
  expect_count(count([] { return X * Y; }), {36, 27}, {36, 27});
  expect_count(count([] { return X * v; }), {24, 18}, {24, 18});
  expect_count(count([] { return X * f; }), {24, 18}, {24, 18});
  expect_count(count([] { return apply_inverse(X, v); }), {24, 18}, {24, 18});
  expect_count(count([] { return apply_inverse(X, f); }), {24, 18}, {24, 18});
  expect_count(count([] { return X * IA; }), {153, 130}, {177, 132});
  expect_count(count([] { return apply_inverse(X, IA); }), {153, 130}, {177, 132});
  expect_count(count([] { return X * I; }), {54, 47}, {69, 57});
  expect_count(count([] { return apply_inverse(X, I); }), {54, 47}, {69, 57});
}

TEST(OperationCount, OneScrew) {  // [RDA] table 8-5
  expect_count(count([] { return X * z; }), {15, 9}, {15, 9});
  expect_count(count([] { return to_parent(z, v); }), {10, 6}, {10, 6});
  expect_count(count([] { return to_child(z, v); }), {10, 6}, {10, 6});
  expect_count(count([] { return to_parent(z, f); }), {10, 6}, {10, 6});
  expect_count(count([] { return to_child(z, f); }), {10, 6}, {10, 6});
  expect_count(count([] { return to_parent(z, IA); }), {38, 41}, {54, 50});
  expect_count(count([] { return to_child(z, IA); }), {38, 41}, {54, 50});
  expect_count(count([] { return to_parent(z, I); }), {16, 15}, {19, 18});
  expect_count(count([] { return to_child(z, I); }), {16, 15}, {19, 18});
}

TEST(OperationCount, ScrewBeforeTransform) {
  // the book keeps the displacement in the coordinates of the other frame, where this order is the
  // cheaper one; ours turns the displacement: one multiplication more than X * screw
  expect_count(count([] { return z * X; }), {16, 9}, {16, 9});
}

TEST(OperationCount, PlanarTransforms) {  // [McM] tables 21 and app. A.2, A.3
  expect_count(count([] { return to_parent(z, v.linear); }), {4, 2}, {4, 2});
  expect_count(count([] { return to_parent(z, K); }), {8, 8}, {10, 10});
  expect_count(count([] { return to_parent(z, N); }), {12, 11}, {14, 12});
  expect_count(count([] { return to_parent(z, IA); }), {38, 41}, {44, 46});
  expect_count(count([] { return to_parent(prismatic_z, IA); }), {38, 41}, {42, 43});
  // the pair of screws between two joints
  expect_count(count([] { return to_parent(constant_x, to_parent(revolute_z, v)); }), {20, 12},
               {20, 12});
  expect_count(count([] { return to_parent(constant_x, to_parent(revolute_z, IA)); }), {76, 82},
               {86, 89});
}

TEST(OperationCount, CompositeInertia) {  // [McM] table 24
  Inertia<C> composite = I;
  composite.m = C(2.5);  // the mass of a composite body is known when the robot is known
  expect_count(count([&] { return to_parent(constant_x, to_parent(revolute_z, composite)); }),
               {30, 30}, {32, 39});
  expect_count(count([&] { return to_parent(constant_x, to_parent(prismatic_z, composite)); }),
               {31, 30}, {32, 36});
}

// the same numbers, cut off from the work that made them; zeros that are known stay constants
C fresh(C x) { return x.constant() ? x : variable(x.value()); }
Sym3<C> fresh(const Sym3<C>& A) {
  return {fresh(A.xx), fresh(A.yy), fresh(A.zz), fresh(A.xy), fresh(A.xz), fresh(A.yz)};
}
Mat3<C> fresh(const Mat3<C>& A) {
  return {fresh(A.xx), fresh(A.xy), fresh(A.xz), fresh(A.yx), fresh(A.yy),
          fresh(A.yz), fresh(A.zx), fresh(A.zy), fresh(A.zz)};
}
ArticulatedInertia<C> fresh(const ArticulatedInertia<C>& A) {
  return {fresh(A.I), fresh(A.H), fresh(A.M)};
}
// what eliminate() leaves for column J of a general inertia
template <int J>
ArticulatedInertia<C> reduced() {
  ArticulatedInertia<C> left = IA;
  const Axis<J> axis;
  const Force<C> U = left * axis;
  eliminate(left, axis, U, scaled_without(axis, U, C(1) / dot(axis, U)));
  return fresh(left);
}
// counted and executed agree: no zero is multiplied or added
template <class Work>
void expect_executed(Work work, const Count& ours, const Count& book) {
  expect_count(count(work), ours, book);
  EXPECT_EQ(C::count().executed, ours.multiplications + ours.additions);
}

TEST(OperationCount, ReducedArticulatedInertia) {  // [McM] tables 22 and 23
  const auto revolute = reduced<2>(), prismatic = reduced<5>();
  const auto after_revolute = fresh(to_parent_reduced(z, revolute, Axis<2>{}));
  const auto after_prismatic = fresh(to_parent_reduced(z, prismatic, Axis<5>{}));
  expect_executed([&] { return to_parent_reduced(z, revolute, Axis<2>{}); }, {28, 35}, {34, 40});
  expect_executed([&] { return to_parent_reduced(z, prismatic, Axis<5>{}); }, {28, 35}, {34, 40});
  expect_executed([&] { return to_parent_reduced(constant_x, after_revolute, Axis<2>{}); },
                  {33, 28}, {36, 31});
  expect_executed([&] { return to_parent_reduced(constant_x, after_prismatic, Axis<5>{}); },
                  {33, 28}, {36, 31});
}

TEST(OperationCount, Elimination) {
  ArticulatedInertia<C> left = IA;
  const Force<C> U = IA * Axis<2>{};
  const Force<C> Ud = variable(random_values.force());
  expect_count(count([&] { return scaled_without(Axis<2>{}, U, variable(0.5)); }), {5, 0}, {5, 0});
  expect_count(count([&] { return eliminate(left, Axis<2>{}, U, Ud), 0; }), {15, 15}, {15, 15});
  left = IA;
  expect_count(count([&] { return eliminate(left, U, U), 0; }), {21, 21}, {21, 21});
}

TEST(OperationCount,
     AccelerationField) {  // [McM] table 26: Ω 6 and 9, u 15 and 15, n' 6 and 6, f' 12 and 9
  const Vec3<C> w = v.angular, wd = variable(random_values.vec3()), A = v.linear;
  const Mat3<C> O = fresh(acceleration_gradient(w, wd));
  const Sym3<C> P = fresh(centripetal_gradient(w));
  expect_count(count([&] { return acceleration_gradient(w, wd); }), {6, 9}, {6, 9});
  expect_count(count([&] { return centripetal_gradient(w); }), {6, 3}, {6, 3});
  expect_count(count([&] { return inertial_force(I, A, O); }), {33, 30}, {33, 30});
  expect_count(count([&] { return centrifugal_force(I, P); }), {21, 21}, {21, 21});
  // with the inertia of the body known, its differences are constants
  const Inertia<C> known = cast<C>(random_values.inertia());
  expect_count(count([&] { return centrifugal_force(known, P); }), {21, 18}, {21, 21});
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
