#pragma once
// The rows that hold positions, as dense numbers, and how positions move along them.
#include <span>

#include <limber/constraint/loop_rows.hpp>

#include "constraint/dense.hpp"

namespace limber {

/// Gaps and Jacobian of a mechanism at one time.
class PositionRows {
 public:
  PositionRows(const Mechanism& mechanism, double t);

  const Mechanism& mechanism() const { return m_; }
  /// The rows that hold a position, and all rows.
  const std::vector<int>& held() const { return held_; }
  const std::vector<int>& all() const { return all_; }
  /// Their gaps.
  Numbers gaps(std::span<const double> q);
  /// Their Jacobian (held × nv).
  Dense jacobian(std::span<const double> q);
  /// That of all rows.
  Dense full_jacobian(std::span<const double> q);

  /// What a search for gaps of zero may do.
  struct Search {
    std::vector<char> may_move;  ///< (nv)
    double tolerance = 1e-11;
    int iterations = 200;
  };
  /// Levenberg and Marquardt's method within the joints' limits, in place; the largest gap that is
  /// left. `count` grows by the iterations.
  double close(const Search& search, std::span<double> q, int& count);

 private:
  bool improve(const Search& search, const Numbers& gap, double& damping, std::span<double> q);
  Dense rows_of(const std::vector<int>& rows) const;

  const Mechanism& m_;
  double t_;
  Workspace ws_;
  LoopRows rows_;
  std::vector<int> held_, all_;
  Numbers step_, trial_;
};

/// "m", "rad", or nothing for constraints that a program gives.
const char* gap_unit(const Mechanism& mechanism, int row);
/// What rows of J are measured by: the longest row of the same loop with the same unit, so that a
/// direction that vanishes at one position is seen to. `rows` are those of the mechanism that J
/// has.
Numbers row_scales(const Mechanism& mechanism, const std::vector<int>& rows, const Dense& J);
/// Rows of J divided by their scales.
void scale_rows(const Numbers& scales, Dense& J);

}  // namespace limber
