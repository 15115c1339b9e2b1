// SDF: joints, axes, limits and loops, against closed forms and the same robot as URDF.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "io/messages.hpp"
#include "io/sdf_text.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using limber::JointSpec;
using limber::LoopSpec;
using limber::Model;
using limber::Spec;
using limber::Transform;
using limber::Vec3;
using limber::test::expect_words;
using limber::test::joined;
using namespace limber::test::sdf;

const std::string quarter = "1.5707963267948966";
const std::string two_links =
    link_of("a", pose("0 0 1 0 0 " + quarter)) + link_of("b", pose("0 0 2 " + quarter + " 0 0"));

std::string axis(const std::string& xyz, const std::string& more = "",
                 const std::string& attributes = "") {
  return "<axis><xyz " + attributes + ">" + xyz + "</xyz>" + more + "</axis>";
}

const JointSpec& joint_of(const Spec& spec, const std::string& name) {
  for (const JointSpec& one : spec.joints)
    if (one.name == name) return one;
  throw std::runtime_error("no joint " + name);
}

// the axis of joint j in the world
Vec3<double> axis_of(const std::string& version, const std::string& axis_text,
                     const std::string& joint_pose = "") {
  const Spec spec = parse(pose("0 0 0 0 0 " + quarter) + two_links +
                              joint("j", "revolute", "a", "b", joint_pose + axis_text),
                          version);
  return where(spec, "a").R * (joint_of(spec, "j").placement.R * joint_of(spec, "j").axis);
}

TEST(SdfJoint, AxesAreInTheJointFrameUnlessSaid) {
  // the model is turned about z, b within it about x
  const double h = std::sqrt(0.5);
  expect_near(axis_of("1.9", axis("0 1 0")), {0, 0, 1});
  expect_near(axis_of("1.6", axis("0 1 0")), {0, 0, 1});
  expect_near(axis_of("1.5", axis("0 1 0")), {0, 0, 1});
  // in the frame of the model
  expect_near(axis_of("1.4", axis("0 1 0")), {-1, 0, 0});
  const std::string flag = "<use_parent_model_frame>1</use_parent_model_frame>";
  expect_near(axis_of("1.5", axis("0 1 0", flag)), {-1, 0, 0});
  expect_near(axis_of("1.6", axis("0 1 0", flag)), {-1, 0, 0});
  expect_near(axis_of("1.7", axis("0 1 0", "", "expressed_in='__model__'")), {-1, 0, 0});
  // in that of a link, and in a joint frame of its own
  expect_near(axis_of("1.9", axis("0 1 0", "", "expressed_in='a'")), {0, -1, 0});
  expect_near(axis_of("1.9", axis("1 0 0"), pose("0 0 0 0 0 0.7853981633974483")), {0, h, h});
  expect_near(axis_of("1.9", ""), {1, 0, 0});  // z, with a warning
}

TEST(SdfJoint, TheFlagOfOldFilesIsNotReadInNewOnes) {
  const Spec spec =
      parse(two_links + joint("j", "revolute", "a", "b",
                              axis("0 1 0", "<use_parent_model_frame>1</use_parent_model_frame>")));
  expect_words(joined(spec.warnings), {"joint 'j'", "use_parent_model_frame", "expressed_in"});
}

