#include "report/scene_forces.hpp"

#include <limber/sim/external_force.hpp>
#include <limber/sim/frame_force.hpp>

#include "index.hpp"

namespace limber {

namespace {

// a point of a frame, as a point of the body that is drawn
Json point_of_body(const Model& m, const std::string& frame, const Vec3<double>& point,
                   std::span<const int> place) {
  if (frame == "world") return {{"body", 0}, {"position", {point.x, point.y, point.z}}};
  const BasicFrame<double>& found = m.frames[at_index(m.frame(frame))];
  const Transform<double> pose = inverse(m.body_placement[at_index(found.body)]) * found.placement;
  const Vec3<double> p = pose.p + pose.R * point;
  return {{"body", place[at_index(found.body)]}, {"position", {p.x, p.y, p.z}}};
}

// three columns from `first` on, with a sign
std::string recorded_force(const Recording& recording, std::span<const std::size_t> rows,
                           const std::string& first, double sign) {
  const std::size_t column = recording.column(first);
  std::vector<double> values;
  for (const std::size_t row : rows)
    for (std::size_t k = 0; k < 3; ++k) values.push_back(sign * recording.row(row)[column + k]);
  return packed(values);
}

}  // namespace

Json forces_json(const Scenario& scenario, const Recording& recording,
                 std::span<const std::size_t> rows, std::span<const int> place) {
  Json all = Json::array();
  const auto add = [&](const Part& part, const std::string& frame, const Vec3<double>& point,
                       double sign) {
    Json arrow = point_of_body(scenario.model, frame, point, place);
    arrow["name"] = part.name();
    arrow["force"] = recorded_force(recording, rows, part.name() + ".fx", sign);
    all.push_back(std::move(arrow));
  };
  for (const auto& part : scenario.parts) {
    if (const auto* force = dynamic_cast<const ExternalForce*>(part.get()))
      add(*force, force->settings().frame, {}, 1);
    if (const auto* force = dynamic_cast<const FrameForce*>(part.get())) {
      add(*force, force->settings().to, force->settings().to_point, 1);
      if (force->settings().from != "world")
        add(*force, force->settings().from, force->settings().from_point, -1);
    }
  }
  return all;
}

Json lines_json(const Scenario& scenario, std::span<const int> place) {
  Json all = Json::array();
  for (const auto& part : scenario.parts)
    if (const auto* force = dynamic_cast<const FrameForce*>(part.get())) {
      const FrameForceSettings& of = force->settings();
      all.push_back({{"name", force->name()},
                     {"ends",
                      {point_of_body(scenario.model, of.from, of.from_point, place),
                       point_of_body(scenario.model, of.to, of.to_point, place)}}});
    }
  return all;
}

}  // namespace limber
