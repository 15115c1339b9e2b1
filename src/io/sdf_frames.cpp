// SDF: the two graphs, attached_to and relative_to.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "index.hpp"
#include "io/sdf.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// What a node refers to when it says nothing.
class Edges {
 public:
  explicit Edges(SdfTree& tree) : tree_(tree) {}

  void resolve() {
    set_canonical_links();
    for (SdfNode& node : tree_.nodes)
      if (node.kind != SdfNode::Kind::world) {
        node.attached_to = attached_to(node);
        node.relative_to = relative_to(node);
      }
  }

 private:
  int model_of(const SdfNode& node) const { return tree_.scope_of(node).model; }

  bool is_merged(const SdfNode& model) const {
    return model.kind == SdfNode::Kind::model &&
           tree_.scopes[at_index(model.inner)].prefix == tree_.scope_of(model).prefix;
  }

  // the first link of each model, that of a merged one being its own too, else the first nested
  // model, else the world
  void set_canonical_links() {
    const auto count = static_cast<int>(tree_.nodes.size());
    first_.assign(tree_.nodes.size(), 0);
    for (const SdfNode::Kind kind : {SdfNode::Kind::link, SdfNode::Kind::model})
      for (int n = 1; n < count; ++n) {
        const SdfNode& node = tree_.nodes[at_index(n)];
        if (node.kind != kind) continue;
        for (int model = model_of(node); model > 0;) {
          int& first = first_[at_index(model)];
          if (first == 0) first = n;
          const SdfNode& carrier = tree_.nodes[at_index(model)];
          model = is_merged(carrier) ? model_of(carrier) : 0;
        }
      }
  }

  int attached_to(const SdfNode& node) const {
    if (node.kind == SdfNode::Kind::link) return 0;  // the way ends here
    const bool is_model = node.kind == SdfNode::Kind::model;
    if (is_model && node.attached_name.empty())
      return first_[static_cast<std::size_t>(&node - tree_.nodes.data())];
    if (is_model) return find_link(node);
    return node.attached_name.empty() ? model_of(node)
                                      : tree_.find(*node.element, node.scope, node.attached_name);
  }

  int find_link(const SdfNode& model) const {
    const int link = tree_.find(*model.element, model.inner, model.attached_name);
    if (tree_.nodes[at_index(link)].kind != SdfNode::Kind::link)
      throw model.element->error(
          fmt::format("canonical_link=\"{}\" is no link", printable(model.attached_name)));
    return link;
  }

  int relative_to(const SdfNode& node) const {
    if (!node.relative_name.empty())
      return tree_.find(*node.element, node.scope, node.relative_name);
    const bool follows = node.kind == SdfNode::Kind::joint || node.kind == SdfNode::Kind::frame;
    return follows ? node.attached_to : model_of(node);
  }

  SdfTree& tree_;
  std::vector<int> first_;
};

// all nodes, each after the one that it refers to. Throws Error where they form a cycle
std::vector<int> after_referred(const SdfTree& tree, int SdfNode::*edge, const char* what) {
  enum class State : char { unseen, open, done };
  std::vector<State> state(tree.nodes.size(), State::unseen);
  state[0] = State::done;
  std::vector<int> order, path;
  for (int start = 1; start < static_cast<int>(tree.nodes.size()); ++start) {
    path.clear();
    int n = start;
    while (state[at_index(n)] == State::unseen) {
      state[at_index(n)] = State::open;
      path.push_back(n);
      n = tree.nodes[at_index(n)].*edge;
    }
    if (state[at_index(n)] == State::open) {
      std::vector<std::string> names;
      for (std::size_t k = path.size(); k-- > 0 && names.size() < 10;) {
        names.insert(names.begin(), tree.shown(tree.nodes[at_index(path[k])].name));
        if (path[k] == n) break;
      }
      throw tree.nodes[at_index(n)].element->error(
          fmt::format("its {} leads back to itself: {}", what, fmt::join(names, " → ")));
    }
    for (std::size_t k = path.size(); k-- > 0;) {
      state[at_index(path[k])] = State::done;
      order.push_back(path[k]);
    }
  }
  return order;
}

// the <pose> of a model with a placement frame is that of the frame; inner models come later in the
// list, so that they are settled first
void apply_placement_frames(SdfTree& tree) {
  for (std::size_t m = tree.nodes.size(); m-- > 0;) {
    SdfNode& model = tree.nodes[m];
    if (model.placement_frame.empty()) continue;
    const int frame = tree.find(*model.element, model.inner, model.placement_frame);
    Transform<double> in_model;
    int n = frame;
    while (n != static_cast<int>(m) && n != 0) {
      const SdfNode& node = tree.nodes[at_index(n)];
      in_model = node.offset * in_model;
      n = node.relative_to;
    }
    if (n == 0)
      throw model.element->error(
          fmt::format("the placement frame '{}' is not placed within the "
                      "model",
                      printable(model.placement_frame)));
    model.offset = model.offset * inverse(in_model);
  }
}

}  // namespace

SdfFrames resolve_sdf(SdfTree& tree) {
  Edges(tree).resolve();
  const std::vector<int> attached = after_referred(tree, &SdfNode::attached_to, "attached_to"),
                         placed = after_referred(tree, &SdfNode::relative_to, "relative_to");
  apply_placement_frames(tree);
  SdfFrames frames;
  frames.body.assign(tree.nodes.size(), 0);
  frames.pose.resize(tree.nodes.size());
  for (const int n : attached) {
    const SdfNode& node = tree.nodes[at_index(n)];
    frames.body[at_index(n)] =
        node.kind == SdfNode::Kind::link ? n : frames.body[at_index(node.attached_to)];
  }
  for (const int n : placed) {
    const SdfNode& node = tree.nodes[at_index(n)];
    frames.pose[at_index(n)] = frames.pose[at_index(node.relative_to)] * node.offset;
  }
  return frames;
}

}  // namespace limber