TEST(SdfJoint, LimitsMayBeEndless) {
  const auto dof = [](const std::string& limit, const std::string& type = "revolute") {
    return joint_of(parse(two_links + joint("j", type, "a", "b",
                                            axis("0 1 0", "<limit>" + limit + "</limit>"))),
                    "j")
        .dofs.at(0);
  };
  EXPECT_EQ(dof("<lower>-1</lower><upper>2</upper>").lower, -1);
  EXPECT_EQ(dof("<lower>-1</lower><upper>2</upper>").upper, 2);
  EXPECT_EQ(dof("<lower>-inf</lower><upper>inf</upper>").lower, -HUGE_VAL);
  EXPECT_EQ(dof("<lower>-1e16</lower><upper>1e16</upper>").upper, HUGE_VAL);
  EXPECT_EQ(dof("<lower>-1e+16</lower>").lower, -HUGE_VAL);
  EXPECT_EQ(dof("<lower>-1</lower>").upper, HUGE_VAL);
  EXPECT_EQ(dof("<lower>-1</lower><upper>2</upper>", "continuous").upper, HUGE_VAL);
  EXPECT_EQ(dof("<effort>-1</effort><velocity>-1</velocity>").effort_limit, HUGE_VAL);
  EXPECT_EQ(dof("<effort>-1</effort><velocity>-1</velocity>").velocity_limit, HUGE_VAL);
  EXPECT_EQ(dof("<effort>30</effort><velocity>4</velocity>").effort_limit, 30);
  EXPECT_EQ(dof("<effort>30</effort><velocity>4</velocity>").velocity_limit, 4);
  EXPECT_EQ(dof("<effort>inf</effort>").effort_limit, HUGE_VAL);
}

TEST(SdfJoint, SpringDampingAndFriction) {
  const Spec spec =
      parse(two_links +
            joint("j", "prismatic", "a", "b",
                  axis("0 1 0",
                       "<dynamics><damping>1</damping><friction>2</friction><spring_reference>3"
                       "</spring_reference><spring_stiffness>4</spring_stiffness></dynamics>")));
  const limber::DofSpec& dof = joint_of(spec, "j").dofs.at(0);
  EXPECT_EQ(dof.damping, 1);
  EXPECT_EQ(dof.friction_positive, 2);
  EXPECT_EQ(dof.friction_negative, 2);
  EXPECT_EQ(dof.spring_reference, 3);
  EXPECT_EQ(dof.stiffness, 4);
}

TEST(SdfJoint, AScrewAdvancesByItsThread) {
  const auto advance = [](const std::string& pitch) {
    const Spec spec = parse(link_of("a") + link_of("b") + joint("w", "fixed", "world", "a") +
                            joint("j", "screw", "a", "b", axis("0 0 1") + pitch));
    return where(spec, "b", {2 * std::numbers::pi}).p.z;
  };
  // metres in one turn, right-handed
  EXPECT_NEAR(advance("<screw_thread_pitch>0.02</screw_thread_pitch>"), 0.02, 1e-15);
  EXPECT_NEAR(advance(""), 1, 1e-14);
  // radians in one metre, left-handed
  EXPECT_NEAR(advance("<thread_pitch>100</thread_pitch>"), -2 * std::numbers::pi / 100, 1e-15);
  EXPECT_NEAR(advance("<thread_pitch>5</thread_pitch><screw_thread_pitch>0.5</screw_thread_pitch>"),
              0.5, 1e-14);
}

TEST(SdfJoint, TwoAxesTurnOneAfterTheOther) {
  const auto turn = [](const std::string& type, const std::string& second) {
    const Spec spec = parse(
        link_of("a") + link_of("b", pose("0 0 1 0 0 0")) + joint("w", "fixed", "world", "a") +
        joint("j", type, "a", "b", axis("1 0 0") + "<axis2><xyz>" + second + "</xyz></axis2>"));
    EXPECT_EQ(build(spec).nv, 2);
    return where(spec, "b", {0.3, 0.4});
  };
  const limber::Mat3<double> first = limber::rotation<double>({1, 0, 0}, 0.3);
  for (const char* type : {"universal", "revolute2"})
    expect_near(turn(type, "0 2 0"), {first * limber::rotation<double>({0, 1, 0}, 0.4), {0, 0, 1}});
  expect_near(turn("revolute2", "0.6 0.8 0"),
              {first * limber::rotation<double>({0.6, 0.8, 0}, 0.4), {0, 0, 1}});
}

TEST(SdfJoint, BallFixedAndContinuous) {
  const auto kind = [](const std::string& type) {
    return joint_of(parse(two_links + joint("j", type, "a", "b", axis("0 0 1"))), "j").kind;
  };
  EXPECT_EQ(kind("ball"), JointKind::spherical);
  EXPECT_EQ(kind("fixed"), JointKind::fixed);
  EXPECT_EQ(kind("continuous"), JointKind::revolute);
}

