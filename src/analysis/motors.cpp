// What the motors have to do: from the columns that their drives have recorded, or, where the
// motion is a reference, from the direct problem.
#include <limber/drive/drive_demand.hpp>
#include <limber/model/variables.hpp>

#include "analysis/heat.hpp"
#include "analysis/parts.hpp"
#include "analysis/time_series.hpp"

namespace limber {

namespace {

// powers that a drive takes or gives at each instant [W]
struct Powers {
  std::vector<double> electrical, copper, rotor_friction, joint_friction, gear;
};

double friction_power(const FrictionSettings& friction, double speed) {
  if (speed == 0) return 0;
  return kinetic_friction(friction, speed > 0 ? 1 : -1, std::abs(speed)) * std::abs(speed);
}

MotorConstants constants(const MotorAnalysis& one, std::size_t k) {
  if (!one.motor.thermal) return constants_at(one.motor, {});
  return constants_at(one.motor, {one.series.winding[k], one.series.housing[k]});
}

// a stiff gear loses (1 − factor) of what the rotor hands to it
double gear_loss(const MotorDrive& drive, double motor_power) {
  const PowerFlow flow = motor_power > 0 ? PowerFlow::to_joint : PowerFlow::to_motor;
  return motor_power * (1 - gear_factor(drive.gear(), flow));
}

// what is the motor's own, whatever the drive
Powers motor_powers(MotorAnalysis& one) {
  const MotorSeries& s = one.series;
  Powers powers;
  for (std::size_t k = 0; k < s.current.size(); ++k) {
    const MotorConstants now = constants(one, k);
    one.torques.push_back(now.torque_constant * s.current[k]);
    powers.electrical.push_back(s.voltage[k] * s.current[k]);
    powers.copper.push_back(now.resistance * s.current[k] * s.current[k]);
    powers.rotor_friction.push_back(rotor_friction_power(one.motor, s.speed[k]));
  }
  return powers;
}

void add_transmission(const MotorDrive& drive, const JointAnalysis& joint, const MotorSeries& s,
                      Powers& powers) {
  for (std::size_t k = 0; k < s.speed.size(); ++k) {
    powers.gear.push_back(gear_loss(drive, s.output_torque[k] * s.speed[k]));
    powers.joint_friction.push_back(friction_power(drive.joint_friction(), joint.speeds[k]));
  }
}

// what goes into the springs and does not reach the joint, with what they hold
void add_transmission(const ElasticDrive&, const JointAnalysis& joint, const MotorSeries& s,
                      Powers& powers) {
  for (std::size_t k = 0; k < s.speed.size(); ++k) {
    powers.gear.push_back(s.output_torque[k] * s.speed[k] - joint.torques[k] * joint.speeds[k]);
    powers.joint_friction.push_back(0);
  }
}

// energy of rotor and inductance, end less beginning
double stored(const MotorSettings& motor, const MotorSeries& s) {
  const auto energy = [&](double i, double speed) {
    return (motor.inductance * i * i + motor.rotor_inertia.value_or(0) * speed * speed) / 2;
  };
  return energy(s.current.back(), s.speed.back()) - energy(s.current.front(), s.speed.front());
}

// Currents that heat. What holds a load at rest depends on the side from which the joint came to
// rest or creeps, and may differ from cycle to cycle: there the worse direction of the gear's loss
// counts.
std::vector<double> heating_currents(const MotorDrive& drive, const JointAnalysis& joint,
                                     const MotorAnalysis& one) {
  const double slow = share_at_rest * joint.figures.at(Figure::peak_speed).value;
  std::vector<double> currents = one.series.current;
  for (std::size_t k = 0; k < currents.size(); ++k) {
    if (std::abs(joint.speeds[k]) > slow) continue;
    const double holding = holding_torque(drive.gear(), drive.ratio(), joint.torques[k]);
    currents[k] = std::max(std::abs(currents[k]), holding / constants(one, k).torque_constant);
  }
  return currents;
}
// springs lose nothing at rest
std::vector<double> heating_currents(const ElasticDrive&, const JointAnalysis&,
                                     const MotorAnalysis& one) {
  return one.series.current;
}

void set_heat(std::span<const double> times, std::span<const double> currents, const Powers& powers,
              MotorAnalysis& one) {
  const double mean_square = mean_of(times, mapped(currents, [](double i) { return i * i; }));
  one.steady = steady_temperatures(*one.motor.thermal, one.motor.resistance * mean_square,
                                   mean_of(times, powers.rotor_friction));
  one.figures[Figure::winding_temperature] = peak_of(times, one.series.winding);
  one.figures[Figure::final_temperature] = {one.series.winding.back(), times.back()};
  one.figures[Figure::steady_temperature] = {one.steady->winding};
}

void set_figures(std::span<const double> times, const Powers& powers, MotorAnalysis& one) {
  const MotorSeries& s = one.series;
  Figures& figures = one.figures;
  figures[Figure::motor_torque] = peak_of(times, one.torques);
  figures[Figure::motor_rms_torque] = {rms_of(times, one.torques)};
  figures[Figure::motor_mean_torque] = {mean_magnitude(times, one.torques)};
  figures[Figure::motor_speed] = peak_of(times, s.speed);
  figures[Figure::current] = peak_of(times, s.current);
  figures[Figure::rms_current] = {rms_of(times, s.current)};
  figures[Figure::voltage] = peak_of(times, s.voltage);
  figures[Figure::electrical_power] = peak_of(times, powers.electrical);
  figures[Figure::mean_electrical_power] = {mean_of(times, powers.electrical)};
  figures[Figure::electrical_energy] = {positive_part(times, powers.electrical)};
  figures[Figure::recovered_energy] = {negative_part(times, powers.electrical)};
  figures[Figure::copper_loss] = {integral_of(times, powers.copper)};
  figures[Figure::friction_loss] = {integral_of(times, powers.rotor_friction) +
                                    integral_of(times, powers.joint_friction)};
  figures[Figure::gear_loss] = {integral_of(times, powers.gear)};
  figures[Figure::stored_energy] = {stored(one.motor, s)};
  figures[Figure::saturation] = {mean_of(times, s.saturated)};
}

MotorSeries recorded_series(const Recording& recording, const std::string& label, bool thermal) {
  const auto series = [&](const char* what) { return recording.series(label + "." + what); };
  MotorSeries s;
  s.current = series("current");
  s.voltage = series("voltage");
  s.speed = series("motor_speed");
  s.output_torque = series("motor_torque");
  s.saturated = series("saturated");
  if (!thermal) return s;
  s.winding = series("winding_temperature");
  s.housing = series("housing_temperature");
  return s;
}

// 1 where a value is beyond its limit
void mark(std::span<const double> values, double limit, std::vector<double>& marks) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::abs(values[k]) > limit) marks[k] = 1;
}

