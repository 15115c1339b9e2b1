#pragma once
// What a controller of a frame computes with: inertia, bias forces and Jacobian of the freedoms
// that it commands, with those that nothing holds eliminated; and the posture, which does not move
// the frame.
#include <Eigen/Dense>

#include <limber/control/controller.hpp>
#include <limber/control/joint_controller.hpp>
#include <limber/control/known_loops.hpp>

namespace limber {

using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 six(const Motion<double>& m);
Vector6 six(const Force<double>& f);
/// Six numbers from none, one, two (turns and shifts) or six.
std::vector<double> six_of(const char* field, const std::vector<double>& values);
/// The components in the axes that R takes to the world's, and back.
Vector6 to_local(const Mat3<double>& R, const Vector6& world);
Vector6 to_world(const Mat3<double>& R, const Vector6& local);
/// diag · x, the diagonal being meant in the axes that R takes to the world's.
Vector6 scaled(std::span<const double> diagonal, const Vector6& x, const Mat3<double>& R);

/// The motion of the joints that does not disturb the task: a trajectory, or none (damping alone),
/// with gains per unit of inertia [1/s²], [1/s].
struct Posture {
  const JointTrajectory* reference = nullptr;
  double stiffness = 0, damping = 0;
};

/// g freedoms are commanded, f float, r rows are a task.
class TaskDynamics {
 public:
  /// known: the controller's model. Throws Error where there are more rows than freedoms.
  TaskDynamics(std::string controller, std::string frame, const Model& robot, const Model& known,
               std::span<const int> freedoms, std::span<const double> limits,
               std::vector<int> task_rows);

  /// The controller's model with its loops open, as compute() takes it.
  const Model& tree(const Model& known) { return loops_.tree(known); }
  /// M, h, J, J̇ v, and Λ⁻¹ with its factor. Throws Error in singular positions.
  void compute(const Model& m, const Measurement& measured, PassiveCompensation passive);
  /// F := Λ (acceleration − J̇ v) + push, of the rows that are a task; six numbers each, world axes.
  void find_force(const Vector6& acceleration, const Vector6& push);
  /// h += (1 − Jᵀ Λ J M⁻¹) M a of the posture.
  void add_posture(const Measurement& measured, const Posture& posture);
  /// Jᵀ F + h.
  void command(std::span<double> out);

  Workspace robot_ws, ws;  ///< of the robot, of the controller's model
  int known_frame = 0;     ///< the frame in the controller's model

 private:
  void project(const Model& m, const Measurement& measured, PassiveCompensation passive);
  void project_on_loops(const Model& m, const Measurement& measured);

  std::string controller_, frame_;
  std::vector<int> freedoms_, floating_, rows_;  // floating: neither commanded nor held
  KnownLoops loops_;
  Eigen::MatrixXd M, M_fg, M_ff, J, J_f;  // inertia and Jacobian; floating freedoms are eliminated
  Eigen::MatrixXd response;               // M_ff⁻¹ M_fg: −a_f for unit a_g
  Eigen::MatrixXd Y, mobility;            // M⁻¹ Jᵀ, Λ⁻¹ = J M⁻¹ Jᵀ
  Eigen::VectorXd h, h_f, b;              // bias forces, J̇ v
  Eigen::VectorXd F, part, posture_;
  Eigen::LDLT<Eigen::MatrixXd> float_factor, inertia_factor, mobility_factor;
  std::vector<double> q_p, v_p, a_p, displacement;  // of the posture
};

}  // namespace limber
