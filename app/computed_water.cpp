#include "computed_water.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/dynamics/energy.hpp>
#include <limber/model/joint_space.hpp>

#include "info_water.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

// how a link is braked that moves with 1 m/s along x, y and z [N]
std::array<double, 3> drag_of(const Hydrodynamics& body, double density) {
  std::array<double, 3> drag{};
  for (int k = 0; k < 3; ++k) {
    Motion<double> v;
    v.linear[k] = 1;
    drag[static_cast<std::size_t>(k)] = -viscous_force(body, v, density).linear[k];
  }
  return drag;
}

// without what is rounding beside the largest masses and moments
MarineMatrix readable_matrix(MarineMatrix matrix) {
  std::array<double, 2> largest{};  // linear, angular
  for (std::size_t i = 0; i < 6; ++i) largest[i / 3] = std::max(largest[i / 3], matrix[i][i]);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (std::abs(matrix[i][j]) <= 1e-12 * std::sqrt(largest[i / 3] * largest[j / 3]))
        matrix[i][j] = 0;
  return matrix;
}

// by the name of the link [kg]
std::unordered_map<std::string_view, double> masses_of(const Spec& spec) {
  std::unordered_map<std::string_view, double> masses;
  for (const BodySpec& body : spec.bodies) masses.emplace(body.name, body.inertia.m);
  return masses;
}

// all links together, in the neutral position
struct Floating {
  double mass = 0;           ///< [kg]
  Displacement displaced;    ///< world axes
  Vec3<double> mass_center;  ///< [m]
};

Floating floating(const Robot& robot, const RobotWater& water) {
  const Model& model = robot.model;
  Workspace ws(model);
  const std::vector<double> q = neutral_position(model);
  const Poses& bodies = forward_kinematics(model, q, ws);
  Floating result;
  result.mass = model.mass();
  for (const LinkHydrodynamics& link : water.links) {
    const Displacement& part = link.hydrodynamics.displacement;
    const Transform<double> pose = frame_pose(model, bodies, model.frame(link.link));
    result.displaced =
        result.displaced + Displacement{part.volume, transform_point(pose, part.center)};
  }
  if (result.mass > 0) result.mass_center = center_of_mass(model, q, ws);
  return result;
}

// whether it rises or sinks, and which way up it hangs
std::string floating_to_text(const Robot& robot, const RobotWater& water, double density) {
  const Floating all = floating(robot, water);
  const double g = gravity_of(robot.spec);
  const double weight = all.mass * g, buoyancy = density * all.displaced.volume * g;
  const double up = buoyancy - weight;
  std::string text = fmt::format(
      "  together: weight {} N, buoyancy {} N; deep in the water {}\n", readable(weight),
      readable(buoyancy),
      std::abs(up) <= 1e-9 * weight
          ? "it hovers"
          : fmt::format("{} with {} N", up > 0 ? "it rises" : "it sinks", readable(std::abs(up))));
  if (all.mass > 0 && all.displaced.volume > 0) {
    const Vec3<double> way = all.displaced.center - all.mass_center;
    text += fmt::format(
        "  in the neutral position the centre of buoyancy is at {}, {}, {} m from the centre of "
        "mass (world axes)\n",
        readable(way.x), readable(way.y), readable(way.z));
  }
  return text;
}

}  // namespace

std::string computed_water_to_text(const Robot& robot, double density, std::size_t rows) {
  const RobotWater water = water_around(robot, density);
  const auto mass = masses_of(robot.spec);
  const double g = gravity_of(robot.spec);
  Table table({{"link in water", Table::Align::left},
               {"added mass [kg, kg m²]", Table::Align::left},
               {"drag at 1 m/s [N]", Table::Align::left},
               {"volume [m³]"},
               {"buoyancy [N]"},
               {"weight [N]"}});
  for (const LinkHydrodynamics& link :
       std::span(water.links).first(std::min(rows, water.links.size()))) {
    const Hydrodynamics& body = link.hydrodynamics;
    std::vector<std::string> drag;
    for (const double force : drag_of(body, density)) drag.push_back(fmt::format("{:.4g}", force));
    table.add({link.link, diagonal_text(readable_matrix(marine_matrix(body.added_mass))),
               fmt::format("{}", fmt::join(drag, " ")),
               fmt::format("{:.6g}", body.displacement.volume),
               readable(density * body.displacement.volume * g), readable(mass.at(link.link) * g)});
  }
  std::string text = "\n" + table.text();
  if (water.links.size() > rows)
    text += fmt::format("  … and {} more; --all shows them\n", water.links.size() - rows);
  text += fmt::format(
      "  in water of {} kg/m³; added mass: surge, sway, heave, roll, pitch, yaw in the frame of "
      "the link; drag: along x, y, z\n",
      density);
  return text + floating_to_text(robot, water, density);
}

Json computed_water_to_json(const Robot& robot, double density) {
  const RobotWater water = water_around(robot, density);
  const auto mass = masses_of(robot.spec);
  const double g = gravity_of(robot.spec);
  Json links = Json::array();
  for (const LinkHydrodynamics& link : water.links) {
    const Hydrodynamics& body = link.hydrodynamics;
    links.push_back({{"link", link.link},
                     {"added_mass", matrix_json(marine_matrix(body.added_mass))},
                     {"volume", body.displacement.volume},
                     {"center_of_buoyancy", to_json(body.displacement.center)},
                     {"buoyancy", density * body.displacement.volume * g},
                     {"weight", mass.at(link.link) * g},
                     {"linear_damping", matrix_json(body.linear_damping)},
                     {"quadratic_damping", matrix_json(body.quadratic_damping)},
                     {"drag_at_1_m_s", to_json(drag_of(body, density))}});
  }
  const Floating all = floating(robot, water);
  return {{"density", density},
          {"links", std::move(links)},
          {"mass", all.mass},
          {"volume", all.displaced.volume},
          {"center_of_mass", to_json(all.mass_center)},
          {"center_of_buoyancy", to_json(all.displaced.center)}};
}

}  // namespace limber::app
