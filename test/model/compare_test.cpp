// Comparison of two robots: every change of one of them is noticed, and other ways of writing the
// same are not.
#include <functional>

#include <gtest/gtest.h>

#include <limber/model/compare.hpp>
#include <limber/model/generate.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

Spec robot() {
  Spec spec;
  spec.name = "robot";
  spec.add_body("base", 3, {0.1, 0, 0}, {1, 2, 2.5, 0.1, 0, 0});
  spec.add_body("arm", 2, {}, {1, 1, 1, 0, 0, 0}).shapes.resize(1);
  HydrodynamicsSpec& water = spec.bodies.back().hydrodynamics.emplace();
  water.added_mass = water.linear_damping = water.quadratic_damping = MarineMatrix{};
  water.volume = water.drag_coefficient = 0.5;
  water.center_of_buoyancy.emplace();
  water.cylinders.resize(1);
  spec.add_body("hand", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_body("finger", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("shoulder", JointKind::revolute, "base", "arm", {0, 1, 0}).dof().damping = 1;
  spec.add_joint("wrist", JointKind::universal, "arm", "hand", {1, 0, 0}).dofs.resize(2);
  spec.add_joint("grip", JointKind::prismatic, "hand", "finger").mimic = {"shoulder", 2, 0};
  spec.frames = {{"tip", "finger", {}, {}}};
  spec.loops.resize(1);
  spec.loops[0].name = "pin";
  spec.loops[0].body_a = "hand";
  spec.actuators.resize(1);
  spec.actuators[0].name = "motor";
  spec.actuators[0].joint = "shoulder";
  spec.sensors = {{"gyro", "gyro", "frame", "tip", 0, 0, {}}};
  spec.keyframes.resize(1);
  spec.keyframes[0].name = "home";
  spec.keyframes[0].position = {{"shoulder", {1}}};
  spec.exclusions = {{"arm", "finger"}};
  spec.contact_pairs = {{{"arm", ""}, {"tip", "floor"}, Vec3<double>{0.5, 0, 0}}};
  return spec;
}

HydrodynamicsSpec& water(Spec& spec) { return spec.bodies[1].hydrodynamics.value(); }

struct Change {
  const char* element;  // what the difference is about
  std::function<void(Spec&)> apply;
};

TEST(Compare, StructureIsNoticed) {
  const std::vector<Change> changes = {
      {"robot", [](Spec& s) { s.name = "other"; }},
      {"body 'extra'", [](Spec& s) { s.add_body("extra", 1); }},
      {"body 'arm'", [](Spec& s) { s.bodies[1].family = 1; }},
      {"body 'arm'", [](Spec& s) { s.bodies[1].shapes.clear(); }},
      {"body 'arm'", [](Spec& s) { water(s).added_mass.reset(); }},
      {"body 'arm'", [](Spec& s) { water(s).linear_damping.reset(); }},
      {"body 'arm'", [](Spec& s) { water(s).quadratic_damping.reset(); }},
      {"body 'arm'", [](Spec& s) { water(s).volume.reset(); }},
      {"body 'arm'", [](Spec& s) { water(s).center_of_buoyancy.reset(); }},
      {"body 'arm'", [](Spec& s) { water(s).drag_coefficient.reset(); }},
      {"body 'arm'", [](Spec& s) { water(s).cylinders.clear(); }},
      {"body 'arm'", [](Spec& s) { s.bodies[1].shapes[0].kind = ShapeSpec::Kind::sphere; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].kind = JointKind::prismatic; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].parent = ""; }},
      {"joint 'grip'", [](Spec& s) { s.joints[2].mimic.reset(); }},
      {"joint 'grip'", [](Spec& s) { s.joints[2].name = "pinch"; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().rotor_mount = "base"; }},
      {"frame 'tip'", [](Spec& s) { s.frames.clear(); }},
      {"frame 'tip'", [](Spec& s) { s.frames[0].body = "hand"; }},
      {"loop 'pin'", [](Spec& s) { s.loops.clear(); }},
      {"loop 'pin'", [](Spec& s) { s.loops[0].kind = LoopSpec::Kind::weld; }},
      {"loop 'pin'", [](Spec& s) { s.loops[0].is_active = false; }},
      {"loop 'pin'", [](Spec& s) { s.loops.push_back(s.loops[0]); }},
      {"actuator 'motor'", [](Spec& s) { s.actuators[0].joint = "grip"; }},
      {"sensor 'gyro'", [](Spec& s) { s.sensors[0].kind = "force"; }},
      {"state 'home'", [](Spec& s) { s.keyframes[0].position.clear(); }},
      {"exclusions", [](Spec& s) { s.exclusions.clear(); }},
      {"contact pairs", [](Spec& s) { s.contact_pairs[0].friction->x = 0.6; }}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    Spec other = robot();
    changes[i].apply(other);
    for (const RobotDifferences& found : {compare(robot(), other), compare(other, robot())}) {
      ASSERT_FALSE(found.structure.empty());
      if (changes[i].element != std::string("joint 'grip'")) {
        EXPECT_EQ(found.structure[0].element, changes[i].element);
      }
    }
  }
}

