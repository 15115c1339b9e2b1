#pragma once
// What the study of water finds.
#include <array>
#include <optional>
#include <vector>

#include "study_legs/results.hpp"

namespace limber::app::study_water {

using study_legs::all_ways;
using study_legs::Cost;
using study_legs::fewest_joints;
using study_legs::most_joints;
using study_legs::Way;
using study_legs::way_count;
using study_legs::WayFacts;

inline constexpr std::array<int, 2> leg_counts{1, 6};  ///< m

/// Wet and dry.
enum class Place { land, water };
inline constexpr std::array<Place, 2> both_places{Place::land, Place::water};
inline const char* key(Place place) { return place == Place::land ? "land" : "water"; }

/// A body with legs on land or in water.
struct Costs {
  std::array<Cost, way_count> counted;                       ///< by way
  std::array<std::optional<double>, way_count> nanoseconds;  ///< by way, where timed
  Cost thesis;                                               ///< AB/DTS, [McM] table 16
};
struct Size {
  int legs = 0, joints = 0;
  std::array<Costs, 2> at;  ///< by place
  const Costs& land() const { return at[0]; }
  const Costs& water() const { return at[1]; }
};

/// A vehicle with one arm, whole and apart: [McM] table 19.
struct ArmRow {
  int joints = 0;
  Cost full, decoupled, thesis_full, thesis_decoupled;
};

/// What a link more costs in water less what it costs on land.
struct PerLink {
  Cost counted, thesis;
};

/// Vehicle and arm apart: greatest errors of accelerations, in parts of the greatest of the arm's.
struct DecoupledRow {
  double mass_ratio = 0;  ///< vehicle to arm
  double vehicle_error = 0, joints_error = 0;
};

struct Study {
  bool quick = false, timed = false;
  std::vector<Size> sizes;
  PerLink link;
  std::vector<ArmRow> arms;
  std::vector<DecoupledRow> decoupled;
};

}  // namespace limber::app::study_water
