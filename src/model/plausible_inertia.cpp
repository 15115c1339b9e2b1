#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>
#include <limber/model/plausible.hpp>

#include "index.hpp"
#include "model/structure.hpp"

namespace limber {

namespace {

constexpr double most_gyration = 2;      // of the reach
constexpr double least_gyration = 1e-3;  // of the reach: below, a point
constexpr double most_distance = 5;      // of the size, to the centre of mass
constexpr double least_weight = 1e-6;    // of the robot

// a ball around something that belongs to a body, in the body's own frame
struct Ball {
  Vec3<double> center;
  double radius = 0;
};

// a moving body: its links taken together
struct Gathered {
  std::string link;  ///< the one with the greatest mass
  Source source;
  double greatest_mass = 0;
  Inertia<double> inertia;
  std::vector<Ball> balls;
  Vec3<double> joint;     ///< where its joint is
  double to_carrier = 0;  ///< from its joint to the frame of the link that carries it [m]
  bool turns = false;     ///< its joint lets it
};

// around the shape's own origin; the size of a mesh is not known
double radius_of(const ShapeSpec& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.kind) {
    case ShapeSpec::Kind::box:
      return norm(s) / 2;
    case ShapeSpec::Kind::sphere:
      return s.x;
    case ShapeSpec::Kind::cylinder:
      return std::hypot(s.x, s.y / 2);
    case ShapeSpec::Kind::capsule:
      return s.x + s.y / 2;
    case ShapeSpec::Kind::ellipsoid:
      return std::max({s.x, s.y, s.z});
    case ShapeSpec::Kind::mesh:
    case ShapeSpec::Kind::plane:
    case ShapeSpec::Kind::height_field:
      return 0;
  }
  return 0;
}

bool lets_turn(JointKind kind) { return mobility(kind).turns > 0 || kind == JointKind::custom; }

void add_link(const BodySpec& link, const Transform<double>& placement, Gathered& body) {
  body.inertia += placement * link.inertia;
  body.balls.push_back({placement.p, 0});
  for (const ShapeSpec& shape : link.shapes)
    body.balls.push_back({(placement * shape.placement).p, radius_of(shape)});
  if (!body.link.empty() && link.inertia.m <= body.greatest_mass) return;
  body.link = link.name;
  body.source = link.source;
  body.greatest_mass = link.inertia.m;
}

std::vector<Gathered> gather(const Spec& spec) {
  const Structure structure = find_structure(spec);
  std::vector<Gathered> all(structure.bodies.size());
  for (const PlacedLink& link : structure.links)
    add_link(spec.bodies[at_index(link.spec_body)], link.placement, all[at_index(link.body)]);
  std::unordered_map<std::string_view, const PlacedLink*> links;
  for (const PlacedLink& link : structure.links)
    links.emplace(spec.bodies[at_index(link.spec_body)].name, &link);
  for (const FrameSpec& frame : spec.frames)
    if (const auto found = links.find(frame.body); found != links.end())
      all[at_index(found->second->body)].balls.push_back(
          {(found->second->placement * frame.placement).p, 0});
  for (std::size_t b = 1; b < all.size(); ++b) {
    const MovingBody& body = structure.bodies[b];
    const JointSpec& joint = spec.joints[at_index(body.joint)];
    all[at_index(body.parent)].balls.push_back({body.joint_placement.p, 0});
    all[b].joint = inverse(joint.child_placement).p;
    all[b].balls.push_back({all[b].joint, 0});
    all[b].to_carrier = norm(joint.placement.p);
    all[b].turns = lets_turn(joint.kind);
  }
  return all;
}

void doubt(const Gathered& body, double robot_mass, std::vector<std::string>& doubts) {
  const Inertia<double>& I = body.inertia;
  if (!(I.m > least_weight * robot_mass) || physical_defect(I) == InertiaDefect::not_finite) return;
  const Vec3<double> com = I.com();
  double furthest = 0, nearest = HUGE_VAL, size = body.to_carrier;
  for (const Ball& ball : body.balls) {
    const double distance = norm(ball.center - com);
    furthest = std::max(furthest, distance + ball.radius);
    nearest = std::min(nearest, distance - ball.radius);
    size = std::max(size, norm(ball.center - body.joint) + ball.radius);
  }
  if (size == 0) return;
  const auto add = [&](const std::string& text) {
    doubts.push_back(to_string(body.source) + ": " + text);
  };
  const double gyration = std::sqrt(std::max(0.0, eigenvalues(I.rotational_about_com()).z) / I.m);
  const double reach = std::max(furthest, body.to_carrier);
  if (nearest > most_distance * size)
    add(
        fmt::format("centre of mass lies {:.3g} m away from every joint, frame and shape of the "
                    "body, which reaches {:.3g} m from its joint; check its place and unit (m)",
                    nearest, size));
  else if (gyration > most_gyration * reach)
    add(
        fmt::format("inertia has a radius of gyration of {:.3g} m, but its joints, frames, "
                    "shapes and the link that carries it lie within {:.3g} m of its centre of mass "
                    "(mass {:.4g} kg, largest principal moment "
                    "{:.4g} kg m²); check inertia, mass and their units",
                    gyration, reach, I.m, gyration * gyration * I.m));
  else if (body.turns && gyration < least_gyration * reach)
    add(
        fmt::format("mass of {:.4g} kg without size: its radius of gyration is {:.3g} m, the body "
                    "reaches {:.3g} m; give its inertia about the centre of mass, unless a point "
                    "mass is meant",
                    I.m, gyration, reach));
}

}  // namespace

std::vector<std::string> suspicious_inertias(const Spec& spec) {
  const std::vector<Gathered> bodies = gather(spec);
  double mass = 0;
  for (const Gathered& body : bodies) mass += body.inertia.m;
  std::vector<std::string> doubts;
  for (std::size_t b = 1; b < bodies.size(); ++b) doubt(bodies[b], mass, doubts);
  return doubts;
}

}  // namespace limber
