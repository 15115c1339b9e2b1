#include "study_water/measure.hpp"

#include <deque>

#include "study/rounds.hpp"
#include "study_water/vehicle.hpp"

namespace limber::app::study_water {

namespace {

using WaterProgress = std::function<void(double)>;

// the totals of table 16
Cost thesis_cost(Place place, long m, long n) {
  if (place == Place::land) return {224 * m * n + 59 * m + 99, 205 * m * n + 63 * m + 68};
  return {377 * m * n + 83 * m + 256, 333 * m * n + 77 * m + 202};
}

// a square root counts as a multiplication, as in the thesis; all of them are needed
Cost needed_cost(const std::vector<Counted>& results) {
  const OperationCount count = Counted::needed_for(results);
  return {count.multiplications + Counted::count().roots, count.additions};
}

Cost count_wet_way(const Spec& spec, const Model& plain, Place place, Way way) {
  Counted::start();
  Vehicle<Counted> vehicle(spec, plain, place);
  vehicle.compute(way);
  return needed_cost(vehicle.a);
}

void count_sizes(Study& study, const WaterProgress& progress) {
  for (const int legs : leg_counts)
    for (int joints = fewest_joints; joints <= most_joints; ++joints) {
      Size& size = study.sizes.emplace_back();
      size.legs = legs, size.joints = joints;
      const Spec spec = study_legs::walker_spec(legs, joints);
      const Model plain = build(spec);
      for (const Place place : both_places) {
        Costs& costs = size.at[static_cast<std::size_t>(place)];
        for (const WayFacts& facts : all_ways)
          costs.counted[static_cast<std::size_t>(facts.way)] =
              count_wet_way(spec, plain, place, facts.way);
        costs.thesis = thesis_cost(place, legs, joints);
      }
      progress(static_cast<double>(study.sizes.size()) /
               static_cast<double>(leg_counts.size() * most_joints));
    }
}

// the slope over the joints of one leg, which is the same everywhere
PerLink count_link(const Study& study) {
  const auto slope = [&](Place place) {
    const auto cost = [&](int joints) {
      for (const Size& size : study.sizes)
        if (size.legs == 1 && size.joints == joints)
          return size.at[static_cast<std::size_t>(place)]
              .counted[static_cast<std::size_t>(Way::articulated)];
      return Cost{};
    };
    return Cost{cost(6).multiplications - cost(5).multiplications,
                cost(6).additions - cost(5).additions};
  };
  const Cost wet = slope(Place::water), dry = slope(Place::land);
  return {{wet.multiplications - dry.multiplications, wet.additions - dry.additions},
          {377 - 224, 333 - 205}};
}

void count_arms(Study& study) {
  for (int joints = fewest_joints; joints <= most_joints; ++joints) {
    ArmRow row;
    row.joints = joints;
    const Spec spec = arm_spec(joints);
    const Model plain = build(spec);
    row.full = count_wet_way(spec, plain, Place::water, Way::articulated);
    Counted::start();
    Vehicle<Counted> vehicle(spec, plain, Place::water);
    row.decoupled = needed_cost(vehicle.compute_decoupled());
    const long n = joints;
    row.thesis_full = {377 * n + 132, 333 * n + 95};
    row.thesis_decoupled = {377 * n - 265, 333 * n - 265};
    study.arms.push_back(row);
  }
}

// processor time of one thread, wet and dry in turn
void measure_wet_times(Study& study, double seconds, const WaterProgress& progress) {
  std::deque<Vehicle<double>> vehicles;
  study::Rounds rounds;
  for (Size& size : study.sizes) {
    const Spec spec = study_legs::walker_spec(size.legs, size.joints);
    const Model plain = build(spec);
    for (const Place place : both_places) {
      Vehicle<double>& vehicle = vehicles.emplace_back(spec, plain, place);
      for (const WayFacts& facts : all_ways)
        rounds.add(
            [&vehicle, way = facts.way](int calls) {
              for (int k = 0; k < calls; ++k) vehicle.compute(way);
            },
            size.at[static_cast<std::size_t>(place)]
                .nanoseconds[static_cast<std::size_t>(facts.way)]);
    }
  }
  rounds.measure(seconds, progress);
}

}  // namespace

Study examine(Effort effort, const std::function<void(double)>& progress) {
  Study study;
  study.quick = effort == Effort::quick;
  study.timed = effort != Effort::counts_only;
  const double counted = study.timed ? 0.3 : 1;
  count_sizes(study, [&](double part) { progress(counted * part); });
  study.link = count_link(study);
  count_arms(study);
  study.decoupled = decoupling_errors();
  if (study.timed)
    measure_wet_times(study, study.quick ? 0.5 : 12,
                      [&](double part) { progress(counted + (1 - counted) * part); });
  return study;
}

}  // namespace limber::app::study_water
