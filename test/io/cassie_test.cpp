// Cassie as SDF and as MJCF: the same tree of joints, where the files agree.
//
// They agree in the bodies, their masses, centres of mass and inertias, their springs and damping,
// and in how the bodies hang together. They do not agree in this:
// - The right hip roll: the SDF mirrors its centre of mass and products of inertia, the MJCF does
//   not. Here it gets those of the MJCF.
// - Poses and axes: both round to a few digits (1.5708 for π/2), the SDF in the frame of the model,
//   the MJCF in that of the parent. Here the SDF gets the numbers of the MJCF; the test says how
//   far they are from its own. The plantar rods (by 0.1 rad) and the
//   right foot are turned otherwise in the SDF, and the heel springs have other axes.
// - Rotors: bodies and gearboxes in the SDF, `armature` in the MJCF. Both are left out.
// - The knee springs: on a joint, with a slide that closes a loop, in the SDF; fixed in the MJCF.
// - The pelvis begins at a height of 1.01 m in the SDF, 1.1 m in the MJCF, and joints of the MJCF
//   have a `ref`, which is what they count from.
// - Which joints close the loops: of the achilles rod a revolute joint in the SDF, a point in the
//   MJCF. Both loops are open here.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/io/load.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

using limber::BodySpec;
using limber::JointKind;
using limber::JointSpec;
using limber::Mat3;
using limber::Model;
using limber::Spec;
using limber::Transform;
using limber::Vec3;

const fs::path collection = fs::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots";

std::string mjcf_name(const std::string& sdf) { return sdf == "pelvis" ? "cassie-pelvis" : sdf; }
constexpr double digits = 2e-3;  // what rounding may explain
bool is_rotor(const std::string& body) { return body.ends_with("-reference"); }

// replaces what stands between `open` and `close`, at the first place after `start`; what stood
// there
std::string replace(std::string& text, const std::string& start, const std::string& open,
                    const std::string& close, const std::string& by) {
  const std::size_t from = text.find(open, text.find(start)), begin = text.find('>', from) + 1,
                    end = text.find(close, begin);
  const std::string before = text.substr(begin, end - begin);
  const std::string attributes = open == "<pose" ? " rotation_format=\"quat_xyzw\"" : "";
  text.replace(from, end - from, open + attributes + ">" + by);
  return before;
}

