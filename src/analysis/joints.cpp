// What every freedom has to do, on the joint's side.
#include <limber/model/variables.hpp>

#include "analysis/parts.hpp"
#include "analysis/time_series.hpp"

namespace limber {

namespace {

void set_figures(std::span<const double> times, JointAnalysis& joint) {
  const std::vector<double> power =
      mapped(joint.torques, joint.speeds, [](double torque, double v) { return torque * v; });
  joint.figures[Figure::peak_torque] = peak_of(times, joint.torques);
  joint.figures[Figure::rms_torque] = {rms_of(times, joint.torques)};
  joint.figures[Figure::mean_torque] = {mean_magnitude(times, joint.torques)};
  joint.figures[Figure::peak_speed] = peak_of(times, joint.speeds);
  joint.figures[Figure::mean_speed] = {mean_magnitude(times, joint.speeds)};
  joint.figures[Figure::peak_power] = peak_of(times, power);
  joint.figures[Figure::mean_power] = {mean_of(times, power)};
  joint.figures[Figure::energy] = {positive_part(times, power)};
  joint.figures[Figure::returned_energy] = {negative_part(times, power)};
}

void set_tracking_error(const Recording& recording, std::span<const double> times,
                        JointAnalysis& joint) {
  const std::string wanted = joint.name + ".error";
  for (const Column& column : recording.columns)
    if (column.name == wanted)
      joint.figures[Figure::tracking_error] = peak_of(times, recording.series(wanted));
}

}  // namespace

std::vector<JointAnalysis> analyse_joints(const Model& model, const AnalysedMotion& motion,
                                          const Recording& recording) {
  std::vector<JointAnalysis> joints;
  for (const Variable& variable : velocity_variables(model)) {
    JointAnalysis joint;
    joint.freedom = static_cast<int>(joints.size());
    joint.name = variable.name();
    joint.torque_unit = variable.unit == "rad" ? "N m" : variable.unit == "m" ? "N" : "";
    joint.speed_unit = variable.unit.empty() ? "" : variable.unit + "/s";
    joint.limits = model.dof[joints.size()];
    joints.push_back(std::move(joint));
  }
  const std::vector<double> reflected = model.reflected_inertias();
  for_each_instant(model, motion, [&](const Instant& instant) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
      joints[k].torques.push_back(instant.tau[k] - reflected[k] * instant.a[k]);
      joints[k].speeds.push_back(instant.v[k]);
    }
  });
  for (JointAnalysis& joint : joints) {
    set_figures(motion.times, joint);
    set_tracking_error(recording, motion.times, joint);
  }
  return joints;
}

}  // namespace limber
