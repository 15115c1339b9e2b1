#include <limber/drive/gear.hpp>

#include <cmath>

#include "drive/checks.hpp"

namespace limber {

void check(const GearSettings& gear, const std::string& where) {
  if (gear.ratio && (!std::isfinite(*gear.ratio) || *gear.ratio == 0))
    throw_setting(*gear.ratio, "ratio", where, "a number other than zero is needed");
  check_share(gear.efficiency, "efficiency", where);
  check_share(gear.back_efficiency, "back_efficiency", where);
}

}  // namespace limber
