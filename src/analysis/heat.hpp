#pragma once
// The heat of a motor that repeats a task for ever, and what it may give without end.
#include <limber/drive/gear.hpp>
#include <limber/drive/motor.hpp>

namespace limber {

/// Heat of the rotor's own friction at a speed [W].
double rotor_friction_power(const MotorSettings& motor, double speed);

/// Where the mean losses [W] go on for ever: copper loss with the resistance of the data sheet,
/// and friction. The resistance is that of the final temperature. Infinite if it grows faster than
/// the heat can leave.
Temperatures steady_temperatures(const ThermalSettings& thermal, double copper_at_reference,
                                 double friction);

/// The torque C_M i ≥ 0 that holds the winding at its limit when it is given for ever at a speed
/// [rad/s]; zero if friction alone heats it as far. The motor must have thermal settings with a
/// limit.
double continuous_torque(const MotorSettings& motor, double speed);

/// A joint slower than this share of its largest speed is at rest: a controller lets it creep.
constexpr double share_at_rest = 0.01;

/// The largest |C_M i| that holding a load needs: at rest the loss of the gear may act either way,
/// and against the motor it costs |torque| / (N η′) where with it |torque| η″ / N would do.
/// `torque` is that of the joint [N m or N].
double holding_torque(const GearSettings& gear, double ratio, double torque);

}  // namespace limber
