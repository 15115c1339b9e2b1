#include <limber/scalar/counted.hpp>

#include <vector>

namespace limber {

namespace {

/// One counted operation and the operations that made its operands; −1: none.
struct Node {
  bool product;
  int a, b;
};

}  // namespace

struct Counted::Record {
  OperationCount total;
  std::vector<Node> nodes;
};

Counted::Record& Counted::record() {
  static thread_local Record all;
  return all;
}

const OperationCount& Counted::count() { return record().total; }

void Counted::start() { record() = {}; }

Counted Counted::operation(bool product, Counted a, Counted b, double value) {
  Record& all = record();
  ++(product ? all.total.multiplications : all.total.additions);
  all.nodes.push_back({product, a.node_, b.node_});
  Counted x = variable(value);
  x.node_ = static_cast<int>(all.nodes.size()) - 1;
  return x;
}

Counted Counted::sum(Counted a, Counted b, double value) {
  ++record().total.executed;
  if (a.constant_ && b.constant_) return Counted(value);
  if (a.is(0)) return same_node(b, value);
  if (b.is(0)) return same_node(a, value);
  return operation(false, a, b, value);
}

Counted operator*(Counted a, Counted b) {
  const double value = a.value_ * b.value_;
  ++Counted::record().total.executed;
  if (a.constant_ && b.constant_) return Counted(value);
  if (a.is(0) || b.is(0)) return Counted(0);
  if (a.unit()) return Counted::same_node(b, value);
  if (b.unit()) return Counted::same_node(a, value);
  return Counted::operation(true, a, b, value);
}

Counted operator/(Counted a, Counted b) {
  const double value = a.value_ / b.value_;
  ++Counted::record().total.executed;
  if (a.constant_ && b.constant_) return Counted(value);
  if (a.is(0)) return Counted(0);
  if (b.unit()) return Counted::same_node(a, value);
  return Counted::operation(true, a, b, value);
}

void sincos(Counted angle, Counted& sine, Counted& cosine) {
  sine = Counted::same_node(angle, std::sin(angle.value_));
  cosine = Counted::same_node(angle, std::cos(angle.value_));
  if (!angle.constant_) ++Counted::record().total.sincos;
}

Counted sqrt(Counted x) {
  if (!x.constant_) ++Counted::record().total.roots;
  return Counted::same_node(x, std::sqrt(x.value_));
}

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
