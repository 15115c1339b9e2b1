#include <limber/sim/recording.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/energy.hpp>
#include <limber/model/variables.hpp>

#include "dynamics/fold.hpp"
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

}  // namespace

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

Recorder::Recorder(System& system, const RecordChoice& choice)
    : system_(system), choice_(choice), ws_(system.model()) {
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
  const auto add_vector = [&](const std::string& what, const char* unit, const char* group) {
    for (const char* axis : {".x", ".y", ".z"}) add(what + axis, unit, group);
  };
  if (choice.momentum) {
    add_vector("linear_momentum", "N s", "Linear momentum");
    add_vector("angular_momentum", "N m s", "Angular momentum");
  }
  if (choice.center_of_mass) add_vector("center_of_mass", "m", "Centre of mass");
  for (const std::string& frame : choice.frames) {
    frames_.push_back(m.frame(frame));
    add_vector(frame, "m", "Frames");
  }
  const std::vector<Column> parts = system.columns();
  part_columns_ = parts.size();
  columns_.insert(columns_.end(), parts.begin(), parts.end());
  row_.resize(columns_.size());
}

void Recorder::add(const std::string& name, const std::string& unit, const std::string& group) {
  columns_.push_back({name, unit, group});
}

// about the centre of mass
double* Recorder::put_momentum(std::span<const double> q, std::span<const double> v, double* out) {
  const Model& m = system_.model();
  const Force<double> h = momentum<double>(m, q, v, ws_);
  const Vec3<double> c = limber::center_of_mass<double>(m, q, ws_);
  return put(h.angular - cross(c, h.linear), put(h.linear, out));
}

std::span<const double> Recorder::row(double t, std::span<const double> x) {
  const Model& m = system_.model();
  check_size("Recorder::row", "x", x.size(), system_.size(), m.name);
  const auto nq = static_cast<std::size_t>(m.nq), nv = static_cast<std::size_t>(m.nv);
  const std::span<const double> q = x.first(nq), v = x.subspan(nq, nv);
  double* out = row_.data();
  *out++ = t;
  out = put(q, out);
  if (choice_.velocities) out = put(v, out);
  if (choice_.accelerations) out = put(system_.accelerations(), out);
  if (choice_.forces) out = put(system_.joint_forces(), out);
  if (choice_.energy) {
    const EnergyBalance energy = system_.energy(x);
    for (const double value : {energy.kinetic, energy.potential, energy.total(), energy.work,
                               energy.error(), system_.power()})
      *out++ = value;
  }
  if (choice_.momentum) out = put_momentum(q, v, out);
  if (choice_.center_of_mass) out = put(limber::center_of_mass<double>(m, q, ws_), out);
  if (!frames_.empty()) forward_kinematics<double>(m, q, ws_);
  for (const int frame : frames_) out = put(frame_pose(m, ws_, frame).p, out);
  system_.record(x, {out, part_columns_});
  return row_;
}

}  // namespace limber
