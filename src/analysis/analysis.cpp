#include <limber/analysis/analysis.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "analysis/parts.hpp"

namespace limber {

namespace {

// where a reference motion exceeds the drives; a simulation has its own warnings
void add_saturation_warnings(const Analysis& analysis, std::vector<std::string>& warnings) {
  for (const MotorAnalysis& one : analysis.motors) {
    const double share = one.figures.at(Figure::saturation).value;
    if (share > 0)
      warnings.push_back(
          fmt::format("the motion needs more than the drive of '{}' can give for {:.2g} % of the "
                      "time",
                      one.name, 100 * share));
  }
}

template <class Owner>
const Figures* find(const std::vector<Owner>& owners, std::string_view name) {
  for (const Owner& one : owners)
    if (one.name == name) return &one.figures;
  return nullptr;
}

// their forces act on joints, and would be taken for those of drives
void refuse_couplings(const System& system) {
  if (!system.loops()) return;
  for (const BasicLoop<double>& loop : system.loops()->all().loops)
    if (loop.kind == LoopSpec::Kind::coupling)
      throw Error(fmt::format(
          "an analysis does not tell the forces of the coupling '{}' from those of drives; let "
          "the joint follow the other one in the robot's file (mimic), or leave the loop open "
          "(`loops: open`)",
          loop.name));
}

}  // namespace

std::size_t Analysis::violations() const {
  return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(),
                                                [](const LimitCheck& c) { return c.violated(); }));
}

Analysis analyse(const Scenario& scenario, const std::function<bool(double t)>& go_on) {
  if (!scenario.analysis)
    throw Error("the scenario has no settings of an analysis; set Scenario::analysis");
  const AnalysisSettings& settings = *scenario.analysis;
  const Scenario recorded = recording_of_motion(scenario);
  const System system = scenario.make_system();
  const MotionSource source =
      settings.reference ? MotionSource::reference : MotionSource::simulated;
  refuse_couplings(system);
  Analysis analysis;
  if (settings.reference) {
    analysis.run = follow_reference(recorded, settings.reference);
  } else {
    RunHooks hooks;
    hooks.go_on = go_on;
    analysis.run = run_scenario(recorded, hooks);
  }
  if (analysis.run.recording.rows() == 0) throw Error("the run has left nothing to analyse");
  analysis.motion = motion_of(system.model(), analysis.run.recording);
  add_payload_forces(scenario, system.model(), analysis.motion);
  analysis.joints = analyse_joints(system.model(), analysis.motion, analysis.run.recording);
  analysis.motors = analyse_motors(system, analysis, source);
  analysis.bearings = analyse_bearings(scenario.spec, system.model(), analysis.motion);
  analysis.links =
      analyse_links(settings.links, system.model(), analysis.motion, analysis.warnings);
  analysis.checks = check_limits(settings.limits, analysis, source, analysis.warnings);
  if (settings.reference) add_saturation_warnings(analysis, analysis.warnings);
  return analysis;
}

const Figures* find_figures(const Analysis& analysis, FigureOwner owner, std::string_view name) {
  switch (owner) {
    case FigureOwner::joint:
      return find(analysis.joints, name);
    case FigureOwner::motor:
      return find(analysis.motors, name);
    case FigureOwner::bearing:
      return find(analysis.bearings, name);
    case FigureOwner::link:
      return find(analysis.links, name);
  }
  return nullptr;
}

}  // namespace limber
