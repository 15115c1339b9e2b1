#pragma once
// The parts of an analysis, one file each.
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/analysis/analysis.hpp>

namespace limber {

/// One instant of the motion, with inverse dynamics done.
struct Instant {
  std::size_t row = 0;
  double t = 0;
  std::span<const double> q, v, a;
  std::span<const Force<double>> body_forces;
  JointForces<double> tau;  ///< (nv), the joints' own damping, friction and springs included
};

/// The scenario with everything recorded that motion_of() needs.
Scenario recording_of_motion(const Scenario& scenario);
/// The trajectory as it is, as if it had been simulated: with the forces from outside, without
/// controllers and drives.
Run follow_reference(const Scenario& scenario, const JointTrajectoryPointer& trajectory);
/// The motion of a run with all that recorded.
AnalysedMotion motion_of(const Model& model, const Recording& recording);

/// Adds the forces by which payloads of limited time resist the motion.
void add_payload_forces(const Scenario& scenario, const Model& model, AnalysedMotion& motion);

/// Goes through all instants. `model` is the system's, with what drives changed of it.
void for_each_instant(const Model& model, const AnalysedMotion& motion,
                      const std::function<void(const Instant&)>& look);

std::vector<JointAnalysis> analyse_joints(const Model& model, const AnalysedMotion& motion,
                                          const Recording& recording);
std::vector<BearingAnalysis> analyse_bearings(const Spec& spec, const Model& model,
                                              const AnalysedMotion& motion);
std::vector<LinkAnalysis> analyse_links(const std::vector<LinkSettings>& settings,
                                        const Model& model, const AnalysedMotion& motion,
                                        std::vector<std::string>& warnings);
/// Where currents and voltages come from: the drives' records, or the direct problem.
enum class MotionSource : std::uint8_t { simulated, reference };
/// Needs run, motion and joints of the analysis.
std::vector<MotorAnalysis> analyse_motors(const System& system, const Analysis& so_far,
                                          MotionSource source);
/// Those of the settings, then those of robot, motors and materials. Throws Error for a limit of
/// what nothing has; of tracking errors of a reference it only warns.
std::vector<LimitCheck> check_limits(const std::vector<LimitSettings>& limits,
                                     const Analysis& analysis, MotionSource source,
                                     std::vector<std::string>& warnings);

}  // namespace limber
