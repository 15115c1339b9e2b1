#include <limber/sim/recording.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/model/variables.hpp>

#include "dynamics/fold.hpp"
#include "index.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

std::string rate(const std::string& unit, const char* per) {
  return unit.empty() ? "" : unit + per;
}
std::string force_unit(const std::string& unit) {
  return unit == "rad" ? "N m" : unit == "m" ? "N" : "";
}

double* put(std::span<const double> values, double* out) {
  return std::copy(values.begin(), values.end(), out);
}
double* put(const Vec3<double>& v, double* out) {
  *out++ = v.x;
  *out++ = v.y;
  *out++ = v.z;
  return out;
}

// the body that a joint carries, which must be a joint that moves
int reaction_body(const Model& m, const std::string& joint) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < m.joint_name.size(); ++b) {
    if (m.is_rotor[b]) continue;
    if (m.joint_name[b] == joint) return static_cast<int>(b);
    names.push_back(m.joint_name[b]);
  }
  throw Error(fmt::format("robot '{}' has no joint '{}' that moves{}", m.name, joint,
                          did_you_mean(joint, names)));
}

}  // namespace

std::vector<int> reaction_bodies(const Model& m, const std::vector<std::string>& joints) {
  std::vector<int> bodies;
  for (const std::string& joint : joints) {
    if (joint != "all") {
      bodies.push_back(reaction_body(m, joint));
      continue;
    }
    for (int b = 1; b < m.bodies(); ++b)
      if (!m.is_rotor[static_cast<std::size_t>(b)]) bodies.push_back(b);
  }
  return bodies;
}

// word by word; every bit of every value counts, and so does the order
void RecordingMark::add(std::span<const double> row) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  for (const double value : row)
    digest = std::rotl(digest ^ std::bit_cast<std::uint64_t>(value), 29) * odd + 1;
  ++rows;
}

void RecordingTotals::add(std::span<const double> row) {
  largest.resize(row.size(), 0.0);
  nonzero.resize(row.size(), 0);
  for (std::size_t k = 0; k < row.size(); ++k) {
    largest[k] = std::max(largest[k], std::abs(row[k]));
    nonzero[k] += row[k] != 0;
  }
  ++rows;
}

std::size_t Recording::column(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == name) return k;
    names.push_back(columns[k].name);
  }
  throw Error(fmt::format("nothing called '{}' was recorded{}", name,
                          did_you_mean(std::string(name), names)));
}

std::vector<double> Recording::series(std::string_view name) const {
  std::vector<double> all(rows());
  const std::size_t k = column(name);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[i * columns.size() + k];
  return all;
}

Recorder::Recorder(const System& system, const RecordChoice& choice)
    : choice_(choice), ws_(system.model()), bodies_(system.model()) {
  const Model& m = system.model();
  const std::vector<Variable> positions = position_variables(m), freedoms = velocity_variables(m);
  add("time", "s", "");
  for (const Variable& x : positions) add(x.name() + ".position", x.unit, "Positions");
  if (choice.velocities)
    for (const Variable& x : freedoms)
      add(x.name() + ".velocity", rate(x.unit, "/s"), "Velocities");
  if (choice.accelerations)
    for (const Variable& x : freedoms)
      add(x.name() + ".acceleration", rate(x.unit, "/s²"), "Accelerations");
  if (choice.forces)
    for (const Variable& x : freedoms) add(x.name() + ".force", force_unit(x.unit), "Joint forces");
  if (choice.energy) {
    for (const char* what : {"kinetic_energy", "potential_energy", "total_energy", "work"})
      add(what, "J", "Energy");
    add("energy_error", "J", "Energy error");
    add("power", "W", "Power");
  }
  if (choice.momentum) {
    add_vector("linear_momentum", "N s", "Linear momentum");
    add_vector("angular_momentum", "N m s", "Angular momentum");
  }
  if (choice.center_of_mass) add_vector("center_of_mass", "m", "Centre of mass");
  add_frames(m);
  add_reactions(m);
  if (choice.loops && system.loops()) add_loops(*system.loops());
  if (choice.body_loads)
    for (const std::string& body : m.body_name)
      for (const char* what : {"mx", "my", "mz", "fx", "fy", "fz"})
        add("load on " + body + "." + what, "", "");
  const std::vector<Column> parts = system.columns();
  part_columns_ = parts.size();
  columns_.insert(columns_.end(), parts.begin(), parts.end());
  row_.resize(columns_.size());
}

void Recorder::add(const std::string& name, const std::string& unit, const std::string& group) {
  columns_.push_back({name, unit, group});
}

void Recorder::add_vector(const std::string& name, const char* unit, const char* group) {
  for (const char* axis : {".x", ".y", ".z"}) add(name + axis, unit, group);
}

void Recorder::add_frames(const Model& m) {
  for (const std::string& frame : choice_.frames) {
    frames_.push_back(m.frame(frame));
    add_vector(frame, "m", "Frames");
  }
  for (const std::string& frame : choice_.frame_velocities) {
    moving_frames_.push_back(m.frame(frame));
    add_vector(frame + ".velocity", "m/s", "Frame velocities");
    add_vector(frame + ".angular_velocity", "rad/s", "Frame angular velocities");
  }
  for (const std::string& frame : choice_.frame_accelerations) {
    accelerated_frames_.push_back(m.frame(frame));
    add_vector(frame + ".acceleration", "m/s²", "Frame accelerations");
    add_vector(frame + ".angular_acceleration", "rad/s²", "Frame angular accelerations");
  }
}

