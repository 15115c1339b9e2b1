#include "control/frame_solver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/jacobian.hpp>
#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"
#include "control/noise.hpp"
#include "math/singular_values.hpp"
#include "control/task_paths.hpp"
#include "index.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double component(const Motion<double>& m, int row) {
  return row < 3 ? m.angular[row] : m.linear[row - 3];
}

VectorXd rows_from(const Motion<double>& m, const std::vector<int>& rows) {
  VectorXd x(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    x[static_cast<Eigen::Index>(i)] = component(m, rows[i]);
  return x;
}

std::span<const double> numbers(const VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
VectorXd eigen_vector(const std::vector<double>& x) {
  return VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size()));
}
SingularValues singular_values(const MatrixXd& J) {
  return {{J.data(), static_cast<std::size_t>(J.size())}, static_cast<int>(J.rows())};
}

std::vector<int> movable(const Model& m, const std::vector<std::string>& names) {
  std::vector<JointPlace> joints;
  for (const std::string& name : names) joints.push_back(joint_place(m, name));
  if (names.empty())
    for (const JointPlace& joint : joint_places(m))
      if (joint.kind != JointKind::free || m.has_actuation[at_index(joint.body)])
        joints.push_back(joint);
  std::vector<int> freedoms;
  for (const JointPlace& joint : joints)
    for (int k = 0; k < joint.v_count; ++k) freedoms.push_back(joint.v + k);
  return freedoms;
}

}  // namespace

FrameSolver::FrameSolver(const Model& m, const std::string& frame,
                         const InverseKinematicsSettings& settings)
    : model_(m),
      settings_(settings),
      frame_(m.frame(frame)),
      rows_(rows_of(settings.rows)),
      freedoms_(movable(m, settings.joints)),
      ws_(m),
      delta_(at_index(m.nv)),
      trial_(at_index(m.nq)) {
  if (!(settings.tolerance > 0) || settings.iterations < 1 || settings.restarts < 0)
    throw Error("inverse kinematics: tolerance and iterations must be positive");
  if (freedoms_.empty()) throw Error("inverse kinematics: no joint may move; name some");
}

VectorXd FrameSolver::left(const Transform<double>& pose, std::span<const double> q) {
  const Poses& bodies = forward_kinematics<double>(model_, q, ws_);
  return rows_from(pose_error(frame_pose(model_, bodies, frame_), pose), rows_);
}

MatrixXd FrameSolver::jacobian_rows(std::span<const double> q) {
  const auto J = jacobian<double>(model_, q, frame_, Reference::world_aligned, ws_);
  MatrixXd rows(rows_.size(), freedoms_.size());
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    for (Eigen::Index k = 0; k < rows.cols(); ++k)
      rows(i, k) = J(rows_[static_cast<std::size_t>(i)], freedoms_[static_cast<std::size_t>(k)]);
  return rows;
}

/// result = q ⊕ delta, cut off at the limits.
void FrameSolver::move(std::span<const double> q, const VectorXd& delta, std::span<double> result) {
  std::fill(delta_.begin(), delta_.end(), 0.0);
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    delta_[at_index(freedoms_[i])] = delta[static_cast<Eigen::Index>(i)];
  integrate(model_, q, delta_, 1, result);
  for (const int k : freedoms_)
    if (const int place = model_.dof_q[at_index(k)]; place >= 0)
      result[at_index(place)] = std::clamp(result[at_index(place)], model_.dof[at_index(k)].lower,
                                           model_.dof[at_index(k)].upper);
}

bool FrameSolver::pushes_limit(std::size_t i, std::span<const double> q, double delta) const {
  const std::size_t k = at_index(freedoms_[i]);
  if (model_.dof_q[k] < 0) return false;
  const double x = q[at_index(model_.dof_q[k])];
  return (delta > 0 && x >= model_.dof[k].upper) || (delta < 0 && x <= model_.dof[k].lower);
}

