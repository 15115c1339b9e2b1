// Rigid-body inertia against point masses and against the book's forms, [RDA] §3.2-3.5, §3.9.
#include <Eigen/Eigenvalues>
#include <limber/spatial/inertia.hpp>

#include <array>
#include <limits>

#include "spatial/dense.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct PointMass {
  double m;
  Eigen::Vector3d r;
};
using Cloud = std::array<PointMass, 10>;

Cloud random_cloud(Random& random) {
  Cloud cloud;
  for (PointMass& p : cloud) p = {random.uniform(0.1, 1), dense(random.vec3())};
  return cloud;
}
// mass, centre and rotational inertia about the centre, from their definitions
Inertia<double> inertia_of(const Cloud& cloud) {
  double m = 0;
  Eigen::Vector3d mc = Eigen::Vector3d::Zero();
  for (const PointMass& p : cloud) m += p.m, mc += p.m * p.r;
  const Eigen::Vector3d c = mc / m;
  Matrix3 I = Matrix3::Zero();
  for (const PointMass& p : cloud) I -= p.m * skew3(p.r - c) * skew3(p.r - c);
  return Inertia<double>::from_com(m, {c.x(), c.y(), c.z()},
                                   {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
}

TEST(Inertia, MomentumAndEnergyOfPointMasses) {
  // (3.1), (3.3), KE = ½ v · I v
  Random random(60);
  for (int i = 0; i < draws; ++i) {
    const Cloud cloud = random_cloud(random);
    const Motion<double> v = random.motion();
    Vector6 momentum = Vector6::Zero();
    double energy = 0;
    for (const PointMass& p : cloud) {
      const Eigen::Vector3d speed = dense(v.linear) + dense(v.angular).cross(p.r);
      momentum.head<3>() += p.m * p.r.cross(speed);
      momentum.tail<3>() += p.m * speed;
      energy += 0.5 * p.m * speed.squaredNorm();
    }
    const Inertia<double> I = inertia_of(cloud);
    expect_near(dense(I * v), momentum);
    EXPECT_NEAR(0.5 * twice_kinetic_energy(I, v), energy, 1e-12);
    EXPECT_NEAR(0.5 * dense(v).dot(dense(I * v)), energy, 1e-12);
  }
}

TEST(Inertia, RecoversMassCentreAndRotationalInertia) {
  Random random(61);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> drawn = random.inertia();
    const double m = drawn.m;
    const Vec3<double> c = drawn.com();
    const Sym3<double> about_com = drawn.rotational_about_com();
    const Inertia<double> I = Inertia<double>::from_com(m, c, about_com);
    EXPECT_EQ(I.m, m);
    expect_near(I.com(), c);
    expect_near(I.rotational_about_com(), about_com);
    expect_near(I, drawn);
    // parallel axes, the lower left block of (3.3): I = I* + c× m c×ᵀ
    const Matrix3 C = skew3(dense(c));
    expect_near(dense(I.rotational()), dense(about_com) + m * C * C.transpose());
  }
}

TEST(Inertia, BookForm) {
  // (3.3), (3.4): rows force first; at the centre of mass the form is [0 M; I* 0]
  Random random(62);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    const Matrix3 C = skew3(dense(I.com())), one = Matrix3::Identity();
    const Matrix6 book = blocks(I.m * C.transpose(), I.m * one,
                                dense(I.rotational_about_com()) + I.m * C * C.transpose(), I.m * C);
    const Motion<double> v = random.motion();
    const Vector6 momentum = book * dense(v);
    Vector6 ours;
    ours << dense((I * v).linear), dense((I * v).angular);
    expect_near(ours, momentum);
    const Inertia<double> central = shifted(I, -I.com());
    expect_near(central.h, Vec3<double>{});
    expect_near(central.rotational(), I.rotational_about_com());
  }
}

TEST(Inertia, SymmetricAndPositiveDefinite) {
  Random random(63);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    const Matrix6 D = dense(I);
    expect_near(D, D.transpose(), 0);
    EXPECT_GT(symmetric_eigenvalues(D)(0), 0);
    const Motion<double> x = random.motion(), y = random.motion();
    EXPECT_GT(dot(x, I * x), 0);
    EXPECT_NEAR(dot(x, I * y), dot(y, I * x), 1e-13);
    expect_near(dense(I * x), D * dense(x));
    expect_near(ArticulatedInertia<double>(I), I);
  }
}

TEST(Inertia, CompositeOfTwoBodiesIsSum) {
  Random random(64);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> a = random.inertia(), b = random.inertia();
    expect_near(dense(a + b), dense(a) + dense(b));
    expect_near(a + b - b, a);
    Inertia<double> c = a;
    c += b;
    expect_near(c, a + b);
    // both bodies as one: centre and central inertia by the parallel-axes theorem
    const double m = a.m + b.m;
    const Eigen::Vector3d centre = (a.m * dense(a.com()) + b.m * dense(b.com())) / m;
    expect_near(dense(c.com()), centre);
    Matrix3 about = Matrix3::Zero();
    for (const Inertia<double>& part : {a, b}) {
      const Matrix3 d = skew3(dense(part.com()) - centre);
      about += dense(part.rotational_about_com()) - part.m * d * d;
    }
    expect_near(dense(c.rotational_about_com()), about);
  }
}

TEST(Inertia, SolveInvertsProduct) {
  Random random(65);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    const Force<double> f = random.force();
    expect_near(dense(solve(I, f)), dense_inverse(dense(I)) * dense(f), 1e-10);
    expect_near(I * solve(I, f), f, 1e-11);
  }
}

