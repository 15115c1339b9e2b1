// MJCF against MuJoCo itself: names, masses, limits, loops, actuators, and the motion of the tree
// of joints. Skipped where node or the package is absent (scripts/deps.sh --peers installs it); the
// robots of the field, where their collection is.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/mujoco.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using limber::Vec3;
using namespace limber::test::mujoco;

// --- names, masses, limits ---

void compare_bodies(const limber::Spec& spec, const Json& mujoco, double within) {
  std::vector<const limber::BodySpec*> bodies;
  for (const limber::BodySpec& body : spec.bodies)
    if (!body.is_between_joints) bodies.push_back(&body);
  ASSERT_EQ(bodies.size() + 1, mujoco["bodies"].size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::string name = mujoco["bodies"][b + 1];
    if (!name.empty()) {
      EXPECT_EQ(bodies[b]->name, name);
    }
    const limber::Inertia<double>& I = bodies[b]->inertia;
    const double mass = mujoco["mass"][b + 1];
    EXPECT_NEAR(I.m, mass, within * mass) << name;
    if (mass == 0) continue;
    const Vec3<double> com = I.com();
    EXPECT_LT(difference({com.x, com.y, com.z, 1},
                         [&] {
                           Numbers expected = mujoco["com"][b + 1];
                           expected.push_back(1);
                           return expected;
                         }()),
              within)
        << name;
    const Numbers moments = mujoco["inertia"][b + 1];
    const limber::Mat3<double> R = to_matrix(quaternion(mujoco["inertia_quaternion"][b + 1]));
    const limber::Sym3<double> expected =
        congruence(R, limber::Sym3<double>::diagonal(moments[0], moments[1], moments[2]));
    const limber::Sym3<double> found = I.rotational_about_com();
    EXPECT_LT(
        difference({found.xx, found.yy, found.zz, found.xy, found.xz, found.yz},
                   {expected.xx, expected.yy, expected.zz, expected.xy, expected.xz, expected.yz}),
        within)
        << name;
  }
}

void compare_joints(const limber::Spec& spec, const Json& mujoco) {
  std::vector<const limber::JointSpec*> joints;
  for (const limber::JointSpec& joint : spec.joints)
    if (joint.kind != JointKind::fixed) joints.push_back(&joint);
  ASSERT_EQ(joints.size(), mujoco["joints"].size());
  constexpr JointKind kinds[] = {JointKind::free, JointKind::spherical, JointKind::prismatic,
                                 JointKind::revolute};
  std::size_t v = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::string name = mujoco["joints"][j];
    if (!name.empty()) {
      EXPECT_EQ(joints[j]->name, name);
    }
    EXPECT_EQ(joints[j]->kind, kinds[mujoco["joint_type"][j].get<std::size_t>()]) << name;
    const limber::DofSpec dof = joints[j]->dofs.empty() ? limber::DofSpec{} : joints[j]->dofs[0];
    EXPECT_EQ(dof.damping, mujoco["damping"][v]) << name;
    EXPECT_EQ(dof.rotor_inertia, mujoco["armature"][v]) << name;
    EXPECT_EQ(dof.friction_positive, mujoco["friction"][v]) << name;
    v += static_cast<std::size_t>(velocity_count(joints[j]->kind));
    if (position_count(joints[j]->kind) != 1) continue;
    const bool limited = mujoco["joint_limited"][j];
    EXPECT_EQ(std::isfinite(dof.lower), limited) << name;
    if (limited) {
      EXPECT_LT(difference({dof.lower, dof.upper}, mujoco["joint_range"][j]), 1e-15) << name;
    }
  }
}

