// The ten inertial parameters of a body as control engineers write them: m, m c, and the rotational
// inertia about the origin (xx, xy, xz, yy, yz, zz).
#include <limber/dynamics/regressor.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "model/column_groups.hpp"

namespace limber {

namespace {

/// Ten parameters as an inertia about the origin of their frame.
Inertia<double> from_parameters(const double* p) {
  return {p[0],
          {p[1], p[2], p[3]},
          Inertia<double>::second_moment({p[4], p[7], p[9], p[5], p[6], p[8]})};
}

}  // namespace

void inertial_parameters(const Model& m, std::span<double> out) {
  check_size("inertial_parameters", "out", out.size(), 10 * (m.bodies() - 1), m.name);
  for (std::size_t i = 1; i < m.inertia.size(); ++i) {
    const Inertia<double> I = apply_inverse(m.body_placement[i], m.inertia[i]);
    const Sym3<double> R = I.rotational();
    const double own[] = {I.m, I.h.x, I.h.y, I.h.z, R.xx, R.xy, R.xz, R.yy, R.yz, R.zz};
    std::copy(std::begin(own), std::end(own), out.begin() + 10 * (static_cast<long>(i) - 1));
  }
}
std::vector<double> inertial_parameters(const Model& m) {
  std::vector<double> all(10 * (m.inertia.size() - 1));
  inertial_parameters(m, all);
  return all;
}

Model with_inertial_parameters(const Model& m, std::span<const double> parameters) {
  check_size("with_inertial_parameters", "parameters", parameters.size(), 10 * (m.bodies() - 1),
             m.name);
  Model changed = m;
  for (std::size_t i = 1; i < m.inertia.size(); ++i) {
    const double* own = parameters.data() + 10 * (i - 1);
    for (int k = 0; k < 10; ++k)
      if (!std::isfinite(own[k]))
        throw Error(fmt::format(
            "with_inertial_parameters of robot '{}': parameter {} of body '{}' is not finite",
            m.name, k, m.body_name[i]));
    changed.inertia[i] = m.body_placement[i] * from_parameters(own);
  }
  changed.together = find_column_groups(changed);
  return changed;
}

}  // namespace limber
