// Nothing that a vehicle's parts do inside a simulation step allocates.
#include <gtest/gtest.h>

#include <limber/vehicle/ballast.hpp>
#include <limber/vehicle/fin.hpp>
#include <limber/vehicle/tether.hpp>
#include <limber/vehicle/thruster.hpp>

#include "support/counting_new.hpp"
#include "vehicle/vessel.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(VehicleAllocation, PartsDoNotAllocate) {
  System system(build(vessel(20)));
  ThrusterSettings thruster;
  thruster.name = "thruster";
  thruster.frame = "stern";
  thruster.forward = thruster.backward = 1e-3;
  thruster.lag = 0.1;
  FinSettings fin;
  fin.name = "fin";
  fin.frame = "stern";
  fin.area = 0.01;
  fin.slope = 3;
  fin.lag = 0.1;
  BallastSettings ballast;
  ballast.name = "ballast";
  ballast.frame = "hull";
  ballast.initial = 1;
  TetherSettings tether;
  tether.frame = "hull";
  tether.length = 1;
  tether.stiffness = 10;
  tether.diameter = 0.01;
  system.add(std::make_unique<Thruster>(thruster));
  system.add(std::make_unique<Fin>(fin));
  system.add(std::make_unique<Ballast>(ballast));
  system.add(std::make_unique<Tether>(tether));
  const auto x = system.initial_state(at_place({0, 0, -8}), std::vector<double>(6, 0.1));
  std::vector<double> x_dot(x.size()), values(system.columns().size());
  ASSERT_EQ(system.derivative(0.1, x, x_dot), Evaluated::ok) << system.failure();
  EXPECT_EQ(allocations_in([&] { system.derivative(0.2, x, x_dot); }), 0);
  EXPECT_EQ(allocations_in([&] { system.record(x, values); }), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
