#include "info_water.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/fluid/robot_water.hpp>

#include "table.hpp"

namespace limber::app {

namespace {

// sea water [kg/m³]
constexpr double density = 1025;

const char* from_shapes(const BodySpec& body) {
  return body.shapes.empty() ? "none" : "from shapes";
}

// that of the file, or of shapes that are not meshes
std::optional<double> volume_of(const BodySpec& body) {
  if (body.hydrodynamics->volume) return body.hydrodynamics->volume;
  try {
    const std::optional<Displacement> found = shape_displacement(body);
    if (found) return found->volume;
  } catch (const Error&) {
    // shapes without size
  }
  return std::nullopt;
}

std::string drag_text(const BodySpec& body) {
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  std::vector<std::string> parts;
  if (water.linear_damping) parts.emplace_back("linear");
  if (water.quadratic_damping) parts.emplace_back("quadratic");
  if (!water.cylinders.empty())
    parts.push_back(fmt::format("{} cylinder{}", water.cylinders.size(),
                                water.cylinders.size() == 1 ? "" : "s"));
  if (parts.empty() || water.drag_coefficient) parts.emplace_back(from_shapes(body));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

double gravity_of(const Spec& spec) {
  const double g = norm(spec.gravity);
  return g > 0 ? g : 9.81;
}

std::string diagonal_text(const MarineMatrix& matrix) {
  std::vector<std::string> numbers;
  for (std::size_t k = 0; k < 6; ++k) numbers.push_back(fmt::format("{:.4g}", matrix[k][k]));
  return fmt::format("{}{}", fmt::join(numbers, " "), is_diagonal(matrix) ? "" : ", coupled");
}

Json matrix_json(const MarineMatrix& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix) rows.push_back(to_json(row));
  return rows;
}

std::string water_to_text(const Spec& spec, std::size_t rows) {
  constexpr auto left = Table::Align::left;
  Table table({{"link in water", left},
               {"added mass [kg, kg m²]", left},
               {"drag", left},
               {"volume [m³]"},
               {"buoyancy [N]"},
               {"weight [N]"}});
  const double g = gravity_of(spec);
  std::size_t count = 0;
  bool has_volume = false;
  for (const BodySpec& body : spec.bodies) {
    if (!body.hydrodynamics || ++count > rows) continue;
    const std::optional<double> volume = volume_of(body);
    has_volume = has_volume || volume;
    const std::optional<MarineMatrix>& added = body.hydrodynamics->added_mass;
    table.add({body.name, added ? diagonal_text(*added) : from_shapes(body), drag_text(body),
               volume ? fmt::format("{:.6g}", *volume) : from_shapes(body),
               volume ? readable(density * *volume * g) : "", readable(body.inertia.m * g)});
  }
  if (count == 0) return "";
  std::string text = "\n" + table.text();
  if (has_volume) text += fmt::format("  buoyancy in sea water, {} kg/m³\n", density);
  text += fmt::format("  --water {} shows what comes from shapes, too\n", density);
  if (count > rows) text += fmt::format("  … and {} more; --all shows them\n", count - rows);
  return text;
}

Json water_to_json(const Spec& spec) {
  Json list = Json::array();
  for (const BodySpec& body : spec.bodies) {
    if (!body.hydrodynamics) continue;
    const HydrodynamicsSpec& water = *body.hydrodynamics;
    Json link{{"link", body.name}};
    if (water.added_mass) link["added_mass"] = matrix_json(*water.added_mass);
    if (water.linear_damping) link["linear_damping"] = matrix_json(*water.linear_damping);
    if (water.quadratic_damping) link["quadratic_damping"] = matrix_json(*water.quadratic_damping);
    if (water.linear_damping || water.quadratic_damping)
      link["damping_frame"] = {{"position", to_json(water.damping_frame.p)},
                               {"rotation", to_json(water.damping_frame.R)}};
    if (const std::optional<double> volume = volume_of(body)) {
      link["volume"] = *volume;
      link["buoyancy"] = density * *volume * gravity_of(spec);
    }
    link["weight"] = body.inertia.m * gravity_of(spec);
    if (water.center_of_buoyancy) link["center_of_buoyancy"] = to_json(*water.center_of_buoyancy);
    if (water.drag_coefficient) link["drag_coefficient"] = *water.drag_coefficient;
    if (!water.cylinders.empty()) link["cylinders"] = water.cylinders.size();
    list.push_back(std::move(link));
  }
  return list;
}

}  // namespace limber::app