TEST(SdfJoint, MimicCountsFromItsReference) {
  const Spec spec =
      parse(link_of("a") + link_of("b") + link_of("c") + joint("w", "fixed", "world", "a") +
                joint("lead", "revolute", "a", "b", axis("0 0 1")) +
                joint("follow", "revolute", "a", "c",
                      axis("0 0 1",
                           "<mimic joint='lead'><multiplier>3</multiplier><offset>0.5</offset>"
                           "<reference>0.1</reference></mimic>")),
            "1.11");
  // 3 (0.2 − 0.1) + 0.5
  expect_near(where(spec, "c", {0.2}).R, limber::rotation<double>({0, 0, 1}, 0.8));
}

// a robot with every joint that both formats have, once in each
struct Pair {
  std::string sdf, urdf;
};
Pair random_pair(limber::test::Random& random, int joints) {
  Pair text{"<sdf version='1.8'><model name='m'>", "<robot name='m'>"};
  const auto numbers = [&](int count, double size) {
    std::string all;
    for (int k = 0; k < count; ++k) all += fmt::format("{} ", random.uniform(-size, size));
    return all;
  };
  for (int k = 0; k <= joints; ++k) {
    const std::string p = numbers(3, 0.3), turn = numbers(3, 2);
    const double x = random.uniform(0.1, 0.2), y = random.uniform(0.1, 0.2),
                 z = random.uniform(0.15, 0.25), xy = random.uniform(-0.01, 0.01),
                 yz = random.uniform(-0.01, 0.01), mass = random.uniform(1, 3);
    text.sdf += fmt::format(
        "<link name='l{}'>{}<inertial><pose>{}{}</pose><mass>{}</mass><inertia><ixx>{}</ixx>"
        "<iyy>{}</iyy><izz>{}</izz><ixy>{}</ixy><iyz>{}</iyz></inertia></inertial></link>\n",
        k, k == 0 ? "" : fmt::format("<pose relative_to='j{}'/>", k), p, turn, mass, x, y, z, xy,
        yz);
    text.urdf += fmt::format(
        "<link name='l{}'><inertial><origin xyz='{}' rpy='{}'/><mass value='{}'/><inertia "
        "ixx='{}' iyy='{}' izz='{}' ixy='{}' ixz='0' iyz='{}'/></inertial></link>\n",
        k, p, turn, mass, x, y, z, xy, yz);
    if (k == 0) continue;
    const int parent = random.integer(0, k - 1);
    const char* type = random.integer(0, 2) == 0   ? "prismatic"
                       : random.integer(0, 1) == 0 ? "continuous"
                                                   : "revolute";
    const std::string at = numbers(3, 0.5), rpy = numbers(3, 2), direction = numbers(3, 1);
    const double damping = random.uniform(0, 1);
    text.sdf += fmt::format(
        "<joint name='j{0}' type='{1}'><pose relative_to='l{2}'>{3}{4}</pose><parent>l{2}</parent>"
        "<child>l{0}</child><axis><xyz>{5}</xyz><dynamics><damping>{6}</damping></dynamics>"
        "</axis></joint>\n",
        k, type, parent, at, rpy, direction, damping);
    text.urdf += fmt::format(
        "<joint name='j{0}' type='{1}'><origin xyz='{3}' rpy='{4}'/><parent link='l{2}'/><child "
        "link='l{0}'/><axis xyz='{5}'/><dynamics damping='{6}'/></joint>\n",
        k, type, parent, at, rpy, direction, damping);
  }
  text.sdf += "<joint name='w' type='fixed'><parent>world</parent><child>l0</child></joint>";
  text.sdf += "</model></sdf>";
  text.urdf += "</robot>";
  return text;
}

