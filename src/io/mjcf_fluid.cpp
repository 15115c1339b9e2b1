// MJCF: the fluid of <option>, and what MuJoCo says that it does to a body without fluidshape: drag
// on the box of equal inertia, along and about its axes, which is damping in Limber's sense.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "math/principal.hpp"

namespace limber {

namespace {

constexpr double gas_density = 100;     // [kg/m³]; gases are lighter, liquids heavier
constexpr double gas_viscosity = 1e-4;  // [Pa s]; that of water is 1e-3, of air 1.8e-5
constexpr double least_mass = 1e-15;    // that MuJoCo moves

bool is_diagonal_in(const Mat3<double>& axes, const Sym3<double>& I) {
  const Sym3<double> turned = congruence(transpose(axes), I);
  const double beside = std::max({std::abs(turned.xy), std::abs(turned.xz), std::abs(turned.yz)});
  return beside <= 1e-10 * trace(I);
}

// The axes that MuJoCo has for the inertia: where two moments are equal, all axes across the third
// are principal, and drag along each of them is not drag along others.
Mat3<double> inertia_axes(const Sym3<double>& I, const std::optional<XmlElement>& inertial,
                          const std::vector<MjcfGeom>& geoms, const MjcfCompiler& compiler) {
  std::vector<Mat3<double>> known;
  if (inertial && !inertial->attribute("fullinertia"))
    known.push_back(mjcf_pose({*inertial, {}}, compiler).R);
  const auto is_heavy = [](const MjcfGeom& geom) { return geom.inertia.m > 0; };
  if (!inertial && std::count_if(geoms.begin(), geoms.end(), is_heavy) == 1)
    known.push_back(std::find_if(geoms.begin(), geoms.end(), is_heavy)->placement.R);
  known.push_back(Mat3<double>::identity());
  for (const Mat3<double>& axes : known)
    if (is_diagonal_in(axes, I)) return axes;
  Mat3<double> axes = principal_axes(I).axes;
  if (determinant(axes) < 0) axes = axes * -1.0;
  return axes;
}

}  // namespace

bool MjcfFluid::is_liquid() const { return density >= gas_density || viscosity >= gas_viscosity; }

void read_mjcf_fluid(const XmlElement& option, MjcfFluid& fluid) {
  fluid.density = option.number("density", fluid.density);
  fluid.viscosity = option.number("viscosity", fluid.viscosity);
  if (!(fluid.density >= 0 && fluid.viscosity >= 0)) {
    option.warn(
        fmt::format("density {:g} and viscosity {:g} of a fluid are not read: one of them "
                    "is negative",
                    fluid.density, fluid.viscosity));
    fluid = {};
  }
  if (fluid.is_liquid())
    option.warn(fmt::format(
        "density {:g} and viscosity {:g}: MuJoCo's drag on boxes of equal inertia is taken as "
        "damping of the links in this fluid; it acts where a scenario has `water`, with added mass "
        "and buoyancy of their shapes, which MuJoCo leaves out",
        fluid.density, fluid.viscosity));
  else if (fluid.density > 0 || fluid.viscosity > 0)
    option.warn(fmt::format(
        "density {:g} and viscosity {:g} are not read: they are those of a gas, and what a link is "
        "in a fluid is meant for water",
        fluid.density, fluid.viscosity));
  if (const Vec3<double> wind = option.vec3("wind", {}); norm(wind) > 0)
    option.warn("wind is not read: give it as `current` in `water` of a scenario");
}

void damp_in_fluid(const MjcfFluid& fluid, const std::optional<XmlElement>& inertial,
                   const std::vector<MjcfGeom>& geoms, const MjcfCompiler& compiler,
                   BodySpec& body) {
  const auto is_ellipsoid = [](const MjcfGeom& geom) { return geom.is_ellipsoid_in_fluid; };
  if (!fluid.is_liquid() || !(body.inertia.m > least_mass) ||
      std::any_of(geoms.begin(), geoms.end(), is_ellipsoid))
    return;
  const Sym3<double> I = body.inertia.rotational_about_com();
  if (!std::isfinite(trace(I))) return;  // build() says so
  HydrodynamicsSpec water;
  water.damping_frame = {inertia_axes(I, inertial, geoms, compiler), body.inertia.com()};
  const Sym3<double> moments = congruence(transpose(water.damping_frame.R), I);
  const Vec3<double> along{moments.xx, moments.yy, moments.zz};
  Vec3<double> box;  // its edges
  for (int k = 0; k < 3; ++k)
    box[k] = std::sqrt(6 * std::max(0.0, trace(moments) - 2 * along[k]) / body.inertia.m);
  if (fluid.viscosity > 0) {  // Stokes' drag of a sphere
    const double d = (box.x + box.y + box.z) / 3, pi = std::numbers::pi;
    const double slide = 3 * pi * d * fluid.viscosity, turn = pi * d * d * d * fluid.viscosity;
    water.linear_damping = diagonal_matrix({slide, slide, slide, turn, turn, turn});
  }
  if (fluid.density > 0) {
    std::array<double, 6> drag{};
    for (int k = 0; k < 3; ++k) {
      const double a = box[(k + 1) % 3], b = box[(k + 2) % 3];
      drag[static_cast<std::size_t>(k)] = fluid.density / 2 * a * b;
      drag[static_cast<std::size_t>(k) + 3] =
          fluid.density / 64 * box[k] * (a * a * a * a + b * b * b * b);
    }
    water.quadratic_damping = diagonal_matrix(drag);
  }
  body.hydrodynamics = water;
}

}  // namespace limber
