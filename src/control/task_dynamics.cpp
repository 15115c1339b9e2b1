#include "control/task_dynamics.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

Vector6 six(const Motion<double>& m) {
  return Vector6{m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}
Vector6 six(const Force<double>& f) {
  return Vector6{f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
}

std::vector<double> six_of(const char* field, const std::vector<double>& values) {
  if (values.size() != 2) return one_each(field, values, 6, 0);
  return one_each(field, {values[0], values[0], values[0], values[1], values[1], values[1]}, 6, 0);
}

Vector6 to_local(const Mat3<double>& R, const Vector6& x) {
  return six(Motion<double>{transpose_times(R, Vec3<double>{x[0], x[1], x[2]}),
                            transpose_times(R, Vec3<double>{x[3], x[4], x[5]})});
}
Vector6 to_world(const Mat3<double>& R, const Vector6& x) {
  return six(
      Motion<double>{R * Vec3<double>{x[0], x[1], x[2]}, R * Vec3<double>{x[3], x[4], x[5]}});
}

Vector6 scaled(std::span<const double> diagonal, const Vector6& x, const Mat3<double>& R) {
  Vector6 local = to_local(R, x);
  for (int i = 0; i < 6; ++i) local[i] *= diagonal[static_cast<std::size_t>(i)];
  return to_world(R, local);
}

TaskDynamics::TaskDynamics(std::string controller, std::string frame, const Model& robot,
                           const Model& known, std::span<const int> freedoms,
                           std::span<const double> limits, std::vector<int> task_rows)
    : robot_ws(robot),
      ws(known),
      known_frame(known.frame(frame)),
      controller_(std::move(controller)),
      frame_(std::move(frame)),
      freedoms_(freedoms.begin(), freedoms.end()),
      rows_(std::move(task_rows)),
      loops_(known, freedoms, limits) {
  for (const JointPlace& joint : joint_places(robot)) {
    const auto commanded = std::find(freedoms.begin(), freedoms.end(), joint.v);
    const bool floats = joint.kind == JointKind::free || loops_.is_passive(joint.v);
    if (!floats || commanded != freedoms.end()) continue;
    for (int k = 0; k < joint.v_count; ++k) floating_.push_back(joint.v + k);
  }
  if (rows_.size() > freedoms.size())
    throw Error(
        fmt::format("rows: {} of frame '{}' cannot be moved as wanted by {} freedoms; let "
                    "fewer be the task, or name more joints",
                    rows_.size(), frame_, freedoms.size()));
  const Eigen::Index g = index(freedoms.size()), f = index(floating_.size()),
                     r = index(rows_.size());
  M.resize(g, g), M_fg.resize(f, g), M_ff.resize(f, f), J.resize(r, g), J_f.resize(r, f);
  response.resize(f, g), Y.resize(g, r), mobility.resize(r, r);
  for (VectorXd* x : {&h, &posture_}) x->resize(g);
  for (VectorXd* x : {&F, &b, &part}) x->resize(r);
  h_f.resize(f);
  q_p = neutral_position(known);
  for (auto* x : {&v_p, &a_p, &displacement}) x->resize(static_cast<std::size_t>(known.nv));
  float_factor = Eigen::LDLT<MatrixXd>(f);
  inertia_factor = Eigen::LDLT<MatrixXd>(g);
  mobility_factor = Eigen::LDLT<MatrixXd>(r);
}

/// M, h, J and J̇ v of the freedoms that are commanded. Floating freedoms f follow from
/// 0 = M_fg a_g + M_ff a_f + h_f.
void TaskDynamics::project(const Model& m, const Measurement& measured,
                           PassiveCompensation passive) {
  const std::vector<int>& g = freedoms_;
  Loads<double> loads;
  if (passive == PassiveCompensation::from_measured) loads.passive = Passive::included;
  const auto h_all = bias_forces<double>(m, measured.q, measured.v, ws, loads);
  for (std::size_t i = 0; i < g.size(); ++i) h[index(i)] = h_all[static_cast<std::size_t>(g[i])];
  for (std::size_t i = 0; i < floating_.size(); ++i)
    h_f[index(i)] = h_all[static_cast<std::size_t>(floating_[i])];
  const auto M_all = mass_matrix<double>(m, measured.q, ws);
  for (std::size_t j = 0; j < g.size(); ++j) {
    for (std::size_t i = 0; i < g.size(); ++i) M(index(i), index(j)) = M_all(g[i], g[j]);
    for (std::size_t i = 0; i < floating_.size(); ++i)
      M_fg(index(i), index(j)) = M_all(floating_[i], g[j]);
  }
  for (std::size_t j = 0; j < floating_.size(); ++j)
    for (std::size_t i = 0; i < floating_.size(); ++i)
      M_ff(index(i), index(j)) = M_all(floating_[i], floating_[j]);
  const Vector6 b_all = six(jacobian_dot_times_v<double>(m, measured.q, measured.v, known_frame,
                                                         Reference::world_aligned, ws));
  const auto J_all = jacobian<double>(m, measured.q, known_frame, Reference::world_aligned, ws);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    b[index(i)] = b_all[rows_[i]];
    for (std::size_t j = 0; j < g.size(); ++j) J(index(i), index(j)) = J_all(rows_[i], g[j]);
    for (std::size_t j = 0; j < floating_.size(); ++j)
      J_f(index(i), index(j)) = J_all(rows_[i], floating_[j]);
  }
  if (loops_.any()) return project_on_loops(m, measured);
  if (floating_.empty()) return;
  float_factor.compute(M_ff);
  float_factor.solveInPlace(h_f);
  h.noalias() -= M_fg.transpose().lazyProduct(h_f);
  b.noalias() -= J_f.lazyProduct(h_f);
  response = M_fg;
  float_factor.solveInPlace(response);
  M.noalias() -= M_fg.transpose().lazyProduct(response);
  J.noalias() -= J_f.lazyProduct(response);
}

/// With loops, a_f follows from 0 = M_fg a_g + M_ff a_f + h_f − L_fᵀ λ and L_g a_g + L_f a_f + l =
/// 0: a_f = c − R a_g. Rows may depend on each other; λ has the smallest sum of squares.
void TaskDynamics::project_on_loops(const Model& m, const Measurement& measured) {
  constexpr double most_left = 1e-6;  // of the rows, if g could not move by themselves
  const LoopRows& loops = loops_.rows(m, measured.t, measured.q, measured.v);
  const std::vector<int>& g = freedoms_;
  const Eigen::Index f = index(floating_.size()), n = index(g.size()), rows = loops.rows;
  MatrixXd K = MatrixXd::Zero(f + rows, f + rows), right(f + rows, n + 1);
  K.topLeftCorner(f, f) = M_ff;
  right.topLeftCorner(f, n) = M_fg;
  right.col(n).head(f) = -h_f;
  for (int i = 0; i < loops.rows; ++i) {
    for (Eigen::Index k = 0; k < f; ++k)
      K(f + i, k) = loops.jt(floating_[static_cast<std::size_t>(k)], i);
    for (Eigen::Index k = 0; k < n; ++k)
      right(f + i, k) = loops.jt(g[static_cast<std::size_t>(k)], i);
    right(f + i, n) = -loops.bias[i];
  }
  K.topRightCorner(f, rows) = -K.bottomLeftCorner(rows, f).transpose();
  const MatrixXd found = K.completeOrthogonalDecomposition().solve(right);
  const MatrixXd left = (K * found - right).leftCols(n);
  if (left.bottomRows(rows).cwiseAbs().maxCoeff() >
      most_left * (1 + right.bottomRows(rows).cwiseAbs().maxCoeff()))
    throw Error(
        fmt::format("controller '{}': at {:.6g} s the loops do not let the {} freedoms move by "
                    "themselves that it commands; name the joints that drive the mechanism",
                    controller_, measured.t, g.size()));
  response = found.topLeftCorner(f, n);
  const VectorXd c = found.col(n).head(f);
  h += M_fg.transpose() * c - response.transpose() * (h_f + M_ff * c);
  b += J_f * c;
  const MatrixXd cross = M_fg.transpose() * response;
  M += response.transpose() * M_ff * response - cross - cross.transpose();
  J -= J_f * response;
}

void TaskDynamics::compute(const Model& m, const Measurement& measured,
                           PassiveCompensation passive) {
  project(m, measured, passive);
  inertia_factor.compute(M);
  Y = J.transpose();
  inertia_factor.solveInPlace(Y);
  mobility.noalias() = J.lazyProduct(Y);
  mobility_factor.compute(mobility);
  const auto pivots = mobility_factor.vectorD();
  if (!(pivots.minCoeff() > 1e-12 * pivots.maxCoeff()))
    throw Error(
        fmt::format("controller '{}': at {:.6g} s frame '{}' cannot be moved in every "
                    "direction of its task (singular position); keep the path away from "
                    "there, or let fewer rows be the task",
                    controller_, measured.t, frame_));
}

void TaskDynamics::find_force(const Vector6& acceleration, const Vector6& push) {
  for (std::size_t i = 0; i < rows_.size(); ++i) F[index(i)] = acceleration[rows_[i]] - b[index(i)];
  mobility_factor.solveInPlace(F);
  for (std::size_t i = 0; i < rows_.size(); ++i) F[index(i)] += push[rows_[i]];
}

/// Forces of the posture, without what would move the frame: (1 − Jᵀ Λ J M⁻¹) M a.
void TaskDynamics::add_posture(const Measurement& measured, const Posture& posture) {
  if (posture.stiffness == 0 && posture.damping == 0) return;
  if (posture.reference) {
    posture.reference->sample(measured.t, q_p, v_p, a_p);
    difference(measured.model, measured.q, q_p, displacement);
  }
  const std::vector<int>& g = freedoms_;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto k = static_cast<std::size_t>(g[i]);
    posture_[index(i)] =
        a_p[k] + posture.stiffness * displacement[k] + posture.damping * (v_p[k] - measured.v[k]);
  }
  part.noalias() = J.lazyProduct(posture_);
  mobility_factor.solveInPlace(part);
  h.noalias() += M.lazyProduct(posture_);
  h.noalias() -= J.transpose().lazyProduct(part);
}

void TaskDynamics::command(std::span<double> out) {
  h.noalias() += J.transpose().lazyProduct(F);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = h[index(i)];
}

}  // namespace limber
