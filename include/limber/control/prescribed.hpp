#pragma once
// Joints that follow a trajectory exactly. The System computes their forces and the motion of the
// other joints by hybrid dynamics.
#include <limber/control/joint_trajectory.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// Which joints move as prescribed, and how.
struct PrescribedJointSettings {
  std::string name = "prescribed motion";
  std::vector<std::string> joints;    ///< any joints, free ones too
  JointTrajectoryPointer trajectory;  ///< of the whole robot; the other joints' part is not used
};

/// Moves joints along a trajectory.
class PrescribedJoint final : public Part {
 public:
  /// Throws Error naming the field for invalid settings.
  explicit PrescribedJoint(const PrescribedJointSettings& settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<PrescribedJoint>(*this); }
  Role role() const override { return Role::world; }
  /// Throws Error for joints that do not exist and for mimic joints.
  void attach(Model& model) override;
  std::span<const int> prescribed() const override { return freedoms_; }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override;

 private:
  PrescribedJointSettings settings_;
  std::vector<std::size_t> positions_;  // of the joints
  std::vector<int> freedoms_;
  std::vector<double> q_, v_, a_;  // scratch: the whole robot's
};

}  // namespace limber
