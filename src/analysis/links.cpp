// Links as beams: the forces in their sections, stress, deflection.
//
// The force and moment that the inner part of a link exerts on the outer part at a cut give the
// outer part its motion and bear what hangs on it: the beam's own mass from there on, the joints
// that the link carries, the forces from outside, and what the link weighs besides the beam. At the
// inner end they are the joint's reaction.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "index.hpp"
#include "analysis/parts.hpp"
#include "analysis/time_series.hpp"

namespace limber {

namespace {

// axis and section of a link in the frame of its body
struct Beam {
  int body = 0;
  int body_frame = 0;
  std::vector<int> children;
  Vec3<double> start, x, y, z;  // inner end; axes of the section
  double length = 0, mass = 0;
  BeamSection section;
  Material material;
  LinkSettings::Rest rest = LinkSettings::Rest::outer;
};

Beam beam_of(const LinkSettings& link, const Model& m) {
  const BasicFrame<double>& frame = m.frames[at_index(m.frame(link.link))];
  const Transform<double> X =
      apply_inverse(m.body_placement[at_index(frame.body)], frame.placement);
  Beam beam;
  beam.body = frame.body;
  beam.body_frame = m.frame(m.body_name[at_index(frame.body)]);
  for (const int child : m.children(frame.body)) beam.children.push_back(child);
  beam.start = transform_point(X, link.from);
  const Vec3<double> axis = X.R * (link.to - link.from), up = X.R * link.up;
  beam.length = norm(axis);
  beam.x = axis / beam.length;
  const Vec3<double> y = cross(up, beam.x);
  beam.y = y / norm(y);
  beam.z = cross(beam.x, beam.y);
  beam.mass = link.mass;
  beam.section = section_of(link.section);
  beam.material = link.material;
  beam.rest = link.rest;
  return beam;
}

// a + Ω r: acceleration of the link's points less gravity, in the body's frame
struct Field {
  Vec3<double> a;
  Mat3<double> Omega;
  Vec3<double> at(const Vec3<double>& r) const { return a + Omega * r; }
};

Field field_of(const Beam& beam, const Model& m, const Accelerations& bodies) {
  const Motion<double> v = frame_velocity(m, bodies, beam.body_frame, Reference::body);
  const Motion<double> a =
      frame_classical_acceleration(m, bodies, beam.body_frame, Reference::body);
  const Mat3<double> R = body_pose(m, bodies, beam.body).R;
  return {a.linear - transpose_times(R, m.gravity), acceleration_gradient(v.angular, a.angular)};
}

// what moves the beam from `place` to its outer end; moment about the axis' point at `place`
Force<double> outer_part(const Beam& beam, const Field& field, double place) {
  const double density = beam.mass / beam.length, l = beam.length - place;
  const Vec3<double> here = field.at(beam.start + beam.x * place);
  const Vec3<double> growth = field.Omega * beam.x;
  return {cross(beam.x, here) * (density * l * l / 2) +
              cross(beam.x, growth) * (density * l * l * l / 3),
          here * (density * l) + growth * (density * l * l / 2)};
}

// a force with its moment about another point
Force<double> with_moment_about(const Force<double>& f, const Vec3<double>& point) {
  return {f.angular - cross(point, f.linear), f.linear};
}

// the loads of one link at one instant
class LoadedBeam {
 public:
  LoadedBeam(const Beam& beam, const Model& m, const Instant& instant, const Accelerations& bodies)
      : beam_(beam), field_(field_of(beam, m, bodies)) {
    const Force<double> whole = joint_reaction(m, instant.tau, beam.body);
    if (beam.rest == LinkSettings::Rest::outer) {
      end_ = whole - about_origin(outer_part(beam, field_, 0));
      return;
    }
    end_ = -instant.body_forces[at_index(beam.body)];
    for (const int child : beam.children)
      end_ += child_in_body(m, bodies, child) * joint_reaction(m, instant.tau, child);
  }

  /// Of the inner part on the outer part.
  SectionForces forces(double place) const {
    const Force<double> f =
        with_moment_about(end_, beam_.start + beam_.x * place) + outer_part(beam_, field_, place);
    return {-dot(f.linear, beam_.x), dot(f.linear, beam_.y),  dot(f.linear, beam_.z),
            dot(f.angular, beam_.x), dot(f.angular, beam_.y), dot(f.angular, beam_.z)};
  }

