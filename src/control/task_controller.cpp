#include <limber/control/task_controller.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/joint_space.hpp>

#include "control/joint_places.hpp"
#include "control/task_paths.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Matrices of one evaluation; g freedoms are commanded, f float, r rows are a task.
struct TaskController::Scratch {
  Scratch(const Model& robot, const Model& m, Eigen::Index g, Eigen::Index f, Eigen::Index r)
      : robot_ws(robot),
        ws(m),
        M(g, g),
        M_fg(f, g),
        M_ff(f, f),
        J(r, g),
        J_f(r, f),
        response(f, g),
        Y(g, r),
        mobility(r, r) {
    for (VectorXd* x : {&h, &posture}) x->resize(g);
    for (VectorXd* x : {&F, &b, &part}) x->resize(r);
    h_f.resize(f);
    q_p = neutral_position(m);
    for (auto* x : {&v_p, &a_p, &displacement}) x->resize(static_cast<std::size_t>(m.nv));
    float_factor = Eigen::LDLT<MatrixXd>(f);
    inertia_factor = Eigen::LDLT<MatrixXd>(g);
    mobility_factor = Eigen::LDLT<MatrixXd>(r);
  }
  Workspace robot_ws, ws;          // of the robot, of the controller's model
  MatrixXd M, M_fg, M_ff, J, J_f;  // inertia and Jacobian; floating freedoms are eliminated
  MatrixXd response;               // M_ff⁻¹ M_fg: −a_f for unit a_g
  MatrixXd Y, mobility;            // M⁻¹ Jᵀ, Λ⁻¹ = J M⁻¹ Jᵀ
  VectorXd h, h_f, b;              // bias forces, J̇ v
  VectorXd F, part, posture;
  Eigen::LDLT<MatrixXd> float_factor, inertia_factor, mobility_factor;
  std::vector<double> q_p, v_p, a_p, displacement;  // of the posture
};

namespace {

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

Vector6 six(const Motion<double>& m) {
  return Vector6{m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}
Vector6 six(const Force<double>& m) {
  return Vector6{m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}
Motion<double> motion(const Vector6& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }

std::vector<double> six_of(const char* field, const std::vector<double>& values) {
  if (values.size() != 2) return one_each(field, values, 6, 0);
  return one_each(field, {values[0], values[0], values[0], values[1], values[1], values[1]}, 6, 0);
}

/// diag · x, the diagonal being meant in the axes that R takes to the world's.
Vector6 scaled(std::span<const double> diagonal, const Vector6& x, const Mat3<double>& R) {
  const Motion<double> world = motion(x);
  Vector6 local =
      six(Motion<double>{transpose_times(R, world.angular), transpose_times(R, world.linear)});
  for (int i = 0; i < 6; ++i) local[i] *= diagonal[static_cast<std::size_t>(i)];
  const Motion<double> back = motion(local);
  return six(Motion<double>{R * back.angular, R * back.linear});
}

}  // namespace

TaskController::TaskController(const TaskControlSettings& settings)
    : Controller(settings), own_(settings), rows_(rows_of(settings.rows)) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("controller '{}': {}", settings.name, why));
  };
  if (!settings.reference) refuse("reference: none found; it needs a trajectory of its frame");
  if (settings.frame.empty()) refuse("frame: none found; name the frame that it moves");
  if (settings.passive == PassiveCompensation::from_reference)
    refuse("passive: from_reference needs a reference of the joints; use from_measured");
  if (!(settings.posture_stiffness >= 0) || !(settings.posture_damping >= 0))
    refuse("posture_stiffness and posture_damping must be at least 0");
  if (settings.posture_stiffness > 0 && !settings.posture)
    refuse("posture_stiffness without posture; give the joints' trajectory");
  if (settings.measured_force) settings.measured_force->check();
  if (settings.inertia.empty()) return;
  if (settings.law != TaskLaw::impedance || !settings.measured_force)
    refuse("inertia: another inertia needs the law impedance and a measured_force");
  for (const double value : settings.inertia)
    if (!(value > 0)) refuse(fmt::format("inertia: {} found, positive numbers are needed", value));
}

TaskController::TaskController(const TaskController& other)
    : Controller(other),
      own_(other.own_),
      known_model_(other.known_model_),
      frame_(other.frame_),
      known_frame_(other.known_frame_),
      stiffness_(other.stiffness_),
      damping_(other.damping_),
      inertia_(other.inertia_),
      rows_(other.rows_),
      floating_(other.floating_),
      loops_(other.loops_),
      scratch_(other.scratch_ ? std::make_unique<Scratch>(*other.scratch_) : nullptr) {}

TaskController::~TaskController() = default;