TEST(Compare, NumbersAreNoticed) {
  const std::vector<Change> changes = {
      {"robot", [](Spec& s) { s.gravity.x = 1e-3; }},
      {"robot", [](Spec& s) { s.timestep = 1e-3; }},
      {"body 'arm'", [](Spec& s) { s.bodies[1].inertia.m = 2.001; }},
      {"body 'base'", [](Spec& s) { s.bodies[0].inertia.h.y = 1e-3; }},
      {"body 'arm'", [](Spec& s) { s.bodies[1].inertia.J.xy = 1e-3; }},
      {"body 'arm'", [](Spec& s) { (*water(s).added_mass)[1][1] = 1; }},
      {"body 'arm'", [](Spec& s) { (*water(s).added_mass)[3][2] = 1; }},
      {"body 'arm'", [](Spec& s) { (*water(s).linear_damping)[5][5] = 1; }},
      {"body 'arm'", [](Spec& s) { (*water(s).quadratic_damping)[0][0] = 1; }},
      {"body 'arm'", [](Spec& s) { water(s).volume = 1; }},
      {"body 'arm'", [](Spec& s) { water(s).center_of_buoyancy->z = 1e-3; }},
      {"body 'arm'", [](Spec& s) { water(s).drag_coefficient = 1; }},
      {"body 'arm'", [](Spec& s) { water(s).cylinders[0].radius = 2; }},
      {"body 'arm'", [](Spec& s) { water(s).cylinders[0].start.x = 2; }},
      {"body 'arm'", [](Spec& s) { water(s).cylinders[0].end.x = 2; }},
      {"body 'arm'", [](Spec& s) { water(s).cylinders[0].skin_coefficient = 2; }},
      {"body 'arm'", [](Spec& s) { s.bodies[1].shapes[0].size.x = 2; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].placement.p.x = 1e-3; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].child_placement.p.x = 1e-3; }},
      {"joint 'shoulder'",
       [](Spec& s) {
         s.joints[0].axis = {0, 1, 1e-3};
       }},
      {"joint 'wrist'",
       [](Spec& s) {
         s.joints[1].axis2 = {0, 0, 1};
       }},
      {"joint 'grip'", [](Spec& s) { s.joints[2].mimic->multiplier = 3; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().damping = 2; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().upper = 2; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().effort_limit = 2; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().friction_negative = 2; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().stiffness = 2; }},
      {"joint 'shoulder'", [](Spec& s) { s.joints[0].dof().rotor_inertia = 2; }},
      {"joint 'wrist'", [](Spec& s) { s.joints[1].dofs[1].damping = 2; }},
      {"frame 'tip'", [](Spec& s) { s.frames[0].placement.p.z = 1; }},
      {"loop 'pin'", [](Spec& s) { s.loops[0].placement_b.p.z = 1; }},
      {"actuator 'motor'", [](Spec& s) { s.actuators[0].gain[0] = 2; }},
      {"sensor 'gyro'", [](Spec& s) { s.sensors[0].noise = 2; }},
      {"state 'home'", [](Spec& s) { s.keyframes[0].position[0].values[0] = 2; }}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    Spec other = robot();
    changes[i].apply(other);
    const RobotDifferences found = compare(robot(), other);
    EXPECT_TRUE(found.structure.empty());
    ASSERT_FALSE(found.numbers.empty());
    EXPECT_EQ(found.numbers[0].element, changes[i].element);
    EXPECT_GE(found.numbers[0].difference, 3e-4);
  }
}

TEST(Compare, OtherWaysOfWritingTheSameAreEqual) {
  const Spec spec = robot();
  EXPECT_TRUE(compare(spec, spec, 1e-300).equal());
  Spec other = spec;
  // along its axis a joint may be anywhere, its axis has any length, a root may be welded
  other.joints[0].axis = {0, 7, 0};
  other.joints[0].placement.p = {0, 0.3, 0};
  other.joints[0].child_placement.p = {0, -0.3, 0};
  other.joints[2].child_placement.p = {1, 2, 3};
  other.joints[2].placement.p = {-1, -2, -3};
  other.add_joint("weld", JointKind::fixed, "", "base");
  std::swap(other.bodies[0], other.bodies[3]);
  EXPECT_TRUE(compare(spec, other, 1e-14).equal());
  other.bodies[1].inertia.m *= 1 + 1e-10;
  EXPECT_TRUE(compare(spec, other).equal());
  EXPECT_FALSE(compare(spec, other, 1e-12).equal());
}

TEST(Compare, TheOrderOfVariablesCounts) {
  Spec spec = robot();
  spec.add_body("second", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("other", JointKind::revolute, "base", "second");
  Spec swapped = spec;
  std::swap(swapped.joints[0], swapped.joints[3]);
  const RobotDifferences found = compare(spec, swapped);
  ASSERT_EQ(found.structure.size(), 1u);
  EXPECT_EQ(found.structure[0].what, "order of joints");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
