#include "report/scene_water.hpp"

#include <optional>

#include <limber/sim/water_part.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double no_bed = 1e6;  // depths beyond are those of an endless sea [m]

}  // namespace

std::optional<double> bed_height(const Scenario& scenario) {
  if (!scenario.water || !scenario.water->level || scenario.water->depth > no_bed)
    return std::nullopt;
  return *scenario.water->level - scenario.water->depth;
}

Json water_json(const Scenario& scenario, const Recording& recording,
                std::span<const std::size_t> rows) {
  if (!scenario.water) return nullptr;
  const Water& water = *scenario.water;
  Json waves = Json::array(), profile = Json::array();
  for (const Wave& wave : water.waves)
    waves.push_back({{"amplitude", wave.amplitude},
                     {"frequency", wave.frequency},
                     {"number", wave.number},
                     {"direction", wave.direction},
                     {"phase", wave.phase}});
  for (const CurrentAtDepth& at : water.profile)
    profile.push_back(
        {{"depth", at.depth}, {"velocity", {at.velocity.x, at.velocity.y, at.velocity.z}}});
  const std::size_t first = recording.column(scenario.water_part->name() + ".current.x");
  std::vector<double> current;
  for (const std::size_t row : rows)
    for (std::size_t k = 0; k < 3; ++k) current.push_back(recording.row(row)[first + k]);
  Json result = {{"level", nullptr},
                 {"bed", nullptr},
                 {"waves", std::move(waves)},
                 {"current", packed(current)},
                 {"profile", std::move(profile)}};
  if (water.level) result["level"] = *water.level;
  if (const std::optional<double> height = bed_height(scenario)) result["bed"] = *height;
  return result;
}

void add_buoyancy(const Scenario& scenario, const Recording& recording,
                  std::span<const std::size_t> rows, Json& all) {
  if (!scenario.water) return;
  const Model& m = scenario.model;
  WaterLoads loads(m, scenario.water_part->links());
  Workspace ws(m);
  const std::vector<double> rest(at_index(m.nv), 0.0);  // buoyancy depends on the place alone
  const std::size_t links = loads.links().size();
  std::vector<std::vector<double>> force(links), point(links);
  const auto add = [](const Vec3<double>& v, std::vector<double>& values) {
    values.insert(values.end(), {v.x, v.y, v.z});
  };
  for (const std::size_t row : rows) {
    const std::span<const double> values = recording.row(row);
    const Velocities& bodies =
        forward_kinematics<double>(m, values.subspan(1, at_index(m.nq)), rest, ws);
    loads.update(m, bodies, *scenario.water, values[0]);
    for (std::size_t k = 0; k < links; ++k) {
      const Transform<double> pose = frame_pose(m, bodies, m.frame(loads.links()[k].link));
      const WaterLoads::LinkState& state = loads.states()[k];
      add(pose.R * state.buoyancy.linear, force[k]);
      add(transform_point(pose, state.displaced.center), point[k]);
    }
  }
  for (std::size_t k = 0; k < links; ++k) {
    if (!(loads.links()[k].hydrodynamics.displacement.volume > 0)) continue;
    all.push_back({{"name", "buoyancy of " + loads.links()[k].link},
                   {"kind", "buoyancy"},
                   {"body", 0},
                   {"position", {0, 0, 0}},
                   {"force", packed(force[k])},
                   {"points", packed(point[k])}});
  }
}

}  // namespace limber
