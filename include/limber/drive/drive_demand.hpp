#pragma once
// What a prescribed motion requires of a drive: speeds, torques, currents, voltages, powers, heat,
// and the limits it breaks. The direct problem of [HB] 20.3, through the whole drive.
#include <limber/drive/elastic_drive.hpp>
#include <limber/drive/motor_drive.hpp>

namespace limber {

/// Motion of one freedom and the force it takes, at equal intervals of time. All spans have one
/// size.
struct SampledMotion {
  double interval = 0;        ///< [s]
  std::span<const double> v;  ///< [rad/s or m/s]
  std::span<const double> a;  ///< [rad/s² or m/s²]
  /// [N m or N]: inverse dynamics of System::model(), after the drive has joined it, with
  /// Passive::included. The model then contains the joint's share, and the drive its own.
  std::span<const double> tau;
};

/// A limit that the motion breaks.
struct LimitViolation {
  std::string what;  ///< "voltage", "current", "motor speed", "winding temperature", "backlash"
  double limit = 0;  ///< in the unit of the quantity
  double worst = 0;  ///< largest magnitude
  double first_time = 0;  ///< since the first sample [s]
  double worst_time = 0;  ///< since the first sample [s]
  int samples = 0;        ///< how many are beyond the limit
};

/// One number per sample.
struct DriveDemand {
  std::vector<double> motor_speed;       ///< θ̇ [rad/s]
  std::vector<double> motor_torque;      ///< M, output torque of the rotor [N m]
  std::vector<double> current, voltage;  ///< [A], [V]
  std::vector<double> electrical_power;  ///< u i [W]
  std::vector<double> mechanical_power;  ///< into the robot at the joint, without the rotor [W]
  /// Heat of winding, friction, gear and dampers [W]. Electrical minus mechanical minus lost power
  /// is the rate of what rotor, shafts, springs and inductance store.
  std::vector<double> lost_power;
  /// [°C]; empty without thermal settings
  std::vector<double> winding_temperature, housing_temperature;
  std::vector<LimitViolation> violations;
};

/// Dry friction acts against the motion; at a sample at rest, against the acceleration, and not at
/// all where that is zero too. With inductance di/dt comes from differences of fourth order over
/// five samples; jumps of dry friction where the motion changes its direction are left out of it.
/// Temperature and resistance are integrated from sample to sample by Heun's method. Throws
/// Error if sizes differ, if numbers are not finite, if the interval is not positive, and with
/// inductance for less than five samples. The drive must have joined a System.
DriveDemand drive_demand(const MotorDrive& drive, const SampledMotion& motion);

/// The same through springs: their deflections are δ = τ/c − (d/c²) τ̇ + (d²/c³) τ̈ − (d³/c⁴) τ⃛, an
/// error of (d/c)⁴/c times the fourth derivative; derivatives in time by the differences of fourth
/// order. Play adds no motion, but every change of the torque's sign is listed as a violation:
/// there the spring does not hold the joint. At least five samples.
DriveDemand drive_demand(const ElasticDrive& drive, const SampledMotion& motion);

}  // namespace limber
