// Operation counts of whole algorithms, for a revolute chain of six bodies with general geometry,
// against the best of the literature: [McM] tables 26, 28 and 30. The books count what the result
// needs and skip work with constants 0 and 1, so needed_for() is compared; the chain's file frames
// are random.
#include <gtest/gtest.h>

#include <limber/limber.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

std::vector<Counted> variables(const std::vector<double>& values) {
  std::vector<Counted> result;
  for (const double x : values) result.push_back(Counted::variable(x));
  return result;
}

struct Chain {
  explicit Chain(int n) : model(cast<Counted>(build(generate_chain(n)))), ws(model) {
    const RandomState state = generate_state(build(generate_chain(n)), 1);
    q = variables(state.q), v = variables(state.v), a = variables(state.a),
    tau = variables(state.tau);
    Counted::start();
  }
  BasicModel<Counted> model;
  BasicWorkspace<Counted> ws;
  std::vector<Counted> q, v, a, tau;
};

void expect_at_most(const OperationCount& count, long multiplications, long additions) {
  EXPECT_LE(count.multiplications, multiplications);
  EXPECT_LE(count.additions, additions);
}

TEST(OperationCounts, InverseDynamics) {
  Chain chain(6);
  const auto tau = inverse_dynamics(chain.model, chain.q, chain.v, chain.a, chain.ws);
  expect_at_most(Counted::needed_for(tau), 459, 400);
  EXPECT_EQ(Counted::count().sincos, 6);
}

TEST(OperationCounts, InertiaMatrix) {
  Chain chain(6);
  mass_matrix(chain.model, chain.q, chain.ws);
  expect_at_most(Counted::needed_for(chain.ws.factor.M.values), 389, 370);
}

TEST(OperationCounts, ArticulatedBodies) {
  Chain chain(6);
  const auto a = forward_dynamics(chain.model, chain.q, chain.v, chain.tau, chain.ws);
  expect_at_most(Counted::needed_for(a), 1090, 989);
  // what is counted without looking at the result keeps the growth per body of [McM] table 30, too
  const OperationCount six = Counted::count();
  Chain longer(7);
  forward_dynamics(longer.model, longer.q, longer.v, longer.tau, longer.ws);
  EXPECT_LE(Counted::count().multiplications - six.multiplications, 224);
  EXPECT_LE(Counted::count().additions - six.additions, 205);
}

TEST(OperationCounts, GrowLinearlyWithTheChain) {
  auto count = [](int n) {
    Chain chain(n);
    forward_dynamics(chain.model, chain.q, chain.v, chain.tau, chain.ws);
    return Counted::count().executed;
  };
  EXPECT_EQ(count(40) - count(30), count(30) - count(20));
}

TEST(OperationCounts, FileFramesDoNotMatter) {
  // the same chain with every joint frame turned at will by its file costs the same
  Spec spec = generate_chain(6);
  const auto turned = rotation<double>({0.6, 0.0, 0.8}, 1.1);
  for (JointSpec& joint : spec.joints) {
    joint.placement.R = joint.placement.R * turned;
    joint.child_placement = Transform<double>::rotation(transpose(turned));
    joint.axis = transpose(turned) * joint.axis;
  }
  auto model = cast<Counted>(build(spec));
  BasicWorkspace<Counted> ws(model);
  Chain chain(6);
  inverse_dynamics(model, chain.q, chain.v, chain.a, ws);
  const long other = Counted::count().executed;
  Chain same(6);
  inverse_dynamics(same.model, same.q, same.v, same.a, same.ws);
  EXPECT_EQ(Counted::count().executed, other);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
