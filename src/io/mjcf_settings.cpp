// MJCF: <compiler> and <option>.
#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

std::size_t mjcf_choice(const XmlElement& element, const char* name,
                        const std::vector<std::string>& words, std::size_t fallback) {
  return MjcfElement(element, {}).choice(name, words, fallback);
}

bool mjcf_flag(const XmlElement& element, const char* name, bool fallback) {
  return mjcf_choice(element, name, {"false", "true"}, fallback ? 1 : 0) == 1;
}

void expect_euler_sequence(const XmlElement& compiler, const std::string& sequence) {
  const bool known =
      sequence.size() == 3 && sequence.find_first_not_of("xyzXYZ") == std::string::npos;
  if (!known)
    throw compiler.error(
        fmt::format("eulerseq=\"{}\" is not three letters of x, y, z (axes that turn along) or X, "
                    "Y, Z (axes that stay)",
                    sequence));
}

}  // namespace

double MjcfCompiler::angle(double value) const {
  return degrees ? value * std::numbers::pi / 180 : value;
}

void read_mjcf_compiler(const XmlElement& element, MjcfCompiler& settings) {
  const XmlElement compiler = element.owned_by("compiler");
  compiler.expect_attributes(
      {"angle", "eulerseq", "autolimits", "inertiafromgeom", "inertiagrouprange", "boundmass",
       "boundinertia", "balanceinertia", "settotalmass", "coordinate", "meshdir", "assetdir",
       "alignfree", "fitaabb", "strippath"},
      {"texturedir", "discardvisual", "usethread", "fusestatic", "saveinertial", "convexhull",
       "exactmeshinertia", "conflict"});
  settings.degrees =
      mjcf_choice(compiler, "angle", {"radian", "degree"}, settings.degrees ? 1 : 0) == 1;
  if (mjcf_choice(compiler, "coordinate", {"local", "global"}, 0) == 1)
    throw compiler.error(
        "coordinate=\"global\" is no longer part of MJCF; load and save the file with MuJoCo 2.3.3 "
        "or older, which converts it");
  if (mjcf_flag(compiler, "alignfree", false))
    compiler.warn("alignfree is not read: free bodies keep the frames that the file gives them");
  if (const std::optional<std::string> sequence = compiler.attribute("eulerseq")) {
    expect_euler_sequence(compiler, *sequence);
    settings.euler_sequence = *sequence;
  }
  settings.auto_limits = mjcf_flag(compiler, "autolimits", settings.auto_limits);
  settings.inertia_from_geom = static_cast<MjcfCompiler::FromGeom>(
      mjcf_choice(compiler, "inertiafromgeom", {"false", "true", "auto"},
                  static_cast<std::size_t>(settings.inertia_from_geom)));
  if (const std::vector<double> groups = compiler.numbers("inertiagrouprange", {2});
      !groups.empty()) {
    settings.least_group = static_cast<int>(std::clamp(groups[0], -1e6, 1e6));
    settings.greatest_group = static_cast<int>(std::clamp(groups[1], -1e6, 1e6));
  }
  settings.least_mass = compiler.number("boundmass", settings.least_mass);
  settings.least_inertia = compiler.number("boundinertia", settings.least_inertia);
  settings.total_mass = compiler.number("settotalmass", settings.total_mass);
  settings.strip_path = mjcf_flag(compiler, "strippath", settings.strip_path);
  settings.fit_to_box = mjcf_flag(compiler, "fitaabb", settings.fit_to_box);
  settings.balance_inertia = mjcf_flag(compiler, "balanceinertia", settings.balance_inertia);
  for (const char* folder : {"assetdir", "meshdir"})
    if (compiler.attribute(folder)) settings.mesh_folder = compiler.name(folder);
}

void read_mjcf_option(const XmlElement& element, MjcfFiles& files, Spec& spec, MjcfFluid& fluid) {
  const XmlElement option = element.owned_by("option");
  option.expect_attributes({"timestep", "gravity", "density", "viscosity", "wind", "magnetic"},
                           {"integrator",       "cone",           "jacobian",
                            "solver",           "iterations",     "tolerance",
                            "ls_iterations",    "ls_tolerance",   "noslip_iterations",
                            "noslip_tolerance", "ccd_iterations", "ccd_tolerance",
                            "sdf_iterations",   "sdf_initpoints", "impratio",
                            "o_margin",         "o_solref",       "o_solimp",
                            "o_friction",       "apirate",        "actuatorgroupdisable",
                            "sleep_tolerance",  "collision",      "mpr_iterations",
                            "mpr_tolerance"});
  spec.gravity = option.vec3("gravity", spec.gravity);
  spec.timestep = option.number("timestep", spec.timestep);
  if (!(spec.timestep > 0)) {
    option.warn(
        fmt::format("timestep=\"{}\" is not positive: no time step is taken", spec.timestep));
    spec.timestep = 0;
  }
  read_mjcf_fluid(option, fluid);
  for (const XmlElement& child : files.children(option)) {
    if (child.tag() != "flag") {
      child.warn(fmt::format("unknown element <{}> in <option> is not read", child.tag()));
      continue;
    }
    if (mjcf_choice(child, "gravity", {"enable", "disable"}, 0) == 1) spec.gravity = {};
    // these would change the motion
    for (const char* name : {"passive", "spring", "damper", "actuation", "limit", "frictionloss",
                             "equality", "constraint", "fluid"})
      if (child.attribute(name).value_or("enable") == "disable")
        child.warn(
            fmt::format("flag {}=\"disable\" is not read; leave out what it switches off", name));
    child.ignore("<flag> in <option>, but for gravity");
  }
}

}  // namespace limber
