#include <limber/constraint/closed_derivatives.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <limber/constraint/loop_analysis.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/linearization.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "constraint/dense_system.hpp"
#include "dynamics/checks.hpp"

namespace limber {

namespace {

/// f′(0) of a smooth f by values at ±h, ±2h, ±3h. [Fornberg 1988]
template <class F>
Numbers slope_of(F&& f, double h) {
  constexpr std::array weight{3.0 / 4, -3.0 / 20, 1.0 / 60};
  Numbers sum;
  for (int i = 1; i <= 3; ++i) {
    const Numbers ahead = f(i * h), behind = f(-i * h);
    sum.resize(ahead.size());
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += weight[at_index(i - 1)] * (ahead[k] - behind[k]) / h;
  }
  return sum;
}

/// How the rows of a mechanism change near a state, in numbers that are put one behind the other.
class RowSlopes {
 public:
  RowSlopes(const Mechanism& m, double t, In<double> q, In<double> v, ClosedDynamics& closed)
      : m_(m), t_(t), q_(q), v_(v), closed_(closed), moved_q_(q.size()), step_(v.size()) {}

  /// Of Jᵀ λ (nv), then J a + bias (rows), for a displacement of freedom k.
  Numbers with_position(int k, const Numbers& a, const Numbers& force) {
    return slope_of(
        [&](double h) {
          loop_rows<double>(m_, t_, moved(k, h), v_, closed_.ws, closed_.rows);
          Numbers all;
          for (int i = 0; i < m_.tree.nv; ++i) {
            double sum = 0;
            for (int row = 0; row < m_.rows; ++row)
              sum += closed_.rows.jt(i, row) * force[at_index(row)];
            all.push_back(sum);
          }
          append_rates(a, closed_.rows.bias, all);
          return all;
        },
        5e-3);
  }
  /// Of the bias (rows), for a change of velocity k.
  Numbers with_velocity(int k) {
    return slope_of(
        [&](double h) {
          Numbers v(v_.begin(), v_.end());
          v[at_index(k)] += h;
          loop_rows<double>(m_, t_, q_, v, closed_.ws, closed_.rows);
          return Numbers(closed_.rows.bias.begin(), closed_.rows.bias.end());
        },
        0.1);
  }
  /// Of the rates J v + drift (rows), for a displacement of freedom k.
  Numbers of_rates(int k) {
    return slope_of(
        [&](double h) {
          loop_jacobian<double>(m_, t_, moved(k, h), closed_.ws, closed_.rows);
          Numbers all;
          append_rates(Numbers(v_.begin(), v_.end()), closed_.rows.drift, all);
          return all;
        },
        5e-3);
  }

 private:
  std::span<const double> moved(int k, double h) {
    std::fill(step_.begin(), step_.end(), 0.0);
    step_[at_index(k)] = h;
    integrate<double>(m_.tree, q_, step_, 1.0, moved_q_);
    return moved_q_;
  }
  void append_rates(const Numbers& x, const List<double>& offset, Numbers& all) const {
    for (int row = 0; row < m_.rows; ++row) {
      double sum = offset[row];
      for (int i = 0; i < m_.tree.nv; ++i) sum += closed_.rows.jt(i, row) * x[at_index(i)];
      all.push_back(sum);
    }
  }

