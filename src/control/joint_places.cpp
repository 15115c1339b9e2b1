#include "control/joint_places.hpp"

#include <cmath>

#include <fmt/format.h>

#include <limber/math/quat.hpp>
#include <limber/model/variables.hpp>

#include "control/vectors.hpp"

namespace limber {

namespace {

Quat<double> quaternion(const Coordinate* c, double Coordinate::*part) {
  return {c[0].*part, c[1].*part, c[2].*part, c[3].*part};
}

Vec3<double> vector(const Coordinate* c, double Coordinate::*part) {
  return {c[0].*part, c[1].*part, c[2].*part};
}

double inner(const Quat<double>& a, const Quat<double>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// ω = 2 Im(p* ṗ)/|p|² of the direction of p, and its derivative; body axes
void turn_from_coordinates(const Coordinate* c, double* q, double* v, double* a) {
  const auto p = quaternion(c, &Coordinate::value), p1 = quaternion(c, &Coordinate::rate),
             p2 = quaternion(c, &Coordinate::acceleration);
  const double n2 = squared_norm(p);
  const Quat<double> unit = normalized(p);
  q[0] = unit.x, q[1] = unit.y, q[2] = unit.z, q[3] = unit.w;
  const Vec3<double> omega = (conjugate(p) * p1).vec() * (2 / n2);
  write(omega, v);
  write((conjugate(p) * p2).vec() * (2 / n2) - omega * (2 * inner(p, p1) / n2), a);
}

// ṗ = ½ p ω, p̈ = ½ p α − ¼ |ω|² p for unit p
void turn_to_coordinates(const double* q, const double* v, const double* a, Coordinate* c) {
  const Quat<double> p{q[0], q[1], q[2], q[3]};
  const Vec3<double> omega = read(v), alpha = read(a);
  const Quat<double> p1 = p * Quat<double>{omega.x / 2, omega.y / 2, omega.z / 2, 0};
  const Quat<double> p2 =
      p * Quat<double>{alpha.x / 2, alpha.y / 2, alpha.z / 2, -dot(omega, omega) / 4};
  c[0] = {p.x, p1.x, p2.x}, c[1] = {p.y, p1.y, p2.y};
  c[2] = {p.z, p1.z, p2.z}, c[3] = {p.w, p1.w, p2.w};
}

}  // namespace

std::string freedom_name(const Model& m, std::size_t k) { return velocity_variables(m)[k].name(); }
std::string freedom_unit(const Model& m, std::size_t k) { return velocity_variables(m)[k].unit; }

void motion_from_coordinates(const JointPlace& joint, std::span<const Coordinate> c,
                             std::span<double> q, std::span<double> v, std::span<double> a) {
  double *q0 = q.data() + joint.q, *v0 = v.data() + joint.v, *a0 = a.data() + joint.v;
  if (joint.quaternion >= 0) {
    double* turn = q.data() + joint.quaternion;
    turn_from_coordinates(c.data() + (turn - q0), turn, v0, a0);
    if (joint.origin < 0) return;
    write(vector(c.data(), &Coordinate::value), q0);
    const Mat3<double> R = to_matrix(Quat<double>{turn[0], turn[1], turn[2], turn[3]});
    const Vec3<double> velocity = transpose_times(R, vector(c.data(), &Coordinate::rate));
    write(velocity, v0 + 3);
    write(
        transpose_times(R, vector(c.data(), &Coordinate::acceleration)) - cross(read(v0), velocity),
        a0 + 3);
    return;
  }
  for (int i = 0; i < joint.q_count; ++i) {
    const Coordinate& at = c[static_cast<std::size_t>(i)];
    q0[i] = at.value, v0[i] = at.rate, a0[i] = at.acceleration;
  }
}

void coordinates_from_motion(const JointPlace& joint, std::span<const double> q,
                             std::span<const double> v, std::span<const double> a,
                             std::span<Coordinate> c) {
  const double *q0 = q.data() + joint.q, *v0 = v.data() + joint.v, *a0 = a.data() + joint.v;
  if (joint.quaternion >= 0) {
    const double* turn = q.data() + joint.quaternion;
    turn_to_coordinates(turn, v0, a0, c.data() + (turn - q0));
    if (joint.origin < 0) return;
    const Mat3<double> R = to_matrix(Quat<double>{turn[0], turn[1], turn[2], turn[3]});
    const Vec3<double> rate = R * read(v0 + 3);
    const Vec3<double> acceleration = R * (read(a0 + 3) + cross(read(v0), read(v0 + 3)));
    for (int i = 0; i < 3; ++i) c[static_cast<std::size_t>(i)] = {q0[i], rate[i], acceleration[i]};
    return;
  }
  for (int i = 0; i < joint.q_count; ++i) c[static_cast<std::size_t>(i)] = {q0[i], v0[i], a0[i]};
}

void expect_coordinates(const Model& m, const char* what) {
  for (const JointPlace& joint : joint_places(m))
    if (!joint.adds && joint.quaternion < 0)
      throw Error(fmt::format(
          "{}: joint '{}' of robot '{}' integrates its positions itself, so that they cannot be "
          "interpolated number by number; use a function trajectory",
          what, m.joint_name[static_cast<std::size_t>(joint.body)], m.name));
}

void expect_numbers(const Model& m, std::string_view field, std::span<const double> values,
                    int count) {
  if (values.size() != static_cast<std::size_t>(count))
    throw Error(
        fmt::format("{} has {} numbers; robot '{}' needs {}", field, values.size(), m.name, count));
  for (const double value : values)
    if (!std::isfinite(value))
      throw Error(fmt::format("{}: {} found, numbers are needed", field, value));
}

std::vector<double> one_each(std::string_view field, const std::vector<double>& values,
                             std::size_t count, double otherwise) {
  for (const double value : values)
    if (!(value >= 0))
      throw Error(fmt::format("{}: {} found, numbers of at least 0 are needed", field, value));
  if (values.empty()) return std::vector<double>(count, otherwise);
  if (values.size() == 1) return std::vector<double>(count, values[0]);
  if (values.size() != count)
    throw Error(fmt::format("{}: {} numbers found; give one for all or {}, one for each", field,
                            values.size(), count));
  return values;
}

}  // namespace limber