class Cassie : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
    mjcf_ = limber::load_spec((collection / "cassie.mjcf.xml").string());
    std::ifstream file(collection / "cassie.sdf");
    std::stringstream text;
    text << file.rdbuf();
    text_ = text.str();
  }

  // poses at the start, as the MJCF has them
  Transform<double> start_of(const std::string& body) const {
    const Model model = build(mjcf_);
    limber::Workspace ws(model);
    const auto& poses = forward_kinematics(model, model.keyframes[0].q, ws);
    return frame_pose(model, poses, model.frame(mjcf_name(body)));
  }

  // the SDF's text with these poses and axes; the largest differences to its own
  struct Adapted {
    std::string text;
    double place = 0, turn = 0, axis = 0;
    std::vector<std::string> turned{}, other_axes{};  // those that differ by more than digits
  };
  Adapted adapted() const {
    Adapted result{text_};
    const Spec own = limber::parse_sdf(text_);
    for (const BodySpec& body : own.bodies) {
      if (is_rotor(body.name)) continue;
      const Transform<double> X = start_of(body.name);
      const limber::Quat<double> q = to_quat(X.R);
      const char quote =
          result.text.find("<link name='" + body.name + "'") != std::string::npos ? '\'' : '"';
      std::istringstream before(replace(
          result.text, std::string("<link name=") + quote + body.name + quote, "<pose", "</pose>",
          fmt::format("{} {} {} {} {} {} {}", X.p.x, X.p.y, X.p.z, q.x, q.y, q.z, q.w)));
      double n[6];
      for (double& number : n) before >> number;
      const Vec3<double> rise{0, 0, 1.1 - 1.01};
      result.place = std::fmax(result.place, norm(Vec3<double>{n[0], n[1], n[2]} + rise - X.p));
      const Mat3<double> turn = transpose(X.R) * limber::rotation_from_rpy(n[3], n[4], n[5]);
      double angle = 0;
      for (int k = 0; k < 3; ++k)
        angle = std::fmax(angle, norm(turn.row(k) - Mat3<double>::identity().row(k)));
      if (angle > digits) result.turned.push_back(body.name);
      else result.turn = std::fmax(result.turn, angle);
    }
    for (const JointSpec& joint : own.joints) {
      if (joint.kind != JointKind::revolute || is_rotor(joint.child)) continue;
      const Vec3<double> z = start_of(joint.child).R * Vec3<double>{0, 0, 1};
      std::istringstream before(replace(result.text, "<joint name=\"" + joint.name + "\"", "<xyz",
                                        "</xyz>", fmt::format("{} {} {}", z.x, z.y, z.z)));
      Vec3<double> axis;
      before >> axis.x >> axis.y >> axis.z;
      const double angle = norm(axis / norm(axis) - z);
      if (angle > digits) result.other_axes.push_back(joint.name);
      else result.axis = std::fmax(result.axis, angle);
    }
    return result;
  }

  // without rotors and loops, knee springs fixed
  static Spec tree_of(Spec spec) {
    std::erase_if(spec.bodies, [](const BodySpec& body) { return is_rotor(body.name); });
    std::erase_if(spec.joints, [](const JointSpec& joint) { return is_rotor(joint.child); });
    spec.loops.clear();
    for (JointSpec& joint : spec.joints) {
      if (joint.child.ends_with("-knee-spring")) joint.kind = JointKind::fixed, joint.dofs.clear();
      for (limber::DofSpec& dof : joint.dofs) dof.rotor_inertia = 0;
    }
    return spec;
  }

  Spec mjcf_;
  std::string text_;
};

TEST_F(Cassie, BodiesAreTheSame) {
  const Spec sdf = limber::parse_sdf(text_);
  std::map<std::string, const BodySpec*> bodies;
  for (const BodySpec& body : mjcf_.bodies) bodies[body.name] = &body;
  std::size_t common = 0;
  for (const BodySpec& body : sdf.bodies) {
    if (is_rotor(body.name)) continue;
    SCOPED_TRACE(body.name);
    ++common;
    ASSERT_TRUE(bodies.contains(mjcf_name(body.name)));
    const limber::Inertia<double>&a = body.inertia, &b = bodies.at(mjcf_name(body.name))->inertia;
    EXPECT_EQ(a.m, b.m);
    if (body.name == "right-hip-roll") {
      EXPECT_NEAR(a.h.y, -b.h.y, 1e-15);
      continue;
    }
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.h[k], b.h[k], 1e-15);
    for (const auto entry :
         {&limber::Sym3<double>::xx, &limber::Sym3<double>::yy, &limber::Sym3<double>::zz,
          &limber::Sym3<double>::xy, &limber::Sym3<double>::xz, &limber::Sym3<double>::yz})
      EXPECT_NEAR(a.J.*entry, b.J.*entry, 1e-14);
  }
  EXPECT_EQ(common, 25u);
  EXPECT_EQ(bodies.size(), 25u);
}

