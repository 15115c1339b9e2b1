// MJCF: the inertia of a body, explicit or from its geoms.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/mjcf.hpp"
#include "math/principal.hpp"

namespace limber {

namespace {

bool is_positive(const Vec3<double>& x) { return x.x > 0 && x.y > 0 && x.z > 0; }

Inertia<double> read_inertial(const XmlElement& inertial, const MjcfCompiler& compiler) {
  inertial.expect_attributes({"pos", "mass", "diaginertia", "fullinertia", "quat", "axisangle",
                              "xyaxes", "zaxis", "euler"});
  inertial.required("pos");
  const double mass = inertial.number("mass");
  const Transform<double> frame = mjcf_pose({inertial, {}}, compiler);
  const std::vector<double> full = inertial.numbers("fullinertia", {6});
  const std::vector<double> diagonal = inertial.numbers("diaginertia", {3});
  if (!full.empty()) {
    for (const char* name : {"diaginertia", "quat", "axisangle", "xyaxes", "zaxis", "euler"})
      if (inertial.attribute(name))
        throw inertial.error(fmt::format(
            "fullinertia and {} together; the full matrix is in the axes of the body", name));
    const Sym3<double> about_com{full[0], full[1], full[2], full[3], full[4], full[5]};
    // else build() warns of it
    if (compiler.least_inertia > 0 && std::isfinite(determinant(about_com)) &&
        !is_positive(principal_axes(about_com).values))
      inertial.warn(fmt::format(
          "fullinertia has a principal moment that is not positive, which no body has and MuJoCo "
          "refuses; boundinertia makes it {:g} kg m²",
          compiler.least_inertia));
    return Inertia<double>::from_com(mass, frame.p, about_com);
  }
  Sym3<double> about_com;
  if (!diagonal.empty()) about_com = {diagonal[0], diagonal[1], diagonal[2], 0, 0, 0};
  return Inertia<double>::from_com(mass, frame.p, rotated(frame.R, about_com));
}

// boundmass, boundinertia and balanceinertia, on the principal moments. `center`: of a body without
// mass
void correct(const MjcfCompiler& compiler, const Vec3<double>& center, Inertia<double>& inertia) {
  if (compiler.least_mass <= 0 && compiler.least_inertia <= 0 && !compiler.balance_inertia) return;
  const Vec3<double> com = inertia.m != 0 ? inertia.com() : center;
  const double mass = std::max(inertia.m, compiler.least_mass);
  const Sym3<double> I = inertia.rotational_about_com();
  if (!std::isfinite(determinant(I)) || !std::isfinite(mass)) return;  // build() says so
  const PrincipalAxes principal = principal_axes(I);
  Vec3<double> moments;
  for (int k = 0; k < 3; ++k) moments[k] = std::max(principal.values[k], compiler.least_inertia);
  const double largest = std::max({moments.x, moments.y, moments.z});
  const double sum = moments.x + moments.y + moments.z;
  if (compiler.balance_inertia && largest > sum - largest)
    moments = Vec3<double>{1, 1, 1} * (sum / 3);
  inertia = Inertia<double>::from_com(
      mass, com,
      congruence(principal.axes, Sym3<double>::diagonal(moments.x, moments.y, moments.z)));
}

// what a geom adds, its mesh being read now. Throws Error where it is not known.
Inertia<double> geom_inertia(const Source& body, const MjcfGeom& geom, const MeshSearch& meshes) {
  const auto refuse = [&](const std::string& why) {
    throw Error(body,
                fmt::format("its mass comes from its geoms, and the inertia {}; give the body "
                            "an <inertial>, or that geom mass=\"0\"",
                            why));
  };
  if (!geom.unknown_inertia.empty()) refuse(geom.unknown_inertia);
  if (!geom.mesh || geom.mass_or_density == 0) return geom.inertia;
  try {
    const Inertia<double>& moments = mjcf_mesh_moments(*geom.mesh, meshes);
    const double factor = geom.mass_or_density / (geom.has_mass ? moments.m : 1);
    return geom.placement *
           Inertia<double>{moments.m * factor, moments.h * factor, moments.J * factor};
  } catch (const Error& error) {
    refuse(fmt::format("of mesh '{}' is not known: {}", geom.mesh->name, error.what()));
  }
  return {};
}

}  // namespace

Inertia<double> mjcf_body_inertia(const Source& body, const Vec3<double>& place,
                                  const std::optional<XmlElement>& inertial,
                                  const std::vector<MjcfGeom>& geoms, const MjcfCompiler& compiler,
                                  const MeshSearch& meshes) {
  using FromGeom = MjcfCompiler::FromGeom;
  const bool from_geoms = compiler.inertia_from_geom == FromGeom::always ||
                          (compiler.inertia_from_geom == FromGeom::where_missing && !inertial);
  Inertia<double> inertia;
  bool found = false;
  if (from_geoms)
    for (const MjcfGeom& geom : geoms) {
      if (geom.shape.group < compiler.least_group || geom.shape.group > compiler.greatest_group)
        continue;
      const Inertia<double> own = geom_inertia(body, geom, meshes);
      found = found || own.m > 0;
      inertia += own;
    }
  if (!found && inertial) {
    inertia = read_inertial(*inertial, compiler);
    correct(compiler, inertial->vec3("pos", {}), inertia);
  } else {
    // the least mass of a body without any stands, in MuJoCo, where the body does in its parent,
    // but counted from the body
    correct(compiler, place, inertia);
  }
  return inertia;
}

void scale_mjcf_masses(const MjcfCompiler& compiler, Spec& spec) {
  if (!(compiler.total_mass > 0)) return;
  double sum = 0;
  for (const BodySpec& body : spec.bodies) sum += body.inertia.m;
  if (!(sum > 0) || !std::isfinite(compiler.total_mass / sum)) return;
  const double factor = compiler.total_mass / sum;
  for (BodySpec& body : spec.bodies) {
    body.inertia.m *= factor;
    body.inertia.h = body.inertia.h * factor;
    body.inertia.J = body.inertia.J * factor;
  }
}

}  // namespace limber
