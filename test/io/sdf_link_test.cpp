// SDF: inertia, shapes, sensors and families of links, against closed forms.
#include <numbers>

#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/sdf_text.hpp"

namespace LIMBER_TEST_FILE {

using limber::Spec;
using limber::Vec3;
using limber::test::expect_words;
using limber::test::joined;
using namespace limber::test::sdf;

const std::string quarter = "1.5707963267948966";

TEST(SdfLink, InertiaIsAboutTheCentreOfMassInTheInertialFrame) {
  const Spec spec = parse(
      "<link name='a'><inertial>" + pose("0 0 2 0 0 " + quarter) +
      "<mass>3</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial></link>");
  const limber::Inertia<double>& found = spec.bodies.at(0).inertia;
  const limber::Inertia<double> expected =
      limber::Inertia<double>::from_com(3, {0, 0, 2}, {2, 1, 2.5, 0, 0, 0});
  EXPECT_EQ(found.m, 3);
  expect_near(found.h, expected.h);
  EXPECT_NEAR(found.J.xx, expected.J.xx, 1e-14);
  EXPECT_NEAR(found.J.yy, expected.J.yy, 1e-14);
  EXPECT_NEAR(found.J.zz, expected.J.zz, 1e-14);
}

TEST(SdfLink, ALinkWithoutInertialHasTheMassOfTheSpecification) {
  const Spec spec = parse("<link name='a'/>");
  EXPECT_EQ(spec.bodies.at(0).inertia.m, 1);
  expect_words(joined(spec.warnings), {"link 'a'", "no <inertial>", "1 kg"});
}

TEST(SdfLink, InertiaOfCollisionShapes) {
  const auto shape = [](const std::string& geometry, const std::string& more = "") {
    return "<collision name='c'><geometry>" + geometry + "</geometry>" + more + "</collision>";
  };
  const Spec spec =
      parse("<link name='a'><inertial auto='true'/>" + shape("<box><size>1 2 3</size></box>") +
                shape("<sphere><radius>0.5</radius></sphere>",
                      pose("0 0 4 0 0 0") + "<density>10</density>") +
                "</link>",
            "1.11");
  const double ball = 10 * 4.0 / 3 * std::numbers::pi * 0.125;
  EXPECT_NEAR(spec.bodies.at(0).inertia.m, 6000 + ball, 1e-9);
  EXPECT_NEAR(spec.bodies.at(0).inertia.h.z, 4 * ball, 1e-12);
  const limber::Inertia<double> expected =
      limber::Inertia<double>::from_com(6000, {}, {6500, 5000, 2500, 0, 0, 0}) +
      limber::Inertia<double>::from_com(ball, {0, 0, 4},
                                        {ball / 10, ball / 10, ball / 10, 0, 0, 0});
  EXPECT_NEAR(spec.bodies.at(0).inertia.J.xx, expected.J.xx, 1e-9);
  EXPECT_NEAR(spec.bodies.at(0).inertia.J.zz, expected.J.zz, 1e-9);
}

TEST(SdfLink, AddedMassIsKept) {
  const Spec spec = parse(
      "<link name='a'><inertial><mass>1</mass><inertia/><fluid_added_mass><xx>1</xx><xr>6</xr>"
      "<yy>7</yy><pp>16</pp><rr>21</rr></fluid_added_mass></inertial></link>",
      "1.10");
  const limber::MarineMatrix found = spec.bodies.at(0).hydrodynamics.value().added_mass.value();
  limber::MarineMatrix expected = limber::diagonal_matrix({1, 7, 0, 16, 0, 21});
  expected[0][5] = expected[5][0] = 6;
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(spec.warnings.empty()) << joined(spec.warnings);
}

TEST(SdfLink, LinksOfAModelDoNotCollideUnlessSaid) {
  const auto families = [](const std::string& content) {
    std::vector<int> all;
    for (const limber::BodySpec& body : parse(content).bodies) all.push_back(body.family);
    return all;
  };
  const std::string yes = "<self_collide>true</self_collide>",
                    no = "<self_collide>0</self_collide>";
  EXPECT_EQ(families(link_of("a") + link_of("b")), (std::vector<int>{1, 1}));
  EXPECT_EQ(families(yes + link_of("a") + link_of("b")), (std::vector<int>{0, 0}));
  EXPECT_EQ(families(yes + link_of("a", no) + link_of("b")), (std::vector<int>{1, 0}));
  EXPECT_EQ(families(link_of("a") + "<model name='n'>" + yes + link_of("b") + "</model>"),
            (std::vector<int>{1, 0}));
}

TEST(SdfLink, ShapesSensorsAndSurfaces) {
  const Spec spec = parse(link_of(
      "a",
      "<visual name='v'><geometry><mesh><uri>model://x/y.dae</uri><scale>1 2 3</scale></mesh>"
      "</geometry><material><script><name>Red</name></script><ambient>1 1 1 1</ambient><diffuse>"
      "0.1 0.2 0.3 0.4</diffuse></material></visual>"
      "<collision name='c'><geometry><capsule><radius>2</radius><length>3</length></capsule>"
      "</geometry><surface><friction><ode><mu>0.3</mu></ode><torsional><coefficient>0.4"
      "</coefficient></torsional></friction><contact><collide_bitmask>0x05</collide_bitmask>"
      "</contact></surface></collision>"
      "<collision name='p'><geometry><plane><normal>1 0 0</normal></plane></geometry></collision>"
      "<visual name='e'><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></visual>"
      "<sensor name='s' type='imu'/>"));
  const std::vector<limber::ShapeSpec>& shapes = spec.bodies.at(0).shapes;
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[0].mesh_file, "model://x/y.dae");
  expect_near(shapes[0].size, {1, 2, 3});
  EXPECT_EQ(shapes[0].color, (std::array<double, 4>{0.1, 0.2, 0.3, 0.4}));
  EXPECT_EQ(shapes[0].material, "Red");
  EXPECT_EQ(shapes[1].kind, limber::ShapeSpec::Kind::ellipsoid);
  EXPECT_EQ(shapes[2].kind, limber::ShapeSpec::Kind::capsule);
  expect_near(shapes[2].size, {2, 3, 0});
  EXPECT_EQ(shapes[2].friction.x, 0.3);
  EXPECT_EQ(shapes[2].friction.y, 0.4);
  EXPECT_EQ(shapes[2].collides_as, 5);
  EXPECT_EQ(shapes[2].collides_with, 5);
  expect_near(shapes[3].placement.R * Vec3<double>{0, 0, 1}, {1, 0, 0});
  ASSERT_EQ(spec.sensors.size(), 1u);
  EXPECT_EQ(spec.sensors[0].kind, "imu");
  EXPECT_EQ(spec.sensors[0].object, "a");
}

}  // namespace LIMBER_TEST_FILE
