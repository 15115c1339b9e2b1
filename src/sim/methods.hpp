#pragma once
// The makers of the integrators, one for each family; make_integrator() has checked the settings.
#include <limber/sim/integrator.hpp>

namespace limber {

std::unique_ptr<Integrator> make_euler(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_semi_implicit_euler(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_implicit_euler(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_rk4(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_midpoint(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_dopri5(const IntegratorSettings& settings);
/// `block` points at once, 1 to 4.
std::unique_ptr<Integrator> make_block_pc(const IntegratorSettings& settings, int block);
std::unique_ptr<Integrator> make_cvode_adams(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_cvode_bdf(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_time_stepping(const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_adaptive_stepping(const IntegratorSettings& settings);

/// The problem as a mechanical one; throws Error if it is none.
MechanicalOde& expect_mechanical(Ode& ode, std::string_view method);

}  // namespace limber
