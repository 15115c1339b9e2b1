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

void derivatives(const FunctionCode& code, const double* const* in, double* const* out) {
  const Model& m = *code.model;
  DerivativeScratch& scratch = derivative_scratch(m);
  auto from = [&](std::size_t k) {
    return std::span(in[k], static_cast<std::size_t>(code.shape.inputs[k].size));
  };
  auto to = [&](std::size_t k) {
    return std::span(out[k], static_cast<std::size_t>(code.shape.outputs[k].size));
  };
  Loads<double> loads;
  loads.passive = code.passive;
  if (code.function == RobotFunction::inverse_dynamics_derivatives)
    inverse_dynamics_tangent_derivatives<double>(m, from(0), from(1), from(2), scratch.ws,
                                                 scratch.mw, to(0), to(1), to(2), loads);
  else
    forward_dynamics_tangent_derivatives<double>(m, from(0), from(1), from(2), scratch.ws,
                                                 scratch.mw, to(0), to(1), to(2), to(3), loads);
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
