#include <limber/drive/thermal.hpp>

#include "drive/checks.hpp"

namespace limber {

void check(const ThermalSettings& thermal, const std::string& where) {
  check_positive(thermal.winding_capacity, "winding_capacity", where);
  check_positive(thermal.housing_capacity, "housing_capacity", where);
  check_positive(thermal.winding_to_housing, "winding_to_housing", where);
  check_positive(thermal.housing_to_ambient, "housing_to_ambient", where);
  check_range(thermal.ambient, -273.15, 1e4, "ambient", where);
  check_range(thermal.reference, -273.15, 1e4, "reference", where);
  check_range(thermal.winding_coefficient, 0, 0.1, "winding_coefficient", where);
  check_range(thermal.magnet_coefficient, -0.1, 0, "magnet_coefficient", where);
  if (!(thermal.winding_limit > thermal.ambient))
    throw_setting(thermal.winding_limit, "winding_limit", where,
                  "a temperature above `ambient` is needed; leave it out for no limit");
}

}  // namespace limber