TEST(SdfJoint, TheSameRobotAsUrdf) {
  limber::test::Random random(72);
  for (int round = 0; round < 20; ++round) {
    const Pair text = random_pair(random, 8);
    const Model a = build(limber::parse_sdf(text.sdf)), b = build(limber::parse_urdf(text.urdf));
    ASSERT_EQ(a.nv, 8);
    ASSERT_EQ(b.nv, 8);
    limber::Workspace at(a), bt(b);
    std::vector<double> q(8), v(8);
    for (double& one : q) one = random.uniform(-2, 2);
    for (double& one : v) one = random.uniform(-2, 2);
    // the order of the freedoms may differ
    Eigen::VectorXd found(8), expected(8);
    Eigen::MatrixXd m(8, 8), n(8, 8);
    std::vector<double> qa(8), va(8), qb(8), vb(8);
    std::vector<int> ia(8), ib(8);
    for (std::size_t k = 0; k < 8; ++k) {
      ia[k] = a.v_index[*a.find_body_of_joint("j" + std::to_string(k + 1))];
      ib[k] = b.v_index[*b.find_body_of_joint("j" + std::to_string(k + 1))];
      qa[static_cast<std::size_t>(ia[k])] = qb[static_cast<std::size_t>(ib[k])] = q[k];
      va[static_cast<std::size_t>(ia[k])] = vb[static_cast<std::size_t>(ib[k])] = v[k];
    }
    const auto M = mass_matrix(a, qa, at);
    const auto N = mass_matrix(b, qb, bt);
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < 8; ++j) {
        const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
        m(row, column) = M(ia[i], ia[j]);
        n(row, column) = N(ib[i], ib[j]);
      }
    EXPECT_TRUE(limber::test::near(m, n, 1e-12));
    const auto c = bias_forces(a, qa, va, at), d = bias_forces(b, qb, vb, bt);
    for (std::size_t k = 0; k < 8; ++k) {
      found(static_cast<Eigen::Index>(k)) = c[static_cast<std::size_t>(ia[k])];
      expected(static_cast<Eigen::Index>(k)) = d[static_cast<std::size_t>(ib[k])];
    }
    EXPECT_TRUE(limber::test::near(found, expected, 1e-12));
  }
}

// --- what moves freely, what stands ---

TEST(SdfJoint, WhatNothingCarriesIsFreeUnlessStatic) {
  const Spec free =
      parse(pose("0 0 3 0 0 0") + two_links + joint("j", "revolute", "a", "b", axis("0 0 1")));
  EXPECT_EQ(build(free).nv, 7);
  EXPECT_EQ(joint_of(free, "root").kind, JointKind::free);
  expect_near(where(free, "a").p, {0, 0, 4});
  EXPECT_EQ(joint_of(parse(two_links), "root_b").kind, JointKind::free);
  const Spec still =
      parse("<static>true</static>" + two_links + joint("j", "revolute", "a", "b", axis("0 0 1")));
  EXPECT_EQ(build(still).nv, 0);
  expect_near(where(still, "b").p, {0, 0, 2});
  const Spec held = parse(two_links + joint("w", "fixed", "world", "a") +
                          joint("j", "revolute", "a", "b", axis("0 0 1")));
  EXPECT_EQ(build(held).nv, 1);
}

TEST(SdfJoint, WorldsWithSeveralModels) {
  const std::string one = "<model name='one'>" + link_of("l") + "</model>",
                    two = "<model name='two'>" + pose("1 0 0 0 0 0") + link_of("l") + "</model>";
  const auto world = [](const std::string& content) {
    return limber::parse_sdf("<sdf version='1.10'><world name='w'>" + content + "</world></sdf>");
  };
  const Spec both = world(one + two + joint("j", "revolute", "one::l", "two::l", axis("0 0 1")) +
                          "<frame name='f' attached_to='two'/>");
  EXPECT_EQ(both.name, "w");
  EXPECT_EQ(both.bodies.at(1).name, "two::l");
  EXPECT_EQ(build(both).nv, 7);
  EXPECT_EQ(both.frames.at(0).body, "two::l");
  expect_near(where(both, "f").p, {1, 0, 0});
  EXPECT_NE(both.bodies.at(0).family, both.bodies.at(1).family);
  // by the rules of SDF a world has 9.8 m/s²; a model alone has Limber's
  expect_near(both.gravity, {0, 0, -9.8});
  expect_near(parse(link_of("l")).gravity, {0, 0, -9.81});
  const Spec single = world(
      "<gravity>0 0 -1.6</gravity><physics type='ode'><max_step_size>0.002"
      "</max_step_size></physics>" +
      one);
  EXPECT_EQ(single.bodies.at(0).name, "l");
  EXPECT_EQ(single.name, "one");
  expect_near(single.gravity, {0, 0, -1.6});
  EXPECT_EQ(single.timestep, 0.002);
}

