// Vehicles under water in scenarios: the shipped ones do what their pages say, and mistakes are
// named.
#include <limber/scenario/run.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// the largest size of a column between two instants
double most(const limber::Run& run, const std::string& column, double from, double to) {
  const std::vector<double> times = run.recording.series("time"),
                            values = run.recording.series(column);
  double found = 0;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] >= from && times[k] <= to) found = std::fmax(found, std::abs(values[k]));
  return found;
}

// the value at an instant
double value(const limber::Run& run, const std::string& column, double t) {
  const std::vector<double> times = run.recording.series("time"),
                            values = run.recording.series(column);
  std::size_t k = 0;
  while (k + 1 < times.size() && times[k] < t - 1e-9) ++k;
  return values[k];
}

limber::Run finished(const std::string& name, const std::vector<Override>& changes = {}) {
  limber::Run run = run_scenario(read_scenario(name, changes));
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  for (const double x : run.recording.values) EXPECT_TRUE(std::isfinite(x));
  return run;
}

/// The vehicle of remus_turn in the plane, its equations written out: surge, sway and yaw.
struct PlaneRemus {
  double u = 0, v = 0, r = 0;  // m/s, m/s, rad/s
  static constexpr double rho = 1026, m = 31.9316, m_u = 0.863302, m_v = 30.293606;

  static double thrust(double u) {
    const double D = 0.14, n = 1525.0 / 60, J = 0.944 * u / (n * D);
    return 0.9 * rho * std::pow(D, 4) * (0.4566 - (0.4566 - 0.1798) / 0.6632 * J) * n * n;
  }
  void step(double rudder, double h) {
    const double radius = 0.095912;
    double X = thrust(u) - 0.5 * rho * 0.42 * std::numbers::pi * radius * radius * u * std::abs(u);
    double Y = 0, N = 0;
    for (int k = 0; k < 100; ++k) {  // drag across, by strips
      const double x = -0.8 + 0.016 * (k + 0.5), w = v + r * x;
      const double side = -rho * 1.2 * radius * 0.016 * w * std::abs(w);
      Y += side, N += x * side;
    }
    const auto fin = [&](double x, double area, double slope, double angle) {
      const double w = v + r * x, way = std::atan2(w, u), attack = angle - way;
      const double lift =
          0.5 * rho * area * (u * u + w * w) * slope * std::sin(attack) * std::cos(attack);
      X -= lift * std::sin(way);
      Y += lift * std::cos(way);
      N += x * lift * std::cos(way);
    };
    fin(-0.638, 2 * 6.65e-3, 3.12, rudder);
    fin(-0.321, 0.191 * 0.191, 1.2, 0);
    const double du = (X + (m + m_v) * v * r) / (m + m_u), dv = (Y - (m + m_u) * u * r) / (m + m_v);
    const double dr = (N - (m_v - m_u) * u * v) / (4.224850 + 3.593856);
    u += h * du, v += h * dv, r += h * dr;
  }
};

TEST(Vehicles, RemusReachesItsSpeedAndTurns) {
  const limber::Run run = finished("remus_turn");
  // its makers give 2.5 m/s at 1525 turns per minute
  const double speed = value(run, "float.vx.velocity", 39);
  EXPECT_NEAR(value(run, "propeller.speed", 39), 1525 * 2 * std::numbers::pi / 60, 1e-9);
  EXPECT_NEAR(speed, 2.5, 0.05 * 2.5);
  EXPECT_NEAR(value(run, "propeller.force", 39), PlaneRemus::thrust(speed), 0.01);
  PlaneRemus plane;
  for (int k = 0; k < 40000; ++k) plane.step(0, 1e-3);
  EXPECT_NEAR(speed, plane.u, 0.002 * plane.u);
  // a steady turn to the left, but for the roll that the plane has not
  for (int k = 0; k < 60000; ++k) plane.step(-10 * std::numbers::pi / 180, 1e-3);
  EXPECT_GT(plane.r, 0.3);
  EXPECT_NEAR(value(run, "float.vx.velocity", 100), plane.u, 0.02 * plane.u);
  EXPECT_NEAR(value(run, "float.vy.velocity", 100), plane.v, 0.03 * std::abs(plane.v));
  EXPECT_NEAR(value(run, "float.wz.velocity", 100), plane.r, 0.03 * plane.r);
  EXPECT_NEAR(value(run, "hull.z", 100), -10, 0.1);
  // at every heading: the turn stays as it is, and so does the depth
  for (double t = 70; t < 100; t += 0.5) {
    EXPECT_NEAR(value(run, "float.wz.velocity", t), value(run, "float.wz.velocity", 100), 2e-4);
    EXPECT_NEAR(value(run, "hull.z", t), -10, 0.35) << t;
  }
}

