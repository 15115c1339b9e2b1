#include <limber/drive/drive_demand.hpp>

#include <fmt/format.h>

#include "drive/differences.hpp"

namespace limber {

namespace {

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// the direction of dry friction: of the motion, at rest that in which it begins
int direction_of(double v, double a) { return v != 0 ? sign(v) : sign(a); }

// what the rotor needs, sample by sample
struct RotorLoad {
  std::vector<double> speed;          // [rad/s]
  std::vector<double> field_torque;   // C_M i [N m]
  std::vector<double> friction;       // dry friction's part of it, which steps [N m]
  std::vector<double> friction_loss;  // of the rotor's own friction [W]
};

void check_motion(const SampledMotion& motion, std::size_t fewest, const std::string& where) {
  const std::size_t n = motion.v.size();
  if (motion.a.size() != n || motion.tau.size() != n)
    throw Error(
        fmt::format("{}: the motion has {} velocities, {} accelerations and {} forces; as "
                    "many of each are needed",
                    where, n, motion.a.size(), motion.tau.size()));
  if (n < fewest)
    throw Error(
        fmt::format("{}: the motion has {} samples; its differences need {}", where, n, fewest));
  if (!(motion.interval > 0) || !std::isfinite(motion.interval))
    throw Error(fmt::format("{}: the interval between samples is {}; it must be positive", where,
                            motion.interval));
  for (const std::span<const double> numbers : {motion.v, motion.a, motion.tau})
    for (std::size_t k = 0; k < n; ++k)
      if (!std::isfinite(numbers[k]))
        throw Error(fmt::format("{}: sample {} of the motion is not a finite number", where, k));
}

void list_violations(const std::vector<double>& values, double limit, const char* what,
                     double interval, std::vector<LimitViolation>& violations) {
  LimitViolation found{what, limit};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double magnitude = std::abs(values[k]), t = static_cast<double>(k) * interval;
    if (!(magnitude > limit)) continue;
    if (found.samples++ == 0) found.first_time = t;
    if (magnitude > found.worst) {
      found.worst = magnitude;
      found.worst_time = t;
    }
  }
  if (found.samples > 0) violations.push_back(found);
}

Temperatures moved(const Temperatures& from, const Temperatures& rate, double dt) {
  return {from.winding + dt * rate.winding, from.housing + dt * rate.housing};
}

// currents, with the temperatures they lead to
std::vector<MotorConstants> find_currents(const MotorSettings& motor, const RotorLoad& load,
                                          double interval, DriveDemand& demand) {
  std::vector<MotorConstants> constants;
  Temperatures now;
  if (motor.thermal) now = {motor.thermal->ambient, motor.thermal->ambient};
  auto rate = [&](const Temperatures& at, std::size_t k) {
    const MotorConstants there = constants_at(motor, at);
    const double i = load.field_torque[k] / there.torque_constant;
    return heating(*motor.thermal, at, there.resistance * i * i, load.friction_loss[k]);
  };
  for (std::size_t k = 0; k < load.speed.size(); ++k) {
    constants.push_back(constants_at(motor, now));
    demand.current.push_back(load.field_torque[k] / constants[k].torque_constant);
    if (!motor.thermal) continue;
    demand.winding_temperature.push_back(now.winding);
    demand.housing_temperature.push_back(now.housing);
    if (k + 1 == load.speed.size()) break;
    const Temperatures first = rate(now, k), guess = moved(now, first, interval);
    const Temperatures second = rate(guess, k + 1);
    now = moved(moved(now, first, 0.5 * interval), second, 0.5 * interval);
  }
  return constants;
}

// u = R i + L di/dt + C_E θ̇, powers and limits
void supply_rotor(const MotorSettings& motor, const RotorLoad& load, double interval,
                  DriveDemand& demand) {
  const std::size_t n = load.speed.size();
  const std::vector<MotorConstants> constants = find_currents(motor, load, interval, demand);
  std::vector<double> slope(n, 0);
  if (motor.inductance > 0) {
    std::vector<double> smooth(n);
    for (std::size_t k = 0; k < n; ++k)
      smooth[k] = demand.current[k] - load.friction[k] / constants[k].torque_constant;
    slope = time_derivative(smooth, interval);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double i = demand.current[k], R = constants[k].resistance;
    demand.voltage.push_back(R * i + motor.inductance * slope[k] +
                             constants[k].back_emf_constant * load.speed[k]);
    demand.electrical_power.push_back(demand.voltage[k] * i);
    demand.lost_power[k] += R * i * i + load.friction_loss[k];
  }
  demand.motor_speed = load.speed;
  list_violations(demand.voltage, motor.voltage_limit, "voltage", interval, demand.violations);
  list_violations(demand.current, motor.current_limit, "current", interval, demand.violations);
  list_violations(load.speed, motor.speed_limit, "motor speed", interval, demand.violations);
  if (motor.thermal)
    list_violations(demand.winding_temperature, motor.thermal->winding_limit, "winding temperature",
                    interval, demand.violations);
}

// the field's torque for a rotor with the output torque `output`
void add_rotor(const MotorSettings& motor, double speed, double acceleration, double output,
               RotorLoad& load) {
  const int way = direction_of(speed, acceleration);
  const double B = motor.viscous_friction.value_or(0);
  double level = 0;
  if (motor.friction && way != 0) level = kinetic_friction(*motor.friction, way, std::abs(speed));
  load.speed.push_back(speed);
  load.friction.push_back(way * level);
  load.field_torque.push_back(output + motor.rotor_inertia.value_or(0) * acceleration + B * speed +
                              way * level);
  load.friction_loss.push_back(B * speed * speed + level * std::abs(speed));
}

// motion and torque of a shaft of an elastic drive, or of its joint
struct Shaft {
  std::vector<double> speed, acceleration, torque;
};

std::vector<double> deflections(const ElasticStage& stage, const std::vector<double>& torque,
                                double interval) {
  std::vector<double> sum(torque.size()), term = torque;
  double factor = 1 / stage.stiffness;
  for (int order = 0; order < (stage.damping > 0 ? 4 : 1); ++order) {
    if (order > 0) {
      term = time_derivative(term, interval);
      factor *= -stage.damping / stage.stiffness;
    }
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += factor * term[k];
  }
  return sum;
}

// the shaft before a stage from what is behind it; `inertia`: that the stage's spring drags along
Shaft before_stage(const ElasticStage& stage, double inertia, const Shaft& behind, double interval,
                   std::vector<double>& lost_power) {
  const double N = *stage.ratio;
  const std::vector<double> twist = deflections(stage, behind.torque, interval);
  const std::vector<double> rate = time_derivative(twist, interval);
  const std::vector<double> second = time_derivative(rate, interval);
  Shaft shaft;
  for (std::size_t k = 0; k < twist.size(); ++k) {
    shaft.speed.push_back(N * (behind.speed[k] + rate[k]));
    shaft.acceleration.push_back(N * (behind.acceleration[k] + second[k]));
    shaft.torque.push_back(behind.torque[k] / N + inertia * shaft.acceleration[k]);
    lost_power[k] += stage.damping * rate[k] * rate[k];
  }
  return shaft;
}

void list_play(const ElasticStage& stage, const std::vector<double>& torque, double interval,
               std::vector<LimitViolation>& violations) {
  if (stage.backlash == 0) return;
  LimitViolation found{"backlash", 0, stage.backlash};
  int last = 0;
  for (std::size_t k = 0; k < torque.size(); ++k) {
    const int side = sign(torque[k]);
    if (side != 0 && last != 0 && side != last && found.samples++ == 0)
      found.first_time = found.worst_time = static_cast<double>(k) * interval;
    if (side != 0) last = side;
  }
  if (found.samples > 0) violations.push_back(found);
}

}  // namespace

