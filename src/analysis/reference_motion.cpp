// A reference motion as if it had been simulated: joints follow it exactly, and in a closed
// mechanism the loops carry the others along.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/constraint/closed_inverse.hpp>
#include <limber/control/known_loops.hpp>
#include <limber/control/prescribed.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "index.hpp"
#include "analysis/parts.hpp"

namespace limber {

namespace {

// Evaluates the instant, after the jumps of signals since the last one. Nothing is integrated here,
// so no event is located. False: it cannot be evaluated.
bool apply_pending_jumps(System& system, double t, std::span<double> x) {
  std::vector<double> values(system.events().size());
  std::vector<bool> listed(values.size(), false);  // of other kinds: limits that are passed
  for (;;) {
    if (system.evaluate(t, x) == Evaluated::failed) return false;
    system.event_values(x, values);
    std::size_t due = 0;
    for (; due < values.size(); ++due) {
      const EventSpec& spec = system.events()[due].spec;
      if (values[due] < 0 && !listed[due] && spec.kind == EventSpec::Kind::act &&
          spec.crossing == EventSpec::Crossing::below)
        break;
    }
    if (due == values.size()) return true;
    listed[due] = system.on_event(static_cast<int>(due), t, x) != EventOutcome::unlisted;
  }
}

// forces of all freedoms, as inputs
class GivenForces final : public Part {
 public:
  GivenForces() : Part("given forces") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<GivenForces>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override { freedoms_ = model.nv; }
  std::vector<InputSpec> inputs() const override {
    std::vector<InputSpec> all;
    for (int k = 0; k < freedoms_; ++k) all.push_back({std::to_string(k), "", 0});
    return all;
  }
  void apply(Evaluation& at) override {
    for (std::size_t k = 0; k < at.tau.size(); ++k) at.tau[k] += at.inputs[k];
  }

