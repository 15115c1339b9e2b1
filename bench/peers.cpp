// The list of libraries that this program was built with.
#include "peer.hpp"

namespace limber::bench {

std::vector<Entry> make_peers([[maybe_unused]] const PlainTree& tree,
                              [[maybe_unused]] const std::vector<RandomState>& states) {
  std::vector<Entry> peers;
#ifdef LIMBER_BENCH_MUJOCO
  peers.push_back(make_mujoco(tree, states));
#endif
#ifdef LIMBER_BENCH_KDL
  peers.push_back(make_kdl(tree, states));
#endif
#ifdef LIMBER_BENCH_DART
  peers.push_back(make_dart(tree, states));
#endif
  return peers;
}

std::vector<std::string> peer_names() {
  return {
#ifdef LIMBER_BENCH_MUJOCO
      "MuJoCo",
#endif
#ifdef LIMBER_BENCH_KDL
      "KDL",
#endif
#ifdef LIMBER_BENCH_DART
      "DART",
#endif
  };
}

}  // namespace limber::bench
