#include "report/sea_bed.hpp"

#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/water_part.hpp>

#include "index.hpp"

namespace limber {

void add_sea_bed(const Scenario& scenario, const Run& run, RunSummary& summary) {
  const Model& m = scenario.model;
  if (!scenario.water || !scenario.water->level || run.end.x.size() < at_index(m.nq)) return;
  const double bed = *scenario.water->level - scenario.water->depth;
  Workspace ws(m);
  const Poses& bodies =
      forward_kinematics<double>(m, std::span<const double>(run.end.x).first(at_index(m.nq)), ws);
  double deepest = 0, at = 0;
  const LinkHydrodynamics* lowest = nullptr;
  for (const LinkHydrodynamics& link : scenario.water_part->links()) {
    const Displacement& displaced = link.hydrodynamics.displacement;
    const double z = transform_point(frame_pose(m, bodies, m.frame(link.link)), displaced.center).z;
    const double below = bed - z - std::cbrt(displaced.volume);
    if (below > deepest) deepest = below, at = z, lowest = &link;
  }
  if (lowest)
    summary.warnings.push_back(fmt::format(
        "link '{}' sank through the sea bed: it ended at z = {:.4g} m, the bed is at {:.4g} m. "
        "`contact: {{ground: {:.6g}}}` lets robots stand on it",
        lowest->link, at, bed, bed));
}

}  // namespace limber
