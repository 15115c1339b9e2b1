#include "report/scene_forces.hpp"

#include <algorithm>

#include <limber/constraint/loop_rows.hpp>
#include <limber/sim/external_force.hpp>
#include <limber/sim/frame_force.hpp>
#include <limber/sim/grasp.hpp>
#include <limber/vehicle/fin.hpp>
#include <limber/vehicle/tether.hpp>
#include <limber/vehicle/thruster.hpp>

#include "index.hpp"
#include "model/loops.hpp"
#include "report/scene_contacts.hpp"
#include "report/scene_water.hpp"

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

Json point_of_loop(const Model& m, int body, const Transform<double>& placement,
                   std::span<const int> place) {
  const Vec3<double> p = (inverse(m.body_placement[body]) * placement).p;
  return {{"body", place[at_index(body)]}, {"position", {p.x, p.y, p.z}}};
}

// forces of the robot's loops on their second body, or on their first where that is the world
void add_loop_forces(const Scenario& scenario, const Recording& recording,
                     std::span<const std::size_t> rows, std::span<const int> place, Json& all) {
  const auto is_gap = [](const Column& column) { return column.name == "loop_gap"; };
  const auto gap = std::find_if(recording.columns.begin(), recording.columns.end(), is_gap);
  if (scenario.model.loops.empty() || gap == recording.columns.end()) return;
  const auto first = static_cast<std::size_t>(gap - recording.columns.begin()) + 1;
  const Mechanism mechanism(scenario.model);
  LoopRows at(mechanism);
  Workspace ws(mechanism.tree);
  const auto nq = at_index(mechanism.tree.nq);
  std::vector<std::vector<double>> forces(mechanism.loops.size());
  for (const std::size_t row : rows) {
    const std::span<const double> values = recording.row(row);
    loop_jacobian<double>(mechanism, values[0], values.subspan(1, nq), ws, at);
    for (int k = 0; k < mechanism.loops.count(); ++k) {
      const auto& closure = mechanism.closures[k];
      Vec3<double> sum;
      for (int i = closure.first_row; i < closure.first_row + closure.rows; ++i)
        sum += at.F[i].linear * values[first + at_index(i)];
      if (mechanism.loops[k].body_b == 0) sum = -sum;
      forces[at_index(k)].insert(forces[at_index(k)].end(), {sum.x, sum.y, sum.z});
    }
  }
  for (int k = 0; k < mechanism.loops.count(); ++k) {
    const BasicLoop<double>& loop = mechanism.loops[k];
    if (loop.kind == LoopSpec::Kind::coupling) continue;
    Json arrow = loop.body_b != 0
                     ? point_of_loop(mechanism.tree, loop.body_b, loop.placement_b, place)
                     : point_of_loop(mechanism.tree, loop.body_a, loop.placement_a, place);
    arrow["name"] = loop.name;
    arrow["force"] = packed(forces[at_index(k)]);
    all.push_back(std::move(arrow));
  }
}

// forces of grasps, which the recording has in world axes
void add_grasp_forces(const Scenario& scenario, const Recording& recording,
                      std::span<const std::size_t> rows, std::span<const int> place, Json& all) {
  for (const auto& part : scenario.parts) {
    const auto* grasp = dynamic_cast<const Grasp*>(part.get());
    if (!grasp || grasp->settings().loop.kind == LoopSpec::Kind::coupling) continue;
    const std::string first = grasp->name() + ".pull.x";
    const auto is_first = [&](const Column& column) { return column.name == first; };
    if (std::none_of(recording.columns.begin(), recording.columns.end(), is_first)) continue;
    const BasicLoop<double> loop = resolve_loop(grasp->settings().loop, scenario.model);
    const bool on_b = loop.body_b != 0;
    Json arrow = on_b ? point_of_loop(scenario.model, loop.body_b, loop.placement_b, place)
                      : point_of_loop(scenario.model, loop.body_a, loop.placement_a, place);
    arrow["name"] = grasp->name();
    arrow["force"] = recorded_force(recording, rows, first, on_b ? 1 : -1);
    all.push_back(std::move(arrow));
  }
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
    if (const auto* thruster = dynamic_cast<const Thruster*>(part.get()))
      add(*thruster, thruster->settings().frame, {}, 1);
    if (const auto* fin = dynamic_cast<const Fin*>(part.get()))
      add(*fin, fin->settings().frame, {}, 1);
    if (const auto* tether = dynamic_cast<const Tether*>(part.get()))
      add(*tether, tether->settings().frame, {}, 1);
    if (const auto* force = dynamic_cast<const FrameForce*>(part.get())) {
      add(*force, force->settings().to, force->settings().to_point, 1);
      if (force->settings().from != "world")
        add(*force, force->settings().from, force->settings().from_point, -1);
    }
  }
  add_loop_forces(scenario, recording, rows, place, all);
  add_contact_forces(scenario, recording, rows, all);
  add_grasp_forces(scenario, recording, rows, place, all);
  add_buoyancy(scenario, recording, rows, all);
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
  for (const auto& part : scenario.parts)
    if (const auto* tether = dynamic_cast<const Tether*>(part.get()))
      all.push_back({{"name", tether->name()},
                     {"ends",
                      {point_of_body(scenario.model, "world", tether->settings().anchor, place),
                       point_of_body(scenario.model, tether->settings().frame, {}, place)}}});
  for (const BasicLoop<double>& loop : scenario.model.loops)  // rods
    if (loop.kind == LoopSpec::Kind::distance)
      all.push_back({{"name", loop.name},
                     {"ends",
                      {point_of_loop(scenario.model, loop.body_a, loop.placement_a, place),
                       point_of_loop(scenario.model, loop.body_b, loop.placement_b, place)}}});
  return all;
}

}  // namespace limber