/// One iteration of Levenberg and Marquardt: (Jᵀ J + damping) δ = Jᵀ e. Joints that would leave
/// their limits stay out of it. True if the error became smaller; otherwise q is as before.
bool FrameSolver::improve(const Transform<double>& pose, double& damping, std::span<double> q) {
  const VectorXd e = left(pose, q);
  MatrixXd J = jacobian_rows(q);
  const VectorXd slope = J.transpose() * e;
  for (Eigen::Index i = 0; i < slope.size(); ++i)
    if (pushes_limit(static_cast<std::size_t>(i), q, slope[i])) J.col(i).setZero();
  const SingularValues values = singular_values(J);
  while (damping < 1e8) {
    const VectorXd delta =
        eigen_vector(values.times([&](double s) { return s / (s * s + damping); }, numbers(e)));
    move(q, delta, trial_);
    if (left(pose, trial_).norm() < e.norm()) {
      std::copy(trial_.begin(), trial_.end(), q.begin());
      damping = std::max(damping / 10, 1e-15);
      return true;
    }
    damping *= 10;
  }
  return false;
}

bool FrameSolver::solve(const Transform<double>& pose, std::span<double> q) {
  double damping = 1e-3;
  for (int i = 0; i < settings_.iterations; ++i) {
    if (left(pose, q).norm() <= settings_.tolerance) return true;
    if (!improve(pose, damping, q)) return false;
  }
  return left(pose, q).norm() <= settings_.tolerance;
}

InverseKinematicsResult FrameSolver::result(const Transform<double>& pose, std::vector<double> q) {
  InverseKinematicsResult found;
  const Poses& bodies = forward_kinematics<double>(model_, q, ws_);
  const Motion<double> e = pose_error(frame_pose(model_, bodies, frame_), pose);
  if (settings_.rows != TaskRows::orientation) found.distance_left = norm(e.linear);
  if (settings_.rows != TaskRows::position) found.turn_left = norm(e.angular);
  found.reached = std::hypot(found.distance_left, found.turn_left) <= settings_.tolerance;
  found.q = std::move(q);
  return found;
}

FrameSolver::Rates FrameSolver::rates(const TaskMotion& motion, std::span<const double> q) {
  const MatrixXd J = jacobian_rows(q);
  const SingularValues values = singular_values(J);
  const VectorXd x_dot = rows_from(motion.velocity, rows_);
  const VectorXd v = eigen_vector(values.solve(numbers(x_dot)));
  Rates rates{std::vector<double>(at_index(model_.nv)), std::vector<double>(at_index(model_.nv)),
              values.sigma.back(), (J * v - x_dot).norm()};
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    rates.v[at_index(freedoms_[i])] = v[static_cast<Eigen::Index>(i)];
  const VectorXd bias = rows_from(
      jacobian_dot_times_v<double>(model_, q, rates.v, frame_, Reference::world_aligned, ws_),
      rows_);
  const VectorXd wanted = rows_from(motion.acceleration, rows_) - bias;
  VectorXd a = eigen_vector(values.solve(numbers(wanted)));
  if (J.cols() > J.rows()) {
    // v = Jᵀ w stays of least norm only if a has J̇ᵀ w in the null space of J
    const double h = 1e-3 / (1 + v.norm());
    const auto moved = [&](double t) {
      move(q, v * t, trial_);
      return jacobian_rows(trial_);
    };
    const MatrixXd J_dot = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    VectorXd w = VectorXd::Zero(J.rows());
    for (std::size_t k = 0; k < values.sigma.size(); ++k)
      w += values.inverse(values.sigma[k]) * eigen_vector(values.v[k]).dot(v) *
           eigen_vector(values.u[k]);
    const VectorXd turning = J_dot.transpose() * w;
    a += turning;
    for (const std::vector<double>& seen : values.v) {
      const VectorXd direction = eigen_vector(seen);
      a -= direction.dot(turning) * direction;
    }
  }
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    rates.a[at_index(freedoms_[i])] = a[static_cast<Eigen::Index>(i)];
  return rates;
}

std::string FrameSolver::joint_at_limit(std::span<const double> q) const {
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    if (pushes_limit(i, q, 1) || pushes_limit(i, q, -1))
      return freedom_name(model_, at_index(freedoms_[i]));
  return {};
}

void FrameSolver::scatter(std::span<const double> from, int number, std::span<double> q) {
  VectorXd delta(static_cast<Eigen::Index>(freedoms_.size()));
  for (Eigen::Index i = 0; i < delta.size(); ++i)
    delta[i] = 1.5 * gaussian(0, stream_of("inverse kinematics"),
                              static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(i));
  move(from, delta, q);
}

}  // namespace limber