// --- loops ---

// both frames of a loop are at one place while the joints are at zero
void expect_closed(const Spec& spec, const LoopSpec& loop) {
  const auto end = [&](const std::string& body, const Transform<double>& placement) {
    return body.empty() ? placement : where(spec, body) * placement;
  };
  expect_near(end(loop.body_a, loop.placement_a), end(loop.body_b, loop.placement_b));
}

TEST(SdfJoint, AJointToACarriedChildClosesALoop) {
  const auto four_bar = [](const std::string& last) {
    return parse(link_of("a") + link_of("b", pose("0 0 1 0 1 0")) +
                 link_of("c", pose("1 0 0 0.3 0 0")) +
                 joint("w", "revolute", "world", "a", axis("0 1 0")) +
                 joint("ab", "revolute", "a", "b", axis("0 1 0")) +
                 joint("wc", "revolute", "world", "c", axis("0 1 0")) + last);
  };
  const std::string at = pose("0.2 0.1 0 0.4 0 0");
  const Spec turn = four_bar(
      joint("bc", "revolute", "b", "c",
            at + axis("0 2 0", "<dynamics><damping>0.5</damping></dynamics>", "expressed_in='a'")));
  ASSERT_EQ(turn.loops.size(), 1u);
  EXPECT_EQ(turn.loops[0].name, "bc");
  EXPECT_EQ(turn.loops[0].kind, LoopSpec::Kind::joint);
  EXPECT_EQ(turn.loops[0].joint_kind, JointKind::revolute);
  EXPECT_EQ(turn.loops[0].dofs.at(0).damping, 0.5);
  expect_closed(turn, turn.loops[0]);
  const LoopSpec& loop = turn.loops[0];
  expect_near(where(turn, "b").R * (loop.placement_a.R * loop.axis), {0, 2, 0});
  const Model model = build(turn);
  EXPECT_EQ(model.nv, 3);
  ASSERT_EQ(model.loops.count(), 1);
  EXPECT_EQ(model.loops[0].joint_kind, JointKind::revolute);
  EXPECT_NEAR(norm(model.loops[0].axis), 1, 1e-15);

  const Spec ball = four_bar(joint("bc", "ball", "b", "c", at));
  EXPECT_EQ(ball.loops.at(0).kind, LoopSpec::Kind::connect);
  expect_closed(ball, ball.loops[0]);
  EXPECT_EQ(four_bar(joint("bc", "fixed", "b", "c", at)).loops.at(0).kind, LoopSpec::Kind::weld);
  const Spec cross = four_bar(
      joint("bc", "universal", "b", "c", at + axis("1 0 0") + "<axis2><xyz>0 1 0</xyz></axis2>"));
  EXPECT_EQ(cross.loops.at(0).joint_kind, JointKind::universal);
  EXPECT_EQ(cross.loops.at(0).dofs.size(), 2u);
  EXPECT_EQ(build(cross).loops.count(), 1);
}

