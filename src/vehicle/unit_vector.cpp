#include "vehicle/unit_vector.hpp"

#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

void check_unit(const Vec3<double>& d, const char* field, const std::string& where) {
  if (!(std::abs(norm(d) - 1) < 1e-9))
    throw Error(fmt::format("{}: {}: [{}, {}, {}] has the length {}; a unit vector is needed",
                            where, field, d.x, d.y, d.z, norm(d)));
}

}  // namespace limber
