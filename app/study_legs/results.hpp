#pragma once
// What the study of legged vehicles finds.
#include <array>
#include <optional>
#include <vector>

namespace limber::app::study_legs {

inline constexpr int fewest_joints = 1, most_joints = 10;       ///< N, of a leg
inline constexpr std::array<int, 5> leg_counts{1, 2, 4, 6, 8};  ///< m

/// The ways to the motion of a body with legs.
enum class Way { composite, articulated, general };
inline constexpr int way_count = 3;
struct WayFacts {
  Way way;
  const char *key, *title;
};
inline constexpr std::array<WayFacts, way_count> all_ways{
    {{Way::composite, "composite", "CRB/DTS"},
     {Way::articulated, "articulated", "AB/DTS"},
     {Way::general, "general", "general"}}};

/// Multiplications and additions.
struct Cost {
  long multiplications = 0, additions = 0;
  long both() const { return multiplications + additions; }
};

/// One number of legs and of their joints.
struct Size {
  int legs = 0, joints = 0;
  std::array<Cost, way_count> counted;                       ///< by way
  std::array<std::optional<double>, way_count> nanoseconds;  ///< by way, where timed
  Cost thesis_composite, thesis_articulated;                 ///< [McM] tables 12 and 16
};

/// From which number of joints on articulated bodies are cheaper; none: not up to most_joints.
struct Crossover {
  int legs = 0;
  std::optional<int> thesis, counted, timed;
};

/// Legs shared by threads: wall clock of one call, the best of several.
struct TeamRow {
  int joints = 0, threads = 0;
  double composite_nanoseconds = 0, articulated_nanoseconds = 0;
};
inline constexpr int team_legs = 6;

struct Study {
  bool quick = false, timed = false;
  unsigned cores = 1;  ///< that this program may use
  std::vector<Size> sizes;
  std::vector<Crossover> crossovers;
  std::vector<TeamRow> team;
};

}  // namespace limber::app::study_legs
