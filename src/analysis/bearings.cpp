// What the bearings of the joints bear.
#include <algorithm>

#include <limber/model/joint_kind.hpp>

#include "analysis/parts.hpp"
#include "analysis/time_series.hpp"

namespace limber {

namespace {

// a joint with a bearing, and where its frame is on the body that it carries
struct Bearing {
  int body = 0;
  Transform<double> body_in_joint;
};

void add_load(const Force<double>& load, BearingAnalysis& bearing) {
  const Vec3<double> axis = bearing.axis.value_or(Vec3<double>{});
  const double along = dot(axis, load.linear), about = dot(axis, load.angular);
  bearing.loads.push_back(load);
  bearing.axial.push_back(along);
  bearing.radial.push_back(norm(load.linear - axis * along));
  bearing.tilting.push_back(norm(load.angular - axis * about));
}

void set_figures(std::span<const double> times, BearingAnalysis& bearing) {
  std::vector<double> whole;
  for (const Force<double>& load : bearing.loads) whole.push_back(norm(load.linear));
  bearing.figures[Figure::bearing_force] = peak_of(times, whole);
  if (bearing.axis) bearing.figures[Figure::axial_force] = peak_of(times, bearing.axial);
  bearing.figures[Figure::radial_force] = peak_of(times, bearing.radial);
  bearing.figures[Figure::tilting_moment] = peak_of(times, bearing.tilting);
}

}  // namespace

std::vector<BearingAnalysis> analyse_bearings(const Spec& spec, const Model& model,
                                              const AnalysedMotion& motion) {
  std::vector<BearingAnalysis> bearings;
  std::vector<Bearing> places;
  for (const JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::fixed || joint.kind == JointKind::free) continue;
    BearingAnalysis bearing;
    bearing.name = joint.name;
    // about or along which the joint lets its child move
    if (facts(joint.kind).axes == 1) bearing.axis = joint.axis / norm(joint.axis);
    bearings.push_back(std::move(bearing));
    places.push_back({model.body_of_joint(joint.name), joint.child_placement});
  }
  for_each_instant(model, motion, [&](const Instant& instant) {
    for (std::size_t k = 0; k < bearings.size(); ++k)
      add_load(places[k].body_in_joint * joint_reaction(model, instant.tau, places[k].body),
               bearings[k]);
  });
  for (BearingAnalysis& bearing : bearings) set_figures(motion.times, bearing);
  return bearings;
}

}  // namespace limber
