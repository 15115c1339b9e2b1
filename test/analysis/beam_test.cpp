// Sections and stresses against the formulas and tables of strength of materials.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <limber/error.hpp>
#include <limber/analysis/beam.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

using Kind = SectionSettings::Kind;
using std::numbers::pi;

constexpr double tight = 1e-13;

void expect_close(double found, double expected, double relative = tight) {
  EXPECT_NEAR(found, expected, relative * std::abs(expected));
}

TEST(BeamSection, RoundAndTubeFollowTheirClosedForms) {
  const double R = 0.04, r = 0.035;
  const BeamSection tube = section_of({Kind::tube, 2 * R, 0, 0, R - r});
  const double R4 = R * R * R * R, r4 = r * r * r * r;
  expect_close(tube.area, pi * (R * R - r * r), 1e-12);
  expect_close(tube.I_y, pi * (R4 - r4) / 4, 1e-12);
  expect_close(tube.I_z, tube.I_y);
  expect_close(tube.torsion_constant, pi * (R4 - r4) / 2, 1e-12);
  expect_close(tube.torsion_modulus, pi * (R4 - r4) / (2 * R), 1e-12);
  expect_close(section_of({Kind::round, 2 * R}).I_y, pi * R4 / 4);
}

TEST(BeamSection, SolidRectanglesTwistAsTheTablesSay) {
  struct Row {  // Timoshenko and Goodier, Theory of Elasticity, table of k1 and k2
    double ratio, constant, modulus;
  };
  for (const Row& row : {Row{1, 0.1406, 0.208}, Row{1.2, 0.166, 0.219}, Row{1.5, 0.196, 0.231},
                         Row{2, 0.229, 0.246}, Row{4, 0.281, 0.282}, Row{10, 0.312, 0.312}}) {
    const double b = 0.02, a = row.ratio * b;
    const BeamSection section = section_of({Kind::box, 0, a, b});
    EXPECT_NEAR(section.torsion_constant / (a * b * b * b), row.constant, 6e-4) << row.ratio;
    EXPECT_NEAR(section.torsion_modulus / (a * b * b), row.modulus, 6e-4) << row.ratio;
    // the same lying on its side
    const BeamSection turned = section_of({Kind::box, 0, b, a});
    expect_close(turned.torsion_constant, section.torsion_constant);
    expect_close(turned.I_y, section.I_z);
  }
}

TEST(BeamSection, HollowBoxIsTheLargerLessTheSmaller) {
  const double w = 0.06, h = 0.1, t = 0.004;
  const BeamSection box = section_of({Kind::box, 0, w, h, t});
  const BeamSection outer = section_of({Kind::box, 0, w, h});
  const BeamSection inner = section_of({Kind::box, 0, w - 2 * t, h - 2 * t});
  expect_close(box.area, outer.area - inner.area);
  expect_close(box.I_y, outer.I_y - inner.I_y);
  expect_close(box.I_z, outer.I_z - inner.I_z);
  expect_close(outer.I_y, w * h * h * h / 12);
  // Bredt: J = 4 A² t / perimeter of the middle line, largest stress T / (2 A t)
  const double A = (w - t) * (h - t);
  expect_close(box.torsion_constant, 4 * A * A * t / (2 * (w + h - 2 * t)));
  expect_close(box.torsion_modulus, 2 * A * t);
}

TEST(BeamSection, StressesAddUp) {
  const BeamSection rod = section_of({Kind::round, 0.02});
  const double c = 0.01;
  const Stress stress = stress_in(rod, {-300, 5, 6, 7, 3, 4});
  expect_close(stress.normal, 300 / rod.area + 5 * c / rod.I_y);  // 3 and 4 make 5
  expect_close(stress.torsion, 7 * c / rod.torsion_constant);
  expect_close(stress.von_mises, std::hypot(stress.normal, std::sqrt(3.0) * stress.torsion));
  const BeamSection box = section_of({Kind::box, 0, 0.02, 0.04});
  expect_close(stress_in(box, {0, 0, 0, 0, 3, -4}).normal, 3 * 0.02 / box.I_y + 4 * 0.01 / box.I_z);
}

TEST(BeamSection, ImpossibleSizesAreRefused) {
  EXPECT_THROW(section_of({Kind::round, 0}), Error);
  EXPECT_THROW(section_of({Kind::tube, 0.02, 0, 0, 0.01}), Error);
  EXPECT_THROW(section_of({Kind::tube, 0.02, 0, 0, 0}), Error);
  EXPECT_THROW(section_of({Kind::box, 0, 0.02, -1}), Error);
  EXPECT_THROW(section_of({Kind::box, 0, 0.02, 0.1, 0.01}), Error);
  EXPECT_THROW(section_of({Kind::round, std::nan("")}), Error);
}

TEST(Materials, ByName) {
  ASSERT_TRUE(find_material("steel"));
  EXPECT_EQ(find_material("steel")->density, 7850);
  EXPECT_FALSE(find_material("cheese"));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