template <class Drive>
MotorSeries demanded_series(const Drive& drive, const Model& model, const JointAnalysis& joint,
                            const AnalysedMotion& motion) {
  const auto freedom = static_cast<std::size_t>(joint.freedom);
  const auto nv = static_cast<std::size_t>(model.nv);
  const double reflected = model.reflected_inertias()[freedom];
  std::vector<double> a, tau;
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    a.push_back(motion.a[k * nv + freedom]);
    tau.push_back(joint.torques[k] + reflected * a.back());
  }
  const double interval = motion.times.size() < 2 ? 1 : motion.times[1] - motion.times[0];
  DriveDemand demand = drive_demand(drive, {interval, joint.speeds, a, tau});
  MotorSeries s;
  s.saturated.assign(motion.times.size(), 0);
  mark(demand.voltage, drive.motor().voltage_limit, s.saturated);
  mark(demand.current, drive.motor().current_limit, s.saturated);
  s.current = std::move(demand.current);
  s.voltage = std::move(demand.voltage);
  s.speed = std::move(demand.motor_speed);
  s.output_torque = std::move(demand.motor_torque);
  s.winding = std::move(demand.winding_temperature);
  s.housing = std::move(demand.housing_temperature);
  return s;
}

template <class Drive>
MotorAnalysis analyse_motor(const Drive& drive, const System& system, const Analysis& so_far,
                            MotionSource source) {
  const JointAnalysis& joint = so_far.joints[static_cast<std::size_t>(drive.driven()[0])];
  MotorAnalysis one;
  one.name = joint.name;
  one.motor = drive.motor();
  one.series =
      source == MotionSource::simulated
          ? recorded_series(so_far.run.recording, joint.name, one.motor.thermal.has_value())
          : demanded_series(drive, system.model(), joint, so_far.motion);
  Powers powers = motor_powers(one);
  add_transmission(drive, joint, one.series, powers);
  set_figures(so_far.motion.times, powers, one);
  if (one.motor.thermal)
    set_heat(so_far.motion.times, heating_currents(drive, joint, one), powers, one);
  return one;
}

}  // namespace

std::vector<MotorAnalysis> analyse_motors(const System& system, const Analysis& so_far,
                                          MotionSource source) {
  std::vector<MotorAnalysis> motors;
  for (const auto& part : system.parts()) {
    if (const auto* stiff = dynamic_cast<const MotorDrive*>(part.get()))
      motors.push_back(analyse_motor(*stiff, system, so_far, source));
    else if (const auto* elastic = dynamic_cast<const ElasticDrive*>(part.get()))
      motors.push_back(analyse_motor(*elastic, system, so_far, source));
  }
  return motors;
}

}  // namespace limber
