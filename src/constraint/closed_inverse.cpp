#include <limber/constraint/closed_inverse.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <limber/model/variables.hpp>

#include "constraint/bounded_efforts.hpp"
#include "constraint/dense_system.hpp"
#include "dynamics/checks.hpp"

namespace limber {

namespace {

constexpr const char* inverse_what = "inverse dynamics with closed loops";

std::string freedom_called(const Mechanism& m, std::size_t k) {
  return velocity_variables(m.tree)[k].name();
}

/// Σ |J_ik x_k|: what rounding of a row is measured by.
double row_size(const Dense& J, int row, std::span<const double> x) {
  double size = 0;
  for (int k = 0; k < J.columns; ++k) size += std::abs(J(row, k) * x[at_index(k)]);
  return size;
}

/// Throws Error for the row that J x + offset = 0 misses most, if it does.
void check_motion(const Mechanism& m, const Dense& J, In<double> x, std::span<const double> offset,
                  const char* argument, double tolerance) {
  for (int i = 0; i < m.rows; ++i) {
    double rate = offset[at_index(i)];
    for (int k = 0; k < J.columns; ++k) rate += J(i, k) * x[at_index(k)];
    const double size = row_size(J, i, x) + std::abs(offset[at_index(i)]);
    if (std::abs(rate) > tolerance * (1 + size))
      throw Error(fmt::format(
          "{} of robot '{}': {} does not satisfy {}, which misses by {:.3g}; closed_velocity() and "
          "closed_forward_dynamics() give motions that do",
          inverse_what, m.tree.name, argument, m.row_name(i), rate));
  }
}

void check_actuation(const Mechanism& m, const ActuationSettings& s, std::size_t count) {
  const auto size_of = [&](const char* argument, std::size_t found) {
    if (found != 0)
      check_size("closed_inverse_dynamics", argument, found, static_cast<int>(count), m.tree.name);
  };
  size_of("weight", s.weight.size());
  size_of("lower", s.lower.size());
  size_of("upper", s.upper.size());
  std::vector<char> seen(at_index(m.tree.nv));
  for (const int k : s.actuated)
    if (k < 0 || k >= m.tree.nv || std::exchange(seen[at_index(k)], 1))
      throw Error(
          fmt::format("{} of robot '{}': actuated freedom {} does not exist or stands twice",
                      inverse_what, m.tree.name, k));
  for (const double w : s.weight)
    if (!(w > 0) || !std::isfinite(w))
      throw Error(fmt::format("{}: weights of efforts must be positive", inverse_what));
  for (std::size_t i = 0; i < std::min(s.lower.size(), s.upper.size()); ++i)
    if (!(s.lower[i] <= s.upper[i]))
      throw Error(fmt::format("{}: the lower limit {} of an effort is above the upper one {}",
                              inverse_what, s.lower[i], s.upper[i]));
}

/// What forces are missing: b − tau − Jᵀ λ, and the freedom where it is largest by its inertia.
std::string missing_force(const Mechanism& m, const DenseSystem& system, Numbers left,
                          const std::vector<int>& actuated) {
  const Numbers held = transposed_times(system.J(), system.forces_for(left));
  std::size_t worst = 0;
  double size = -1;
  for (std::size_t k = 0; k < left.size(); ++k) {
    left[k] -= held[k];
    const bool driven =
        std::find(actuated.begin(), actuated.end(), static_cast<int>(k)) != actuated.end();
    const double share = std::abs(left[k]) / system.freedom_scale()[k] * (driven ? 0.5 : 1);
    if (share > size) worst = k, size = share;
  }
  return fmt::format("{:.6g} {} is missing at freedom '{}'", left[worst],
                     velocity_variables(m.tree)[worst].unit == "m" ? "N" : "N m",
                     freedom_called(m, worst));
}

}  // namespace

ClosedEfforts closed_inverse_dynamics(const Mechanism& m, double t, In<double> q, In<double> v,
                                      In<double> a, const ActuationSettings& settings,
                                      ClosedDynamics& closed, const Loads<double>& loads) {
  const char* function = "closed_inverse_dynamics";
  check_workspace(function, m.tree, closed);
  std::vector<int> actuated = settings.actuated;
  if (actuated.empty()) {
    actuated.resize(at_index(m.tree.nv));
    std::iota(actuated.begin(), actuated.end(), 0);
  }
  check_actuation(m, settings, actuated.size());
  const std::span<const double> needed =
      inverse_dynamics<double>(m.tree, q, v, a, closed.ws, loads);
  const Numbers b(needed.begin(), needed.end());
  check_result<double>(m.tree, inverse_what, q, v, "a", a, b);
  loop_rows<double>(m, t, q, v, closed.ws, closed.rows);
  const DenseSystem system(m, q, closed, loads);
  check_motion(m, system.J(), v, closed.rows.drift, "v", settings.tolerance);
  check_motion(m, system.J(), a, closed.rows.bias, "a", settings.tolerance);

  // C u = d
  const Dense& N = system.allowed();
  const Numbers d = transposed_times(N, b);
  const int count = static_cast<int>(actuated.size());
  Dense C(N.columns, count), weighted(N.columns, count);
  const Numbers weight = settings.weight.empty() ? Numbers(actuated.size(), 1.0) : settings.weight;
  double size = 0;
  for (std::size_t k = 0; k < b.size(); ++k)
    size = std::max(size, std::abs(b[k]) / system.freedom_scale()[k]);
  for (int i = 0; i < C.rows; ++i)
    for (int k = 0; k < count; ++k) {
      C(i, k) = N(actuated[at_index(k)], i);
      weighted(i, k) = C(i, k) / std::sqrt(weight[at_index(k)]);
    }
  const RankedQr ranked(weighted, 1e-9);
  Numbers u = ranked.solve(d);
  for (std::size_t k = 0; k < u.size(); ++k) u[k] /= std::sqrt(weight[k]);
  const auto left_by = [&](const Numbers& efforts) {
    Numbers left = C * efforts;
    for (std::size_t i = 0; i < d.size(); ++i) left[i] -= d[i];
    return largest_of(left);
  };
  const auto rest = [&](const Numbers& efforts) {
    Numbers left = b;
    for (std::size_t k = 0; k < efforts.size(); ++k) left[at_index(actuated[k])] -= efforts[k];
    return left;
  };
  const double allowed = settings.tolerance * (size + largest_of(d));
  if (left_by(u) > allowed)
    throw Error(fmt::format(
        "{} of robot '{}': {} actuators cannot produce the motion: {}; actuate more freedoms, or "
        "give a motion that follows from forward dynamics",
        inverse_what, m.tree.name, count, missing_force(m, system, rest(u), actuated)));
  ClosedEfforts found;
  found.is_determinate = ranked.rank() == count;
  if (!settings.lower.empty() || !settings.upper.empty()) {
    const Numbers lower = settings.lower.empty() ? Numbers(u.size(), -HUGE_VAL) : settings.lower;
    const Numbers upper = settings.upper.empty() ? Numbers(u.size(), HUGE_VAL) : settings.upper;
    const double left = bounded_efforts(C, d, weight, lower, upper, u);
    for (std::size_t k = 0; k < u.size(); ++k)
      if (u[k] == lower[k] || u[k] == upper[k]) found.at_limit.push_back(actuated[k]);
    if (left > allowed) {
      std::string names;
      for (const int k : found.at_limit)
        names += (names.empty() ? "'" : ", '") + freedom_called(m, at_index(k)) + "'";
      throw Error(fmt::format(
          "{} of robot '{}': the limits of the efforts do not allow the motion: {} with {} at "
          "their limits",
          inverse_what, m.tree.name, missing_force(m, system, rest(u), actuated), names));
    }
  }
  found.tau.assign(b.size(), 0.0);
  for (std::size_t k = 0; k < u.size(); ++k) found.tau[at_index(actuated[k])] = u[k];
  found.loop_force = system.forces_for(rest(u));
  found.is_force_determinate = system.determinate();
  return found;
}

ClosedHybrid closed_hybrid_dynamics(const Mechanism& m, double t, In<double> q, In<double> v,
                                    std::span<const Known> known, In<double> given,
                                    ClosedDynamics& closed, const Loads<double>& loads) {
  const char* function = "closed_hybrid_dynamics";
  check_workspace(function, m.tree, closed);
  check_size(function, "known", known.size(), m.tree.nv, m.tree.name);
  check_size(function, "given", given.size(), m.tree.nv, m.tree.name);
  const std::span<const double> bias = bias_forces<double>(m.tree, q, v, closed.ws, loads);
  Numbers r(bias.size());
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = -bias[k];
  loop_rows<double>(m, t, q, v, closed.ws, closed.rows);
  Numbers c;
  for (int i = 0; i < m.rows; ++i) c.push_back(closed.wanted[i] - closed.rows.bias[i]);
  std::vector<int> prescribed;
  for (int k = 0; k < m.tree.nv; ++k) {
    if (known[at_index(k)] == Known::force) {
      r[at_index(k)] += given[at_index(k)];
    } else {
      prescribed.push_back(k);
      c.push_back(given[at_index(k)]);
    }
  }
  check_result<double>(m.tree, inverse_what, q, v, "given", given, r);
  check_result<double>(m.tree, inverse_what, q, v, "given", given, c);
  Dense unit(static_cast<int>(prescribed.size()), m.tree.nv);
  for (int i = 0; i < unit.rows; ++i) unit(i, prescribed[at_index(i)]) = 1;
  const DenseSystem system(m, q, closed, loads, unit);
  const DenseSystem::Solution found = system.solve(r, c);
  const Numbers rates = system.J() * found.x;
  for (const int row : system.redundant()) {
    const double left = rates[at_index(row)] - c[at_index(row)];
    const double size = row_size(system.J(), row, found.x) + std::abs(c[at_index(row)]);
    if (std::abs(left) > 1e-8 * (1 + size))
      throw Error(fmt::format(
          "{} of robot '{}': the given accelerations contradict each other through the loops: {} "
          "misses by {:.3g}; give the force of one of them instead",
          inverse_what, m.tree.name,
          row < m.rows
              ? m.row_name(row)
              : fmt::format("that of freedom '{}'",
                            freedom_called(m, at_index(prescribed[at_index(row - m.rows)]))),
          left));
  }
  ClosedHybrid result;
  result.a = found.x;
  result.tau.assign(given.begin(), given.end());
  result.loop_force.assign(found.force.begin(), found.force.begin() + m.rows);
  const std::vector<std::uint8_t> determinate = system.determinate();
  for (std::size_t i = 0; i < prescribed.size(); ++i) {
    result.tau[at_index(prescribed[i])] = found.force[at_index(m.rows) + i];
    if (determinate[at_index(m.rows) + i] == 0) result.is_determinate = false;
  }
  return result;
}

}  // namespace limber
