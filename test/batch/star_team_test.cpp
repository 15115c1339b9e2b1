// Legs shared by threads: the same bits as leg after leg.
#include <limber/batch/star_team.hpp>

#include <gtest/gtest.h>

#include <limber/model/generate.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Spec hexapod() {
  Spec spec = generate_chain(24, JointKind::revolute, 3);
  for (std::size_t j = 0; j < spec.joints.size(); j += 4) spec.joints[j].parent = "trunk";
  spec.add_body("trunk", 30).inertia = {30, {}, Sym3<double>::diagonal(1, 2, 3)};
  spec.add_joint("float", JointKind::free, "", "trunk");
  return spec;
}

TEST(StarTeam, ThreadsGiveTheSameBits) {
  const Model model = build(hexapod());
  Workspace ws(model);
  Star star(model);
  ASSERT_EQ(star.legs.count(), 6);
  std::vector<double> found(static_cast<std::size_t>(model.nv));
  for (const int threads : {1, 2, 3, 4, 6, 9}) {
    StarTeam team(model, threads);
    EXPECT_EQ(team.threads(), std::min(threads, 6));
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (const StarMethod method :
           {StarMethod::composite_bodies, StarMethod::articulated_bodies}) {
        const RandomState s = generate_state(model, seed);
        const auto expected = star_dynamics<double>(model, s.q, s.v, s.tau, method, ws, star);
        team.forward_dynamics(s.q, s.v, s.tau, method, found);
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin()));
      }
  }
}

TEST(StarTeam, Refusals) {
  const Model model = build(hexapod());
  EXPECT_NE(message_of([&] { StarTeam team(model, -1); }).find("threads"), std::string::npos);
  StarTeam team(model, 2);
  std::vector<double> small(3);
  const RandomState s = generate_state(model, 1);
  EXPECT_NE(message_of([&] {
              team.forward_dynamics(s.q, s.v, s.tau, StarMethod::composite_bodies, small);
            }).find("out"),
            std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
