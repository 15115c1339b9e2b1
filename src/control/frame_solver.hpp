#pragma once
// FrameSolver: joint positions and their rates from those of a frame.
#include <Eigen/Core>

#include <limber/control/inverse_kinematics.hpp>
#include <limber/control/task_trajectory.hpp>
#include <limber/model/workspace.hpp>

namespace limber {

class FrameSolver {
 public:
  /// Throws Error for names that do not exist.
  FrameSolver(const Model& model, const std::string& frame,
              const InverseKinematicsSettings& settings);

  /// The freedoms that may move.
  const std::vector<int>& freedoms() const { return freedoms_; }
  /// From one start, in place; true if the pose is reached to the tolerance.
  bool solve(const Transform<double>& pose, std::span<double> q);
  /// The rows of the task that are left at q. [rad, m]
  Eigen::VectorXd left(const Transform<double>& pose, std::span<const double> q);
  /// Distance and turn that are left.
  InverseKinematicsResult result(const Transform<double>& pose, std::vector<double> q);

  struct Rates {
    std::vector<double> v, a;  ///< (nv)
    double smallest_singular_value = 0;
    double missed = 0;  ///< |J v − ẋ|: what the joints cannot do
  };
  /// Velocities and accelerations of least norm for a motion of the frame.
  Rates rates(const TaskMotion& motion, std::span<const double> q);

  /// The first joint that is at a limit, or empty.
  std::string joint_at_limit(std::span<const double> q) const;
  /// Moves the joints by random amounts within their limits; the same for the same number.
  void scatter(std::span<const double> from, int number, std::span<double> q);

 private:
  Eigen::MatrixXd jacobian_rows(std::span<const double> q);
  void move(std::span<const double> q, const Eigen::VectorXd& delta, std::span<double> result);
  bool pushes_limit(std::size_t i, std::span<const double> q, double delta) const;
  bool improve(const Transform<double>& pose, double& damping, std::span<double> q);

  const Model& model_;
  InverseKinematicsSettings settings_;
  int frame_;
  std::vector<int> rows_, freedoms_;
  Workspace ws_;
  std::vector<double> delta_, trial_;
};

}  // namespace limber
