// MJCF against MuJoCo itself, which mujoco.mjs runs in node: names, masses, limits, loops,
// actuators, and in random states mass matrix, bias and acceleration of the tree of joints. Skipped
// where node or the package is absent (scripts/deps.sh --peers installs it); the robots of the
// field, where their collection is.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>

#include "io/same_dynamics.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Numbers = std::vector<double>;
using limber::JointKind;
using limber::Vec3;

const fs::path source = LIMBER_SOURCE_DIR;
const fs::path collection = source / ".." / "shared" / "robots";

// the folder of the npm package
fs::path package() {
  const char* given = std::getenv("LIMBER_MUJOCO");
  return given ? fs::path(given) : source / "build/peers/node_modules/@mujoco/mujoco";
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 65536> piece{};
  while (pipe) {
    const std::size_t count = fread(piece.data(), 1, piece.size(), pipe.get());
    if (count == 0) break;
    text.append(piece.data(), count);
  }
  return text;
}

Json ask_mujoco(const fs::path& file) {
  const std::string text = output_of("node '" + (source / "test/io/mujoco.mjs").string() + "' '" +
                                     package().string() + "' '" + file.string() + "'");
  return text.empty() ? Json() : Json::parse(text);
}

// largest difference, in units of the largest number
double difference(const Numbers& found, const Numbers& expected) {
  if (found.size() != expected.size()) return HUGE_VAL;
  double worst = 0, largest = 1e-300;
  for (std::size_t k = 0; k < found.size(); ++k) {
    worst = std::fmax(worst, std::abs(found[k] - expected[k]));
    largest = std::fmax(largest, std::abs(expected[k]));
  }
  return worst / largest;
}

Vec3<double> vec3(const Numbers& x, std::size_t at = 0) { return {x[at], x[at + 1], x[at + 2]}; }
// with a 1 beside it, against which differences count
Numbers place(const Vec3<double>& p) { return {p.x, p.y, p.z, 1}; }
limber::Quat<double> quaternion(const Numbers& x, std::size_t at = 0) {
  return {x[at + 1], x[at + 2], x[at + 3], x[at]};
}
void put(const Vec3<double>& value, Numbers& x, int at) {
  for (int k = 0; k < 3; ++k) x[static_cast<std::size_t>(at + k)] = value[k];
}

// --- MuJoCo's variables and Limber's ---
//
// Positions: quaternions have w first there, last here. Velocities of a free body: (linear in world
// axes, angular in body axes) there, (angular, linear) in body axes here, so v = T v′ with v′ those
// of MuJoCo, and a = T a′ + d with d = −ω × v in the linear part.

class Variables {
 public:
  Variables(const limber::Model& model, const Numbers& qpos) : places_(joint_places(model)) {
    q = qpos;
    for (const limber::JointPlace& place : places_) {
      if (place.quaternion < 0) continue;
      const auto k = static_cast<std::size_t>(place.quaternion);
      const limber::Quat<double> turn = quaternion(qpos, k);
      q[k] = turn.x, q[k + 1] = turn.y, q[k + 2] = turn.z, q[k + 3] = turn.w;
      turns_.push_back(to_matrix(turn));
    }
  }

  Numbers q;

  // T x′
  Numbers to_limber(const Numbers& x) const {
    Numbers result = x;
    for_free([&](std::size_t v, const limber::Mat3<double>& R) {
      put(vec3(x, v + 3), result, static_cast<int>(v));
      put(transpose(R) * vec3(x, v), result, static_cast<int>(v) + 3);
    });
    return result;
  }
  // Tᵀ f: forces, which have the same power
  Numbers to_mujoco(const Numbers& f) const {
    Numbers result = f;
    for_free([&](std::size_t v, const limber::Mat3<double>& R) {
      put(R * vec3(f, v + 3), result, static_cast<int>(v));
      put(vec3(f, v), result, static_cast<int>(v) + 3);
    });
    return result;
  }
  // (Tᵀ)⁻¹ f′
  Numbers force_to_limber(const Numbers& f) const { return to_limber(f); }
  // d for Limber's velocity
  Numbers shift(const Numbers& v) const {
    Numbers result(v.size(), 0.0);
    for_free([&](std::size_t k, const limber::Mat3<double>&) {
      put(-cross(vec3(v, k), vec3(v, k + 3)), result, static_cast<int>(k) + 3);
    });
    return result;
  }

 private:
  template <class F>
  void for_free(const F& f) const {
    std::size_t turn = 0;
    for (const limber::JointPlace& place : places_) {
      if (place.quaternion < 0) continue;
      if (place.kind == JointKind::free) f(static_cast<std::size_t>(place.v), turns_[turn]);
      ++turn;
    }
  }
  std::vector<limber::JointPlace> places_;
  std::vector<limber::Mat3<double>> turns_;
};

Numbers product(const limber::Model& model, const Numbers& q, limber::Workspace& ws,
                const Numbers& x) {
  const auto M = mass_matrix(model, q, ws);
  Numbers result(x.size(), 0.0);
  for (int i = 0; i < model.nv; ++i)
    for (int j = 0; j < model.nv; ++j)
      result[static_cast<std::size_t>(i)] += M(i, j) * x[static_cast<std::size_t>(j)];
  return result;
}

Numbers plus(const Numbers& a, const Numbers& b) {
  Numbers sum = a;
  for (std::size_t k = 0; k < a.size(); ++k) sum[k] += b[k];
  return sum;
}