TEST(Vehicles, AnArmPitchesItsVehicleUnlessItIsMadeUpFor) {
  const limber::Run run = finished("bluerov_arm");
  const double plain = most(run, "plain_station.error_pitch", 2, 20),
               compensated = most(run, "compensated_station.error_pitch", 2, 20),
               apart = most(run, "apart_station.error_pitch", 2, 20);
  EXPECT_GT(plain, 0.02);
  EXPECT_LT(compensated, plain / 50);
  // computed apart the vehicle is not moved: what is left is how it settles
  EXPECT_LT(apart, plain / 50);
}

TEST(Vehicles, TiburonKeepsItsStation) {
  const limber::Run run = finished("tiburon");
  // the current has come up, and the arm moves from 20 to 43 s
  const double distance =
      std::hypot(most(run, "station.error_surge", 20, 60), most(run, "station.error_sway", 20, 60),
                 most(run, "station.error_heave", 20, 60));
  EXPECT_LT(distance, 0.04);
  EXPECT_LT(most(run, "station.error_yaw", 20, 60), 0.02);
  EXPECT_LT(most(run, "station.missing", 20, 60), 1);
}

std::string refusal(const std::string& scenario, const std::string& path,
                    const std::string& value) {
  const std::vector<Override> change{{path, value}};
  return message_of([&] { read_scenario(scenario, change); });
}

TEST(Vehicles, MistakesAreNamed) {
  EXPECT_TRUE(mentions(refusal("remus_turn", "thrusters.0.frame", "bow"), {"bow"}));
  EXPECT_TRUE(mentions(refusal("remus_turn", "thrusters.0.forward", "1"),
                       {"forward", "the propeller gives it"}));
  EXPECT_TRUE(mentions(refusal("remus_turn", "thrusters.0.propeller.thrust_then", "0.9"),
                       {"thrust_then", "less than"}));
  EXPECT_TRUE(mentions(refusal("remus_turn", "fins.0.lag", "0"), {"rudder", "rate", "lag"}));
  EXPECT_TRUE(mentions(refusal("remus_turn", "fins.0.colour", "red"), {"colour"}));
  EXPECT_TRUE(mentions(refusal("tiburon", "thrusters.0.name", "screw"), {"list of frames"}));
  EXPECT_TRUE(mentions(refusal("tiburon", "ballasts.0.initial", "100"), {"tank", "100 kg"}));
  EXPECT_TRUE(mentions(refusal("tiburon", "tethers.0.length", "0"), {"umbilical", "length"}));
  EXPECT_TRUE(mentions(refusal("tiburon", "controllers.station.depth", "3"),
                       {"depth", "no effect", "hold"}));
  EXPECT_TRUE(
      mentions(refusal("tiburon", "controllers.station.arm", "{lead: 1}"), {"lead", "trajectory"}));
  EXPECT_TRUE(mentions(refusal("tiburon", "controllers.station.kp", "[1, 2]"), {"kp"}));
  EXPECT_TRUE(mentions(refusal("tiburon", "controllers.station.actuators", "[up_bw]"),
                       {"actuators", "'up_bw'", "up_bow"}));
}

TEST(Vehicles, DegreesHugeNumbersAndTooManyAreRefused) {
  EXPECT_TRUE(mentions(refusal("remus_turn", "fins.0.limits", "[-20, 20]"),
                       {"limits", "-20 rad", "pi/180"}));
  EXPECT_TRUE(mentions(refusal("remus_turn", "fins.0.command", "-10"), {"command", "-10*pi/180"}));
  EXPECT_TRUE(mentions(refusal("remus_turn", "controllers.depth.heading", "90"),
                       {"heading", "90 rad", "90*pi/180"}));
  EXPECT_TRUE(
      mentions(refusal("remus_turn", "controllers.depth.most_pitch", "20"), {"most_pitch", "20"}));
  for (const std::string key :
       {"thrusters.0.forward", "ballasts.0.initial", "tethers.0.weight", "controllers.station.kp"})
    EXPECT_TRUE(mentions(refusal("tiburon", key, "1e300"), {"1e+300", "1e+12", "unit"})) << key;
  std::string frames = "[up_bow";
  for (int k = 0; k < 1000; ++k) frames += ", up_bow";
  EXPECT_TRUE(
      mentions(refusal("tiburon", "thrusters.0.frame", frames + "]"), {"frame", "1001", "1000"}));
}

TEST(Vehicles, AControllerNeedsLimitsOfItsActuators) {
  EXPECT_TRUE(mentions(refusal("tiburon", "thrusters.0.limits", "[-inf, inf]"),
                       {"yaml:", "'ahead_left'", "limits"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
