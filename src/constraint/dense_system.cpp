#include "constraint/dense_system.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/mass_matrix.hpp>

#include "index.hpp"

namespace limber {

namespace {

reference::Ldlt<double> reduced_inertia(const Dense& M, const Dense& G) {
  return {transpose(G) * (M * G), "dynamics with closed loops"};
}

// A row that vanishes but for rounding is measured by what it could be (see LoopRows::reach): by
// its own length it would be a row of noise.
double least_square(const LoopRows& rows, int row, double square) {
  constexpr double least = 1e-12;
  double own = 0;
  for (int k = 0; k * rows.stride < static_cast<int>(rows.JT.size()); ++k)
    own += rows.jt(k, row) * rows.jt(k, row);
  return own > 0 ? least * square * (rows.reach[row] / own) : 0;
}

}  // namespace

DenseSystem::DenseSystem(const Mechanism& m, std::span<const double> q, ClosedDynamics& closed,
                         const Loads<double>& loads, const Dense& more)
    : robot_(m.tree.name), M_(m.tree.nv, m.tree.nv), J_(m.rows + more.rows, m.tree.nv) {
  const int nv = m.tree.nv;
  mass_matrix<double>(m.tree, q, closed.ws, M_.data, loads);
  for (int k = 0; k < nv; ++k) {
    for (int i = 0; i < m.rows; ++i) J_(i, k) = closed.rows.jt(k, i);
    for (int i = 0; i < more.rows; ++i) J_(m.rows + i, k) = more(i, k);
    reference::require_positive(M_(k, k), "dynamics with closed loops");
    freedom_.push_back(std::sqrt(M_(k, k)));
  }
  Dense scaled = M_;
  for (int i = 0; i < nv; ++i)
    for (int k = 0; k < nv; ++k) scaled(i, k) /= freedom_[at_index(i)] * freedom_[at_index(k)];
  const reference::Ldlt<double> factor(std::move(scaled), "dynamics with closed loops");
  Dense columns(nv, J_.rows);
  for (int i = 0; i < J_.rows; ++i) {
    Numbers half(at_index(nv));
    for (int k = 0; k < nv; ++k)
      columns(k, i) = half[at_index(k)] = J_(i, k) / freedom_[at_index(k)];
    factor.solve_lower(half);
    double square = 0;
    for (int k = 0; k < nv; ++k) square += half[at_index(k)] * half[at_index(k)] / factor.pivot(k);
    if (i < m.rows) square = std::max(square, least_square(closed.rows, i, square));
    row_.push_back(square > 0 ? std::sqrt(square) : 1.0);
    for (int k = 0; k < nv; ++k) columns(k, i) /= row_.back();
  }
  ranked_ = RankedQr(std::move(columns), 1e-7);
  N_ = ranked_.complement();
  for (int k = 0; k < nv; ++k)
    for (int j = 0; j < N_.columns; ++j) N_(k, j) /= freedom_[at_index(k)];
  inertia_ = reduced_inertia(M_, N_);
  if (rank() == J_.rows) return;
  Dense without_effect = ranked_.kernel();
  for (int i = 0; i < J_.rows; ++i)
    for (int j = 0; j < without_effect.columns; ++j) without_effect(i, j) /= row_[at_index(i)];
  effective_ = RankedQr(std::move(without_effect), 0).complement();
}

std::vector<int> DenseSystem::redundant() const {
  return {ranked_.order().begin() + rank(), ranked_.order().end()};
}

std::vector<std::uint8_t> DenseSystem::determinate() const {
  std::vector<std::uint8_t> only(at_index(J_.rows), 1);
  const Dense Z = ranked_.kernel();
  for (int i = 0; i < Z.rows; ++i)
    for (int j = 0; j < Z.columns; ++j)
      if (std::abs(Z(i, j)) > 1e-7) only[at_index(i)] = 0;
  return only;
}

Numbers DenseSystem::forces_for(Numbers f) const {
  for (std::size_t k = 0; k < f.size(); ++k) f[k] /= freedom_[k];
  Numbers force = ranked_.solve(std::move(f));
  for (std::size_t i = 0; i < force.size(); ++i) force[i] /= row_[i];
  if (rank() == J_.rows) return force;
  return effective_ * transposed_times(effective_, force);
}

Numbers DenseSystem::forces(const Numbers& x, const Numbers& r) const {
  Numbers f = M_ * x;
  for (std::size_t k = 0; k < f.size(); ++k) f[k] -= r[k];
  return forces_for(std::move(f));
}

/// x = x₀ + G z with Gᵀ (M x − r) = 0.
DenseSystem::Solution DenseSystem::reduced(const Dense& G, const reference::Ldlt<double>& inertia,
                                           const Numbers& x0, const Numbers& r) const {
  Numbers left = M_ * x0;
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = r[k] - left[k];
  Numbers z = transposed_times(G, left);
  inertia.solve(z);
  Solution found;
  found.x = G * z;
  for (std::size_t k = 0; k < x0.size(); ++k) found.x[k] += x0[k];
  found.force = forces(found.x, r);
  return found;
}

DenseSystem::Solution DenseSystem::solve(const Numbers& r, const Numbers& c) const {
  Numbers scaled = c;
  for (std::size_t i = 0; i < c.size(); ++i) scaled[i] /= row_[i];
  Numbers x0 = ranked_.solve_transposed(scaled);
  for (std::size_t k = 0; k < x0.size(); ++k) x0[k] /= freedom_[k];
  return reduced(N_, inertia_, x0, r);
}

DenseSystem::Solution DenseSystem::solve_embedded(const Numbers& r, const Numbers& c,
                                                  const std::vector<int>& independent) const {
  const Embedding embedding(J_, independent, robot_);
  return reduced(embedding.G, reduced_inertia(M_, embedding.G), embedding.offset(c), r);
}

DenseSystem::Solution DenseSystem::solve_whole(const Numbers& r, const Numbers& c) const {
  const int nv = M_.rows, rows = rank();
  Dense K(nv + rows, nv + rows);
  Numbers right(at_index(nv + rows));
  for (int k = 0; k < nv; ++k) {
    right[at_index(k)] = r[at_index(k)] / freedom_[at_index(k)];
    for (int j = 0; j < nv; ++j)
      K(k, j) = M_(k, j) / (freedom_[at_index(k)] * freedom_[at_index(j)]);
  }
  for (int i = 0; i < rows; ++i) {
    const int row = ranked_.order()[at_index(i)];
    right[at_index(nv + i)] = c[at_index(row)] / row_[at_index(row)];
    for (int k = 0; k < nv; ++k) {
      K(nv + i, k) = J_(row, k) / (freedom_[at_index(k)] * row_[at_index(row)]);
      K(k, nv + i) = -K(nv + i, k);
    }
  }
  const Numbers all = RankedQr(std::move(K), 0).solve(std::move(right));
  Solution found;
  for (int k = 0; k < nv; ++k) found.x.push_back(all[at_index(k)] / freedom_[at_index(k)]);
  found.force = forces(found.x, r);
  return found;
}

Embedding::Embedding(const Dense& J, const std::vector<int>& independent, const std::string& robot)
    : G(J.columns, static_cast<int>(independent.size())) {
  for (int k = 0; k < J.columns; ++k)
    if (std::find(independent.begin(), independent.end(), k) == independent.end())
      dependent_.push_back(k);
  Dense part(J.rows, static_cast<int>(dependent_.size()));
  Dense driven(J.rows, G.columns);
  for (int i = 0; i < J.rows; ++i) {
    double square = 0;
    for (int k = 0; k < J.columns; ++k) square += J(i, k) * J(i, k);
    scale_.push_back(square > 0 ? 1 / std::sqrt(square) : 1.0);
    for (int k = 0; k < part.columns; ++k)
      part(i, k) = J(i, dependent_[at_index(k)]) * scale_.back();
    for (int k = 0; k < driven.columns; ++k)
      driven(i, k) = J(i, independent[at_index(k)]) * scale_.back();
  }
  dependent_part_ = RankedQr(part, 1e-9);
  Dense all(J.rows, J.columns);
  for (int i = 0; i < J.rows; ++i)
    for (int k = 0; k < J.columns; ++k) all(i, k) = J(i, k) * scale_[at_index(i)];
  const int rank = RankedQr(transpose(all), 1e-7).rank(), others = part.columns;
  if (rank < others || dependent_part_.rank() < others)
    throw Error(fmt::format(
        "{} independent freedoms do not determine the other {} of robot '{}' at this position (a "
        "dead point, or too few); choose others, or another method",
        independent.size(), others, robot));
  if (rank > others)
    throw Error(fmt::format(
        "robot '{}' has {} independent freedoms at this position, but {} were given; the loops tie "
        "them to each other",
        robot, J.columns - rank, independent.size()));
  for (int j = 0; j < G.columns; ++j) {
    const Numbers follows = dependent_part_.solve(column_of(driven, j));
    G(independent[at_index(j)], j) = 1;
    for (std::size_t k = 0; k < dependent_.size(); ++k) G(dependent_[k], j) = -follows[k];
  }
}

Numbers Embedding::offset(const Numbers& c) const {
  Numbers scaled = c;
  for (std::size_t i = 0; i < c.size(); ++i) scaled[i] *= scale_[i];
  const Numbers follows = dependent_part_.solve(std::move(scaled));
  Numbers g(at_index(G.rows));
  for (std::size_t k = 0; k < dependent_.size(); ++k) g[at_index(dependent_[k])] = follows[k];
  return g;
}

}  // namespace limber