DriveDemand drive_demand(const MotorDrive& drive, const SampledMotion& motion) {
  const MotorSettings& motor = drive.motor();
  check_motion(motion, motor.inductance > 0 ? 5 : 1, drive.name());
  DriveDemand demand;
  RotorLoad load;
  const double N = drive.ratio(), armature = drive.rotor_inertia() * N * N;
  for (std::size_t k = 0; k < motion.v.size(); ++k) {
    const double v = motion.v[k], a = motion.a[k];
    const int way = direction_of(v, a);
    const double friction =
        way == 0 ? 0 : way * kinetic_friction(drive.joint_friction(), way, std::abs(v));
    const double links = motion.tau[k] - armature * a, behind_gear = links + friction;
    const double m = way == 0 ? behind_gear : gear_input(drive.gear(), behind_gear, way);
    add_rotor(motor, N * v, N * a, m / N, load);
    load.friction.back() += friction / N;  // steps with the other, and heats no motor
    demand.motor_torque.push_back(m / N);
    demand.mechanical_power.push_back(links * v);
    demand.lost_power.push_back((m - behind_gear) * v + friction * v);
  }
  supply_rotor(motor, load, motion.interval, demand);
  return demand;
}

DriveDemand drive_demand(const ElasticDrive& drive, const SampledMotion& motion) {
  check_motion(motion, 5, drive.name());
  const MotorSettings& motor = drive.motor();
  const double J = motor.rotor_inertia.value_or(0);
  DriveDemand demand;
  demand.lost_power.assign(motion.v.size(), 0);
  Shaft shaft{{motion.v.begin(), motion.v.end()},
              {motion.a.begin(), motion.a.end()},
              {motion.tau.begin(), motion.tau.end()}};
  for (std::size_t k = 0; k < motion.v.size(); ++k)
    demand.mechanical_power.push_back(motion.tau[k] * motion.v[k]);
  for (std::size_t s = drive.stages().size(); s-- > 0;) {
    list_play(drive.stages()[s], shaft.torque, motion.interval, demand.violations);
    const double inertia = drive.shaft_inertia(s) - (s == 0 ? J : 0);
    shaft = before_stage(drive.stages()[s], inertia, shaft, motion.interval, demand.lost_power);
  }
  RotorLoad load;
  for (std::size_t k = 0; k < motion.v.size(); ++k)
    add_rotor(motor, shaft.speed[k], shaft.acceleration[k], shaft.torque[k], load);
  demand.motor_torque = shaft.torque;
  supply_rotor(motor, load, motion.interval, demand);
  return demand;
}

}  // namespace limber
