// A million random states of an arm: how its elbow accelerates when it is let go.
#include <array>
#include <cstdio>
#include <random>
#include <string>

#include <limber/batch/batch.hpp>
#include <limber/limber.hpp>

int main() {
  const limber::Model arm = limber::load("arm7");
  const auto nv = static_cast<std::size_t>(arm.nv);
  const long count = 1'000'000;

  // random positions and velocities, no joint forces; one state after the other
  std::mt19937_64 random(1);
  const auto uniform = [&](double size) {
    return size * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
  };
  std::vector<double> q(count * nv), v(count * nv), tau(count * nv, 0.0), a(count * nv);
  for (double& x : q) x = uniform(3.14159);
  for (double& x : v) x = uniform(2);

  limber::Batch batch(arm);
  const limber::BatchStatus status = batch.forward_dynamics(count, q, v, tau, a);
  std::printf("%ld states, %ld without a finite result\n", count, status.bad_count);

  // a histogram of one acceleration, in steps of 10 rad/s²
  constexpr std::size_t elbow = 3, bars = 16;
  std::array<long, bars> histogram{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const double place = a[i * nv + elbow] / 10 + bars / 2.0;
    if (place < 0) ++histogram.front();
    else if (place >= bars) ++histogram.back();
    else ++histogram[static_cast<std::size_t>(place)];
  }
  for (std::size_t k = 0; k < bars; ++k)
    std::printf("from %3d rad/s² %4.1f %% |%s\n", 10 * static_cast<int>(k) - 80,
                100.0 * static_cast<double>(histogram[k]) / static_cast<double>(count),
                std::string(static_cast<std::size_t>(histogram[k] / 4000), '#').c_str());
}
