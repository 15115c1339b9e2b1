#include "drive/checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

void throw_setting(double found, const char* field, const std::string& where,
                   const std::string& expected) {
  throw Error(fmt::format("{}: {} is {}; {}", where, field, found, expected));
}

void check_positive(double value, const char* field, const std::string& where) {
  if (!(value > 0) || !std::isfinite(value))
    throw_setting(value, field, where, "a positive number is needed");
}

void check_not_negative(double value, const char* field, const std::string& where) {
  if (!(value >= 0) || !std::isfinite(value))
    throw_setting(value, field, where, "zero or a positive number is needed");
}

void check_range(double value, double lowest, double highest, const char* field,
                 const std::string& where) {
  if (!(value >= lowest && value <= highest) || !std::isfinite(value))
    throw_setting(value, field, where,
                  fmt::format("a number from {} to {} is needed", lowest, highest));
}

void check_share(double value, const char* field, const std::string& where) {
  if (!(value > 0 && value <= 1))
    throw_setting(value, field, where, "a number above 0 and up to 1 is needed");
}

void check_limit(double value, const char* field, const std::string& where) {
  if (!(value > 0))
    throw_setting(value, field, where, "a positive number is needed; leave it out for no limit");
}

}  // namespace limber