TEST(Inertia, MasslessBody) {
  const Inertia<double> nothing;
  expect_near(nothing * Motion<double>{{1, 2, 3}, {4, 5, 6}}, Force<double>{});
  expect_near(nothing.central_second_moment(), Sym3<double>{});
  EXPECT_EQ(cast<float>(nothing).m, 0.0f);
}

TEST(Inertia, CircularMotionNeedsForceOnlyOffThePrincipalAxes) {
  // [RDA] ch. 3 ex. 1: constant speed, a = 0, force v ×* I v
  Random random(66);
  for (int i = 0; i < draws; ++i) {
    const Mat3<double> R = random.rotation();
    const Sym3<double> principal = Sym3<double>::diagonal(0.3, 0.4, 0.5);
    const Vec3<double> c = random.vec3();
    const Inertia<double> I = Inertia<double>::from_com(2, c, congruence(R, principal));
    const auto needed = [&](const Motion<double>& v) { return cross(v, I * v); };
    // a turn about a general axis needs force
    EXPECT_GT(dense(needed({random.direction(), random.vec3()})).norm(), 1e-6);
    // none: at rest, in translation, on a screw along a principal axis through the centre
    expect_near(needed(Motion<double>{}), Force<double>{}, 0);
    expect_near(needed({{}, random.vec3()}), Force<double>{}, 1e-15);
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> w = R.column(k) * random.uniform(-3, 3);
      const double pitch = random.uniform();
      expect_near(needed({w, cross(c, w) + w * pitch}), Force<double>{});
      // the same axis beside the centre: the centripetal force of the whole mass
      const Vec3<double> off = random.vec3();
      const Eigen::Vector3d W = dense(w), arm = -dense(off);
      expect_near(dense(needed({w, cross(c + off, w)}).linear), 2 * W.cross(W.cross(arm)));
    }
  }
}

TEST(PhysicalDefect, BodiesOfPointMassesAreSound) {
  Random random(67);
  for (int i = 0; i < draws; ++i) {
    const Inertia<double> I = random.inertia();
    EXPECT_EQ(physical_defect(I), InertiaDefect::none);
    EXPECT_EQ(physical_defect(shifted(I, random.vec3(100))), InertiaDefect::none);
  }
}

TEST(PhysicalDefect, BoundaryCasesAreSound) {
  using I = Inertia<double>;
  EXPECT_EQ(physical_defect(I{}), InertiaDefect::none);
  // point mass, rod and disc far from the origin, and tiny ones: moments are zero up to rounding
  Random random(68);
  for (const double size : {1e-6, 1.0, 1e3})
    for (int i = 0; i < 50; ++i) {
      const Vec3<double> c = random.vec3(10);
      const Mat3<double> R = random.rotation();
      const double k = size * size;
      for (const Sym3<double>& about :
           {Sym3<double>{}, Sym3<double>::diagonal(0, k, k), Sym3<double>::diagonal(k, k, 2 * k)})
        EXPECT_EQ(physical_defect(I::from_com(3, c, congruence(R, about))), InertiaDefect::none);
    }
}

TEST(PhysicalDefect, FindsEachDefect) {
  using I = Inertia<double>;
  const auto about = [](double x, double y, double z) { return Sym3<double>::diagonal(x, y, z); };
  Random random(69);
  for (int i = 0; i < 50; ++i) {
    const Mat3<double> R = random.rotation();
    const Vec3<double> c = random.vec3();
    const auto defect = [&](double m, const Sym3<double>& principal) {
      return physical_defect(I::from_com(m, c, congruence(R, principal)));
    };
    EXPECT_EQ(defect(2, about(1, 1.5, 2)), InertiaDefect::none);
    EXPECT_EQ(defect(-2, about(1, 1.5, 2)), InertiaDefect::negative_mass);
    EXPECT_EQ(defect(2, about(-0.1, 1, 1)), InertiaDefect::not_positive);
    EXPECT_EQ(defect(2, about(-1, -1, -1)), InertiaDefect::not_positive);
    EXPECT_EQ(defect(2, about(1, 1, 2.1)), InertiaDefect::triangle_inequality);
    EXPECT_EQ(defect(2, about(0.1, 0.1, 3)), InertiaDefect::triangle_inequality);
    EXPECT_EQ(defect(0, about(1, 1, 1)), InertiaDefect::none);
  }
  // the tolerance is relative
  EXPECT_EQ(physical_defect(I::from_com(1, {}, about(1, 1, 2.01)), 0.1), InertiaDefect::none);
  EXPECT_EQ(physical_defect(I::from_com(1, {}, about(1e-9, 1e-9, 2.01e-9))),
            InertiaDefect::triangle_inequality);
  // a first moment without mass
  EXPECT_EQ(physical_defect(I{0, {1, 0, 0}, {}}), InertiaDefect::not_positive);
}

TEST(PhysicalDefect, NotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    Inertia<double> I = Inertia<double>::from_com(1, {}, Sym3<double>::identity());
    I.m = bad;
    EXPECT_EQ(physical_defect(I), InertiaDefect::not_finite);
    I.m = 1;
    I.h.y = bad;
    EXPECT_EQ(physical_defect(I), InertiaDefect::not_finite);
    I.h.y = 0;
    I.J.xz = bad;
    EXPECT_EQ(physical_defect(I), InertiaDefect::not_finite);
  }
  // finite numbers whose moments about the centre are not
  EXPECT_EQ(physical_defect(Inertia<double>{1e-300, {1e200, 0, 0}, {}}), InertiaDefect::not_finite);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