// of several joints to a link the one with the most constraints carries it, then one that is driven
TEST(SdfJoint, TheJointWithTheFewestConstraintsClosesTheLoop) {
  const auto closing = [](const std::string& first, const std::string& last) {
    const Spec spec = parse(link_of("a") + link_of("b") + link_of("c") +
                            joint("w", "revolute", "world", "a", axis("0 1 0")) +
                            joint("ab", "revolute", "a", "b", axis("0 1 0")) + first + last);
    EXPECT_EQ(spec.loops.size(), 1u);
    EXPECT_EQ(spec.joints.size(), 3u);
    expect_closed(spec, spec.loops.at(0));
    return spec.loops[0].name;
  };
  const auto driven = [](const std::string& effort) {
    return axis("0 1 0", "<limit><effort>" + effort + "</effort></limit>");
  };
  const std::string ball = joint("wc", "ball", "world", "c", ""),
                    pin = joint("wc", "revolute", "world", "c", axis("0 1 0"));
  EXPECT_EQ(closing(ball, joint("bc", "revolute", "b", "c", axis("0 1 0"))), "wc");
  EXPECT_EQ(closing(pin, joint("bc", "ball", "b", "c", "")), "bc");
  EXPECT_EQ(closing(pin, joint("bc", "revolute", "b", "c", axis("0 1 0"))), "bc");
  EXPECT_EQ(closing(pin, joint("bc", "revolute", "b", "c", driven("5"))), "wc");
  EXPECT_EQ(closing(pin, joint("bc", "revolute", "b", "c", driven("0"))), "bc");
  // a joint that would make its own carrier its child stays cut
  const Spec ring = parse(link_of("a") + link_of("b") + joint("wa", "ball", "world", "a", "") +
                          joint("ab", "revolute", "a", "b", axis("0 1 0")) +
                          joint("ba", "revolute", "b", "a", axis("0 1 0")));
  EXPECT_EQ(ring.loops.at(0).name, "ba");
}

TEST(SdfJoint, ARingOfJointsClosesOnce) {
  const Spec spec = parse(link_of("a") + link_of("b") + link_of("c") +
                          joint("ab", "revolute", "a", "b", axis("0 0 1")) +
                          joint("bc", "revolute", "b", "c", axis("0 0 1")) +
                          joint("ca", "revolute", "c", "a", axis("0 0 1")));
  EXPECT_EQ(build(spec).nv, 8);  // a is free
  ASSERT_EQ(spec.loops.size(), 1u);
  EXPECT_EQ(spec.loops[0].name, "ca");
}

TEST(SdfJoint, AGearboxCouplesTwoAngles) {
  const auto coupling = [](const std::string& first, const std::string& second,
                           const std::string& joints) {
    return parse(link_of("base") + link_of("in") + link_of("out") + joints +
                 joint("gear", "gearbox", "in", "out",
                       "<gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>3"
                       "</gearbox_ratio>" +
                           axis(first) + "<axis2><xyz>" + second + "</xyz></axis2>"));
  };
  const std::string turns = joint("i", "revolute", "base", "in", axis("0 0 1")) +
                            joint("o", "continuous", "base", "out", axis("0 0 1"));
  const Spec spec = coupling("0 0 1", "0 0 1", turns);
  ASSERT_EQ(spec.loops.size(), 1u);
  EXPECT_EQ(spec.loops[0].kind, LoopSpec::Kind::coupling);
  EXPECT_EQ(spec.loops[0].joint, "o");
  EXPECT_EQ(spec.loops[0].leader, "i");
  // angle of the child = −ratio · angle of the parent
  EXPECT_EQ(spec.loops[0].polynomial, (std::array<double, 5>{0, -3, 0, 0, 0}));
  EXPECT_EQ(build(spec).loops.count(), 1);
  // each axis may point the other way, and a joint may lead the other way
  EXPECT_EQ(coupling("0 0 -2", "0 0 1", turns).loops[0].polynomial[1], 3);
  EXPECT_EQ(coupling("0 0 -2", "0 0 -1", turns).loops[0].polynomial[1], -3);
  const std::string reversed = joint("i", "revolute", "in", "base", axis("0 0 1")) +
                               joint("o", "revolute", "base", "out", axis("0 0 1"));
  EXPECT_EQ(coupling("0 0 1", "0 0 1", reversed).loops[0].polynomial[1], 3);
}

}  // namespace LIMBER_TEST_FILE
