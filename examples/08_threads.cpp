// Many threads on one model: the model never changes, each thread has its own workspace.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

#include <limber/limber.hpp>

int main() {
  const limber::Model robot = limber::load("humanoid");
  constexpr std::size_t threads = 4, states = 400;

  // the largest error of fd(id(a)) = a over a thread's share of the states
  std::vector<double> worst(threads, 0.0);
  const auto work = [&](std::size_t thread) {
    limber::Workspace ws(robot);
    for (std::size_t k = thread; k < states; k += threads) {
      const limber::RandomState s = limber::generate_state(robot, k + 1);
      const auto forces = limber::inverse_dynamics(robot, s.q, s.v, s.a, ws);
      const std::vector<double> tau(forces.begin(), forces.end());
      const auto a = limber::forward_dynamics(robot, s.q, s.v, tau, ws);
      for (std::size_t i = 0; i < a.size(); ++i)
        worst[thread] = std::max(worst[thread], std::abs(a[i] - s.a[i]));
    }
  };

  std::vector<std::thread> pool;
  for (std::size_t thread = 0; thread < threads; ++thread) pool.emplace_back(work, thread);
  for (std::thread& thread : pool) thread.join();
  double error = 0;
  for (double w : worst) error = std::max(error, w);
  std::printf("%zu states on %zu threads: fd(id(a)) = a %s\n", states, threads,
              error < 1e-9 ? "to 1e-9" : "FAILS");
}
