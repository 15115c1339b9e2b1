#include <limber/scalar/counted.hpp>

namespace limber {

OperationCount Counted::needed_for(std::span<const Counted> results) {
  const std::vector<Node>& nodes = record().nodes;
  std::vector<char> needed(nodes.size(), 0);
  auto need = [&](int node) {
    if (node >= 0) needed[static_cast<std::size_t>(node)] = 1;
  };
  for (const Counted& result : results) need(result.node_);
  OperationCount count;
  // operands come before their results, so one sweep backwards finds everything
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!needed[i]) continue;
    ++(nodes[i].product ? count.multiplications : count.additions);
    need(nodes[i].a);
    need(nodes[i].b);
  }
  return count;
}

}  // namespace limber
