#include <limber/constraint/contact_phases.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/forward_dynamics.hpp>

#include "index.hpp"

namespace limber {

namespace {

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

ContactPhases::ContactPhases(const Model& model, FunctionalSettings settings)
    : coordinates(model, std::move(settings)), model_(model), ws_(model), factor_(model) {
  rows_ = static_cast<int>(coordinates.constrained().size());
  const std::size_t rows = at_index(rows_), nv = at_index(model.nv);
  for (auto* values : {&acceleration, &velocity}) values->assign(nv, 0.0);
  for (auto* values : {&force, &impulse}) values->assign(rows, 0.0);
  Y_.assign(rows * nv, 0.0);
  A_.assign(rows * rows, 0.0);
  L_.assign(rows * rows, 0.0);
}

// J_c, A_c, Y = H⁻¹ J_cᵀ and A = J_c H⁻¹ J_cᵀ with its factor
void ContactPhases::find_rows(double t, std::span<const double> q, std::span<const double> v,
                              const Loads<double>& loads) {
  constexpr double least_pivot = 1e-12;  // beside the row's own mobility
  coordinates.compute(model_, t, q, v, ws_);
  factorize<double>(model_, q, ws_, factor_, loads);
  const std::size_t rows = at_index(rows_), nv = at_index(model_.nv);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> J = coordinates.row(coordinates.constrained()[i]);
    const std::span<double> Y = std::span(Y_).subspan(i * nv, nv);
    std::copy(J.begin(), J.end(), Y.begin());
    solve<double>(factor_, Y);
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      A_[i * rows + j] = product(coordinates.row(coordinates.constrained()[i]),
                                 std::span<const double>(Y_).subspan(j * nv, nv));
  // Cholesky's factor
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = A_[i * rows + j];
      for (std::size_t k = 0; k < j; ++k) sum -= L_[i * rows + k] * L_[j * rows + k];
      if (i != j) {
        L_[i * rows + j] = sum / L_[j * rows + j];
        continue;
      }
      if (!(sum > least_pivot * A_[i * rows + i]))
        throw Error(fmt::format(
            "frame '{}' cannot be moved in every constrained coordinate (at {:.6g} s, '{}'): the "
            "robot is in a singular position, or has too few joints",
            coordinates.settings().frame, t,
            name(static_cast<Functional>(coordinates.constrained()[i]))));
      L_[i * rows + i] = std::sqrt(sum);
    }
}

// right := A⁻¹ right
void ContactPhases::solve_rows(std::span<double> right) {
  const std::size_t rows = right.size();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= L_[i * rows + k] * right[k];
    right[i] /= L_[i * rows + i];
  }
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < rows; ++k) right[i] -= L_[k * rows + i] * right[k];
    right[i] /= L_[i * rows + i];
  }
}

// out += H⁻¹ J_cᵀ rows
void ContactPhases::add_response(std::span<const double> rows, std::span<double> out) const {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += Y_[i * out.size() + k] * rows[i];
}

void ContactPhases::constrained_motion(double t, std::span<const double> q,
                                       std::span<const double> v, std::span<const double> tau,
                                       const Loads<double>& loads) {
  find_rows(t, q, v, loads);
  forward_dynamics<double>(model_, q, v, tau, ws_, std::span<double>(acceleration), loads);
  for (std::size_t i = 0; i < force.size(); ++i) {
    const int c = coordinates.constrained()[i];
    force[i] = -product(coordinates.row(c), acceleration) - coordinates.bias[at_index(c)];
  }
  solve_rows(force);
  add_response(force, acceleration);
}

void ContactPhases::impact(double t, std::span<const double> q, std::span<const double> v,
                           const Loads<double>& loads) {
  find_rows(t, q, v, loads);
  energy_lost = 0;
  for (std::size_t i = 0; i < impulse.size(); ++i)
    impulse[i] = -coordinates.rate[at_index(coordinates.constrained()[i])];
  solve_rows(impulse);
  // ½ Pᵀ A P, as seen from the surface
  for (std::size_t i = 0; i < impulse.size(); ++i)
    energy_lost -= impulse[i] * coordinates.rate[at_index(coordinates.constrained()[i])] / 2;
  std::copy(v.begin(), v.end(), velocity.begin());
  add_response(impulse, velocity);
}

void ContactPhases::expect_base(const LumpedBase& base) const {
  if (rows_ != 1)
    throw Error(fmt::format(
        "a base of one mass gives way along one coordinate, and {} are constrained; describe the "
        "environment as a robot of its own",
        rows_));
  if (!(base.mass > 0) || !(base.stiffness >= 0) || !(base.damping >= 0) ||
      !std::isfinite(base.mass + base.stiffness + base.damping))
    throw Error(fmt::format(
        "a base with mass {} kg, stiffness {} N/m and damping {} N s/m: the mass must be positive, "
        "the others not negative",
        base.mass, base.stiffness, base.damping));
}

void ContactPhases::motion_on_base(const LumpedBase& base, double t, std::span<const double> q,
                                   std::span<const double> v, std::span<const double> tau,
                                   const Loads<double>& loads) {
  expect_base(base);
  find_rows(t, q, v, loads);
  forward_dynamics<double>(model_, q, v, tau, ws_, std::span<double>(acceleration), loads);
  const int c = coordinates.constrained()[0];
  const double without = product(coordinates.row(c), acceleration) + coordinates.bias[at_index(c)];
  // m_e (A F + without) = −F − k s − b ṡ
  force[0] = -(base.mass * without + base.stiffness * coordinates.s[at_index(c)] +
               base.damping * coordinates.rate[at_index(c)]) /
             (base.mass * A_[0] + 1);
  acceleration_after = without + A_[0] * force[0];
  add_response(force, acceleration);
}

void ContactPhases::impact_on_base(const LumpedBase& base, double base_velocity, double t,
                                   std::span<const double> q, std::span<const double> v,
                                   const Loads<double>& loads) {
  expect_base(base);
  find_rows(t, q, v, loads);
  const double meeting = coordinates.rate[at_index(coordinates.constrained()[0])] - base_velocity;
  // m_e (meeting + A P) = −P
  impulse[0] = -base.mass * meeting / (base.mass * A_[0] + 1);
  rate_after = base_velocity + meeting + A_[0] * impulse[0];
  energy_lost = -impulse[0] * meeting / 2;
  std::copy(v.begin(), v.end(), velocity.begin());
  add_response(impulse, velocity);
}

}  // namespace limber
