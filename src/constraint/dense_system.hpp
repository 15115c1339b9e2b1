#pragma once
// M x − Jᵀ λ = r, J x = c with dense matrices, for many right-hand sides; rows may depend on each
// other.
#include <string>

#include <limber/constraint/closed_dynamics.hpp>

#include "constraint/dense.hpp"

namespace limber {

class DenseSystem {
 public:
  /// M at q, and the rows that stand in `closed.rows`; more of them below (any number × nv).
  DenseSystem(const Mechanism& mechanism, std::span<const double> q, ClosedDynamics& closed,
              const Loads<double>& loads, const Dense& more_rows = {});

  int rank() const { return ranked_.rank(); }
  const Dense& J() const { return J_; }
  const Dense& M() const { return M_; }
  /// A basis of the motions that the rows allow (nv × (nv − rank)), perpendicular with the diagonal
  /// of M as measure.
  const Dense& allowed() const { return N_; }
  /// √M_kk of each freedom.
  const Numbers& freedom_scale() const { return freedom_; }
  /// Rows that others imply.
  std::vector<int> redundant() const;
  /// 1: the force of this row is the only one possible.
  std::vector<std::uint8_t> determinate() const;

  struct Solution {
    Numbers x, force;
  };
  /// By the motions that the rows allow.
  Solution solve(const Numbers& r, const Numbers& c) const;
  /// By the whole system of the rows that do not depend on others.
  Solution solve_whole(const Numbers& r, const Numbers& c) const;
  /// By independent freedoms.
  Solution solve_embedded(const Numbers& r, const Numbers& c,
                          const std::vector<int>& independent) const;
  /// The smallest forces with M x − Jᵀ λ = r, nearly if it must be.
  Numbers forces(const Numbers& x, const Numbers& r) const;
  /// The shortest force of the rows: λ with Jᵀ λ = f, nearly if it must be.
  Numbers forces_for(Numbers f) const;

 private:
  Solution reduced(const Dense& G, const reference::Ldlt<double>& inertia, const Numbers& x0,
                   const Numbers& r) const;

  std::string robot_;
  Dense M_, J_;      // as they are
  Numbers freedom_;  // √M_kk
  Numbers row_;      // √(J M⁻¹ Jᵀ)_ii
  RankedQr ranked_;  // of Jᵀ, scaled
  Dense N_;
  reference::Ldlt<double> inertia_;  // Nᵀ M N
  Dense effective_;                  // forces perpendicular to all that have no effect
};

/// x = G y + g with J x = c: G of independent freedoms, and g for c. Throws Error naming the robot.
struct Embedding {
  Embedding(const Dense& J, const std::vector<int>& independent, const std::string& robot);
  Dense G;
  Numbers offset(const Numbers& c) const;  ///< g

 private:
  std::vector<int> dependent_;
  Numbers scale_;
  RankedQr dependent_part_;
};

}  // namespace limber