void compare_actuators(const limber::Spec& spec, const Json& mujoco) {
  ASSERT_EQ(spec.actuators.size(), mujoco["actuators"].size());
  for (std::size_t i = 0; i < spec.actuators.size(); ++i) {
    const limber::ActuatorSpec& actuator = spec.actuators[i];
    const std::string name = mujoco["actuators"][i];
    if (!name.empty()) {
      EXPECT_EQ(actuator.name, name);
    }
    EXPECT_EQ(Json(actuator.gear), mujoco["gear"][i]) << name;
    EXPECT_LT(difference({actuator.gain.begin(), actuator.gain.end()}, mujoco["gain"][i]), 1e-15)
        << name;
    if (mujoco["has_bias"][i]) {
      EXPECT_LT(difference({actuator.bias.begin(), actuator.bias.end()}, mujoco["bias"][i]), 1e-15)
          << name;
    }
    if (std::isfinite(actuator.control_lower)) {
      EXPECT_EQ(Json({actuator.control_lower, actuator.control_upper}), mujoco["control_range"][i]);
    }
    if (std::isfinite(actuator.force_lower)) {
      EXPECT_EQ(Json({actuator.force_lower, actuator.force_upper}), mujoco["force_range"][i]);
    }
  }
}

// MuJoCo keeps of a connect both anchors, of a weld its anchor in the second body and the pose of
// the other end in the first, of a coupling its coefficients
void compare_loops(const limber::Spec& spec, const Json& mujoco) {
  ASSERT_EQ(spec.loops.size(), mujoco["equality"].size());
  for (std::size_t i = 0; i < spec.loops.size(); ++i) {
    const limber::LoopSpec& loop = spec.loops[i];
    const Numbers data = mujoco["equality"][i];
    const int type = mujoco["equality_type"][i];   // connect, weld, joint
    if (mujoco["equality_of_sites"][i]) continue;  // MuJoCo keeps nothing but the sites
    Numbers found, expected;
    if (type == 2) {
      found.assign(loop.polynomial.begin(), loop.polynomial.end());
      expected.assign(data.begin(), data.begin() + 5);
    } else {
      const Vec3<double>& first = type == 0 ? loop.placement_a.p : loop.placement_b.p;
      const Vec3<double>& second = type == 0 ? loop.placement_b.p : loop.placement_a.p;
      found = {first.x, first.y, first.z, second.x, second.y, second.z};
      expected.assign(data.begin(), data.begin() + 6);
      if (type == 1) {
        const limber::Quat<double> turn = quaternion(data, 6);
        const limber::Quat<double> ours = to_quat(loop.placement_a.R);
        for (const double x : {ours.w, ours.x, ours.y, ours.z}) found.push_back(x);
        const double sign = turn.w < 0 ? -1 : 1;
        for (const double x : {turn.w, turn.x, turn.y, turn.z}) expected.push_back(sign * x);
      }
    }
    EXPECT_LT(difference(found, expected), 1e-12) << loop.name;
  }
}

// q with w ≥ 0 in every quaternion: −1 times a quaternion is the same turn
Numbers with_positive_w(const limber::Model& model, Numbers q) {
  for (const limber::JointPlace& place : joint_places(model)) {
    if (place.quaternion < 0) continue;
    const auto start = static_cast<std::size_t>(place.quaternion);
    if (q[start + 3] >= 0) continue;
    for (std::size_t k = start; k < start + 4; ++k) q[k] = -q[k];
  }
  return q;
}

// MuJoCo may have more of them than the file describes (<size nkey>)
void compare_keyframes(const limber::Model& model, const Json& mujoco) {
  ASSERT_LE(static_cast<std::size_t>(model.keyframes.count()), mujoco["keys"].size() + 1);
  for (int k = 0; k < model.keyframes.count(); ++k) {
    const Numbers expected =
        k == 0 ? mujoco["qpos0"] : mujoco["key_qpos"][static_cast<std::size_t>(k) - 1];
    EXPECT_LT(difference(with_positive_w(model, model.keyframes[k].q),
                         with_positive_w(model, Variables(model, expected).q)),
              1e-12)
        << model.keyframes[k].name;
  }
}

