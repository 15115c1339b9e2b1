// Several robots as one model: each computes as it does alone, and stands where it was put.
#include <limber/model/mount.hpp>

#include <limber/limber.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const Transform<double> aside{rotation_from_rpy(0.3, -0.2, 1.1), {0.5, -0.2, 0.7}};

// beside each other they do not feel each other: tau of both is tau of each, whose world is turned
TEST(Mount, RobotsBesideEachOtherAreIndependent) {
  Spec both;
  both.name = "both";
  both.gravity = {0, 0, -9.81};
  mount(both, load_spec("puma560"), {.name = "arm"});
  mount(both, load_spec("double_pendulum"), {.name = "swing", .placement = aside});
  const Model m = build(both), arm = load("puma560");
  Spec turned = load_spec("double_pendulum");
  turned.gravity = transpose_times(aside.R, Vec3<double>{0, 0, -9.81});
  const Model swing = build(turned);
  ASSERT_EQ(m.nv, 8);
  const std::vector<double> q{0.1, 0.2, -0.9, 0.4, 0.5, 0.6, 0.7, -0.8},
      v{1, -1, 0.5, 0.2, 0.1, -0.3, 0.6, 0.9}, a{0.3, 0.1, -0.2, 1, 2, -1, 0.4, 0.8};
  Workspace ws(m), ws_arm(arm), ws_swing(swing);
  const auto tau = inverse_dynamics<double>(m, q, v, a, ws);
  const auto part = [](const std::vector<double>& x, std::size_t from, std::size_t count) {
    return std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(from),
                               x.begin() + static_cast<std::ptrdiff_t>(from + count));
  };
  const auto first =
      inverse_dynamics<double>(arm, part(q, 0, 6), part(v, 0, 6), part(a, 0, 6), ws_arm);
  const auto second =
      inverse_dynamics<double>(swing, part(q, 6, 2), part(v, 6, 2), part(a, 6, 2), ws_swing);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(tau[k], first[k], 1e-10);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(tau[6 + k], second[k], 1e-10);
}

TEST(Mount, ARobotOnALinkGoesWithIt) {
  Spec spec = load_spec("puma560");
  mount(spec, load_spec("double_pendulum"),
        {.name = "tool", .parent = "link6", .placement = aside});
  const Model m = build(spec);
  const std::vector<double> q{0.1, 0.2, -0.9, 0.4, 0.5, 0.6, 0, 0};
  Workspace ws(m);
  const Poses& bodies = forward_kinematics<double>(m, q, ws);
  const Transform<double> expected = frame_pose(m, bodies, m.frame("link6")) * aside,
                          found = frame_pose(m, bodies, m.frame("tool.base"));
  EXPECT_NEAR(norm(expected.p - found.p), 0, 1e-12);
  for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}})
    EXPECT_NEAR(norm(expected.R * axis - found.R * axis), 0, 1e-12);
  EXPECT_NEAR(m.mass(), load("puma560").mass() + load("double_pendulum").mass(), 1e-12);
}

TEST(Mount, Refusals) {
  Spec spec = load_spec("puma560");
  EXPECT_TRUE(mentions(message_of([&] { mount(spec, load_spec("pendulum"), {}); }), {"name"}));
  EXPECT_TRUE(mentions(
      message_of([&] { mount(spec, load_spec("pendulum"), {.name = "a", .parent = "lnk6"}); }),
      {"'a'", "'lnk6'", "'link6'"}));
  mount(spec, load_spec("pendulum"), {.name = "a"});
  mount(spec, load_spec("pendulum"), {.name = "a"});
  EXPECT_NE(message_of([&] { build(spec); }), no_error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
