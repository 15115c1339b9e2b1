// MJCF: poses, defaults and masses against closed forms and numbers worked out by hand.
#include <numbers>

#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/mjcf_text.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointSpec;
using limber::ShapeSpec;
using limber::Spec;
using limber::Vec3;
using limber::test::error_of;
using limber::test::expect_words;
using namespace limber::test::mjcf;

// --- poses ---

TEST(Mjcf, FiveSpellingsOfAnOrientation) {
  const auto turn_of = [](const std::string& attribute, const std::string& before = "") {
    return parse(body("name='b' " + attribute, ""), before).joints.at(0).placement.R;
  };
  expect_turn(turn_of("quat='2 0 0 2'"), {1, 0, 0, 1});
  expect_turn(turn_of("axisangle='0 1 0 -70'"),
              {std::cos(35 * degree), 0, -std::sin(35 * degree), 0});
  expect_turn(turn_of("axisangle='0 3 0 -1.2'", "<compiler angle='radian'/>"),
              {std::cos(0.6), 0, -std::sin(0.6), 0});
  expect_turn(turn_of("xyaxes='0 1 0 -1 0 0'"), {1, 0, 0, 1});
  expect_turn(turn_of("xyaxes='0 2 0 -1 0.5 0'"), {1, 0, 0, 1});  // y is made perpendicular
  expect_turn(turn_of("zaxis='1 0 1'"), {std::cos(22.5 * degree), 0, std::sin(22.5 * degree), 0});
  expect_turn(turn_of("zaxis='0 0 -1'"), {0, 1, 0, 0});
  expect_turn(turn_of("zaxis='0 0 2'"), {1, 0, 0, 0});
  // MuJoCo's own answers
  expect_turn(turn_of("euler='30 -40 55'"), {0.845990713, 0.063184129, -0.405340341, 0.340597544});
  expect_turn(turn_of("euler='30 -40 55'", "<compiler eulerseq='XYZ'/>"),
              {0.764241513, 0.368276296, -0.180736260, 0.497636296});
}

TEST(Mjcf, EulerSequencesTurnAboutMovedOrFixedAxes) {
  const auto turn = [](int axis, double angle) {
    Vec3<double> a;
    a[axis] = 1;
    return limber::rotation(a, angle * degree);
  };
  const auto expect = [&](const char* sequence, const limber::Mat3<double>& expected) {
    const Spec spec =
        parse(body("euler='20 30 40'", ""), std::string("<compiler eulerseq='") + sequence + "'/>");
    const limber::Mat3<double>& found = spec.joints.at(0).placement.R;
    for (int i = 0; i < 3; ++i) expect_near(found.row(i), expected.row(i));
  };
  expect("xyz", turn(0, 20) * turn(1, 30) * turn(2, 40));
  expect("zyx", turn(2, 20) * turn(1, 30) * turn(0, 40));
  expect("XYZ", turn(2, 40) * turn(1, 30) * turn(0, 20));
  expect("xzY", turn(1, 40) * turn(0, 20) * turn(2, 30));
}

TEST(Mjcf, CompilersAreMergedBeforeAnythingIsRead) {
  const Spec spec = parse(body("", "<joint class='c'/>"),
                          "<default><default class='c'><joint range='-1 1'/></default></default>"
                          "<compiler angle='radian' settotalmass='3'/>",
                          "<compiler settotalmass='5'/>");
  EXPECT_DOUBLE_EQ(spec.joints.at(0).dofs.at(0).upper, 1);
  EXPECT_DOUBLE_EQ(spec.bodies.at(0).inertia.m, 5);
  const Spec degrees = parse(body("", "<joint range='-30 90'/>"));
  EXPECT_DOUBLE_EQ(degrees.joints[0].dofs.at(0).lower, -30 * degree);
  EXPECT_DOUBLE_EQ(degrees.joints[0].dofs.at(0).upper, 90 * degree);
}

TEST(Mjcf, FramesMoveAndHandDownTheirClass) {
  const Spec spec = parse(
      "<frame pos='1 0 0' euler='0 0 90' childclass='heavy'>"
      "<body name='b' pos='2 0 0'><frame pos='0 0 3'><geom size='0.1'/>"
      "<joint pos='0 1 0' axis='1 0 0'/></frame><geom size='0.1' class='light'/></body></frame>",
      "<default><default class='heavy'><geom mass='7'/></default>"
      "<default class='light'><geom mass='1'/></default></default>");
  const JointSpec& joint = spec.joints.at(0);
  // the joint frame in the world: the body at (1, 2, 0) turned by 90°, the anchor at (0, 1, 3) in
  // it
  expect_near(joint.placement.p, {0, 2, 3}, 1e-15);
  expect_near(joint.child_placement.p, {0, -1, -3});
  expect_near(joint.axis, {1, 0, 0});
  EXPECT_DOUBLE_EQ(spec.bodies.at(0).inertia.m, 8);
  expect_near(spec.bodies[0].inertia.com(), {0, 0, 3 * 7.0 / 8});
}