 private:
  Force<double> about_origin(const Force<double>& f) const {
    return with_moment_about(f, -beam_.start);
  }
  Transform<double> child_in_body(const Model& m, const Poses& bodies, int child) const {
    return apply_inverse(body_pose(m, bodies, beam_.body), body_pose(m, bodies, child));
  }

  const Beam& beam_;
  Field field_;
  Force<double> end_;  // load of the outer end, moment about the body's origin
};

struct Tip {
  double deflection = 0, twist = 0;
};

// θ' = −M/(E I), −T/(G J), and u(L) = ∫ (L − s) θ' × x ds. Moments are cubic along the beam, so
// that Gauss' rule with three points is exact.
Tip tip_of(const Beam& beam, const LoadedBeam& loaded) {
  constexpr std::array<double, 3> points = {-0.7745966692414834, 0, 0.7745966692414834};
  constexpr std::array<double, 3> weights = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  const double E = beam.material.youngs_modulus, G = beam.material.shear_modulus;
  double u_y = 0, u_z = 0, twist = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double s = beam.length * (1 + points[k]) / 2, ds = beam.length * weights[k] / 2;
    const SectionForces f = loaded.forces(s);
    const double turn_y = -f.bending_y / (E * beam.section.I_y);
    const double turn_z = -f.bending_z / (E * beam.section.I_z);
    u_y += ds * (beam.length - s) * turn_z;
    u_z -= ds * (beam.length - s) * turn_y;
    twist -= ds * f.torsion / (G * beam.section.torsion_constant);
  }
  return {std::hypot(u_y, u_z), std::abs(twist)};
}

void keep_larger(Figures& figures, Figure figure, double value, double t) {
  Measured& kept = figures[figure];
  if (!kept.time || value > kept.value) kept = {value, t};
}

// forces and stresses along the beam
struct BeamStresses {
  std::vector<SectionForces> forces;
  std::vector<Stress> stresses;
  double largest = 0;
};

BeamStresses stresses_along(const Beam& beam, const LoadedBeam& loaded,
                            std::span<const double> places) {
  BeamStresses result;
  for (const double place : places) {
    result.forces.push_back(loaded.forces(place));
    result.stresses.push_back(stress_in(beam.section, result.forces.back()));
    result.largest = std::max(result.largest, result.stresses.back().von_mises);
  }
  return result;
}

void keep_largest_loads(const Beam& beam, const LoadedBeam& loaded, double t, LinkAnalysis& link) {
  BeamStresses here = stresses_along(beam, loaded, link.places);
  if (link.forces.empty() || here.largest > link.figures[Figure::stress].value) {
    link.forces = std::move(here.forces);
    link.stresses = std::move(here.stresses);
  }
  keep_larger(link.figures, Figure::stress, here.largest, t);
  const Tip tip = tip_of(beam, loaded);
  keep_larger(link.figures, Figure::deflection, tip.deflection, t);
  keep_larger(link.figures, Figure::twist, tip.twist, t);
}

LinkAnalysis begin(const LinkSettings& settings, const Beam& beam, const Model& m) {
  LinkAnalysis link;
  link.name = settings.link;
  link.length = beam.length;
  link.beam_mass = beam.mass;
  link.link_mass = m.inertia[at_index(beam.body)].m;
  link.yield_strength = beam.material.yield_strength;
  for (int k = 0; k < settings.stations; ++k)
    link.places.push_back(beam.length * k / (settings.stations - 1));
  return link;
}

}  // namespace

std::vector<LinkAnalysis> analyse_links(const std::vector<LinkSettings>& settings, const Model& m,
                                        const AnalysedMotion& motion,
                                        std::vector<std::string>& warnings) {
  std::vector<Beam> beams;
  std::vector<LinkAnalysis> links;
  for (const LinkSettings& one : settings) {
    beams.push_back(beam_of(one, m));
    links.push_back(begin(one, beams.back(), m));
    if (links.back().beam_mass > links.back().link_mass)
      warnings.push_back(fmt::format(
          "link '{}': its beam weighs {:.4g} kg and the whole link {:.4g} kg; the section is too "
          "heavy or the robot's mass too small",
          one.link, links.back().beam_mass, links.back().link_mass));
  }
  if (links.empty()) return links;
  Workspace ws(m);
  for_each_instant(m, motion, [&](const Instant& instant) {
    const Accelerations& bodies =
        forward_kinematics<double>(m, instant.q, instant.v, instant.a, ws);
    for (std::size_t k = 0; k < links.size(); ++k)
      keep_largest_loads(beams[k], LoadedBeam(beams[k], m, instant, bodies), instant.t, links[k]);
  });
  return links;
}

}  // namespace limber