TEST_F(Cassie, TreeDynamicsAreTheSame) {
  const Adapted text = adapted();
  std::printf("poses differ by %.1e m and %.1e rad, axes by %.1e\n", text.place, text.turn,
              text.axis);
  EXPECT_LT(text.place, 1e-5);
  using Names = std::vector<std::string>;
  EXPECT_EQ(text.turned, (Names{"left-plantar-rod", "right-plantar-rod", "right-foot"}));
  EXPECT_EQ(text.other_axes, (Names{"left-tarsus-spring-joint", "right-tarsus-spring-joint"}));
  Spec sdf = tree_of(limber::parse_sdf(text.text));
  for (BodySpec& body : sdf.bodies)
    for (const BodySpec& other : mjcf_.bodies)
      if (body.name == "right-hip-roll" && other.name == body.name) body.inertia = other.inertia;
  const Model a = build(sdf), b = build(tree_of(mjcf_));
  ASSERT_EQ(a.nv, 32);
  ASSERT_EQ(b.nv, 32);
  limber::Workspace at(a), bt(b);
  limber::test::Random random(73);
  const std::span<const double> reference = b.keyframes[0].q;
  double worst_matrix = 0, worst_bias = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<double> qa(35), qb(35), va(32), vb(32);
    std::vector<std::size_t> order(32);  // freedom of a → that of b
    for (int i = 1; i < a.bodies(); ++i) {
      const int j = b.body(mjcf_name(a.body_name[i]));
      ASSERT_EQ(a.v_count[i], b.v_count[j]) << a.body_name[i];
      const auto q = static_cast<std::size_t>(a.q_index[i]),
                 p = static_cast<std::size_t>(b.q_index[j]);
      if (a.q_count[i] == 1) {
        qa[q] = random.angle();
        qb[p] = qa[q] + reference[p];
      } else {
        // a quaternion, of the free joint after a place
        const std::size_t place = a.q_count[i] == 7 ? 3 : 0;
        for (std::size_t k = 0; k < place; ++k) {
          qa[q + k] = random.uniform();
          qb[p + k] = qa[q + k] + reference[p + k];
        }
        const limber::Quat<double> turn = random.quat();
        const double numbers[] = {turn.x, turn.y, turn.z, turn.w};
        for (std::size_t k = 0; k < 4; ++k) qa[q + place + k] = qb[p + place + k] = numbers[k];
      }
      for (int k = 0; k < a.v_count[i]; ++k) {
        const auto from = static_cast<std::size_t>(a.v_index[i] + k),
                   to = static_cast<std::size_t>(b.v_index[j] + k);
        order[from] = to;
        va[from] = vb[to] = random.uniform(-2, 2);
      }
    }
    const auto M = mass_matrix(a, qa, at);
    const auto N = mass_matrix(b, qb, bt);
    double largest = 0;
    for (int i = 0; i < 32; ++i) largest = std::fmax(largest, N(i, i));
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 32; ++j)
        worst_matrix =
            std::fmax(worst_matrix,
                      std::abs(M(i, j) - N(static_cast<int>(order[static_cast<std::size_t>(i)]),
                                           static_cast<int>(order[static_cast<std::size_t>(j)]))) /
                          largest);
    const auto c = bias_forces(a, qa, va, at), d = bias_forces(b, qb, vb, bt);
    for (std::size_t i = 0; i < 32; ++i)
      worst_bias = std::fmax(worst_bias, std::abs(c[i] - d[order[i]]) / 300);
  }
  std::printf("mass matrix %.1e, bias %.1e\n", worst_matrix, worst_bias);
  EXPECT_LT(worst_matrix, 1e-9);
  EXPECT_LT(worst_bias, 1e-9);
}

TEST_F(Cassie, SpringsAndDamping) {
  const Spec sdf = tree_of(limber::parse_sdf(text_)), other = tree_of(mjcf_);
  std::map<std::string, const JointSpec*> joints;
  for (const JointSpec& joint : other.joints) joints[joint.child] = &joint;
  std::vector<std::string> different;
  for (const JointSpec& joint : sdf.joints) {
    if (joint.kind != JointKind::revolute) continue;
    ASSERT_TRUE(joints.contains(joint.child));
    const limber::DofSpec &a = joint.dofs.at(0), &b = joints.at(joint.child)->dofs.at(0);
    if (a.damping != b.damping || a.stiffness != b.stiffness) different.push_back(joint.child);
  }
  EXPECT_EQ(different, (std::vector<std::string>{}));
}

}  // namespace LIMBER_TEST_FILE
