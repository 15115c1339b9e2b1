#pragma once
// Panels: the triangles of a mesh, cut where they are too long.
#include <array>
#include <vector>

#include <limber/mesh/mesh.hpp>

namespace limber {

struct Panel {
  std::array<Vec3<double>, 3> corner;
  Vec3<double> center, normal;
  double area = 0;
  std::array<double, 3> edge{};  ///< length from corner k to the next
  double longest = 0;
};

/// The triangles, the longest cut across their longest edges until there are `least`. Neighbours
/// need not be cut alike: the panels are constant.
std::vector<Panel> panels_of(const Mesh& mesh, int least);

}  // namespace limber