void TaskController::set_up(const Model& m) {
  known_model_ = KnownModel(m, own_.model, own_.carried);
  const Model& known = known_model_.of(m, 0);
  frame_ = m.frame(own_.frame);
  known_frame_ = known.frame(own_.frame);
  stiffness_ = six_of("stiffness", own_.stiffness);
  damping_ = six_of("damping", own_.damping);
  if (!own_.inertia.empty()) inertia_ = six_of("inertia", own_.inertia);
  loops_ = KnownLoops(known, freedoms(), limits());
  floating_.clear();
  for (const JointPlace& joint : joint_places(m)) {
    const auto commanded = std::find(freedoms().begin(), freedoms().end(), joint.v);
    const bool floats = joint.kind == JointKind::free || loops_.is_passive(joint.v);
    if (!floats || commanded != freedoms().end()) continue;
    for (int k = 0; k < joint.v_count; ++k) floating_.push_back(joint.v + k);
  }
  if (rows_.size() > freedoms().size())
    throw Error(
        fmt::format("rows: {} of frame '{}' cannot be moved as wanted by {} freedoms; let "
                    "fewer be the task, or name more joints",
                    rows_.size(), own_.frame, freedoms().size()));
  scratch_ = std::make_unique<Scratch>(m, known, index(freedoms().size()), index(floating_.size()),
                                       index(rows_.size()));
}

/// M, h, J and J̇ v of the freedoms that are commanded. Floating freedoms f follow from
/// 0 = M_fg a_g + M_ff a_f + h_f.
void TaskController::project_dynamics(const Model& m, const Measurement& measured) {
  Scratch& s = *scratch_;
  const auto g = freedoms();
  Loads<double> loads;
  if (own_.passive == PassiveCompensation::from_measured) loads.passive = Passive::included;
  const auto h = bias_forces<double>(m, measured.q, measured.v, s.ws, loads);
  for (std::size_t i = 0; i < g.size(); ++i) s.h[index(i)] = h[static_cast<std::size_t>(g[i])];
  for (std::size_t i = 0; i < floating_.size(); ++i)
    s.h_f[index(i)] = h[static_cast<std::size_t>(floating_[i])];
  const auto M = mass_matrix<double>(m, measured.q, s.ws);
  for (std::size_t j = 0; j < g.size(); ++j) {
    for (std::size_t i = 0; i < g.size(); ++i) s.M(index(i), index(j)) = M(g[i], g[j]);
    for (std::size_t i = 0; i < floating_.size(); ++i)
      s.M_fg(index(i), index(j)) = M(floating_[i], g[j]);
  }
  for (std::size_t j = 0; j < floating_.size(); ++j)
    for (std::size_t i = 0; i < floating_.size(); ++i)
      s.M_ff(index(i), index(j)) = M(floating_[i], floating_[j]);
  const Vector6 b = six(jacobian_dot_times_v<double>(m, measured.q, measured.v, known_frame_,
                                                     Reference::world_aligned, s.ws));
  const auto J = jacobian<double>(m, measured.q, known_frame_, Reference::world_aligned, s.ws);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    s.b[index(i)] = b[rows_[i]];
    for (std::size_t j = 0; j < g.size(); ++j) s.J(index(i), index(j)) = J(rows_[i], g[j]);
    for (std::size_t j = 0; j < floating_.size(); ++j)
      s.J_f(index(i), index(j)) = J(rows_[i], floating_[j]);
  }
  if (loops_.any()) return project_on_loops(m, measured);
  if (floating_.empty()) return;
  s.float_factor.compute(s.M_ff);
  s.float_factor.solveInPlace(s.h_f);
  s.h.noalias() -= s.M_fg.transpose().lazyProduct(s.h_f);
  s.b.noalias() -= s.J_f.lazyProduct(s.h_f);
  s.response = s.M_fg;
  s.float_factor.solveInPlace(s.response);
  s.M.noalias() -= s.M_fg.transpose().lazyProduct(s.response);
  s.J.noalias() -= s.J_f.lazyProduct(s.response);
}

/// With loops, a_f follows from 0 = M_fg a_g + M_ff a_f + h_f − L_fᵀ λ and L_g a_g + L_f a_f + l =
/// 0: a_f = c − R a_g. Rows may depend on each other; λ has the smallest sum of squares.
void TaskController::project_on_loops(const Model& m, const Measurement& measured) {
  constexpr double most_left = 1e-6;  // of the rows, if g could not move by themselves
  Scratch& s = *scratch_;
  const LoopRows& loops = loops_.rows(m, measured.t, measured.q, measured.v);
  const auto g = freedoms();
  const Eigen::Index f = index(floating_.size()), n = index(g.size()), rows = loops.rows;
  MatrixXd K = MatrixXd::Zero(f + rows, f + rows), right(f + rows, n + 1);
  K.topLeftCorner(f, f) = s.M_ff;
  right.topLeftCorner(f, n) = s.M_fg;
  right.col(n).head(f) = -s.h_f;
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
                    name(), measured.t, g.size()));
  s.response = found.topLeftCorner(f, n);
  const VectorXd c = found.col(n).head(f);
  s.h += s.M_fg.transpose() * c - s.response.transpose() * (s.h_f + s.M_ff * c);
  s.b += s.J_f * c;
  const MatrixXd cross = s.M_fg.transpose() * s.response;
  s.M += s.response.transpose() * s.M_ff * s.response - cross - cross.transpose();
  s.J -= s.J_f * s.response;
}

