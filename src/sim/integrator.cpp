#include <limber/sim/integrator.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "model/nearest.hpp"
#include "sim/methods.hpp"

namespace limber {

namespace {

constexpr std::array<IntegratorMethod, 2> stepping_methods{{
    {"time_stepping", 1, false, true, 1,
     "velocities first, with hard contact and impacts solved in every step"},
    {"time_stepping_adaptive", 1, true, true, 1,
     "the same with error control: one step against two halves"},
}};

}  // namespace

std::span<const IntegratorMethod> contact_methods() { return stepping_methods; }
bool steps_over_contact(std::string_view method) {
  return std::any_of(stepping_methods.begin(), stepping_methods.end(),
                     [&](const IntegratorMethod& one) { return one.name == method; });
}

namespace {

using Maker = std::unique_ptr<Integrator> (*)(const IntegratorSettings&);

template <int block>
std::unique_ptr<Integrator> make_pece(const IntegratorSettings& settings) {
  return make_block_pc(settings, block);
}

constexpr std::array<IntegratorMethod, 12> methods{{
    {"euler", 1, false, false, 1, "explicit Euler"},
    {"semi_implicit_euler", 1, false, true, 1, "new velocities first, positions move with them"},
    {"implicit_euler", 1, false, true, 1,
     "the same, implicit in damping, contact that gives way and dry friction"},
    {"rk4", 4, false, false, 1, "the classical Runge-Kutta method"},
    {"dopri5", 5, true, false, 1, "Dormand-Prince 5(4), the ordinary choice with error control"},
    {"midpoint", 2, false, true, 1, "implicit midpoint rule in positions and momenta, symplectic"},
    {"pece_b1", 5, false, false, 1, "Adams predictor-corrector B1PC5"},
    {"pece_b2", 5, false, false, 2, "sliding block of two points B2PC5, on one or two threads"},
    {"pece_b3", 5, false, false, 3, "sliding block of three points B3PC5, on up to three threads"},
    {"pece_b4", 5, false, false, 4, "sliding block of four points B4PC5, on up to four threads"},
    {"cvode_adams", 12, true, false, 1, "SUNDIALS, Adams methods of variable order"},
    {"cvode_bdf", 5, true, false, 1, "SUNDIALS, backward differences, for stiff systems"},
}};
constexpr std::array<Maker, methods.size()> makers{make_euler,          make_semi_implicit_euler,
                                                   make_implicit_euler, make_rk4,
                                                   make_dopri5,         make_midpoint,
                                                   make_pece<1>,        make_pece<2>,
                                                   make_pece<3>,        make_pece<4>,
                                                   make_cvode_adams,    make_cvode_bdf};

// what a double resolves, and what is nothing in any unit
constexpr double least_relative = 1e-14, least_absolute = 1e-30;

// its number among the methods; their count if there is none of this name
std::size_t find_method(std::string_view name) {
  std::size_t k = 0;
  while (k < methods.size() && methods[k].name != name) ++k;
  return k;
}

std::string unknown_method(std::string_view name) {
  std::vector<std::string> names;
  for (const IntegratorMethod& method : methods) names.emplace_back(method.name);
  for (const IntegratorMethod& method : stepping_methods) names.emplace_back(method.name);
  return fmt::format("there is no integration method '{}'{}; methods: {}", name,
                     did_you_mean(name, names), fmt::join(names, ", "));
}

std::optional<SettingFault> time_fault(const char* setting, double value) {
  if (value > 0 && std::isfinite(value)) return std::nullopt;
  return SettingFault{setting, fmt::format("{} s found, a positive time is needed", value)};
}

std::optional<SettingFault> tolerance_fault(const char* setting, double value, double least) {
  if (value >= least && std::isfinite(value)) return std::nullopt;
  return SettingFault{setting,
                      fmt::format("{} found, a tolerance of at least {} is needed", value, least)};
}

constexpr int most_threads = 256;  // of time stepping, whose contacts fall into islands

std::optional<SettingFault> thread_fault(int threads, const IntegratorMethod& method) {
  const int most = steps_over_contact(method.name) ? most_threads : method.block;
  if (threads >= 1 && threads <= most) return std::nullopt;
  return SettingFault{
      "threads", fmt::format("{} threads for the method {}, which can use {}; block methods "
                             "(pece_b2, pece_b3, pece_b4) use up to 2, 3 and 4, time_stepping up "
                             "to {}",
                             threads, method.name, most == 1 ? "one" : fmt::format("1 to {}", most),
                             most_threads)};
}

}  // namespace

std::span<const IntegratorMethod> integrator_methods() { return methods; }

const IntegratorMethod* find_integrator_method(std::string_view name) {
  for (const IntegratorMethod& method : stepping_methods)
    if (method.name == name) return &method;
  const std::size_t k = find_method(name);
  return k < methods.size() ? &methods[k] : nullptr;
}

bool Integrator::find_roots(const RootFunctions&, int) { return false; }
std::span<const int> Integrator::roots() const { return {}; }

namespace {

void copy_numbers(std::span<const double> from, std::span<double> to) {
  if (from.data() != to.data()) std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

void MechanicalOde::to_fixed_axes(std::span<const double>, std::span<const double> v,
                                  std::span<double> w) {
  copy_numbers(v, w);
}
void MechanicalOde::from_fixed_axes(std::span<const double>, std::span<const double> w,
                                    std::span<double> v) {
  copy_numbers(w, v);
}
void MechanicalOde::fixed_axes_rate(std::span<const double>, std::span<const double>,
                                    std::span<const double> a, std::span<double> w_dot) {
  copy_numbers(a, w_dot);
}

MechanicalOde& expect_mechanical(Ode& ode, std::string_view method) {
  if (auto* mechanical = dynamic_cast<MechanicalOde*>(&ode)) return *mechanical;
  throw Error(
      fmt::format("the method {} needs equations of motion with positions and velocities; "
                  "these equations are general ones: choose rk4 or dopri5",
                  method));
}

std::optional<SettingFault> find_fault(const IntegratorSettings& settings) {
  const IntegratorMethod* method = find_integrator_method(settings.method);
  if (!method) return SettingFault{"method", unknown_method(settings.method)};
  if (auto fault = time_fault("step", settings.step)) return fault;
  if (method->error_control) {
    if (auto fault =
            tolerance_fault("relative_tolerance", settings.relative_tolerance, least_relative))
      return fault;
    if (auto fault =
            tolerance_fault("absolute_tolerance", settings.absolute_tolerance, least_absolute))
      return fault;
    if (auto fault = time_fault("max_step", settings.max_step)) return fault;
  }
  return thread_fault(settings.threads, *method);
}

std::unique_ptr<Integrator> make_integrator(const IntegratorSettings& settings) {
  if (const std::optional<SettingFault> fault = find_fault(settings))
    throw Error(fmt::format("integrator: {}: {}", fault->setting, fault->reason));
  if (settings.method == stepping_methods[0].name) return make_time_stepping(settings);
  if (settings.method == stepping_methods[1].name) return make_adaptive_stepping(settings);
  return makers[find_method(settings.method)](settings);
}

}  // namespace limber
