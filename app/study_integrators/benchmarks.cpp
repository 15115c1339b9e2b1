#include "study_integrators/benchmarks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <limber/limber.hpp>

#include "study_integrators/torque_profile.hpp"

namespace limber::app::study_integrators {

namespace {

constexpr int arms = 4;
constexpr double lift = 0.8;       // [m]
constexpr double half_side = 0.8;  // of the square in whose corners the arms stand [m]
using Joints = std::array<double, 6>;

Spec frictionless_puma() {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints)
    for (DofSpec& dof : joint.dofs) dof.damping = dof.friction_positive = dof.friction_negative = 0;
  return spec;
}

// copies of one arm, turned towards the middle of the square
Spec arrange_in_square(const Spec& arm) {
  Spec all;
  all.name = "four arms";
  for (int k = 0; k < arms; ++k) {
    const std::string prefix = "arm" + std::to_string(k + 1) + ".";
    const double turn = std::numbers::pi / 2 * k, corner = turn + std::numbers::pi / 4;
    const double distance = half_side * std::numbers::sqrt2;
    for (BodySpec body : arm.bodies) {
      body.name = prefix + body.name;
      all.bodies.push_back(std::move(body));
    }
    for (JointSpec joint : arm.joints) {
      joint.name = prefix + joint.name;
      joint.parent = prefix + joint.parent;
      joint.child = prefix + joint.child;
      all.joints.push_back(std::move(joint));
    }
    all.add_joint(prefix + "place", JointKind::fixed, "", prefix + "base", {0, 0, 1},
                  {rotation_from_rpy(0, 0, corner + std::numbers::pi),
                   {distance * std::cos(corner), distance * std::sin(corner), 0}});
  }
  return all;
}

Vec3<double> hand_position(const Model& model, std::span<const double> q, int frame) {
  Workspace ws(model);
  return frame_pose(model, forward_kinematics<double>(model, q, ws), frame).p;
}

// a quintic motion of all joints between two postures, at rest at both ends
class Lift {
 public:
  explicit Lift(const Model& arm)
      : arm_(arm), ws_(arm), from_{-0.2, -0.76, -1.0, -0.3, 0.4, -0.5}, by_{0.4, 0,    0,
                                                                            0.6, -0.8, 1} {
    by_[1] = shoulder_turn();
  }
  const Joints& from() const { return from_; }

  // inverse dynamics at time t
  std::span<const double> torque(double t) {
    const double s = t * t * t * (10 + t * (-15 + 6 * t)), s_dot = 30 * t * t * (1 - t) * (1 - t),
                 s_ddot = 60 * t * (1 - t) * (1 - 2 * t);
    Joints q, v, a;
    for (std::size_t j = 0; j < q.size(); ++j) {
      q[j] = from_[j] + s * by_[j];
      v[j] = s_dot * by_[j];
      a[j] = s_ddot * by_[j];
    }
    return inverse_dynamics<double>(arm_, q, v, a, ws_);
  }

 private:
  // by bisection: the hand rises with the shoulder up to the vertical
  double shoulder_turn() {
    const int hand = arm_.frame("link6");
    const double start = hand_position(arm_, from_, hand).z;
    double low = 0, high = 1.5;
    for (int k = 0; k < 60; ++k) {
      const double middle = (low + high) / 2;
      Joints q = from_;
      q[1] += middle;
      (hand_position(arm_, q, hand).z - start < lift ? low : high) = middle;
    }
    return low;
  }

  const Model& arm_;
  Workspace ws_;
  Joints from_, by_;
};

}  // namespace

Benchmark double_pendulum() {
  Spec spec = load_spec("double_pendulum");
  spec.frames.push_back({"tip", "lower", {Mat3<double>::identity(), {0, 0, -1}}, {}});
  Benchmark result{
      "double_pendulum", "double pendulum, 5 s", std::make_unique<System>(build(spec)), {}, 5, {}};
  result.start = result.system->initial_state(std::array{1.2, 0.8}, std::array{0.0, 0.0});
  result.hands = {result.system->model().frame("tip")};
  return result;
}

Benchmark four_arms() {
  const Spec spec = frictionless_puma();
  const Model arm = build(spec);
  Lift motion(arm);
  Benchmark result{"four_arms",
                   "four Puma 560 lifting their hands by 0.8 m, 1 s",
                   std::make_unique<System>(build(arrange_in_square(spec))),
                   {},
                   1,
                   {}};
  result.system->add(std::make_unique<TorqueProfile>(6, arms, result.duration,
                                                     [&](double t) { return motion.torque(t); }));
  std::vector<double> q, v(6 * arms);
  for (int k = 0; k < arms; ++k) q.insert(q.end(), motion.from().begin(), motion.from().end());
  result.start = result.system->initial_state(q, v);
  for (int k = 1; k <= arms; ++k)
    result.hands.push_back(result.system->model().frame("arm" + std::to_string(k) + ".link6"));
  return result;
}

double hand_error(const Benchmark& benchmark, std::span<const double> x,
                  std::span<const double> expected) {
  const Model& model = benchmark.system->model();
  const auto nq = static_cast<std::size_t>(model.nq);
  double most = 0;
  for (const int hand : benchmark.hands)
    most = std::max(most, norm(hand_position(model, x.first(nq), hand) -
                               hand_position(model, expected.first(nq), hand)));
  return most;
}

}  // namespace limber::app::study_integrators
