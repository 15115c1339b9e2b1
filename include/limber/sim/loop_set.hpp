#pragma once
// LoopSet: the loops of a System, those of its robot and those that its parts close and open; and
// the dynamics with those that are closed now.
#include <limber/constraint/closed_dynamics.hpp>
#include <limber/sim/loop_settings.hpp>

namespace limber {

class LoopSet {
 public:
  explicit LoopSet(Mechanism robot);

  LoopSettings settings;

  /// All loops: those of the robot, then those of parts, then constraints of programs.
  const Mechanism& all() const { return all_; }
  /// Those that are closed now, in the same order.
  const Mechanism& closed() const { return closed_; }
  bool any_closed() const { return closed_.rows > 0; }
  bool is_closed(int loop) const { return is_closed_[static_cast<std::size_t>(loop)] != 0; }

  // --- of the instant that the System has evaluated ---
  /// Of all rows, in the order of all(); zero where the loop is open [N or N m].
  std::span<const double> forces() const { return forces_; }
  int rank() const { return rank_; }  ///< of the rows that are closed
  /// Rows depend on each other, or nearly so.
  bool is_dependent() const { return dynamics_.solver.is_dependent; }
  /// Whether a row of all() has a force that is the only one possible; true of open loops.
  bool is_determinate(int row) const { return is_determinate_[static_cast<std::size_t>(row)] != 0; }
  double power() const { return power_; }  ///< of targets that move [W]
  /// The force of each loop of all() on its body b, world axes [N]; zero where it is open, and for
  /// couplings.
  std::span<const Vec3<double>> pulls() const { return pulls_; }

  // --- at any position ---
  struct Gap {
    double size = 0;  ///< of the largest one [m or rad]
    int row = -1;     ///< of closed()
  };
  Gap largest_gap(double t, std::span<const double> q);
  /// "loop 'pin' is open by 0.012 m"
  std::string describe(const Gap& gap) const;

  // --- for the System ---
  /// The robot as parts made it, and the loops that parts may close, which are open then.
  void reset(const Model& tree, const std::vector<LoopSpec>& of_parts);
  void set_tree(const Model& tree);  ///< with other inertias
  int robot_loops() const { return robot_.loops.count(); }
  int part_loops() const { return all_.loops.count() - robot_loops(); }
  /// The loops of parts as they were described; and which are closed now: `loops` where they are.
  std::span<const BasicLoop<double>> described() const { return described_; }
  void close(std::span<const BasicLoop<double>> loops, std::span<const std::uint8_t> is_closed);

  /// Accelerations and forces with the loops closed; known empty: all forces are given.
  Hybrid<double> dynamics(double t, std::span<const double> q, std::span<const double> v,
                          std::span<const Known> known, std::span<const double> given,
                          const Loads<double>& loads);
  /// Brings q and v to the nearest ones that close the loops. Returns what is wrong, or nothing.
  std::string project(double t, std::span<double> q, std::span<double> v,
                      std::span<const Known> known, const Loads<double>& loads);
  /// Impulses of the last project(), of all rows [N s or N m s].
  std::span<const double> impulses() const { return impulses_; }
  /// Adds the forces of the loops on bodies, as in Loads, at the instant of the last dynamics().
  void add_forces(double t, std::span<const double> q, std::span<Force<double>> bodies);

 private:
  void rebuild();
  void find_pulls();

  Mechanism robot_, all_, closed_;
  std::vector<BasicLoop<double>> described_, placed_;  // of parts
  std::vector<std::uint8_t> is_closed_;                // loops of all_
  std::vector<int> row_in_all_;                        // of each row of closed_
  ClosedDynamics dynamics_;
  std::vector<Known> independent_;
  std::vector<double> a_, tau_, forces_, impulses_;
  std::vector<std::uint8_t> is_determinate_;
  std::vector<Vec3<double>> pulls_;  // loops of all_
  int rank_ = 0;
  double power_ = 0;
};

}  // namespace limber