TEST(Mjcf, ReplicatedBodiesAreNumberedAndMoved) {
  const Spec spec = parse("<replicate count='11' offset='1 0 0' euler='0 0 90' sep='_'>" +
                          body("name='b' pos='0 0.5 0'", "<joint name='j'/>") + "</replicate>");
  ASSERT_EQ(spec.bodies.size(), 11u);
  EXPECT_EQ(spec.bodies[0].name, "b_00");
  EXPECT_EQ(spec.joints[10].name, "j_10");
  expect_near(spec.joints[0].placement.p, {0, 0.5, 0});
  expect_near(spec.joints[1].placement.p, {0.5, 0, 0});
  expect_near(spec.joints[2].placement.p, {1, 0.5, 0});
  const Spec nested =
      parse("<replicate count='2' offset='1 0 0'><replicate count='2' offset='0 1 0'>" +
            body("name='b'", "") + "</replicate></replicate>");
  EXPECT_EQ(nested.bodies[1].name, "b10");  // the inner number comes first
  expect_near(nested.joints[1].placement.p, {0, 1, 0});
  expect_near(nested.joints[2].placement.p, {1, 0, 0});
}

// --- defaults ---

TEST(Mjcf, ClassesInheritAndListsMayBePartial) {
  const Spec spec =
      parse("<geom size='1'/><geom class='x' size='1'/><geom class='y' size='1' friction='3'/>",
            "<default><geom friction='9'/><default class='x'><geom friction='1 0.2'/>"
            "<default class='y'><geom rgba='1 0 0 1'/></default></default></default>",
            "<worldbody><body name='b'/></worldbody>");
  ASSERT_EQ(spec.world_shapes.size(), 3u);
  expect_near(spec.world_shapes[0].friction, {9, 0.005, 0.0001});
  expect_near(spec.world_shapes[1].friction, {1, 0.2, 0.0001});
  expect_near(spec.world_shapes[2].friction, {3, 0.2, 0.0001});
  EXPECT_EQ(spec.world_shapes[2].color, (std::array<double, 4>{1, 0, 0, 1}));
}

TEST(Mjcf, TheNearestChildclassCounts) {
  const Spec spec = parse(
      "<body childclass='x'><geom/><body childclass='y'><geom/><geom "
      "class='x'/><body><geom/></body>"
      "</body></body>",
      "<default><geom size='0.1' mass='1'/><default class='x'><geom mass='10'/></default>"
      "<default class='y'><geom mass='100'/></default></default>");
  EXPECT_DOUBLE_EQ(spec.bodies.at(0).inertia.m, 10);
  EXPECT_DOUBLE_EQ(spec.bodies.at(1).inertia.m, 110);
  EXPECT_DOUBLE_EQ(spec.bodies.at(2).inertia.m, 100);
}

// --- masses ---

