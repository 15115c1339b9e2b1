// Algorithms of the library run with expressions.
#include <limber/compile/program.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/dynamics/tree_factor.hpp>

#include "compile/forward.hpp"
#include "compile/schedule.hpp"
#include "compile/step.hpp"
#include "compile/traced_loops.hpp"
#include "compile/traced_model.hpp"

namespace limber {

namespace {

using ExprModel = BasicModel<Expr>;
using Values = std::vector<Expr>;

/// One call of an algorithm: its inputs by name, its outputs in the order of the shape.
struct Call {
  const TracedModel& traced;
  const FunctionOptions& options;
  const ExprModel& model;
  std::vector<Values> out;
  BasicWorkspace<Expr> ws;
  Loads<Expr> loads;
  ForwardWay way;

  std::span<const Expr> operator[](std::string_view name) const { return traced[name]; }
  void add(std::span<const Expr> values) { out.emplace_back(values.begin(), values.end()); }
  template <class Matrix>
  void add_matrix(const Matrix& matrix, int rows, int columns) {
    Values& values = out.emplace_back();
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) values.push_back(matrix(i, j));
  }
  int nv() const { return model.nv; }
};

void kinematics(Call& call) {
  const BasicPoses<Expr>& bodies = forward_kinematics<Expr>(call.model, call["q"], call.ws);
  for (const int frame : frames_of(call.model, call.options)) {
    const Transform<Expr> X = frame_pose(call.model, bodies, frame);
    call.out.push_back({X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz, X.R.zx, X.R.zy, X.R.zz,
                        X.p.x, X.p.y, X.p.z});
  }
}

void jacobians(Call& call) {
  for (const int frame : frames_of(call.model, call.options))
    call.add_matrix(jacobian<Expr>(call.model, call["q"], frame, Reference::world_aligned, call.ws),
                    6, call.nv());
}

/// L with unit diagonal in the places of the tree's paths, and D.
void mass_matrix_factor(Call& call) {
  const ExprModel& m = call.model;
  BasicTreeFactor<Expr> factor(m);
  factorize<Expr>(m, call["q"], call.ws, factor, call.loads);
  const TreePattern& at = factor.M.pattern;
  List<Expr> L(static_cast<std::size_t>(m.nv * m.nv));
  std::vector<Expr> D;
  for (int k = 0; k < m.nv; ++k) {
    for (int t = at.start[k]; t < at.end[k] - 1; ++t) L[k * m.nv + at.path[t]] = factor.L[t];
    L[k * m.nv + k] = 1;
    D.push_back(Expr(1) / inverse_pivot(factor, k));
  }
  call.out = {std::move(L), D};
}

void inverse_derivatives(Call& call) {
  BasicMatrixWorkspace<Expr> mw(call.model);
  const auto d = inverse_dynamics_tangent_derivatives<Expr>(call.model, call["q"], call["v"],
                                                            call["a"], call.ws, mw, call.loads);
  call.add_matrix(d.tau_q, call.nv(), call.nv());
  call.add_matrix(d.tau_v, call.nv(), call.nv());
  call.add_matrix(d.tau_a, call.nv(), call.nv());
}

void forward_derivatives(Call& call) {
  BasicMatrixWorkspace<Expr> mw(call.model);
  const auto d = forward_dynamics_tangent_derivatives<Expr>(call.model, call["q"], call["v"],
                                                            call["tau"], call.ws, mw, call.loads);
  call.add(d.a);
  call.add_matrix(d.a_q, call.nv(), call.nv());
  call.add_matrix(d.a_v, call.nv(), call.nv());
  // the inverse is symmetric: one half serves both
  call.add_matrix([&](int i, int j) { return i < j ? d.a_tau(j, i) : d.a_tau(i, j); }, call.nv(),
                  call.nv());
}

/// With its loops: accelerations, forces of the rows, what is left.
void closed_forward(Call& call) {
  TracedLoops::Forward found =
      TracedLoops(call.model)
          .forward_dynamics(call["q"], call["v"], call["tau"], call.ws, call.loads);
  call.out = {std::move(found.a), std::move(found.force), std::move(found.residual)};
}

void run(Call& call, RobotFunction function) {
  const ExprModel& m = call.model;
  switch (function) {
    case RobotFunction::kinematics:
      return kinematics(call);
    case RobotFunction::jacobians:
      return jacobians(call);
    case RobotFunction::inverse_dynamics:
      return call.add(
          inverse_dynamics<Expr>(m, call["q"], call["v"], call["a"], call.ws, call.loads));
    case RobotFunction::bias_forces:
      return call.add(bias_forces<Expr>(m, call["q"], call["v"], call.ws, call.loads));
    case RobotFunction::mass_matrix:
      return call.add_matrix(mass_matrix<Expr>(m, call["q"], call.ws, call.loads), m.nv, m.nv);
    case RobotFunction::mass_matrix_factor:
      return mass_matrix_factor(call);
    case RobotFunction::forward_dynamics:
      if (!m.loops.empty()) return closed_forward(call);
      return call.add(traced_forward_dynamics(m, call["q"], call["v"], call["tau"], call.ws,
                                              call.loads, call.way));
    case RobotFunction::inverse_dynamics_derivatives:
      return inverse_derivatives(call);
    case RobotFunction::forward_dynamics_derivatives:
      return forward_derivatives(call);
    case RobotFunction::step: {
      StepValues next = traced_step(m, call.traced.centers, call.traced.inputs, call.options,
                                    call.traced.loads(Passive::included), call.way, call.ws);
      call.out = {std::move(next.q), std::move(next.v)};
      if (!m.loops.empty()) call.add(next.gap), call.add(next.rate);
      if (!next.residual.empty()) call.add(next.forces), call.add(next.residual);
      return;
    }
  }
}

Program traced_program(const Model& model, RobotFunction function, const FunctionOptions& options,
                       ForwardWay way) {
  const FunctionShape shape = shape_of(function, model, options);
  ExprGraph graph;
  const TracedModel robot(model, options, shape, graph);
  Call call{robot,
            options,
            robot.model,
            {},
            BasicWorkspace<Expr>(robot.model),
            robot.loads(options.passive),
            way};
  run(call, function);
  Program program = lower_in_order(graph, shape, call.out);
  program.name = name(function);
  return program;
}

}  // namespace

Program trace(const Model& model, RobotFunction function, const FunctionOptions& options) {
  const int registers = options.registers;
  const auto by = [&](ForwardWay way) { return traced_program(model, function, options, way); };
  const bool has_ways =
      function == RobotFunction::forward_dynamics || function == RobotFunction::step;
  // with mimic joints, with loops and with contact there is one way only
  const bool touches = function == RobotFunction::step && !options.contact.candidates.empty();
  if (!has_ways || model.has_mimic() || !model.loops.empty() || touches)
    return schedule(by(ForwardWay::mass_matrix), registers);
  // the cheaper in instructions and fetches from memory
  const auto fetches = [&](const Program& p) { return reloads(p, registers); };
  const auto instructions = [](const Program& p) { return p.count().instructions(); };
  Program first = schedule(by(ForwardWay::articulated_bodies), registers);
  Program second = by(ForwardWay::mass_matrix);
  const int limit = instructions(first) + fetches(first);
  if (instructions(second) >= limit) return first;
  second = schedule(second, registers);
  return instructions(second) + fetches(second) < limit ? second : first;
}

}  // namespace limber