  const Mechanism& m_;
  double t_;
  In<double> q_, v_;
  ClosedDynamics& closed_;
  Numbers moved_q_, step_;
};

void put_column(Dense& A, int column, const Numbers& x) {
  for (int i = 0; i < A.rows; ++i) A(i, column) = x[at_index(i)];
}

Dense rows_in(const LoopRows& rows, const std::vector<int>& chosen, int nv) {
  Dense J(static_cast<int>(chosen.size()), nv);
  for (int i = 0; i < J.rows; ++i)
    for (int k = 0; k < nv; ++k) J(i, k) = rows.jt(k, chosen[at_index(i)]);
  return J;
}

/// Freedoms that determine the others best.
std::vector<int> best_freedoms(const Dense& J) {
  Dense scaled = J;
  for (int i = 0; i < J.rows; ++i) {
    double square = 0;
    for (int k = 0; k < J.columns; ++k) square += J(i, k) * J(i, k);
    for (int k = 0; k < J.columns && square > 0; ++k) scaled(i, k) /= std::sqrt(square);
  }
  const RankedQr ranked(std::move(scaled), 1e-7);
  std::vector<int> free(ranked.order().begin() + ranked.rank(), ranked.order().end());
  std::sort(free.begin(), free.end());
  return free;
}

void check_on_manifold(const Mechanism& m, double t, In<double> q, In<double> v,
                       ClosedDynamics& closed) {
  const auto refuse = [&](int row, const char* what, double by) {
    throw Error(fmt::format(
        "linearize: {} of robot '{}' {} by {:.3g}; assemble() and closed_velocity() give states "
        "that satisfy the loops",
        m.row_name(row), m.tree.name, what, by));
  };
  const std::span<const double> gap = loop_gaps<double>(m, t, q, closed.ws, closed.rows);
  for (int i = 0; i < m.rows; ++i)
    if (!(std::abs(gap[at_index(i)]) <= 1e-6)) refuse(i, "is open", gap[at_index(i)]);
  loop_jacobian<double>(m, t, q, closed.ws, closed.rows);
  for (int i = 0; i < m.rows; ++i) {
    double rate = closed.rows.drift[i], size = 1 + std::abs(rate);
    for (int k = 0; k < m.tree.nv; ++k) {
      rate += closed.rows.jt(k, i) * v[at_index(k)];
      size += std::abs(closed.rows.jt(k, i) * v[at_index(k)]);
    }
    if (!(std::abs(rate) <= 1e-6 * size)) refuse(i, "opens at a rate", rate);
  }
}

}  // namespace

ClosedDerivatives closed_forward_dynamics_derivatives(const Mechanism& m, double t, In<double> q,
                                                      In<double> v, In<double> tau,
                                                      ClosedDynamics& closed,
                                                      const Loads<double>& loads) {
  const int nv = m.tree.nv;
  ClosedDerivatives d;
  const std::span<const double> a = closed_forward_dynamics<double>(m, t, q, v, tau, closed, loads);
  d.a.assign(a.begin(), a.end());
  d.force = closed.solver.force;
  for (Dense* A : {&d.a_q, &d.a_v, &d.a_tau}) *A = Dense(nv, nv);
  for (Dense* A : {&d.force_q, &d.force_v, &d.force_tau}) *A = Dense(m.rows, nv);
  const DenseSystem system(m, q, closed, loads);
  Dense tau_q(nv, nv), tau_v(nv, nv), M(nv, nv);
  MatrixWorkspace mw(m.tree);
  inverse_dynamics_tangent_derivatives<double>(m.tree, q, v, d.a, closed.ws, mw, tau_q.data,
                                               tau_v.data, M.data, loads);
  RowSlopes slopes(m, t, q, v, closed);
  const auto put = [&](int k, const Numbers& r, const Numbers& c, Dense& x, Dense& force) {
    const DenseSystem::Solution found = system.solve(r, c);
    put_column(x, k, found.x);
    put_column(force, k, found.force);
  };
  const Numbers no_rates(at_index(m.rows));
  for (int k = 0; k < nv; ++k) {
    Numbers r(at_index(nv)), c(at_index(m.rows));
    const Numbers with_q = slopes.with_position(k, d.a, d.force);
    for (int i = 0; i < nv; ++i) r[at_index(i)] = with_q[at_index(i)] - tau_q(i, k);
    for (int i = 0; i < m.rows; ++i) c[at_index(i)] = -with_q[at_index(nv + i)];
    put(k, r, c, d.a_q, d.force_q);
    const Numbers with_v = slopes.with_velocity(k);
    for (int i = 0; i < nv; ++i) r[at_index(i)] = -tau_v(i, k);
    for (int i = 0; i < m.rows; ++i) c[at_index(i)] = -with_v[at_index(i)];
    put(k, r, c, d.a_v, d.force_v);
    std::fill(r.begin(), r.end(), 0.0);
    r[at_index(k)] = 1;
    put(k, r, no_rates, d.a_tau, d.force_tau);
  }
  return d;
}

ClosedLinearization linearize(const Mechanism& m, double t, In<double> q, In<double> v,
                              In<double> tau, const LinearizationSettings& settings,
                              ClosedDynamics& closed, const Loads<double>& loads) {
  const int nv = m.tree.nv;
  check_workspace("linearize", m.tree, closed);
  check_size("linearize", "v", v.size(), nv, m.tree.name);
  check_on_manifold(m, t, q, v, closed);
  std::vector<int> all, held;
  for (int i = 0; i < m.rows; ++i) {
    all.push_back(i);
    if (m.holds_position(i)) held.push_back(i);
  }
  const Dense J = rows_in(closed.rows, all, nv), J_held = rows_in(closed.rows, held, nv);
  ClosedLinearization found;
  found.positions = settings.positions.empty() ? best_freedoms(J_held) : settings.positions;
  found.velocities = settings.velocities.empty() ? best_freedoms(J) : settings.velocities;
  const Embedding positions(J_held, found.positions, m.tree.name);
  const Embedding velocities(J, found.velocities, m.tree.name);
  found.T_q = positions.G;
  found.T_v = velocities.G;

  // velocities that a displacement takes along: J T_vq = −∂(J v + drift)/∂q T_q
  RowSlopes slopes(m, t, q, v, closed);
  Dense rates(m.rows, nv);
  for (int k = 0; k < nv; ++k) put_column(rates, k, slopes.of_rates(k));
  const int nx = found.T_q.columns, nw = found.T_v.columns;
  found.T_vq = Dense(nv, nx);
  const Dense driven = rates * found.T_q;
  for (int k = 0; k < nx; ++k) {
    Numbers c = column_of(driven, k);
    for (double& x : c) x = -x;
    put_column(found.T_vq, k, velocities.offset(c));
  }

  const ClosedDerivatives d = closed_forward_dynamics_derivatives(m, t, q, v, tau, closed, loads);
  // how displacements change at constant velocities: that of the tree
  Dense tree_A(2 * nv, 2 * nv), tree_B(2 * nv, nv);
  MatrixWorkspace mw(m.tree);
  linearize<double>(m.tree, q, v, tau, closed.ws, mw, tree_A.data, tree_B.data, loads);
  Dense K(nv, nv);
  for (int i = 0; i < nv; ++i)
    for (int k = 0; k < nv; ++k) K(i, k) = tree_A(i, k);

  Dense rate_x = K * found.T_q, accelerate_x = d.a_q * found.T_q;
  const Dense by_velocity = d.a_v * found.T_vq, accelerate_w = d.a_v * found.T_v;
  for (std::size_t i = 0; i < rate_x.data.size(); ++i) {
    rate_x.data[i] += found.T_vq.data[i];
    accelerate_x.data[i] += by_velocity.data[i];
  }
  found.A = Dense(nx + nw, nx + nw);
  found.B = Dense(nx + nw, nv);
  for (int i = 0; i < nx; ++i) {
    const int row = found.positions[at_index(i)];
    for (int k = 0; k < nx; ++k) found.A(i, k) = rate_x(row, k);
    for (int k = 0; k < nw; ++k) found.A(i, nx + k) = found.T_v(row, k);
  }
  for (int i = 0; i < nw; ++i) {
    const int row = found.velocities[at_index(i)];
    for (int k = 0; k < nx; ++k) found.A(nx + i, k) = accelerate_x(row, k);
    for (int k = 0; k < nw; ++k) found.A(nx + i, nx + k) = accelerate_w(row, k);
    for (int k = 0; k < nv; ++k) found.B(nx + i, k) = d.a_tau(row, k);
  }
  const std::vector<Variable> variables = velocity_variables(m.tree);
  for (const int k : found.positions) found.states.push_back(variables[at_index(k)].name());
  for (const int k : found.velocities)
    found.states.push_back(variables[at_index(k)].name() + " rate");
  return found;
}

}  // namespace limber