void compare_controls(const limber::Spec& spec, const Json& mujoco) {
  for (std::size_t k = 1; k < spec.keyframes.size(); ++k) {
    if (spec.actuators.empty()) continue;
    Numbers found(spec.actuators.size(), 0.0);
    for (const limber::KeyframeSpec::Values& control : spec.keyframes[k].control)
      for (std::size_t i = 0; i < found.size(); ++i)
        if (spec.actuators[i].name == control.name) found[i] = control.values.at(0);
    EXPECT_EQ(Json(found), mujoco["key_ctrl"][k - 1]) << spec.keyframes[k].name;
  }
}

void compare_sensors(const limber::Spec& spec, const Json& mujoco) {
  EXPECT_EQ(spec.exclusions.size(), mujoco["exclusions"]);
  ASSERT_EQ(spec.sensors.size(), mujoco["sensors"].size());
  for (std::size_t i = 0; i < spec.sensors.size(); ++i)
    EXPECT_EQ(spec.sensors[i].name, mujoco["sensors"][i]);
}

void expect_same(const limber::Spec& spec, const Json& mujoco, double within) {
  const limber::Model model = build(spec);
  EXPECT_EQ(model.nq, mujoco["nq"]);
  EXPECT_EQ(model.nv, mujoco["nv"]);
  EXPECT_EQ(Json({spec.gravity.x, spec.gravity.y, spec.gravity.z}), mujoco["gravity"]);
  EXPECT_EQ(spec.timestep, mujoco["timestep"]);
  compare_bodies(spec, mujoco, within);
  compare_joints(spec, mujoco);
  compare_actuators(spec, mujoco);
  compare_loops(spec, mujoco);
  compare_keyframes(model, mujoco);
  compare_controls(spec, mujoco);
  compare_sensors(spec, mujoco);
  const Worst worst = compare_states(spec, mujoco);
  EXPECT_LT(worst.mass_matrix, within);
  EXPECT_LT(worst.bias, within);
  EXPECT_LT(worst.acceleration, within);
  EXPECT_LT(worst.places, within);
  std::printf("%s: M %.1e, bias %.1e, acceleration %.1e, places %.1e\n", spec.name.c_str(),
              worst.mass_matrix, worst.bias, worst.acceleration, worst.places);
}

void expect_like_mujoco(const fs::path& file, double within = 1e-9) {
  SCOPED_TRACE(file.filename().string());
  const Json mujoco = ask_mujoco(file);
  ASSERT_FALSE(mujoco.is_null()) << "MuJoCo does not load this file";
  expect_same(limber::parse_mjcf(mujoco["xml"].get<std::string>(), file.filename().string()),
              mujoco, within);
}

TEST(MujocoOracle, OurFiles) {
  if (!is_mujoco_there()) GTEST_SKIP() << "no node with @mujoco/mujoco";
  for (const auto& entry : fs::directory_iterator(source / "test/io/mjcf"))
    expect_like_mujoco(entry.path());
}

TEST(MujocoOracle, AttachedFiles) {
  if (!is_mujoco_there()) GTEST_SKIP() << "no node with @mujoco/mujoco";
  for (const char* name : {"twice.xml", "free.xml", "whole.xml", "nested.xml"}) {
    SCOPED_TRACE(name);
    const fs::path file = source / "test/io/mjcf_attach" / name;
    const Json mujoco = ask_mujoco(file);
    ASSERT_FALSE(mujoco.is_null()) << "MuJoCo does not load this file";
    expect_same(limber::load_spec(file.string()), mujoco, 1e-9);
  }
}

// MuJoCo keeps vertices in single precision, about the centre of mass that it finds
TEST(MujocoOracle, OurMeshes) {
  if (!is_mujoco_there()) GTEST_SKIP() << "no node with @mujoco/mujoco";
  expect_like_mujoco(source / "test/io/mjcf_meshes/meshes.xml", 1e-6);
}

TEST(MujocoOracle, RobotsOfTheField) {
  if (!is_mujoco_there()) GTEST_SKIP() << "no node with @mujoco/mujoco";
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  for (const auto& entry : fs::recursive_directory_iterator(collection))
    if (entry.path().filename().string().ends_with(".mjcf.xml")) expect_like_mujoco(entry.path());
}

}  // namespace LIMBER_TEST_FILE
