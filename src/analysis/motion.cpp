// The motion of an analysis.
#include <cmath>

#include <fmt/format.h>

#include <limber/control/prescribed.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/model/variables.hpp>
#include <limber/sim/payload.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "index.hpp"
#include "analysis/parts.hpp"

namespace limber {

namespace {

// records the forces that act on the bodies from outside
class LoadProbe final : public Part {
 public:
  LoadProbe() : Part("load probe") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<LoadProbe>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override { bodies_ = model.body_name; }
  std::vector<Column> columns() const override {
    std::vector<Column> all;  // without a group: not drawn
    for (const std::string& body : bodies_)
      for (const char* what : {"mx", "my", "mz", "fx", "fy", "fz"})
        all.push_back({"load on " + body + "." + what, "", ""});
    return all;
  }
  void record(Evaluation& at, std::span<double> values) override {
    double* out = values.data();
    for (const Force<double>& f : at.body_forces())
      for (const Vec3<double>& part : {f.angular, f.linear}) {
        *out++ = part.x;
        *out++ = part.y;
        *out++ = part.z;
      }
  }

 private:
  std::vector<std::string> bodies_;
};

void append(std::span<const double> values, std::vector<double>& all) {
  all.insert(all.end(), values.begin(), values.end());
}

// names of all joints that move by themselves
std::vector<std::string> all_joints(const Model& model) {
  std::vector<std::string> names;
  for (const Variable& freedom : velocity_variables(model))
    if (names.empty() || names.back() != freedom.joint) names.push_back(freedom.joint);
  return names;
}

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

}  // namespace

Scenario recording_of_motion(const Scenario& scenario) {
  Scenario recorded = scenario;
  recorded.record.velocities = recorded.record.accelerations = true;
  recorded.simulation.record_interval = scenario.analysis->interval;
  recorded.parts.push_back(std::make_shared<const LoadProbe>());
  return recorded;
}

AnalysedMotion motion_of(const Model& model, const Recording& recording) {
  const std::size_t nq = at_index(model.nq), nv = at_index(model.nv);
  const std::size_t first_load = recording.column("load on " + model.body_name[0] + ".mx");
  AnalysedMotion motion;
  for (std::size_t k = 0; k < recording.rows(); ++k) {
    const std::span<const double> row = recording.row(k);
    motion.times.push_back(row[0]);
    append(row.subspan(1, nq), motion.q);
    append(row.subspan(1 + nq, nv), motion.v);
    append(row.subspan(1 + nq + nv, nv), motion.a);
    const double* load = row.data() + first_load;
    for (int body = 0; body < model.bodies(); ++body, load += 6)
      motion.body_forces.push_back({{load[0], load[1], load[2]}, {load[3], load[4], load[5]}});
  }
  return motion;
}

Run follow_reference(const Scenario& scenario, const JointTrajectoryPointer& trajectory) {
  if (!scenario.model.loops.empty())
    throw Error(
        fmt::format("the reference motion of robot '{}' is not analysed with its loops (the first "
                    "is '{}'); leave "
                    "them open (`loops: open`)",
                    scenario.model.name, scenario.model.loops[0].name));
  System system(scenario.model);  // with the forces from outside alone
  for (const auto& part : scenario.parts)
    if (part->role() == Role::world && part->prescribed().empty()) system.add(part->clone());
  PrescribedJointSettings prescribed{"reference motion", all_joints(scenario.model), trajectory};
  system.add(std::make_unique<PrescribedJoint>(prescribed));
  if (const auto fault = find_fault(scenario.simulation))
    throw Error(fmt::format("simulation: {}: {}", fault->setting, fault->reason));
  Recorder recorder(system, scenario.record);
  Run run;
  run.recording.columns = recorder.columns();
  std::vector<double> x = system.initial_state(scenario.q, scenario.v);
  const double duration = scenario.simulation.duration;
  if (!std::isfinite(duration))
    throw Error(
        "the reference motion is followed to its end; give the "
        "scenario a finite duration");
  const double interval = scenario.simulation.record_interval;
  const auto intervals = static_cast<long>(std::ceil(duration / interval * (1 - 1e-12)));
  for (long k = 0; k <= intervals; ++k) {  // of equal length, none longer than `interval`
    const double t = duration * static_cast<double>(k) / static_cast<double>(intervals);
    system.project(t, x);  // takes the joints where they are prescribed to be
    if (!apply_pending_jumps(system, t, x))
      throw Error(fmt::format("the reference motion cannot be followed at t = {} s: {}", t,
                              system.failure()));
    const std::span<const double> row = recorder.row(system, t, x);
    append(row, run.recording.values);
    run.totals.add(row);
  }
  run.status = RunStatus::finished;
  run.simulated = duration;
  return run;
}

void add_payload_forces(const Scenario& scenario, const Model& model, AnalysedMotion& motion) {
  const std::size_t bodies = at_index(model.bodies());
  for (const CarriedLoad& load : scenario.payloads) {
    if (!load.is_timed()) continue;
    const CarriedInertia carried =
        carried_inertia({load.name, load.frame, load.inertia, load.from, load.until}, model);
    const Transform<double>& placement = model.body_placement[carried.body];
    Workspace ws(model);
    for_each_instant(model, motion, [&](const Instant& instant) {
      if (instant.t < load.from || instant.t >= load.until) return;
      const Accelerations& moving =
          forward_kinematics<double>(model, instant.q, instant.v, instant.a, ws);
      const Motion<double>& v = moving.v[carried.body];
      const Motion<double> a = classical_acceleration(moving.a[carried.body], v);
      const Vec3<double> gravity =
          transpose_times(moving.X_W[carried.body].R, model.gravity);  // in the body's axes
      const Force<double> needed = inertial_force(carried.inertia, a.linear - gravity,
                                                  acceleration_gradient(v.angular, a.angular));
      motion.body_forces[instant.row * bodies + carried.body] +=
          apply_inverse(placement, needed) * -1.0;
    });
  }
}

void for_each_instant(const Model& model, const AnalysedMotion& motion,
                      const std::function<void(const Instant&)>& look) {
  const std::size_t nq = at_index(model.nq), nv = at_index(model.nv),
                    bodies = at_index(model.bodies());
  Workspace ws(model);
  for (std::size_t row = 0; row < motion.times.size(); ++row) {
    Instant instant{row,
                    motion.times[row],
                    std::span(motion.q).subspan(row * nq, nq),
                    std::span(motion.v).subspan(row * nv, nv),
                    std::span(motion.a).subspan(row * nv, nv),
                    std::span(motion.body_forces).subspan(row * bodies, bodies),
                    {}};
    Loads<double> loads;
    loads.body_forces = instant.body_forces;
    loads.passive = Passive::included;
    instant.tau = inverse_dynamics<double>(model, instant.q, instant.v, instant.a, ws, loads);
    look(instant);
  }
}

}  // namespace limber
