// Positions for every scalar: each gives what double gives, Dual gives the rates, and places tell
// which numbers are quaternions.
#include "model/joint_space.ipp"

#include <gtest/gtest.h>

#include <limber/scalar/counted.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/scalar/expr.hpp>
#include <limber/scalar/pack.hpp>
#include <limber/scalar/pack_sincos.hpp>

#include "support/custom_joints.hpp"
#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

double number(float x) { return static_cast<double>(x); }
double number(Dual x) { return x.value; }
double number(Counted x) { return x.value(); }
double number(Expr x) { return x.is_constant() ? x.value() : NAN; }
double number(Pack<double, 2> x) { return x[0] == x[1] ? x[0] : NAN; }

template <class T>
std::vector<T> as(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

template <class T>
void expect_same(const std::vector<T>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(number(found[k]), expected[k], tolerance) << "entry " << k;
}

// all kinds that are not given by functions, with turns small and large
template <class T>
void compare_with_double(double tolerance) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model m = build(generate_tree(12, seed));
    const BasicModel<T> other = cast<T>(m);
    const RandomState state = generate_state(m, seed), end = generate_state(m, seed + 100);
    const double dt = seed == 1 ? 1e-9 : seed == 2 ? 0 : 0.3;
    std::vector<double> q1(state.q.size()), step(state.v.size()), rate(state.q.size());
    std::vector<T> q1_t(q1.size()), step_t(step.size()), rate_t(rate.size());

    expect_same(neutral_position(other), neutral_position(m), 0);
    integrate(m, state.q, state.v, dt, q1);
    integrate(other, as<T>(state.q), as<T>(state.v), T(dt), q1_t);
    expect_same(q1_t, q1, tolerance);
    difference(m, state.q, end.q, step);
    difference(other, as<T>(state.q), as<T>(end.q), step_t);
    expect_same(step_t, step, 10 * tolerance);
    position_rate(m, state.q, state.v, rate);
    position_rate(other, as<T>(state.q), as<T>(state.v), rate_t);
    expect_same(rate_t, rate, tolerance);
    std::vector<double> longer = state.q;
    for (double& x : longer) x *= 1.25;
    std::vector<T> longer_t = as<T>(longer);
    normalize(m, longer);
    normalize(other, longer_t);
    expect_same(longer_t, longer, tolerance);
  }
}

TEST(Positions, EveryScalarGivesTheSame) {
  compare_with_double<float>(2e-5);
  compare_with_double<Dual>(1e-14);
  compare_with_double<Counted>(1e-14);
  compare_with_double<Expr>(1e-14);
  compare_with_double<Pack<double, 2>>(1e-13);
}

// d/dt (q ⊕ v t) is the position rate there, and the step from q to it is v t: also at t = 0, where
// angles vanish
TEST(Positions, DualGivesTheRatesOfMotion) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const double t : {0.0, 1e-7, 0.2}) {
      const Model m = build(generate_tree(12, seed));
      const BasicModel<Dual> dual = cast<Dual>(m);
      const RandomState state = generate_state(m, seed);
      std::vector<Dual> q1(state.q.size()), step(state.v.size());
      integrate(dual, as<Dual>(state.q), as<Dual>(state.v), Dual(t, 1), q1);
      std::vector<double> there, rate(state.q.size());
      for (const Dual& x : q1) there.push_back(x.value);
      position_rate(m, there, state.v, rate);
      for (std::size_t k = 0; k < rate.size(); ++k)
        EXPECT_NEAR(q1[k].derivative, rate[k], 1e-12) << "t " << t << ", entry " << k;
      difference(dual, as<Dual>(state.q), q1, step);
      for (std::size_t k = 0; k < step.size(); ++k) {
        EXPECT_NEAR(step[k].value, state.v[k] * t, 1e-12);
        EXPECT_NEAR(step[k].derivative, state.v[k], 1e-11) << "t " << t << ", entry " << k;
      }
    }
}

// by numbers alone: what doubling and normalising restores is a quaternion, and joints that add are
// those whose positions move as their velocities say
TEST(Positions, PlacesTellQuaternionsAndRates) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Model m = build(random_spec(seed));
    const RandomState state = random_state(m, seed);
    std::vector<double> doubled = state.q, rate(state.q.size());
    int q = 0, v = 0;
    for (const JointPlace& joint : joint_places(m)) {
      EXPECT_EQ(joint.q, q);
      EXPECT_EQ(joint.v, v);
      q += joint.q_count, v += joint.v_count;
      if (joint.quaternion < 0) continue;
      for (int k = 0; k < 4; ++k) doubled[static_cast<std::size_t>(joint.quaternion + k)] *= 2;
      EXPECT_FALSE(joint.adds);
      EXPECT_EQ(joint.origin, joint.quaternion > joint.q ? joint.q : -1);
    }
    EXPECT_EQ(q, m.nq);
    EXPECT_EQ(v, m.nv);
    normalize(m, doubled);
    for (std::size_t k = 0; k < doubled.size(); ++k) EXPECT_NEAR(doubled[k], state.q[k], 1e-14);
    try {
      position_rate(m, state.q, state.v, rate);
    } catch (const Error&) {
      continue;  // a custom joint that does not tell
    }
    for (const JointPlace& joint : joint_places(m)) {
      bool same = joint.q_count == joint.v_count;
      for (int k = 0; same && k < joint.q_count; ++k)
        same = rate[static_cast<std::size_t>(joint.q + k)] ==
               state.v[static_cast<std::size_t>(joint.v + k)];
      EXPECT_EQ(joint.adds, same) << m.joint_name[static_cast<std::size_t>(joint.body)];
    }
  }
}

TEST(Positions, APlaceIsFoundByName) {
  Spec spec = generate_tree(4, 1, {.kinds = {JointKind::free}, .branching = 0});
  const Model m = build(spec);
  const JointPlace third = joint_place(m, "joint3");
  EXPECT_EQ(third.q, 14);
  EXPECT_EQ(third.quaternion, 17);
  EXPECT_EQ(third.origin, 14);
  EXPECT_EQ(third.v, 12);
  Spec follows = generate_chain(2);
  follows.joints[1].mimic = MimicSpec{"joint1", 2, 0};
  const Model pair = build(follows);
  EXPECT_TRUE(
      mentions(message_of([&] { joint_place(pair, "joint2"); }), {"follows joint 'joint1'"}));
}

TEST(Positions, FunctionsOfCustomJointsKnowDoubleAlone) {
  Spec spec = generate_chain(2);
  spec.joints[1].kind = JointKind::custom;
  spec.joints[1].custom = ball_joint();
  spec.joints[1].dofs.clear();
  const Model m = build(spec);
  const BasicModel<float> other = cast<float>(m);
  std::vector<float> q = neutral_position(other), v(static_cast<std::size_t>(m.nv));
  for (const std::string& message :
       {message_of([&] { integrate(other, q, v, 1, q); }),
        message_of([&] { difference(other, q, q, v); }), message_of([&] { normalize(other, q); }),
        message_of([&] { position_rate(other, q, v, q); })})
    EXPECT_TRUE(mentions(message, {"joint2", "function of its own", "double"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
