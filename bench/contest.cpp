#include "contest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::bench {

namespace {

double relative_error(const std::vector<double>& answer, const std::vector<double>& reference) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (answer.size() != reference.size()) return infinity;
  double difference = 0, scale = 0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (!std::isfinite(answer[i])) return infinity;
    difference = std::max(difference, std::abs(answer[i] - reference[i]));
    scale = std::max(scale, std::abs(reference[i]));
  }
  return difference == 0 ? 0 : difference / scale;
}

Agreement compare(Contest& contest, Peer& peer, Algorithm algorithm, int states) {
  Peer& reference = peer.supports_rotors() ? *contest.limber : *contest.limber_without_rotors;
  Agreement result{contest.title, peer.name(), algorithm, 0};
  for (int i = 0; i < states; ++i)
    result.error = std::max(
        result.error, relative_error(peer.answer(algorithm, i), reference.answer(algorithm, i)));
  return result;
}

}  // namespace

Contest make_contest(const std::string& title, const Spec& spec, int states, Field field) {
  const Model model = build(spec);
  const Spec plain = without_mounts(spec);
  const PlainTree tree = plain_tree(plain, build(plain));
  std::vector<RandomState> random;
  for (int i = 0; i < states; ++i)
    random.push_back(generate_state(model, static_cast<std::uint64_t>(i) + 1));
  Contest contest;
  contest.title = title;
  contest.bodies = static_cast<int>(tree.bodies.size());
  contest.nv = model.nv;
  if (field == Field::all_libraries) {
    contest.limber_without_rotors = make_limber(build(without_rotors(spec)), tree, random);
    contest.peers = make_peers(tree, random);
  }
  contest.limber = make_limber(model, tree, std::move(random));
  return contest;
}

std::vector<Agreement> check_agreement(Contest& contest, int states) {
  std::vector<Agreement> results;
  for (const Entry& entry : contest.peers)
    for (const auto& [algorithm, key, title] : all_algorithms)
      if (entry.peer && entry.peer->offers(algorithm) && contest.limber->offers(algorithm))
        results.push_back(compare(contest, *entry.peer, algorithm, states));
  return results;
}

}  // namespace limber::bench
