#include "counts.hpp"

#include <functional>
#include <span>

#include <limber/limber.hpp>

namespace limber::bench {

namespace {

// values that are known only when the algorithm runs
std::vector<Counted> variables(const std::vector<double>& values) {
  std::vector<Counted> out;
  for (double x : values) out.push_back(Counted::variable(x));
  return out;
}

struct Counts {
  OperationCount needed, total;
};

// what the algorithm's results need, and all that was done for them
Counts count(const std::function<std::span<const Counted>()>& algorithm) {
  Counted::start();
  const std::span<const Counted> results = algorithm();
  return {Counted::needed_for(results), Counted::count()};
}

// the numbers that mass_matrix() computes: one triangle
std::vector<Counted> triangle(const TreeMatrixView<Counted>& M) {
  std::vector<Counted> out;
  for (int i = 0; i < M.size; ++i)
    for (int j = 0; j <= i; ++j) out.push_back(M(i, j));
  return out;
}

}  // namespace

std::vector<CountRow> count_operations() {
  const Model model = build(generate_chain(6));
  const BasicModel<Counted> counted = cast<Counted>(model);
  BasicWorkspace<Counted> ws(counted);
  const RandomState state = generate_state(model, 1);
  const auto q = variables(state.q), v = variables(state.v), a = variables(state.a),
             tau = variables(state.tau);
  std::vector<Counted> M;
  const Counts inverse = count([&] { return inverse_dynamics(counted, q, v, a, ws); });
  const Counts inertia = count([&] {
    M = triangle(mass_matrix(counted, q, ws));
    return std::span<const Counted>(M);
  });
  const Counts forward = count([&] { return forward_dynamics(counted, q, v, tau, ws); });
  return {
      {"inverse dynamics", inverse.needed, inverse.total, {459, 400}, {712, 550}},
      {"mass matrix", inertia.needed, inertia.total, {389, 370}, {505, 410}},
      {"forward dynamics, articulated bodies",
       forward.needed,
       forward.total,
       {1090, 989},
       {1533, 1415}},
  };
}

}  // namespace limber::bench
