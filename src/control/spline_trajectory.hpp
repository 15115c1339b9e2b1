#pragma once
// A robot's motion by splines of its position variables.
#include "control/spline.hpp"

namespace limber {

class SplineTrajectory final : public JointTrajectory {
 public:
  /// The spline has one coordinate for each position variable.
  SplineTrajectory(const Model& model, Spline spline)
      : joints_(joint_places(model)), spline_(std::move(spline)) {}

  double duration() const override { return spline_.duration(); }
  int pieces() const { return spline_.pieces(); }
  void sample(double t, std::span<double> q, std::span<double> v,
              std::span<double> a) const override;

 private:
  std::vector<JointPlace> joints_;
  Spline spline_;
};

/// Motion of every position variable (nq).
std::vector<Coordinate> coordinates(const Model& model, std::span<const double> q,
                                    std::span<const double> v, std::span<const double> a);

/// Of two quaternions that mean the same turn, makes each way-point's the one that is nearer to the
/// way-point before it.
void align_quaternions(const Model& model, std::vector<std::vector<double>>& way_points);

}  // namespace limber