void Recorder::add_reactions(const Model& m) {
  reactions_ = reaction_bodies(m, choice_.reactions);
  for (const int body : reactions_) {
    const std::string joint = m.joint_name[static_cast<std::size_t>(body)] + ".reaction.";
    for (const char* axis : {"x", "y", "z"}) add(joint + "f" + axis, "N", "Reaction forces");
    for (const char* axis : {"x", "y", "z"}) add(joint + "m" + axis, "N m", "Reaction moments");
  }
}

// "loop 'pin', force x" is the column pin.force.x
void Recorder::add_loops(const LoopSet& loops) {
  const Mechanism& all = loops.all();
  add("loop_gap", "", "Loop gap");
  for (int row = 0; row < all.rows; ++row) {
    const int k = all.owner(row);
    const std::string& owner =
        k < all.loops.count() ? all.loops[k].name : all.custom[k - all.loops.count()].name;
    const std::string text = all.row_name(row), whole = all.owner_name(k);
    std::string suffix = text.size() > whole.size() ? text.substr(whole.size() + 2) : "force";
    std::replace(suffix.begin(), suffix.end(), ' ', '.');
    const std::string unit = all.row_unit(row);
    add(fmt::format("{}.{}", owner, suffix), unit, unit == "N m" ? "Loop moments" : "Loop forces");
  }
  // frames of grasps are where they were when these were closed: forces in the world, for a replay
  for (int k = loops.robot_loops(); k < all.loops.count(); ++k)
    for (const char* axis : {"x", "y", "z"})
      add(fmt::format("{}.pull.{}", all.loops[k].name, axis), "N", "");
}

// about the centre of mass
double* Recorder::put_momentum(const Instant& at, double* out) {
  const auto& [system, q, v] = at;
  const Model& m = system.model_with_payloads();
  const Force<double> h = momentum<double>(m, q, v, ws_);
  const Vec3<double> c = limber::center_of_mass<double>(m, q, ws_);
  return put(h.angular - cross(c, h.linear), put(h.linear, out));
}

void Recorder::find_body_loads(const System& system) {
  body_forces_.assign(system.body_forces().begin(), system.body_forces().end());
  system.add_inertia_forces(body_forces_);
  system.add_loop_forces(body_forces_);
}

double* Recorder::put_body_loads(const System& system, double* out) {
  find_body_loads(system);
  for (const Force<double>& f : body_forces_) out = put(f.linear, put(f.angular, out));
  return out;
}

double* Recorder::put_reactions(const Instant& at, double* out) {
  const auto& [system, q, v] = at;
  const Model& m = system.model_with_payloads();
  Loads<double> loads;
  find_body_loads(system);
  loads.body_forces = body_forces_;
  const JointForces<double> forces =
      inverse_dynamics<double>(m, q, v, system.accelerations(), ws_, loads);
  for (const int body : reactions_) {
    const Force<double> reaction = joint_reaction(m, forces, body);
    out = put(reaction.angular, put(reaction.linear, out));
  }
  return out;
}

double* Recorder::put_frames(const Instant& at, double* out) {
  const auto& [system, q, v] = at;
  const Model& m = system.model();
  // as much as is asked for
  if (!accelerated_frames_.empty())
    forward_kinematics<double>(m, q, v, system.accelerations(), ws_, bodies_);
  else if (!moving_frames_.empty()) forward_kinematics<double>(m, q, v, ws_, bodies_);
  else if (!frames_.empty()) forward_kinematics<double>(m, q, ws_, bodies_);
  for (const int frame : frames_) out = put(frame_pose(m, bodies_, frame).p, out);
  for (const int frame : moving_frames_) {
    const Motion<double> rate = frame_velocity(m, bodies_, frame, Reference::world_aligned);
    out = put(rate.angular, put(rate.linear, out));
  }
  for (const int frame : accelerated_frames_) {
    const Motion<double> rate =
        frame_classical_acceleration(m, bodies_, frame, Reference::world_aligned);
    out = put(rate.angular, put(rate.linear, out));
  }
  return out;
}

std::span<const double> Recorder::row(const System& system, double t, std::span<const double> x) {
  const Model& m = system.model_with_payloads();
  check_size("Recorder::row", "x", x.size(), system.size(), m.name);
  const auto nq = static_cast<std::size_t>(m.nq), nv = static_cast<std::size_t>(m.nv);
  const Instant at{system, x.first(nq), x.subspan(nq, nv)};
  double* out = row_.data();
  *out++ = t;
  out = put(at.q, out);
  if (choice_.velocities) out = put(at.v, out);
  if (choice_.accelerations) out = put(system.accelerations(), out);
  if (choice_.forces) out = put(system.joint_forces(), out);
  if (choice_.energy) {
    const EnergyBalance energy = system.energy(x);
    for (const double value : {energy.kinetic, energy.potential, energy.total(), energy.work,
                               energy.error(), system.power()})
      *out++ = value;
  }
  if (choice_.momentum) out = put_momentum(at, out);
  if (choice_.center_of_mass) out = put(limber::center_of_mass<double>(m, at.q, ws_), out);
  out = put_frames(at, out);
  if (!reactions_.empty()) out = put_reactions(at, out);
  if (choice_.loops && system.loops()) {
    *out++ = system.loop_gap();
    const LoopSet& loops = *system.loops();
    out = put(loops.forces(), out);
    for (const Vec3<double>& pull : loops.pulls().subspan(at_index(loops.robot_loops())))
      out = put(pull, out);
  }
  if (choice_.body_loads) out = put_body_loads(system, out);
  system.record(x, {out, part_columns_});
  return row_;
}

}  // namespace limber
