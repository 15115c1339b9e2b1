#pragma once
// Planar linkages in the xy plane with closed forms: a four-bar and what is made of it.
#include <cmath>
#include <string>
#include <vector>

#include <limber/constraint/mechanism.hpp>

namespace limber::test {

/// Lengths of a four-bar: crank from (0, 0), rocker from (ground, 0).
struct FourBar {
  double crank = 1, coupler = 3, rocker = 2.5, ground = 3.2;

  /// Angles of coupler and rocker against x where the crank is at `angle`; `side` (±1) of the line
  /// from the crank's end to the rocker's foot on which the joint between them lies.
  struct Angles {
    double coupler, rocker;
  };
  Angles angles(double angle, double side = 1) const {
    const double x = crank * std::cos(angle), y = crank * std::sin(angle);
    const double dx = ground - x, dy = -y, d2 = dx * dx + dy * dy, d = std::sqrt(d2);
    const double along = (d2 + coupler * coupler - rocker * rocker) / (2 * d);
    const double across = side * std::sqrt(coupler * coupler - along * along);
    const double jx = x + (along * dx - across * dy) / d, jy = y + (along * dy + across * dx) / d;
    return {std::atan2(jy - y, jx - x), std::atan2(jy, jx - ground)};
  }

  /// The tree crank → coupler, rocker: q = angles against x of crank and rocker, and of the coupler
  /// against the crank, all but `at`, where q = 0.
  Spec tree(double at = 0.7) const {
    const Angles start = angles(at);
    Spec spec;
    spec.name = "four-bar";
    const auto turn = [](double angle, Vec3<double> p) {
      return Transform<double>{rotation_from_rpy(0, 0, angle), p};
    };
    const auto link = [&](const char* name, double length) {
      spec.add_body(name, length, {length / 2, 0, 0},
                    Sym3<double>::diagonal(0.01, length * length / 12, length * length / 12));
    };
    spec.gravity = {0, -9.81, 0};
    link("crank", crank), link("coupler", coupler), link("rocker", rocker);
    spec.add_joint("crank", JointKind::revolute, "", "crank", {0, 0, 1}, turn(at, {}));
    spec.add_joint("coupler", JointKind::revolute, "crank", "coupler", {0, 0, 1},
                   turn(start.coupler - at, {crank, 0, 0}));
    spec.add_joint("rocker", JointKind::revolute, "", "rocker", {0, 0, 1},
                   turn(start.rocker, {ground, 0, 0}));
    return spec;
  }
  /// What closes it: the ends of coupler and rocker.
  LoopSpec loop(LoopSpec::Kind kind, JointKind joint = JointKind::revolute) const {
    LoopSpec loop;
    loop.name = "pin";
    loop.kind = kind;
    loop.joint_kind = joint;
    loop.body_a = "coupler";
    loop.body_b = "rocker";
    loop.placement_a.p = {coupler, 0, 0};
    loop.placement_b.p = {rocker, 0, 0};
    return loop;
  }
  /// q where the crank is at `angle`, for tree(at).
  std::vector<double> position(double angle, double side = 1, double at = 0.7) const {
    const Angles start = angles(at), now = angles(angle, side);
    return {angle - at, std::remainder(now.coupler - angle - (start.coupler - at), 2 * M_PI),
            std::remainder(now.rocker - start.rocker, 2 * M_PI)};
  }
};

}  // namespace limber::test
