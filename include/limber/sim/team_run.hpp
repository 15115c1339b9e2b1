#pragma once
// TeamRun: simulation of arms that hold one object, in blocks of points, parallel over arms, over
// time, or both. [McM] ch. III
//
// Arms and points of a block are divided into parts of equal size, m~ of the arms and p~ of the
// points; thread (g, s) has the arms of part g at the points of part s. One round takes a block of
// B points further:
//   predict, open chains | meet | object, close chains | meet | correct, open chains | meet |
//   object, close chains | meet | move the block on | meet
// The first and the third meeting are those of the threads of one point, the others those of the
// threads of one part of the arms: an arm is integrated from its own values alone. Whoever is alone
// meets nobody, so a round has 2 meetings if m~ > 1 and 3 if p~ > 1. [McM] table 3, figure 13
//
// The object is computed by every thread for itself (figure 7), or by the first part of the arms
// while the others wait (figure 6), which takes two meetings more.
#include <functional>
#include <memory>

#include <limber/constraint/arm_team.hpp>

namespace limber {

/// How a run is divided into steps, blocks and threads.
struct TeamRunSettings {
  double step = 1e-3;  ///< between two points [s]
  int block = 1;       ///< B: points of a block, 1 to 4
  int arm_parts = 1;   ///< m~, divides the number of arms
  int time_parts = 1;  ///< p~, divides the block
  enum class Object { redundant, serial } object = Object::redundant;
};

/// What a thread has done.
struct TeamRunCount {
  long meetings = 0;  ///< with other threads
  long objects = 0;   ///< motions of the object computed
};

/// A simulation of a team of arms with a fixed step, on threads of its own.
class TeamRun {
 public:
  /// Drives of an arm at time t, written to tau (nv). Called from several threads at once.
  using Drives = std::function<void(int arm, double t, std::span<double> tau)>;

  /// Throws Error for parts that do not divide, and for arms with a custom joint that cannot say
  /// how its positions change. The models of the team must live on.
  TeamRun(const ArmTeam& team, const TeamRunSettings& settings, Drives drives);
  ~TeamRun();
  TeamRun(const TeamRun&) = delete;
  TeamRun& operator=(const TeamRun&) = delete;

  /// At t = 0: positions (nq) and velocities (nv) of each arm, state of the object. Takes the first
  /// four steps, by Runge-Kutta, alone: the formulas look back on five points.
  void start(std::span<const std::vector<double>> q, std::span<const std::vector<double>> v,
             const ObjectState<double>& object);
  /// So many blocks on, on all threads.
  void advance(long blocks);

  double t() const;
  std::span<const double> q(int arm) const;
  std::span<const double> v(int arm) const;
  ObjectState<double> object() const;
  /// Since start(), of each thread; thread g + m~ s.
  std::span<const TeamRunCount> counts() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace limber
