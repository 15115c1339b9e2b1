#pragma once
// What the loops of a mechanism do at one position: gaps, rank, mobility, rows that say the same as
// others; and how far the next dead point is. [RDA] §9.4.1
#include <string>
#include <vector>

#include <limber/constraint/mechanism.hpp>

namespace limber {

/// What the loops of a mechanism are at one position.
struct LoopAnalysis {
  std::vector<double> gap;  ///< of each row [m or rad]; zero for rows that hold velocities alone
  double largest_gap = 0;
  int largest_row = -1;       ///< where; −1: there are no rows
  int rank = 0;               ///< of the rows
  int mobility = 0;           ///< nv − rank: velocities that may be chosen
  int position_mobility = 0;  ///< the same of rows that hold positions; larger where wheels roll
  /// Rows that others imply: without them the mechanism moves in the same way. Of equal rows the
  /// first stays.
  std::vector<int> redundant_rows;
  /// 1: the force of the row is determinate (rows). Redundant rows and those that imply them are
  /// not.
  std::vector<std::uint8_t> is_determinate;
  /// Freedoms that move the others, chosen so that small changes of them make small changes of the
  /// others (mobility of them); and those that follow.
  std::vector<int> independent, dependent;
  /// Freedoms that the loops hold: they cannot move at all at this position.
  std::vector<int> locked;

  /// The loops leave no freedom: a structure, or a mechanism in a position that holds it.
  bool is_immobile() const { return mobility == 0; }
};

/// Rows whose part that others cannot replace is smaller than `tolerance` count as dependent, each
/// row measured by the longest one of its loop. The inertias do not matter. Throws Error for q of a
/// wrong size or with numbers that are not finite.
LoopAnalysis analyse_loops(const Mechanism& mechanism, double t, std::span<const double> q,
                           double tolerance = 1e-7);

/// Sentences for people: mobility, redundant rows by name, gaps. One line each.
std::vector<std::string> describe(const Mechanism& mechanism, const LoopAnalysis& analysis);

/// What `dead_point_ahead` follows and when it stops.
struct DeadPointSettings {
  std::vector<int>
      independent;             ///< freedoms that drive the others; empty: those of analyse_loops()
  double distance = 6.4;       ///< to look ahead, as the length of the path in joint space
  double displacement = 0.02;  ///< between positions that are looked at
};
struct DeadPoint {
  enum class Kind {
    none,        ///< none within the distance
    dead_point,  ///< the independent freedoms cannot drive the mechanism through it
    singular     ///< the rows depend on each other more than elsewhere: paths may branch
  };
  Kind kind = Kind::none;
  /// The smallest singular value of the dependent part of the rows (scaled by the loops' rows at
  /// q), here; and how it changes along the path. Zero at dead points.
  double singular_value = 0, rate = 0;
  double estimate = 0;  ///< −value/rate: where it would vanish at this rate; infinite if it grows
  double distance = 0;  ///< along the path, where it does
  std::vector<double> q;  ///< there
};

/// Follows the mechanism from q (closed) in the direction of the velocity v, as the loops allow it,
/// to the next position where the dependent part of the rows is singular. Throws Error where q is
/// not closed, v does not move, or the independent freedoms are not as many as the mobility.
DeadPoint dead_point_ahead(const Mechanism& mechanism, double t, std::span<const double> q,
                           std::span<const double> v, const DeadPointSettings& settings = {});

/// Whether two positions belong to the same branch, by the sign of the determinant of the dependent
/// part of the rows.
enum class Branch {
  same,
  switched,
  unclear  ///< one of the positions is a dead point
};
/// `independent`: freedoms that drive the others; empty: those that analyse_loops() finds at q0.
Branch compare_branches(const Mechanism& mechanism, double t, std::span<const double> q0,
                        std::span<const double> q1, const std::vector<int>& independent = {});

}  // namespace limber
