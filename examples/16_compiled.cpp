// Machine code for one robot, made while the program runs: built once, then found in a cache.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <limber/compile/compiled_robot.hpp>
#include <limber/limber.hpp>

int main() {
  const limber::Model arm = limber::load("arm7");
  const limber::CompiledRobot compiled = limber::compile(arm);  // inverse and forward dynamics
  if (!compiled.notice().empty()) std::fprintf(stderr, "%s\n", compiled.notice().c_str());

  // one state: the same call as the library's, without model and workspace
  const limber::RandomState s = limber::generate_state(arm, 1);
  std::vector<double> tau(7);
  compiled.inverse_dynamics(s.q, s.v, s.a, tau);
  limber::Workspace ws(arm);
  double error = 0;
  for (std::size_t i = 0; const double expected : limber::inverse_dynamics(arm, s.q, s.v, s.a, ws))
    error = std::max(error, std::abs(tau[i++] - expected));
  std::printf("inverse dynamics as the library's: %s\n", error < 1e-12 ? "yes" : "no");

  // many states at once, variable after variable: joint j of state i is x[j * count + i]
  constexpr long count = 10000;
  std::vector<double> q(7 * count), v(7 * count), forces(7 * count, 0.0), a(7 * count);
  for (std::size_t j = 0; j < 7; ++j)
    for (std::size_t i = 0; i < count; ++i) {
      q[j * count + i] = std::sin(static_cast<double>(i * (j + 1)));
      v[j * count + i] = std::cos(static_cast<double>(i * (j + 2)));
    }
  const double* in[] = {q.data(), v.data(), forces.data()};
  double* out[] = {a.data()};
  const auto fall = compiled.kernel<double>(limber::RobotFunction::forward_dynamics);
  fall(count, count, in, out);
  const auto fastest = std::max_element(
      a.begin(), a.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
  std::printf("%ld states falling: joint %ld accelerates most, with %.1f rad/s²\n", count,
              (fastest - a.begin()) / count + 1, *fastest);
}
