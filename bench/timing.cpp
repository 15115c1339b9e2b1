#include "timing.hpp"

#include <time.h>

#include <algorithm>
#include <limits>

namespace limber::bench {

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

// the first run, which is not timed, brings states and code into the caches: without it small
// robots would pay for what the contestant before them left there
double seconds_of(Peer& contestant, Algorithm algorithm) {
  contestant.run(algorithm);
  const double start = thread_seconds();
  contestant.run(algorithm);
  return thread_seconds() - start;
}

}  // namespace

std::vector<Measurement> plan(Contest& contest, const std::vector<Algorithm>& algorithms) {
  std::vector<Measurement> measurements;
  for (Algorithm algorithm : algorithms) {
    if (!contest.limber->offers(algorithm)) continue;
    const auto add = [&](Peer& peer) {
      measurements.push_back({contest.title, contest.bodies, peer.name(), algorithm, &peer, 0});
    };
    add(*contest.limber);
    for (const Entry& entry : contest.peers)
      if (entry.peer && entry.peer->offers(algorithm)) add(*entry.peer);
  }
  return measurements;
}

void measure(std::vector<Measurement>& measurements, int states, int rounds,
             const std::function<void(int)>& progress) {
  for (Measurement& m : measurements) m.nanoseconds = std::numeric_limits<double>::infinity();
  for (int round = 1; round <= rounds; ++round) {
    for (Measurement& m : measurements) {
      const double each = 1e9 * seconds_of(*m.contestant, m.algorithm) / states;
      m.nanoseconds = std::min(m.nanoseconds, each);
    }
    progress(round);
  }
}

double time_of(const std::vector<Measurement>& measurements, const std::string& robot,
               const std::string& peer, Algorithm algorithm) {
  for (const Measurement& m : measurements)
    if (m.robot == robot && m.peer == peer && m.algorithm == algorithm) return m.nanoseconds;
  return 0;
}

}  // namespace limber::bench
