#include "model/joint_partials.ipp"

#include <algorithm>

#include <limber/error.hpp>
#include <limber/scalar/expr_graph.hpp>

namespace limber {

void custom_position_rate(const CustomJoint& joint, std::span<const double> q, int k,
                          std::span<double> q_dot) {
  if (!joint.integrate) {
    std::fill(q_dot.begin(), q_dot.end(), 0.0);
    q_dot[static_cast<std::size_t>(k)] = 1;
    return;
  }
  if (joint.position_rate) {
    std::array<double, 6> unit{};
    unit[static_cast<std::size_t>(k)] = 1;
    joint.position_rate(joint.parameters, q, {unit.data(), static_cast<std::size_t>(joint.nv)},
                        q_dot);
    return;
  }
  // (8 (q(h) − q(−h)) − (q(2h) − q(−2h))) / 12h
  const double h = 1e-3;
  std::fill(q_dot.begin(), q_dot.end(), 0.0);
  for (const auto& [steps, weight] :
       {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    std::array<double, CustomJoint::most_positions> moved{};
    std::copy(q.begin(), q.end(), moved.begin());
    std::array<double, 6> step{};
    step[static_cast<std::size_t>(k)] = steps * h;
    joint.integrate(joint.parameters, {moved.data(), q.size()},
                    {step.data(), static_cast<std::size_t>(joint.nv)});
    for (std::size_t i = 0; i < q.size(); ++i) q_dot[i] += weight * (moved[i] - q[i]) / (12 * h);
  }
}

void custom_partials(const CustomJoint& joint, std::span<const double> q, std::span<const double> v,
                     JointPartials<double>& out) {
  auto derivative = [](const Motion<Dual>& x) {
    return Motion<double>{{x.angular.x.derivative, x.angular.y.derivative, x.angular.z.derivative},
                          {x.linear.x.derivative, x.linear.y.derivative, x.linear.z.derivative}};
  };
  std::array<Dual, CustomJoint::most_positions> position;
  std::array<Dual, 6> rate;
  std::array<double, CustomJoint::most_positions> q_dot{};
  auto run = [&](JointKinematics<Dual>& result) {
    joint.kinematics_dual(joint.parameters, {position.data(), q.size()}, {rate.data(), v.size()},
                          result);
  };
  for (std::size_t k = 0; k < v.size(); ++k) {
    custom_position_rate(joint, q, static_cast<int>(k), {q_dot.data(), q.size()});
    for (std::size_t i = 0; i < q.size(); ++i) position[i] = {q[i], q_dot[i]};
    for (std::size_t l = 0; l < v.size(); ++l) rate[l] = v[l];
    JointKinematics<Dual> by_q;
    run(by_q);
    for (std::size_t l = 0; l < v.size(); ++l) out.S[l][k] = derivative(by_q.S[l]);
    out.bias_q[k] = derivative(by_q.bias);

    for (std::size_t i = 0; i < q.size(); ++i) position[i] = q[i];
    rate[k].derivative = 1;
    JointKinematics<Dual> by_v;
    run(by_v);
    out.bias_v[k] = derivative(by_v.bias);
  }
}

void custom_partials(const CustomJoint& joint, std::span<const Expr> q, std::span<const Expr> v,
                     JointPartials<Expr>& out) {
  if (joint.integrate)
    throw Error(
        "a custom joint that integrates its positions itself cannot be differentiated as an "
        "expression; use the derivatives of the library");
  JointKinematics<Expr> kinematics;
  joint.kinematics_expr(joint.parameters, q, v, kinematics);
  auto slope = [](const Motion<Expr>& x, Expr by) {
    auto of = [&](Expr y) { return ExprGraph::current().derivative(y, by); };
    return Motion<Expr>{{of(x.angular.x), of(x.angular.y), of(x.angular.z)},
                        {of(x.linear.x), of(x.linear.y), of(x.linear.z)}};
  };
  for (std::size_t k = 0; k < v.size(); ++k) {
    for (std::size_t l = 0; l < v.size(); ++l) out.S[l][k] = slope(kinematics.S[l], q[k]);
    out.bias_q[k] = slope(kinematics.bias, q[k]);
    out.bias_v[k] = slope(kinematics.bias, v[k]);
  }
}

}  // namespace limber
