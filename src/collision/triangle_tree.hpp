#pragma once
// TriangleTree: the triangles of a mesh in a tree of boxes.
#include <vector>

#include "collision/surface_triangle.hpp"

namespace limber {

class TriangleTree {
 public:
  /// Throws Error for a mesh without triangles that have an area.
  explicit TriangleTree(const Mesh& mesh);

  const Bounds& bounds() const { return nodes_[0].bounds; }
  int count() const { return static_cast<int>(triangles_.size()); }
  const SurfaceTriangle& triangle(int i) const { return triangles_[static_cast<std::size_t>(i)]; }

  /// Calls `use` with every triangle in the nodes for whose boxes `enter` is true, in a fixed
  /// order.
  template <class Enter, class Use>
  void visit(Enter enter, Use use) const {
    std::array<int, 64> stack;
    int height = 1;
    stack[0] = 0;
    while (height > 0) {
      const Node& node =
          nodes_[static_cast<std::size_t>(stack[static_cast<std::size_t>(--height)])];
      if (!enter(node.bounds)) continue;
      if (node.count > 0) {
        for (int i = node.first; i < node.first + node.count; ++i) use(triangle(i));
      } else {
        stack[static_cast<std::size_t>(height++)] = node.first + 1;
        stack[static_cast<std::size_t>(height++)] = node.first;
      }
    }
  }

 private:
  struct Node {
    Bounds bounds;
    int first = 0, count = 0;  // triangles; count 0: the children are nodes first and first + 1
  };
  void split(int node, int first, int last);

  std::vector<SurfaceTriangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace limber
