#include "counts.hpp"

#include <functional>

#include <limber/limber.hpp>

namespace limber::bench {

namespace {

// values that are known only when the algorithm runs
std::vector<Counted> variables(const std::vector<double>& values) {
  std::vector<Counted> out;
  for (double x : values) out.push_back(Counted::variable(x));
  return out;
}

OperationCount count(const std::function<void()>& algorithm) {
  Counted::count() = {};
  algorithm();
  return Counted::count();
}

}  // namespace

std::vector<CountRow> count_operations() {
  const Model model = build(generate_chain(6));
  const BasicModel<Counted> counted = cast<Counted>(model);
  BasicWorkspace<Counted> ws(counted);
  const RandomState state = generate_state(model, 1);
  const auto q = variables(state.q), v = variables(state.v), a = variables(state.a),
             tau = variables(state.tau);
  return {
      {"inverse dynamics", count([&] { inverse_dynamics(counted, q, v, a, ws); }), {459, 400}, {712, 550}},
      {"inertia matrix", count([&] { mass_matrix(counted, q, ws); }), {389, 370}, {505, 410}},
      {"forward dynamics, articulated bodies",
       count([&] { forward_dynamics(counted, q, v, tau, ws); }), {1090, 989}, {1533, 1415}},
  };
}

}  // namespace limber::bench
