// Order of convergence of every method: errors at two step lengths (CVODE: at two tolerances), on a
// problem with a known solution and on a robot with quaternions against a finer integration by a
// plain method.
#include <gtest/gtest.h>

#include "sim/problems.hpp"
#include "support/simulate.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double slack = 0.15;

std::vector<IntegratorMethod> methods_with_steps() {
  std::vector<IntegratorMethod> all;
  for (const IntegratorMethod& method : integrator_methods())
    if (!method.name.starts_with("cvode")) all.push_back(method);
  return all;
}

// block methods gain an order at the ends of their blocks
void expect_order(const IntegratorMethod& method, double coarse, double fine) {
  const double slope = std::log2(coarse / fine);
  EXPECT_GT(slope, method.order - slack) << coarse << " then " << fine;
  const double gain = method.name.starts_with("pece") ? 2 : 0;
  EXPECT_LT(slope, method.order + gain + slack) << coarse << " then " << fine;
}

double kepler_error(const IntegratorSettings& settings, double end) {
  Kepler kepler;
  const auto integrator = make_integrator(settings);
  return largest_difference(carry(*integrator, kepler, Kepler::solution(0), end),
                            Kepler::solution(end));
}

TEST(IntegratorOrder, OnAKnownSolution) {
  for (const IntegratorMethod& method : methods_with_steps()) {
    SCOPED_TRACE(method.name);
    const double h = method.order < 4 ? 0.001 : 0.02;
    expect_order(method, kepler_error(fixed_steps(method.name, h), 4),
                 kepler_error(fixed_steps(method.name, h / 2), 4));
  }
}

double robot_error(const Model& model, std::string_view method, double h,
                   std::span<const double> expected) {
  RobotOde ode(model, 2);
  const auto integrator = make_integrator(fixed_steps(method, h));
  return largest_difference(carry(*integrator, ode, spinning_state(), 1), expected);
}

std::vector<double> finely_integrated(const Model& model) {
  const std::vector<double> start = spinning_state();
  const auto nq = static_cast<std::ptrdiff_t>(model.nq), nv = static_cast<std::ptrdiff_t>(model.nv);
  Moving x{0, Eigen::Map<const Eigen::VectorXd>(start.data(), nq),
           Eigen::Map<const Eigen::VectorXd>(start.data() + nq, nv)};
  Workspace ws(model);
  simulate(model, x, 1, 8000, [&](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    Eigen::VectorXd tau(nv);
    for (std::ptrdiff_t k = 0; k < nv; ++k) tau(k) = 2 * std::sin(t + static_cast<double>(k));
    return matrix(forward_dynamics(model, in(q), in(v), in(tau), ws));
  });
  std::vector<double> end(x.q.begin(), x.q.end());
  end.insert(end.end(), x.v.begin(), x.v.end());
  return end;
}

TEST(IntegratorOrder, OnARobotWithQuaternions) {
  const Model model = spinning_robot();
  const std::vector<double> expected = finely_integrated(model);
  for (const IntegratorMethod& method : methods_with_steps()) {
    SCOPED_TRACE(method.name);
    const double h = method.order < 4 ? 1. / 1024 : 1. / 128;
    expect_order(method, robot_error(model, method.name, h, expected),
                 robot_error(model, method.name, h / 2, expected));
  }
}

// with variable order the error follows the tolerance
TEST(IntegratorOrder, CvodeFollowsItsTolerance) {
  for (const char* method : {"cvode_adams", "cvode_bdf", "dopri5"}) {
    SCOPED_TRACE(method);
    double last = 1;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      const double error = kepler_error({method, 1e-3, tolerance, tolerance, 0.5, 1}, 4);
      EXPECT_LT(error, 500 * tolerance);
      EXPECT_LT(error, last / 10);
      last = error;
    }
  }
}

double interpolation_error(std::string_view method, double h) {
  Kepler kepler;
  const auto integrator = make_integrator(fixed_steps(method, h));
  integrator->start(kepler, 0, Kepler::solution(0));
  std::vector<double> x(5);
  double most = 0, before = 0;
  while (integrator->t() < 2) {
    EXPECT_EQ(integrator->step(2), StepStatus::ok);
    for (int k = 0; k <= 10; ++k) {
      const double t = before + k * (integrator->t() - before) / 10;
      integrator->interpolate(t, x);
      most = std::max(most, largest_difference(x, Kepler::solution(t)));
    }
    EXPECT_EQ(largest_difference(x, integrator->x()), 0);
    before = integrator->t();
  }
  return most;
}

// the interpolant of dopri5 is of fourth order, everybody else's of the order of the method
TEST(IntegratorOrder, OfInterpolation) {
  for (const IntegratorMethod& method : methods_with_steps()) {
    SCOPED_TRACE(method.name);
    const double h = method.order < 4 ? 0.002 : 0.02;
    const double slope =
        std::log2(interpolation_error(method.name, h) / interpolation_error(method.name, h / 2));
    EXPECT_GT(slope, (method.name == "dopri5" ? 4 : method.order) - slack);
  }
}

TEST(IntegratorOrder, OfInterpolationByCvode) {
  for (const char* method : {"cvode_adams", "cvode_bdf"}) {
    Kepler kepler;
    const auto integrator = make_integrator({method, 1e-3, 1e-9, 1e-9, 0.5, 1});
    integrator->start(kepler, 0, Kepler::solution(0));
    std::vector<double> x(5);
    for (double before = 0; integrator->t() < 2; before = integrator->t()) {
      ASSERT_EQ(integrator->step(2), StepStatus::ok);
      const double t = 0.3 * before + 0.7 * integrator->t();
      integrator->interpolate(t, x);
      EXPECT_LT(largest_difference(x, Kepler::solution(t)), 5e-7) << method << " at " << t;
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
