// A vehicle with an arm under water: coefficients from shapes, then what the shoulder's torque does
// to arm and vehicle, dry, in still water and in a current.
#include <cstdio>

#include <limber/fluid/water_loads.hpp>
#include <limber/limber.hpp>

int main() {
  // a box that floats in any place, and two tubes; shapes as in a robot file
  limber::Spec spec;
  spec.name = "vehicle with arm";
  limber::ShapeSpec box, tube;
  box.size = {0.46, 0.34, 0.25};
  tube.kind = limber::ShapeSpec::Kind::cylinder;
  tube.size = {0.03, 0.3, 0};  // radius, length along z
  tube.placement.p = {0, 0, -0.15};
  const auto turn = [](double x, double y, double z) {
    return limber::Sym3<double>::diagonal(x, y, z);
  };
  spec.add_body("vehicle", 40, {0, 0, -0.02}, turn(0.6, 0.9, 1));
  spec.add_body("upper_arm", 1.5, {0, 0, -0.15}, turn(0.012, 0.012, 0.001));
  spec.add_body("forearm", 1, {0, 0, -0.15}, turn(0.008, 0.008, 0.001));
  spec.add_joint("base", limber::JointKind::free, "", "vehicle");
  for (const auto& [name, parent, z] :
       {std::tuple{"shoulder", "vehicle", -0.125}, std::tuple{"elbow", "upper_arm", -0.3}}) {
    limber::JointSpec& joint =
        spec.add_joint(name, limber::JointKind::revolute, parent,
                       name == std::string("elbow") ? "forearm" : "upper_arm");
    joint.axis = {0, 1, 0};
    joint.placement.p = {0, 0, z};
  }
  const limber::Model model = limber::build(spec);

  // added mass, displaced volume and drag from the shapes
  const double density = 1025;
  limber::WaterLoads wet(model, {{"vehicle", limber::hydrodynamics_of(box, density)},
                                 {"upper_arm", limber::hydrodynamics_of(tube, density)},
                                 {"forearm", limber::hydrodynamics_of(tube, density)}});
  const auto& hull = wet.links()[0].hydrodynamics;
  std::printf("hull: displaces %.1f kg, added mass %.1f %.1f %.1f kg\n",
              density * hull.displacement.volume, hull.added_mass.M.xx, hull.added_mass.M.yy,
              hull.added_mass.M.zz);

  // 2 N m at the shoulder of a robot at rest
  std::vector<double> q = limber::neutral_position(model), v(8), tau(8);
  tau[6] = 2;
  limber::Workspace ws(model);
  const auto print = [&](const char* name, const limber::Loads<double>& loads) {
    const auto a = limber::forward_dynamics(model, q, v, tau, ws, loads);
    std::printf("%-13s shoulder %7.2f rad/s², vehicle %6.3f m/s² ahead, %6.3f m/s² up\n", name,
                a[6], a[3], a[5]);
  };
  print("dry", {});
  limber::Water water;
  water.density = density;
  const limber::Velocities& bodies = limber::forward_kinematics(model, q, v, ws);
  print("still water", wet.update(model, bodies, water, 0));
  water.current = limber::constant_current({0.5, 0, 0});
  print("current", wet.update(model, bodies, water, 0));
}