struct Worst {
  double mass_matrix = 0, bias = 0, acceleration = 0, places = 0;
};

// the tree, without friction of the joints, which MuJoCo counts among the constraints
limber::Model open_tree(limber::Spec spec) {
  open_loops(spec);
  for (limber::JointSpec& joint : spec.joints)
    for (limber::DofSpec& dof : joint.dofs) dof.friction_positive = dof.friction_negative = 0;
  return build(spec);
}

Worst compare_states(const limber::Spec& spec, const Json& mujoco) {
  const limber::Model model = open_tree(spec);
  limber::Workspace ws(model);
  Worst worst;
  const auto note = [](double& at, double found) { at = std::fmax(at, found); };
  for (const Json& state : mujoco["states"]) {
    const Variables variables(model, state["qpos"]);
    const Numbers& q = variables.q;
    const Numbers v = variables.to_limber(state["qvel"]), d = variables.shift(v);
    for (const Json& pair : state["products"]) {
      const Numbers x = variables.to_limber(pair["x"]);
      note(worst.mass_matrix, difference(variables.to_mujoco(product(model, q, ws, x)), pair["y"]));
    }
    const std::span<const double> bias = bias_forces(model, q, v, ws);
    const Numbers held(bias.begin(), bias.end());
    note(worst.bias,
         difference(variables.to_mujoco(plus(held, product(model, q, ws, d))), state["bias"]));
    limber::Loads<double> loads;
    loads.passive = limber::Passive::included;
    const std::span<const double> a =
        forward_dynamics(model, q, v, variables.force_to_limber(state["applied"]), ws, loads);
    note(worst.acceleration,
         difference({a.begin(), a.end()}, plus(variables.to_limber(state["acceleration"]), d)));
    const auto& poses = forward_kinematics(model, q, ws);
    for (std::size_t b = 1; b < mujoco["bodies"].size(); ++b) {
      const std::string name = mujoco["bodies"][b];
      if (name.empty()) continue;
      const Vec3<double> p = frame_pose(model, poses, model.frame(name)).p;
      note(worst.places, difference(place(p), place(vec3(state["bodies"][b]))));
    }
    for (std::size_t s = 0; s < mujoco["sites"].size(); ++s) {
      const limber::Transform<double> pose =
          frame_pose(model, poses, model.frame(mujoco["sites"][s].get<std::string>()));
      Numbers found{pose.p.x, pose.p.y, pose.p.z}, expected = state["sites"][s];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) found.push_back(pose.R.row(i)[j]);
      for (const double x : state["site_axes"][s].get<Numbers>()) expected.push_back(x);
      note(worst.places, difference(found, expected));
    }
  }
  return worst;
}

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

bool is_mujoco_there() {
  return fs::exists(package() / "mujoco.js") && output_of("node --version 2>/dev/null") != "";
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

// what Limber writes: MuJoCo loads it, and finds the dynamics of the robot as it was before
void expect_written_like_mujoco(const std::string& name, const limber::Spec& spec) {
  SCOPED_TRACE(name);
  const limber::WrittenRobot written = write_robot(spec, limber::RobotFormat::mjcf);
  const fs::path file = fs::path(testing::TempDir()) / (name + ".xml");
  std::ofstream(file) << written.text;
  Json mujoco = ask_mujoco(file);
  fs::remove(file);
  ASSERT_FALSE(mujoco.is_null()) << "MuJoCo does not load this file\n" << written.text;
  // bodies in the frames of joints are new
  const limber::Model model = build(spec);
  for (Json& body : mujoco["bodies"])
    if (!model.find_frame(body.get<std::string>())) body = "";
  const Worst worst = compare_states(spec, mujoco);
  EXPECT_LT(worst.mass_matrix, 1e-9);
  EXPECT_LT(worst.bias, 1e-9);
  EXPECT_LT(worst.acceleration, 1e-9);
  EXPECT_LT(worst.places, 1e-9);
}

// true if MuJoCo would refuse it: inertias that no body has, or moving bodies without mass
bool mujoco_refuses(const limber::Spec& spec) {
  for (const limber::BodySpec& body : spec.bodies)
    if (physical_defect(body.inertia) != limber::InertiaDefect::none) return true;
  return !limber::build(spec).singular_reason.empty();
}

TEST(MujocoOracle, WrittenFiles) {
  if (!is_mujoco_there()) GTEST_SKIP() << "no node with @mujoco/mujoco";
  for (const char* robot : {"pendulum", "double_pendulum", "arm7", "quadruped", "humanoid"})
    expect_written_like_mujoco(robot, limber::load_spec(robot));
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    expect_written_like_mujoco(
        "random" + std::to_string(seed),
        limber::test::random_robot(seed,
                                   {JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                                    JointKind::cylindrical, JointKind::planar, JointKind::universal,
                                    JointKind::spherical, JointKind::translation}));
  if (!fs::exists(collection)) return;
  for (const char* robot :
       {"iiwa14", "ur5", "go2", "anymal_c", "g1_29dof_with_hand", "wam", "husky"}) {
    const limber::Spec spec =
        limber::load_spec((collection / (std::string(robot) + ".urdf")).string());
    if (!mujoco_refuses(spec)) expect_written_like_mujoco(robot, spec);
    else std::printf("%s: MuJoCo refuses its inertias\n", robot);
  }
}

}  // namespace LIMBER_TEST_FILE
