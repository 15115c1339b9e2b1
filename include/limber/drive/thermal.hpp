#pragma once
// Heat of a motor: winding and housing as two heat stores. Copper loss heats the winding, friction
// the housing; the winding cools to the housing, the housing to its surroundings.
#include <cmath>
#include <string>

namespace limber {

/// Temperatures in °C, capacities in J/K, resistances in K/W.
struct ThermalSettings {
  double winding_capacity = 0;    ///< > 0
  double housing_capacity = 0;    ///< > 0
  double winding_to_housing = 0;  ///< thermal resistance, > 0
  double housing_to_ambient = 0;  ///< thermal resistance, > 0
  double ambient = 25;            ///< of the surroundings, and of everything at the beginning
  double reference = 25;          ///< at which the motor's resistance and constants are given
  double winding_coefficient = 0.00393;  ///< relative change of resistance per K; copper
  double magnet_coefficient = 0;    ///< relative change of C_M and C_E per K of the housing, ≤ 0
  double winding_limit = HUGE_VAL;  ///< reported when passed
};

/// Throws Error for an invalid number; `where` names the owner in the message.
void check(const ThermalSettings& thermal, const std::string& where);

/// [°C], or their rates [K/s].
struct Temperatures {
  double winding = 0, housing = 0;
};

/// Rates for given losses [W].
inline Temperatures heating(const ThermalSettings& thermal, const Temperatures& now,
                            double copper_loss, double friction_loss) {
  const double inner = (now.winding - now.housing) / thermal.winding_to_housing;
  const double outer = (now.housing - thermal.ambient) / thermal.housing_to_ambient;
  return {(copper_loss - inner) / thermal.winding_capacity,
          (friction_loss + inner - outer) / thermal.housing_capacity};
}

}  // namespace limber
