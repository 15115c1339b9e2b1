#include <limber/scenario/beam_section.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

namespace {

using std::numbers::pi;

struct NamedMaterial {
  const char* name;
  Material data;
};

// structural steel S355, aluminium 6061-T6, titanium Ti-6Al-4V (annealed): usual handbook values
constexpr std::array materials = {
    NamedMaterial{"steel", {210e9, 81e9, 7850, 355e6}},
    NamedMaterial{"aluminium", {69e9, 26e9, 2700, 276e6}},
    NamedMaterial{"titanium", {114e9, 44e9, 4430, 880e6}},
};

void expect_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(fmt::format("the section's {} is {}, must be positive", what, value));
}

void expect_wall(double thickness, double size, const char* what) {
  if (!(thickness > 0) || !(2 * thickness < size))
    throw Error(
        fmt::format("a wall of {} m does not fit a {} of {} m; it must be positive and "
                    "thinner than half of it",
                    thickness, what, size));
}

BeamSection round_section(double outer, double inner) {
  const auto power = [&](int n) { return std::pow(outer, n) - std::pow(inner, n); };
  BeamSection section;
  section.area = pi / 4 * power(2);
  section.I_y = section.I_z = pi / 64 * power(4);
  section.torsion_constant = pi / 32 * power(4);
  section.edge_y = section.edge_z = outer / 2;
  section.torsion_modulus = section.torsion_constant / (outer / 2);
  section.round = true;
  return section;
}

// torsion of a solid rectangle a × b, a ≥ b: Saint-Venant's series
void set_solid_torsion(double a, double b, BeamSection& section) {
  double sum_constant = 0, sum_stress = 0;
  for (int n = 1; n < 60; n += 2) {
    const double x = n * pi * a / (2 * b);
    sum_constant += std::tanh(x) / std::pow(n, 5);
    sum_stress += 1 / (n * n * std::cosh(x));
  }
  section.torsion_constant =
      a * b * b * b / 3 * (1 - 192 * b / (std::pow(pi, 5) * a) * sum_constant);
  // largest stress: G · twist · b (1 − 8/π² Σ), in the middle of the longer side
  section.torsion_modulus = section.torsion_constant / (b * (1 - 8 / (pi * pi) * sum_stress));
}

// torsion of a thin-walled box: Bredt, with the area within the wall's middle line
void set_hollow_torsion(double width, double height, double wall, BeamSection& section) {
  const double w = width - wall, h = height - wall;
  section.torsion_constant = 2 * wall * w * w * h * h / (w + h);
  section.torsion_modulus = 2 * w * h * wall;
}

BeamSection box_section(double width, double height, double wall) {
  const double w = wall > 0 ? width - 2 * wall : 0, h = wall > 0 ? height - 2 * wall : 0;
  BeamSection section;
  section.area = width * height - w * h;
  section.I_y = (width * std::pow(height, 3) - w * std::pow(h, 3)) / 12;
  section.I_z = (height * std::pow(width, 3) - h * std::pow(w, 3)) / 12;
  section.edge_y = width / 2;
  section.edge_z = height / 2;
  if (wall > 0) set_hollow_torsion(width, height, wall, section);
  else set_solid_torsion(std::max(width, height), std::min(width, height), section);
  return section;
}

}  // namespace

std::optional<Material> find_material(const std::string& name) {
  for (const NamedMaterial& one : materials)
    if (name == one.name) return one.data;
  return std::nullopt;
}

std::string material_names() {
  std::string names;
  for (const NamedMaterial& one : materials)
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

BeamSection section_of(const SectionSettings& s) {
  if (s.kind == SectionSettings::Kind::box) {
    expect_positive(s.width, "width");
    expect_positive(s.height, "height");
    if (s.thickness != 0) expect_wall(s.thickness, std::min(s.width, s.height), "box");
    return box_section(s.width, s.height, s.thickness);
  }
  expect_positive(s.diameter, "diameter");
  if (s.kind == SectionSettings::Kind::round) return round_section(s.diameter, 0);
  expect_wall(s.thickness, s.diameter, "tube");
  return round_section(s.diameter, s.diameter - 2 * s.thickness);
}

}  // namespace limber
