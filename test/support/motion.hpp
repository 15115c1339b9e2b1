#pragma once
// Rates along a motion by central differences: the state runs from (q, v) with acceleration a.
#include <limber/model/joint_space.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

/// q after time t on the way with velocity v and acceleration a. [s]
inline VectorXd position_after(const Robot& r, double t) {
  VectorXd q(r.model.nq);
  // the velocity at half time, constant: right to second order, so its odd part is exact to third
  const VectorXd mean = r.v + r.a * (t / 2);
  integrate(r.model, in(r.q), in(mean), t, {q.data(), static_cast<std::size_t>(q.size())});
  return q;
}

/// d/dt f(q, v) by central differences of fourth order; f gives a vector.
template <class F>
VectorXd rate_along_motion(const Robot& r, F&& f) {
  const double t = 1e-4;
  auto change = [&](double h) -> VectorXd {
    return f(position_after(r, h), VectorXd(r.v + r.a * h)) -
           f(position_after(r, -h), VectorXd(r.v - r.a * h));
  };
  return (8 * change(t) - change(2 * t)) / (12 * t);
}

}  // namespace limber::test
