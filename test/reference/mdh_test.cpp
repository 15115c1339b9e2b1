// McMillan's algorithms for MDH chains against limber/dynamics.
#include <limber/reference/mdh.hpp>

#include <limber/dynamics/forward_dynamics.hpp>

#include "reference/support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using reference::MdhChain;

MdhChain random_chain(int n, Random& random) {
  MdhChain chain;
  chain.gravity = random.vec3(10);
  for (int i = 0; i < n; ++i) {
    reference::MdhLink link;
    link.kind = random.integer(0, 2) == 0 ? JointKind::prismatic : JointKind::revolute;
    link.a = random.uniform();
    link.alpha = random.angle();
    link.d = random.uniform();
    link.theta = random.angle();
    link.inertia = random.inertia();
    chain.links.push_back(link);
  }
  return chain;
}

template <class F>
void for_random_chains(int count, F&& f) {
  for (int i = 1; i <= count; ++i) {
    SCOPED_TRACE("random chain " + std::to_string(i));
    Random random(static_cast<std::uint64_t>(i));
    const MdhChain chain = random_chain(1 + i % 20, random);
    Robot r(reference::to_spec(chain), static_cast<std::uint64_t>(i));
    f(chain, r, random.force());
    if (testing::Test::HasFailure()) return;
  }
}

// a force that the last link exerts is an external force on it with the other sign
std::vector<Force<double>> at_tip(const Robot& r, const Force<double>& tip) {
  std::vector<Force<double>> forces(static_cast<std::size_t>(r.model.bodies()));
  forces.back() = -tip;
  return forces;
}

TEST(Mdh, InverseDynamicsAgrees) {
  for_random_chains(100, [](const MdhChain& chain, Robot& r, const Force<double>& tip) {
    const std::vector<Force<double>> forces = at_tip(r, tip);
    const VectorXd tau =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, {forces, {}, {}}));
    EXPECT_TRUE(
        near(matrix(reference::mdh_inverse_dynamics<double>(chain, in(r.q), in(r.v), in(r.a), tip)),
             tau, 1e-10));
  });
}

TEST(Mdh, InertiaMatrixAgrees) {
  for_random_chains(100, [](const MdhChain& chain, Robot& r, const Force<double>&) {
    EXPECT_TRUE(near(matrix(reference::mdh_mass_matrix<double>(chain, in(r.q))),
                     matrix(mass_matrix(r.model, in(r.q), r.ws)), 1e-10));
  });
}

TEST(Mdh, ForwardDynamicsInvertsInverseDynamics) {
  for_random_chains(100, [](const MdhChain& chain, Robot& r, const Force<double>& tip) {
    const std::vector<Force<double>> forces = at_tip(r, tip);
    const VectorXd tau =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, {forces, {}, {}}));
    EXPECT_TRUE(
        near(matrix(reference::mdh_forward_dynamics<double>(chain, in(r.q), in(r.v), in(tau), tip)),
             r.a, solve_tolerance(r, tau)));
  });
}

TEST(Mdh, TestChainIsARobot) {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    const Model model = build(reference::to_spec(reference::mdh_test_chain(8, kind)));
    EXPECT_EQ(model.nv, 8);
    EXPECT_EQ(model.warnings, std::vector<std::string>{});
    EXPECT_TRUE(model.singular_reason.empty());
  }
}

TEST(Mdh, RefusesWhatIsNoTable) {
  MdhChain chain = reference::mdh_test_chain(3);
  const std::vector<double> two(2), three(3);
  EXPECT_TRUE(mentions(message_of([&] { reference::mdh_mass_matrix<double>(chain, two); }),
                       {"q has 2 entries", "3"}));
  EXPECT_TRUE(mentions(
      message_of([&] { reference::mdh_forward_dynamics<double>(chain, three, three, two); }),
      {"tau has 2 entries"}));
  chain.links[1].kind = JointKind::helical;
  EXPECT_TRUE(mentions(message_of([&] { reference::mdh_mass_matrix<double>(chain, three); }),
                       {"joint 2", "helical", "revolute or prismatic"}));
  chain = reference::mdh_test_chain(3);
  chain.links[2].inertia = {};
  EXPECT_TRUE(mentions(
      message_of([&] { reference::mdh_forward_dynamics<double>(chain, three, three, three); }),
      {"joint 3", "inertia"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
