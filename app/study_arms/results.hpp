#pragma once
// What the study of cooperating arms finds.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <limber/scalar/counted.hpp>

namespace limber::app::study_arms {

inline constexpr int arms = 4;                             ///< m
inline constexpr int fewest_joints = 3, most_joints = 30;  ///< N
inline constexpr int table_joints = 6;                     ///< of [McM] table 2

/// Multiplications and additions.
struct Cost {
  long multiplications = 0, additions = 0;
  long both() const { return multiplications + additions; }
};

/// A row of [McM] table 2: what a part of the calculation takes, for all arms together.
struct Part {
  const char* title;
  Cost ours;
  Cost thesis;  ///< zero where it has nothing of the kind
};

/// The ways to the motion of a team.
enum class Way { operational_space, articulated, augmented, general };
inline constexpr int way_count = 4;
struct WayFacts {
  Way way;
  const char *key, *title;
  bool is_counted;  ///< compiled for Counted
};
std::span<const WayFacts> all_ways();

/// One number of joints.
struct Size {
  int joints = 0;
  Cost counted[way_count];                       ///< by way
  std::optional<double> nanoseconds[way_count];  ///< by way, where timed
  Cost thesis_operational, thesis_articulated;
};

/// From which number of joints on the articulated way is cheaper; none: not up to most_joints.
struct Crossovers {
  std::optional<int> thesis, counted, timed;
};

/// One way towards a singular position.
struct SweepRow {
  double bend = 0;       ///< of the wrist of one arm [rad]
  double condition = 0;  ///< of its Λ⁻¹
  bool is_inverted = false;
  double distance = 0;    ///< of all accelerations from those at the singular position, relative
  double from_block = 0;  ///< the same from the full block system (4.3)
};

/// m~ × p~ threads and blocks of B points.
struct Partition {
  int arm_parts, time_parts, block;
  int threads() const { return arm_parts * time_parts; }
};
/// [McM] table 3: what each thread does in a round.
struct MeetingRow {
  Partition partition;
  long meetings = 0, objects = 0;  ///< counted
  std::optional<long> thesis_meetings, thesis_objects;
};
/// [McM] tables 4 to 6: as long a step as the required error allows.
struct RunRow {
  Partition partition;
  long steps = 0;
  double error = 0;    ///< of the load's position at the end [m]
  double seconds = 0;  ///< T: wall clock, the best of several
  double parallel_gain = 1, algorithm_gain = 1, total_gain = 1;  ///< S_p, S_a, S_T
};
/// The same as the thesis has it.
struct ThesisRun {
  Partition partition;
  double seconds, parallel_gain, algorithm_gain, total_gain;
};
std::span<const ThesisRun> thesis_runs();
const ThesisRun* thesis_run(const Partition& partition);

struct Study {
  bool quick = false, timed = false;
  unsigned cores = 1;  ///< that this program may use
  std::vector<Part> parts;
  std::vector<Size> sizes;
  Crossovers crossovers;
  Cost method_1, method_2;  ///< two arms; [McM] tables 8 and 9: 512, 416 and 374, 284
  std::vector<SweepRow> sweep;
  std::vector<MeetingRow> meetings;
  double required_error = 0;  ///< [m]
  std::vector<RunRow> runs;
};

inline constexpr Cost thesis_method_1{512, 416}, thesis_method_2{374, 284};

}  // namespace limber::app::study_arms
