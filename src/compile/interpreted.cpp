#include "compile/interpreted.hpp"

#include <algorithm>
#include <limits>

#include <limber/dynamics/derivatives.hpp>
#include <limber/error.hpp>

#include "compile/function_code.hpp"

namespace limber {

namespace {

/// Scratch of a thread for one robot.
struct DerivativeScratch {
  explicit DerivativeScratch(const Model& m) : ws(m), mw(m) {}
  Workspace ws;
  MatrixWorkspace mw;
};

/// That of the present thread, which keeps a few of them.
DerivativeScratch& derivative_scratch(const Model& m) {
  constexpr std::size_t most = 8;
  thread_local std::vector<std::unique_ptr<DerivativeScratch>> all;
  for (auto& scratch : all)
    if (scratch->ws.model.is(m.identity)) return *scratch;
  if (all.size() == most) all.erase(all.begin());
  return *all.emplace_back(std::make_unique<DerivativeScratch>(m));
}

void write_matrix(const MatrixView<double>& A, int nv, double* to) {
  for (int i = 0; i < nv; ++i) std::copy_n(&A(i, 0), nv, to + i * nv);
}
void write_matrix(const SymmetricView<double>& A, int nv, double* to) {
  for (int i = 0; i < nv; ++i) {
    std::copy_n(&A(i, i), nv - i, to + i * nv + i);
    for (int j = 0; j < i; ++j) to[i * nv + j] = to[j * nv + i];
  }
}

void derivatives(const FunctionCode& code, const double* const* in, double* const* out) {
  const Model& m = *code.model;
  DerivativeScratch& scratch = derivative_scratch(m);
  auto array = [&](std::size_t k) {
    return std::span(in[k], static_cast<std::size_t>(code.shape.inputs[k].size));
  };
  Loads<double> loads;
  loads.passive = code.passive;
  if (code.function == RobotFunction::inverse_dynamics_derivatives) {
    const auto d = inverse_dynamics_tangent_derivatives<double>(m, array(0), array(1), array(2),
                                                                scratch.ws, scratch.mw, loads);
    write_matrix(d.tau_q, m.nv, out[0]);
    write_matrix(d.tau_v, m.nv, out[1]);
    write_matrix(d.tau_a, m.nv, out[2]);
    return;
  }
  const auto d = forward_dynamics_tangent_derivatives<double>(m, array(0), array(1), array(2),
                                                              scratch.ws, scratch.mw, loads);
  std::copy(d.a.begin(), d.a.end(), out[0]);
  write_matrix(d.a_q, m.nv, out[1]);
  write_matrix(d.a_v, m.nv, out[2]);
  write_matrix(d.a_tau, m.nv, out[3]);
}

}  // namespace

void run_interpreted(const void* context, long, long, const double* const* in, double* const* out) {
  const auto& code = *static_cast<const FunctionCode*>(context);
  try {
    derivatives(code, in, out);
  } catch (const Error&) {
    for (std::size_t k = 0; k < code.shape.outputs.size(); ++k)
      std::fill_n(out[k], code.shape.outputs[k].size, std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace limber
