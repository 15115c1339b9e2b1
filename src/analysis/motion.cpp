// The motion of an analysis.
#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/payload.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "index.hpp"
#include "analysis/parts.hpp"

namespace limber {

namespace {

void append(std::span<const double> values, std::vector<double>& all) {
  all.insert(all.end(), values.begin(), values.end());
}

}  // namespace

Scenario recording_of_motion(const Scenario& scenario) {
  Scenario recorded = scenario;
  recorded.record.velocities = recorded.record.accelerations = true;
  recorded.simulation.record_interval = scenario.analysis->interval;
  recorded.record.body_loads = true;
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