TEST(Mjcf, MassesOfPrimitives) {
  constexpr double pi = std::numbers::pi;
  const auto inertia_of = [](const std::string& geom) {
    return parse("<body><geom " + geom + "/></body>").bodies.at(0).inertia;
  };
  const auto moments = [](const limber::Inertia<double>& I) {
    const limber::Sym3<double> R = I.rotational_about_com();
    return Vec3<double>{R.xx, R.yy, R.zz};
  };
  const auto box = inertia_of("type='box' size='0.1 0.2 0.3' mass='2'");
  expect_near(moments(box), {2 * 0.13 / 3, 2 * 0.1 / 3, 2 * 0.05 / 3});
  const auto ball = inertia_of("size='0.1' density='500'");
  EXPECT_NEAR(ball.m, 500 * 4.0 / 3 * pi * 1e-3, 1e-12);
  expect_near(moments(ball), Vec3<double>{1, 1, 1} * (0.4 * ball.m * 0.01));
  const auto cylinder = inertia_of("type='cylinder' size='0.1 0.2'");
  EXPECT_NEAR(cylinder.m, 1000 * pi * 0.01 * 0.4, 1e-12);
  expect_near(moments(cylinder),
              Vec3<double>{0.0025 + 0.04 / 3, 0.0025 + 0.04 / 3, 0.005} * cylinder.m, 1e-12);
  const auto ellipsoid = inertia_of("type='ellipsoid' size='0.1 0.2 0.3' mass='5'");
  expect_near(moments(ellipsoid), {0.13, 0.1, 0.05});
  // a cylinder and two half balls by the theorem of parallel axes
  const auto capsule = inertia_of("type='capsule' size='0.1 0.2'");
  const double mc = 1000 * pi * 0.01 * 0.4, mb = 1000 * 4.0 / 3 * pi * 1e-3;
  EXPECT_NEAR(capsule.m, mc + mb, 1e-12);
  const double half_ball = 83.0 / 320 * mb * 0.01;  // both halves, about their centres, across
  const double across = mc * (0.0025 + 0.04 / 3) + half_ball + mb * std::pow(0.2 + 0.0375, 2);
  expect_near(moments(capsule), {across, across, mc * 0.005 + mb * 0.004}, 1e-12);
  // from end to end
  const auto rod = inertia_of("type='cylinder' size='0.1' fromto='1 0 0 1 0.4 0' mass='3'");
  expect_near(rod.com(), {1, 0.2, 0});
  expect_near(moments(rod), {3 * (0.0025 + 0.04 / 3), 3 * 0.005, 3 * (0.0025 + 0.04 / 3)}, 1e-14);
}

TEST(Mjcf, WhichInertiaCounts) {
  const std::string both =
      "<body><joint/><inertial pos='0 0 0.1' mass='1' diaginertia='1 1 1'/>"
      "<geom size='0.1' mass='3' group='4'/></body>";
  const auto mass = [&](const std::string& compiler) {
    return parse(both, "<compiler " + compiler + "/>").bodies.at(0).inertia.m;
  };
  EXPECT_EQ(mass(""), 1);
  EXPECT_EQ(mass("inertiafromgeom='true'"), 3);
  EXPECT_EQ(mass("inertiafromgeom='true' inertiagrouprange='0 3'"), 1);
  EXPECT_EQ(mass("boundmass='2'"), 2);
  EXPECT_EQ(mass("settotalmass='9'"), 9);
  const auto bare =
      parse("<body><geom size='0.1' mass='3'/></body>", "<compiler inertiafromgeom='false'/>");
  EXPECT_EQ(bare.bodies.at(0).inertia.m, 0);
}

TEST(Mjcf, BoundsActOnPrincipalMoments) {
  const auto moments = [](const std::string& compiler, const std::string& diagonal) {
    const Spec spec = parse(
        "<body><joint/><inertial pos='0 0 0' euler='20 30 40' mass='1' "
        "diaginertia='" +
            diagonal + "'/></body>",
        "<compiler " + compiler + "/>");
    return limber::eigenvalues(spec.bodies.at(0).inertia.rotational_about_com());
  };
  expect_near(moments("boundinertia='0.0025'", "0.001 0.002 0.003"), {0.0025, 0.0025, 0.003});
  expect_near(moments("balanceinertia='true'", "1 1 3"), Vec3<double>{5, 5, 5} / 3.0);
  // the bound comes first, and leaves nothing to balance
  expect_near(moments("balanceinertia='true' boundinertia='2'", "0.1 0.1 3"), {2, 2, 3});
}

TEST(Mjcf, MeshesAreNamedAndReadOnlyForMasses) {
  const std::string asset = "<asset><mesh file='parts/foot.stl' scale='1 2 3'/></asset>";
  const Spec spec = parse(
      "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom type='mesh' "
      "mesh='foot'/></body>",
      "<compiler meshdir='assets'/>" + asset);
  const ShapeSpec& shape = spec.bodies.at(0).shapes.at(0);
  EXPECT_EQ(shape.kind, ShapeSpec::Kind::mesh);
  EXPECT_EQ(shape.mesh_file, "assets/parts/foot.stl");
  expect_near(shape.size, {1, 2, 3});
  EXPECT_NO_THROW(parse("<body><geom type='mesh' mesh='foot' mass='0'/></body>", asset));
  expect_words(
      error_of([&] { parse("<body name='foot'><geom type='mesh' mesh='foot'/></body>", asset); }),
      {"body 'foot'", "mesh 'foot'", "parts/foot.stl", "no folder", "<inertial>"});
}

}  // namespace LIMBER_TEST_FILE