/// F as the law has it, with the rows that are a task.
void TaskController::find_force(const TaskMotion& reference, const Transform<double>& pose,
                                const Motion<double>& velocity, double t) {
  Scratch& s = *scratch_;
  const Mat3<double> R =
      own_.axes == ForceAxes::frame ? reference.pose.R : Mat3<double>::identity();
  const Vector6 e = six(pose_error(pose, reference.pose));
  const Vector6 e_dot = six(reference.velocity - velocity);
  Vector6 push = scaled(stiffness_, e, R) + scaled(damping_, e_dot, R);
  Vector6 acceleration = six(reference.acceleration), felt = Vector6::Zero();
  if (own_.law == TaskLaw::operational_space) {
    acceleration += push;
    push.setZero();
  } else if (!inertia_.empty()) {
    felt = six(own_.measured_force->in_world(t, pose.R));
    std::array<double, 6> mobility;
    for (std::size_t i = 0; i < 6; ++i) mobility[i] = 1 / inertia_[i];
    acceleration += scaled(mobility, push + felt, R);
    push = -felt;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    s.F[index(i)] = acceleration[rows_[i]] - s.b[index(i)];
  s.mobility_factor.solveInPlace(s.F);
  for (std::size_t i = 0; i < rows_.size(); ++i) s.F[index(i)] += push[rows_[i]];
}

/// Forces of the posture, without what would move the frame: (1 − Jᵀ Λ J M⁻¹) M a.
void TaskController::add_posture(const Measurement& measured) {
  Scratch& s = *scratch_;
  if (own_.posture_stiffness == 0 && own_.posture_damping == 0) return;
  if (own_.posture) {
    own_.posture->sample(measured.t, s.q_p, s.v_p, s.a_p);
    difference(measured.model, measured.q, s.q_p, s.displacement);
  }
  const auto g = freedoms();
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto k = static_cast<std::size_t>(g[i]);
    s.posture[index(i)] = s.a_p[k] + own_.posture_stiffness * s.displacement[k] +
                          own_.posture_damping * (s.v_p[k] - measured.v[k]);
  }
  s.part.noalias() = s.J.lazyProduct(s.posture);
  s.mobility_factor.solveInPlace(s.part);
  s.h.noalias() += s.M.lazyProduct(s.posture);
  s.h.noalias() -= s.J.transpose().lazyProduct(s.part);
}

void TaskController::control(const Measurement& measured, std::span<double> command) {
  Scratch& s = *scratch_;
  const Model& m = loops_.tree(known_model_.of(measured.model, measured.t));
  project_dynamics(m, measured);
  s.inertia_factor.compute(s.M);
  s.Y = s.J.transpose();
  s.inertia_factor.solveInPlace(s.Y);
  s.mobility.noalias() = s.J.lazyProduct(s.Y);
  s.mobility_factor.compute(s.mobility);
  const auto pivots = s.mobility_factor.vectorD();
  if (!(pivots.minCoeff() > 1e-12 * pivots.maxCoeff()))
    throw Error(
        fmt::format("controller '{}': at {:.6g} s frame '{}' cannot be moved in every "
                    "direction of its task (singular position); keep the path away from "
                    "there, or let fewer rows be the task",
                    name(), measured.t, own_.frame));
  const Velocities& bodies = forward_kinematics<double>(m, measured.q, measured.v, s.ws);
  find_force(own_.reference->sample(measured.t), frame_pose(m, bodies, known_frame_),
             frame_velocity(m, bodies, known_frame_, Reference::world_aligned), measured.t);
  add_posture(measured);
  s.h.noalias() += s.J.transpose().lazyProduct(s.F);
  for (std::size_t i = 0; i < command.size(); ++i) command[i] = s.h[index(i)];
}

std::vector<Column> TaskController::more_columns() const {
  std::vector<Column> all;
  if (own_.rows != TaskRows::orientation)
    all.push_back({name() + ".position_error", "m", "Tracking error"});
  if (own_.rows != TaskRows::position)
    all.push_back({name() + ".orientation_error", "rad", "Tracking error"});
  if (own_.rows != TaskRows::orientation)
    for (const char* axis : {"x", "y", "z"})
      all.push_back({own_.frame + ".reference." + axis, "m", "Frames"});
  return all;
}

void TaskController::record_more(const Measurement& now, std::span<double> values) {
  Scratch& s = *scratch_;
  const Poses& bodies = forward_kinematics<double>(now.model, now.q, s.robot_ws);
  const TaskMotion reference = own_.reference->sample(now.t);
  const Motion<double> e = pose_error(frame_pose(now.model, bodies, frame_), reference.pose);
  double* out = values.data();
  if (own_.rows != TaskRows::orientation) *out++ = norm(e.linear);
  if (own_.rows != TaskRows::position) *out++ = norm(e.angular);
  if (own_.rows == TaskRows::orientation) return;
  for (int i = 0; i < 3; ++i) *out++ = reference.pose.p[i];
}

}  // namespace limber
