#include "study_arms/lift.hpp"

#include <cmath>
#include <numbers>

#include <limber/error.hpp>
#include <limber/limber.hpp>
#include <limber/math/small_solve.hpp>

#include "study_arms/results.hpp"

namespace limber::app::study_arms {

namespace {

using Joints = std::array<double, 6>;

// the load's centre as a frame of the hand
constexpr const char* grip = "load";

// the arm with its base at the world's origin, and the load's centre where the middle posture has
// it
Spec arm_with_load() {
  Spec spec = load_spec("puma560");
  const Model arm = build(spec);
  Workspace ws(arm);
  const Transform<double> hand =
      frame_pose(arm, forward_kinematics<double>(arm, Lift::middle, ws), arm.frame("link6"));
  const Vec3<double> centre = hand.p + Vec3<double>{Lift::side / 2, 0, 0};
  spec.frames.push_back({grip,
                         "link6",
                         Transform<double>::translation(transpose_times(hand.R, centre - hand.p)),
                         {}});
  return spec;
}

// one arm whose hand rises along a vertical line with its axes kept
class RisingArm {
 public:
  explicit RisingArm(const Model& model) : m_(model), ws_(model), frame_(model.frame(grip)) {
    const Transform<double> pose = pose_at(Lift::middle);
    axes_ = pose.R;
    centre_ = pose.p;
  }
  const Vec3<double>& centre() const { return centre_; }

  /// Joints that bring the load's centre to `offset` above the middle, on the same branch.
  Joints posture(double offset) {
    Joints q = Lift::middle;
    const int steps = 1 + static_cast<int>(std::abs(offset) / 0.01);
    for (int k = 1; k <= steps; ++k) approach(offset * k / steps, q);
    return q;
  }
  /// Torques at time t.
  Joints torque(double t) {
    const double s = t * t * t * (10 + t * (-15 + 6 * t)), s_dot = 30 * t * t * (1 - t) * (1 - t),
                 s_ddot = 60 * t * (1 - t) * (1 - 2 * t);
    const Joints q = posture(Lift::height * (s - 0.5));
    Joints v = joint_rates(q, {{}, {0, 0, Lift::height * s_dot}});
    const Motion<double> bias =
        jacobian_dot_times_v<double>(m_, q, v, frame_, Reference::world_aligned, ws_);
    const Joints a = joint_rates(q, Motion<double>{{}, {0, 0, Lift::height * s_ddot}} - bias);
    Joints tau;
    inverse_dynamics<double>(m_, q, v, a, ws_, tau);
    const double share = Lift::load * (Lift::height * s_ddot - m_.gravity.z) / arms;
    const MatrixView<double> J = jacobian<double>(m_, q, frame_, Reference::world_aligned, ws_);
    for (int j = 0; j < 6; ++j) tau[static_cast<std::size_t>(j)] += J(5, j) * share;
    return tau;
  }

 private:
  Transform<double> pose_at(const Joints& q) {
    return frame_pose(m_, forward_kinematics<double>(m_, q, ws_), frame_);
  }
  // J⁻¹ x
  Joints joint_rates(const Joints& q, const Motion<double>& x) {
    const MatrixView<double> J = jacobian<double>(m_, q, frame_, Reference::world_aligned, ws_);
    std::array<double, 36> A;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) A[static_cast<std::size_t>(6 * i + j)] = J(i, j);
    Joints b{x.angular.x, x.angular.y, x.angular.z, x.linear.x, x.linear.y, x.linear.z};
    if (!solve_small(A.data(), b.data(), 6)) throw Error("the lift passes a singular posture");
    return b;
  }
  // by Newton's method
  void approach(double offset, Joints& q) {
    for (int k = 0; k < 20; ++k) {
      const Transform<double> pose = pose_at(q);
      const Mat3<double> turn = axes_ * transpose(pose.R);
      const Vec3<double> angle{(turn.zy - turn.yz) / 2, (turn.xz - turn.zx) / 2,
                               (turn.yx - turn.xy) / 2};
      const Vec3<double> way = centre_ + Vec3<double>{0, 0, offset} - pose.p;
      if (norm(angle) + norm(way) < 1e-14) return;
      const Joints step = joint_rates(q, {angle, way});
      for (std::size_t j = 0; j < 6; ++j) q[j] += step[j];
    }
  }

  const Model& m_;
  Workspace ws_;
  int frame_;
  Mat3<double> axes_;
  Vec3<double> centre_;
};

}  // namespace

Lift::Lift() {
  const Spec spec = arm_with_load();
  const Model one = build(spec);
  RisingArm arm(one);
  const Vec3<double> centre = arm.centre();
  std::vector<BasicArm<double>> held;
  models_.reserve(arms);
  const Joints first = arm.posture(-height / 2);
  for (int k = 0; k < arms; ++k) {
    const double angle = std::numbers::pi / 2 * k;
    const Mat3<double> R = rotation_from_rpy(0, 0, angle);
    Spec placed;
    mount(placed, spec, {"arm", "", {R, R * Vec3<double>{-centre.x, -centre.y, 0}}});
    models_.push_back(build(placed));
    q_.emplace_back(first.begin(), first.end());
    v_.emplace_back(6, 0.0);
  }
  for (const Model& model : models_) held.push_back({&model, {model.frame("arm.link6")}});
  const double moment = load * side * side / 6;
  team_ = {held,
           Inertia<double>::from_com(load, {}, Sym3<double>::diagonal(moment, moment, moment))};
  object_.pose.p = {0, 0, centre.z - height / 2};
  for (std::size_t node = 0; node < terms; ++node) {
    const double angle = std::numbers::pi * (static_cast<double>(node) + 0.5) / terms;
    const Joints tau = arm.torque(duration * (1 + std::cos(angle)) / 2);
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < 6; ++j)
        coefficients_[6 * k + j] +=
            (k == 0 ? 1. : 2.) / terms * tau[j] * std::cos(static_cast<double>(k) * angle);
  }
}

void Lift::drive(double t, std::span<double> tau) const {
  const double s = 2 * t / duration - 1;
  double before = 0, now = 1;  // T₋₁ would be s
  for (double& x : tau) x = 0;
  for (std::size_t k = 0; k < terms; ++k) {
    for (std::size_t j = 0; j < 6; ++j) tau[j] += coefficients_[6 * k + j] * now;
    const double next = k == 0 ? s : 2 * s * now - before;
    before = now, now = next;
  }
}

}  // namespace limber::app::study_arms
