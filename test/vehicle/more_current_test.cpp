// The inputs of the water move it for all parts that are in it, as a current of the water does.
#include <limber/sim/water_part.hpp>
#include <limber/vehicle/fin.hpp>
#include <limber/vehicle/tether.hpp>
#include <limber/vehicle/thruster.hpp>

#include <gtest/gtest.h>

#include "vehicle/vessel.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double density = 1000;

// a vessel with a thruster, a fin and a tether, in water with a current of its own
System vessel_in(const Vec3<double>& current) {
  auto water = std::make_shared<Water>();
  water->density = density;
  water->current = constant_current(current);
  System system(build(vessel(50, {-0.6, 0.1, 0.2})));
  Hydrodynamics hull;
  for (std::size_t k = 0; k < 6; ++k) hull.quadratic_damping[k][k] = 20;
  hull.added_mass.M = Sym3<double>::diagonal(10, 20, 30);
  system.add(std::make_unique<WaterPart>(water, std::vector<LinkHydrodynamics>{{"hull", hull}}));
  ThrusterSettings thruster;
  thruster.name = "screw";
  thruster.frame = "stern";
  thruster.forward = thruster.backward = 0.02;
  thruster.advance = 0.05;
  thruster.command = 60.0;
  thruster.water = water;
  system.add(std::make_unique<Thruster>(thruster));
  FinSettings fin;
  fin.name = "rudder";
  fin.frame = "stern";
  fin.span = {0, 0, 1};
  fin.area = 0.05;
  fin.slope = 3;
  fin.command = 0.2;
  fin.water = water;
  system.add(std::make_unique<Fin>(fin));
  TetherSettings tether;
  tether.frame = "hull";
  tether.anchor = {0, 0, 8};
  tether.length = 20;
  tether.diameter = 0.02;
  tether.water = water;
  system.add(std::make_unique<Tether>(tether));
  return system;
}

TEST(MoreCurrent, ReachesAllPartsInTheWater) {
  const Vec3<double> own{0.2, -0.1, 0.05}, more{-0.5, 0.4, 0.1};
  System whole = vessel_in(own + more), changed = vessel_in(own), without = vessel_in(own);
  const std::vector<double> v{0.1, -0.2, 0.3, 0.8, 0.1, -0.2};
  const std::vector<double> x = whole.initial_state(at_place({1, 2, 3}), v);
  for (std::size_t k = 0; k < changed.input_specs().size(); ++k)
    for (int i = 0; i < 3; ++i)
      if (changed.input_specs()[k].name == std::string("water.current.") + "xyz"[i])
        changed.inputs()[k] = more[i];
  int compared = 0, moved = 0;
  for (const Column& column : whole.columns()) {
    const double expected = recorded(whole, 0, x, column.name);
    EXPECT_NEAR(recorded(changed, 0, x, column.name), expected, 1e-12 * (1 + std::abs(expected)))
        << column.name;
    ++compared;
    moved += std::abs(recorded(without, 0, x, column.name) - expected) > 1e-3;
  }
  EXPECT_GT(compared, 20);
  for (const char* name : {"screw.force", "rudder.lift", "tether.drag", "hull.drag"})
    EXPECT_GT(std::abs(recorded(without, 0, x, name) - recorded(whole, 0, x, name)), 1e-3) << name;
  EXPECT_GT(moved, 10);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(changed.accelerations()[k], whole.accelerations()[k], 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
