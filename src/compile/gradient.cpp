#include "compile/gradient.hpp"

#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "compile/traced_model.hpp"
#include "index.hpp"

namespace limber {

GradientRows gradient_rows(const Model& model, const FunctionOptions& options) {
  GradientRows result;
  FunctionShape shape = shape_of(RobotFunction::inverse_dynamics, model, options);
  ExprGraph graph;
  const TracedModel traced(model, options, shape, graph);
  const BasicModel<Expr>& m = traced.model;
  BasicWorkspace<Expr> ws(m);
  BasicMatrixWorkspace<Expr> mw(m);
  Loads<Expr> loads;
  loads.passive = options.passive;
  const auto d = inverse_dynamics_tangent_derivatives<Expr>(m, traced["q"], traced["v"],
                                                            traced["a"], ws, mw, loads);
  std::vector<Expr> rows;
  for (int i = 0; i < m.nv; ++i)
    for (int j = i; j < m.nv; ++j) ws.M[at_index(i * m.nv + j)] = d.tau_a(i, j);
  factorize_mass_matrix(m, ws);
  for (int k = 0; k < m.nv; ++k) {
    result.path_start.push_back(static_cast<int>(rows.size()));
    for (int e = m.path_start[at_index(k)]; e < m.path_end[at_index(k)]; ++e) {
      rows.push_back(ws.L[at_index(e)]);
      result.path.push_back(m.path[at_index(e)]);
    }
    result.path_end.push_back(static_cast<int>(rows.size()));
  }
  result.zero = static_cast<int>(rows.size());
  rows.emplace_back(0);
  for (const MatrixView<Expr>& matrix : {d.tau_q, d.tau_v})
    for (int k = 0; k < m.nv; ++k)
      for (int j = 0; j < m.nv; ++j) {
        const bool zero = matrix(j, k).is(0);
        result.element.push_back(zero ? result.zero : static_cast<int>(rows.size()));
        if (!zero) rows.push_back(matrix(j, k));
      }
  shape.outputs = {
      {"rows", static_cast<int>(rows.size()), "factor of the inertia matrix and rows"}};
  result.program = lower(graph, shape, std::vector<std::vector<Expr>>{rows}, options.registers);
  result.program.name = "gradient_rows";
  return result;
}

}  // namespace limber
