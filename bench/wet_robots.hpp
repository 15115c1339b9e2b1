#pragma once
// Robots under water for the benchmarks.
#include <string>
#include <utility>
#include <vector>

#include <limber/fluid/water_loads.hpp>
#include <limber/io/load.hpp>

namespace limber::bench {

struct WetRobot {
  std::string title;
  Spec spec;
  std::vector<LinkHydrodynamics> water;
};

inline constexpr double water_density = 1000;  ///< [kg/m³]

/// The shipped Aquarobot, 42 freedoms; water around its cylinders and capsules.
inline WetRobot wet_aquarobot() {
  WetRobot robot{"Aquarobot", load_spec("aquarobot"), {}};
  for (const BodySpec& body : robot.spec.bodies)
    for (const ShapeSpec& shape : body.shapes)
      if (shape.kind == ShapeSpec::Kind::cylinder || shape.kind == ShapeSpec::Kind::capsule)
        robot.water.push_back({body.name, hydrodynamics_of(shape, water_density)});
  return robot;
}

/// A BlueROV2 Heavy, z up: numbers of von Benzon et al., J. Mar. Sci. Eng. 2022, 10, 1898, table
/// A1.
inline WetRobot bluerov2() {
  WetRobot robot{"BlueROV2", {}, {}};
  robot.spec.name = "bluerov2";
  robot.spec.add_body("hull", 13.5, {}, Sym3<double>::diagonal(0.26, 0.23, 0.37));
  robot.spec.add_joint("float", JointKind::free, "", "hull");
  Hydrodynamics hull;
  hull.added_mass.M = Sym3<double>::diagonal(6.3567, 7.1206, 18.6863);
  hull.added_mass.I = Sym3<double>::diagonal(0.1858, 0.1348, 0.2215);
  hull.displacement = {0.0134, {0, 0, 0.01}};
  const double linear[6] = {13.7, 0, 33, 0, 0.8, 0},
               quadratic[6] = {141, 217, 190, 1.192, 0.470, 1.500};
  for (std::size_t k = 0; k < 6; ++k) {
    hull.linear_damping[k][k] = linear[k];
    hull.quadratic_damping[k][k] = quadratic[k];
  }
  robot.water.push_back({"hull", hull});
  return robot;
}

/// One link of an arm: masses, displacement and coefficients of McMillan's kind.
struct ArmLink {
  const char* name;
  JointKind kind;
  Vec3<double> axis, place;  ///< of its joint, on the link before [m]
  double mass, litres;
  Vec3<double> center, buoyancy;  ///< [m]
  Sym3<double> inertia;           ///< about the centre of mass [kg m²]
  Vec3<double> added;             ///< added mass along the axes [kg]
  Vec3<double> added_moment;      ///< [kg m²]
  Vec3<double> end;               ///< of a cylinder from the origin, for its drag; 0: none [m]
};
inline void add_link(WetRobot& robot, const ArmLink& link, const std::string& parent) {
  robot.spec.add_body(link.name, link.mass, link.center, link.inertia);
  JointSpec& joint = robot.spec.add_joint(std::string(link.name) + "_joint", link.kind, parent,
                                          link.name, link.axis);
  joint.placement.p = link.place;
  Hydrodynamics water;
  water.added_mass.M = Sym3<double>::diagonal(link.added.x, link.added.y, link.added.z);
  water.added_mass.I =
      Sym3<double>::diagonal(link.added_moment.x, link.added_moment.y, link.added_moment.z);
  water.displacement = {1e-3 * link.litres, link.buoyancy};
  if (dot(link.end, link.end) > 0) water.cylinders.push_back({{}, link.end, 0.02});
  robot.water.push_back({link.name, water});
}

/// The BlueROV2 with an arm like Reach Alpha 5: four turning joints and a jaw that slides. Masses,
/// volumes and added masses as in H. Kolano's UVMS-SysID-with-EAs (MIT), inertias as in diff_uvms
/// (MIT), lengths of the data sheet; drag by strips, cylinders of 20 mm radius.
inline WetRobot bluerov2_with_arm() {
  WetRobot robot = bluerov2();
  robot.title = "BlueROV2 with an arm of five joints";
  robot.spec.name = "bluerov2_arm";
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  using Sym = Sym3<double>;
  const ArmLink links[] = {{"shoulder",
                            JointKind::revolute,
                            z,
                            {0.2, 0, -0.12},
                            0.194,
                            0.018,
                            {0.005, -0.001, 0.016},
                            {-0.001, -0.003, 0.032},
                            Sym{139.1e-6, 158.49e-6, 61.96e-6, -5.97e-6, -38.48e-6, -6.1e-6},
                            {0.032, 0.032, 0.017},
                            {7e-6, 7e-6, 0},
                            {}},
                           {"upper_arm",
                            JointKind::revolute,
                            y,
                            {0.02, 0, 0.0462},
                            0.429,
                            0.203,
                            {0.073, 0, 0},
                            {0.073, 0, -0.002},
                            Sym{86.77e-6, 868.23e-6, 891.46e-6, 73.13e-6, -13.16e-6, 0.03e-6},
                            {0.017, 0.201, 0.201},
                            {0, 1.716e-3, 1.716e-3},
                            {0.1507, 0, 0}},
                           {"elbow",
                            JointKind::revolute,
                            y,
                            {0.1507, 0, 0},
                            0.115,
                            0.025,
                            {0.017, -0.026, -0.002},
                            {0.003, 0.001, -0.017},
                            Sym{41.8e-6, 28.3e-6, 45.02e-6, 10.17e-6, 4.91e-6, -5.98e-6},
                            {0.032, 0.017, 0.032},
                            {7e-6, 0, 7e-6},
                            {}},
                           {"wrist",
                            JointKind::revolute,
                            z,
                            {0.02, 0, 0},
                            0.333,
                            0.155,
                            {0, 0, -0.098},
                            {0, 0, -0.098},
                            Sym{507.87e-6, 535.87e-6, 76e-6, -1.97e-6, 4.98e-6, 97.9e-6},
                            {0.226, 0.226, 0.017},
                            {2.443e-3, 2.443e-3, 0},
                            {0, 0, -0.18}},
                           {"jaw",
                            JointKind::prismatic,
                            x,
                            {0, 0, -0.18},
                            0.05,
                            0.02,
                            {},
                            {},
                            Sym::diagonal(1e-5, 1e-5, 1e-5),
                            {0.02, 0.02, 0.02},
                            {},
                            {}}};
  std::string parent = "hull";
  for (const ArmLink& link : links) {
    add_link(robot, link, parent);
    parent = link.name;
  }
  return robot;
}

/// The same hull with an arm of six turning joints, after the thesis's Tiburon, whose numbers are
/// not published.
inline WetRobot vehicle_with_six_joints() {
  WetRobot robot = bluerov2();
  robot.title = "free base with an arm of six joints";
  robot.spec.name = "vehicle6";
  const Vec3<double> axes[3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  const char* const names[6] = {"link1", "link2", "link3", "link4", "link5", "link6"};
  std::string parent = "hull";
  for (std::size_t k = 0; k < 6; ++k) {
    const Vec3<double> place = k == 0 ? Vec3<double>{0.2, 0, -0.1} : Vec3<double>{0.15, 0, 0};
    add_link(robot,
             {names[k],
              JointKind::revolute,
              axes[k % 3],
              place,
              0.4,
              0.2,
              {0.075, 0, 0},
              {0.075, 0, 0.002},
              Sym3<double>::diagonal(9e-5, 9e-4, 9e-4),
              {0.02, 0.2, 0.2},
              {0, 1.7e-3, 1.7e-3},
              {0.15, 0, 0}},
             parent);
    parent = names[k];
  }
  return robot;
}

}  // namespace limber::bench
