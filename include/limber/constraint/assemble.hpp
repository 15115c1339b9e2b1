#pragma once
// Assembling: positions that close the loops, from a rough guess. Levenberg and Marquardt's method
// on the gaps, within the joints' limits. Where the guess is far from closed, the position is
// followed from the model's own pose to the guess in small displacements, so that the mechanism
// stays on the branch (elbow up or down) of that pose. Where that does not close them, positions
// around the guess are tried: all links on one line are a dead end. Small gaps, as integration
// leaves them: close_loops().
#include <span>
#include <string>
#include <vector>

#include <limber/constraint/mechanism.hpp>

namespace limber {

/// How a mechanism is assembled.
struct AssemblySettings {
  std::vector<std::string> held;  ///< joints that keep the positions of the guess
  /// Joints that keep them where the loops can be closed so; else as many of them as the loops
  /// leave free, the first ones first.
  std::vector<std::string> preferred;
  std::vector<double> from;  ///< the pose to start from (nq); empty: model_pose()
  double tolerance = 1e-11;  ///< of every gap [m or rad]
  int displacements = 8;     ///< from the pose to the guess; more where they do not succeed
  /// A guess that can be closed by moving no joint further than this is closed at once. [rad or m]
  double nearby = 0.1;
  int iterations = 200;  ///< at most, for each displacement
};

/// A row that stays open.
struct OpenRow {
  int row = 0;
  double gap = 0;
  std::string name, unit;  ///< of the row; "m" or "rad", empty for a constraint of your own
};
/// How far a freedom moved from the guess.
struct JointMove {
  std::string name;
  double distance = 0;  ///< [rad or m]
  std::string unit;     ///< "rad", "m", or empty for a custom joint
};

/// What assemble() found.
struct Assembly {
  bool is_closed = false;
  /// The position was reached from the model's pose, or from a guess nearby, without a jump.
  bool keeps_branch = false;
  double gap = 0;             ///< the largest one left [m or rad]
  std::vector<OpenRow> open;  ///< the largest first; empty if all loops are closed
  std::vector<JointMove> moved;
  std::vector<std::string> freed;  ///< those of AssemblySettings::preferred that had to move
  int iterations = 0;
};

/// Moves q (nq) to a position that closes all loops: on entry the guess, in which the joints of
/// `settings.held` are exact; on return the best position found, never outside the joints' limits
/// if the guess is inside. Throws Error for positions that are no numbers and joints that do not
/// exist; loops that stay open are no error: describe() says which.
Assembly assemble(const Mechanism& mechanism, double t, std::span<double> q,
                  const AssemblySettings& settings = {});

/// "all loops are closed", or each loop that stays open with its gap.
std::string describe(const Assembly& assembly);

/// "elbow by 0.3 rad, slider by -0.01 m and 2 more": as many as `most`, in their order.
std::string describe_moves(std::span<const JointMove> moved, std::size_t most);

/// The model's own pose: of the neutral position and the first named state that whose gaps are
/// smaller (nq).
std::vector<double> model_pose(const Mechanism& mechanism, double t = 0);

}  // namespace limber
