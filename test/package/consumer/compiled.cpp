// A lever with a load of m at its end, turned by q from hanging: (0.6 + m) a = -(1 + m) g sin q.
#include <cmath>
#include <initializer_list>

#include "lever.h"
#include "lever.hpp"
#include "lever_lanes.hpp"
#include "swing.hpp"

int main() {
  const double load = 3, q = 0.4, v = 2, tau = 0;
  const double payload[10] = {load};
  const double expected = -(1 + load) * 9.81 * std::sin(q) / (0.6 + load);
  double in_cpp, in_lanes, in_c;
  lever::forward_dynamics(&q, &v, &tau, payload, &in_cpp);
  lever::forward_dynamics_batch<double>(1, 1, &q, &v, &tau, payload, &in_lanes);
  lever_forward_dynamics(&q, &v, &tau, payload, &in_c);
  for (const double a : {in_cpp, in_lanes, in_c})
    if (!(std::abs(a - expected) < 1e-12)) return 1;
  return swing::nv == 2 ? 0 : 1;
}