 private:
  int freedoms_ = 0;
};

// freedoms that controllers command, drives move and parts prescribe
std::vector<int> driven_freedoms(const Scenario& scenario) {
  std::vector<int> all;
  const System system = scenario.make_system();
  for (const auto& part : system.parts())
    for (const std::span<const int> some : {part->commanded(), part->driven(), part->prescribed()})
      all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

class Follower {
 public:
  Follower(const Scenario& scenario, const JointTrajectoryPointer& trajectory)
      : scenario_(scenario), driven_(find_driven()) {
    const LoopSettings loops = loop_settings(scenario.simulation);
    system_ = std::make_unique<System>(scenario.model);
    add_world(*system_);
    system_->add(std::make_unique<PrescribedJoint>(
        PrescribedJointSettings{"reference motion", prescribed_joints(), trajectory}));
    system_->keep_loops(loops);
    x_ = system_->initial_state(scenario.q, scenario.v);
    if (system_->loops()) find_sharing();
    if (!shares_) return;
    shared_ = std::make_unique<System>(scenario.model);
    add_world(*shared_);
    shared_->add(std::make_unique<GivenForces>());
    shared_->keep_loops(loops);
    shared_->initial_state(std::span(x_).first(nq()), std::span(x_).subspan(nq(), nv()));
  }

  /// Whose values are recorded.
  const System& recorded() const { return shares_ ? *shared_ : *system_; }

  /// At t, from the last instant; the state there.
  std::span<const double> go_to(double t) {
    predict(t);
    if (system_->stabilise(t, x_) == Evaluated::failed || !apply_pending_jumps(*system_, t, x_))
      throw Error(fmt::format("the reference motion cannot be followed at t = {} s: {}", t,
                              system_->failure()));
    if (system_->loops()) check_motion(t);
    if (shares_) share_efforts(t);
    t_ = t;
    return x_;
  }

 private:
  std::size_t nq() const { return at_index(system_->positions()); }
  std::size_t nv() const { return at_index(system_->velocities()); }

  std::vector<int> find_driven() const {
    if (scenario_.model.loops.empty()) return {};
    std::vector<int> found = driven_freedoms(scenario_);
    if (found.empty())
      throw Error(fmt::format(
          "the reference motion of robot '{}' with loops (the first is '{}') needs to know which "
          "joints are driven: add the controllers, drives or prescribed joints that move them",
          scenario_.model.name, scenario_.model.loops[0].name));
    return found;
  }

  void add_world(System& system) const {  // with the forces from outside alone
    for (const auto& part : scenario_.parts)
      if (part->role() == Role::world && part->prescribed().empty()) system.add(part->clone());
  }

  // all that the loops do not carry along
  std::vector<std::string> prescribed_joints() const {
    const KnownLoops loops(scenario_.model, driven_, {});
    std::vector<std::string> names;
    const std::vector<Variable> freedoms = velocity_variables(scenario_.model);
    for (std::size_t k = 0; k < freedoms.size(); ++k)
      if (!loops.is_passive(static_cast<int>(k)) &&
          (names.empty() || names.back() != freedoms[k].joint))
        names.push_back(freedoms[k].joint);
    return names;
  }

  // joints that the loops carry begin their search where their velocities take them
  void predict(double t) {
    if (!system_->loops() || t == t_) return;
    const std::vector<double> before(x_.begin(), x_.begin() + static_cast<long>(nq()));
    integrate<double>(system_->model(), before, std::span(x_).subspan(nq(), nv()), t - t_,
                      std::span(x_).first(nq()));
  }

  int free_freedoms() const {
    const KnownLoops loops(scenario_.model, driven_, {});
    int count = 0;
    for (int k = 0; k < system_->velocities(); ++k) count += loops.is_passive(k) ? 1 : 0;
    return count;
  }

  // the motion of the driven joints must determine that of the others
  void check_motion(double t) const {
    const LoopSet& loops = *system_->loops();
    if (loops.any_closed() && loops.rank() < passive_)
      throw Error(fmt::format(
          "the reference motion of the driven joints does not determine the motion of robot '{}' "
          "at t = {} s: the loops leave {} more free; drive them too, or analyse the simulated "
          "motion (`motion: simulated`)",
          scenario_.model.name, t, passive_ - loops.rank()));
  }

  // whether more freedoms are driven than the mechanism has
  void find_sharing() {
    passive_ = free_freedoms();
    if (system_->evaluate(0, x_) == Evaluated::failed)
      throw Error("the reference motion cannot be followed: " + system_->failure());
    const Mechanism& closed = system_->loops()->closed();
    ClosedDynamics room(closed);
    const std::vector<double> rest(nv(), 0.0);
    closed_velocity<double>(closed, 0, std::span<const double>(x_).first(nq()), rest, room);
    shares_ = room.solver.rank > system_->loops()->rank();
  }

  // of all efforts with this motion the smallest, within the limits where they suffice
  void share_efforts(double t) {
    const Mechanism& closed = system_->loops()->closed();
    ClosedDynamics room(closed);
    const std::span<const double> q = std::span<const double>(x_).first(nq()),
                                  v = std::span<const double>(x_).subspan(nq(), nv());
    ActuationSettings settings;
    settings.tolerance = 1e-6;
    for (int k = 0; k < system_->velocities(); ++k)
      if (std::binary_search(driven_.begin(), driven_.end(), k)) settings.actuated.push_back(k);
    Loads<double> loads;
    loads.passive = Passive::included;
    loads.body_forces = system_->body_forces();
    loads.body_inertia = system_->body_inertia();
    const auto solve = [&] {
      return closed_inverse_dynamics(closed, t, q, v, system_->accelerations(), settings, room,
                                     loads);
    };
    ClosedEfforts found = solve();
    for (const int k : settings.actuated) {
      const double limit = closed.tree.dof[k].effort_limit;
      settings.upper.push_back(limit), settings.lower.push_back(-limit);
    }
    const auto exceeds = [&](std::size_t i) {
      return std::abs(found.tau[at_index(settings.actuated[i])]) > settings.upper[i];
    };
    for (std::size_t i = 0; i < settings.actuated.size(); ++i) {
      if (!exceeds(i)) continue;
      try {
        found = solve();
      } catch (const Error&) {  // the limits are too low: the check of limits says so
      }
      break;
    }
    std::copy(found.tau.begin(), found.tau.end(), shared_->inputs().begin() + first_input());
    std::copy(system_->discrete().begin(), system_->discrete().end(), shared_->discrete().begin());
    if (shared_->evaluate(t, x_) == Evaluated::failed)
      throw Error(fmt::format("the reference motion cannot be followed at t = {} s: {}", t,
                              shared_->failure()));
  }

  std::ptrdiff_t first_input() const {
    const std::vector<InputSpec>& all = shared_->input_specs();
    const auto is_first = [](const InputSpec& one) { return one.name == "given forces.0"; };
    return std::find_if(all.begin(), all.end(), is_first) - all.begin();
  }

  const Scenario& scenario_;
  std::vector<int> driven_;  // of a closed mechanism
  std::unique_ptr<System> system_, shared_;
  std::vector<double> x_;
  double t_ = 0;
  int passive_ = 0;  // freedoms that the loops carry along
  bool shares_ = false;
};

}  // namespace

Run follow_reference(const Scenario& scenario, const JointTrajectoryPointer& trajectory) {
  if (const auto fault = find_fault(scenario.simulation))
    throw Error(fmt::format("simulation: {}: {}", fault->setting, fault->reason));
  const double duration = scenario.simulation.duration;
  if (!std::isfinite(duration))
    throw Error(
        "the reference motion is followed to its end; give the "
        "scenario a finite duration");
  Follower follower(scenario, trajectory);
  Recorder recorder(follower.recorded(), scenario.record);
  Run run;
  run.recording.columns = recorder.columns();
  const double interval = scenario.simulation.record_interval;
  const auto intervals = static_cast<long>(std::ceil(duration / interval * (1 - 1e-12)));
  for (long k = 0; k <= intervals; ++k) {  // of equal length, none longer than `interval`
    const double t = duration * static_cast<double>(k) / static_cast<double>(intervals);
    const std::span<const double> x = follower.go_to(t);
    const std::span<const double> row = recorder.row(follower.recorded(), t, x);
    run.recording.values.insert(run.recording.values.end(), row.begin(), row.end());
    run.totals.add(row);
  }
  run.status = RunStatus::finished;
  run.simulated = duration;
  return run;
}

}  // namespace limber
