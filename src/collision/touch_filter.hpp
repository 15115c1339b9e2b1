#pragma once
// TouchFilter: which pairs of shapes of a scene may touch, and why others may not.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <limber/collision/collision_scene.hpp>

namespace limber {

/// What decides whether a shape may touch others.
struct TouchShape {
  std::string name;   ///< in the scene
  std::string shape;  ///< in the robot file
  int body = 0;       ///< of the model
  int frame = -1;     ///< of the model, that carries it; −1: the world
  unsigned as = 1, with = 1;
  int family = 0;
};
TouchShape touch_shape(const SceneShape& shape);

class TouchFilter {
 public:
  TouchFilter() = default;
  /// Throws Error for names that the Spec does not have.
  TouchFilter(const Spec& spec, const Model& model,
              const std::vector<std::array<std::string, 2>>& exclusions,
              const std::vector<TouchShape>& shapes);

  bool may_touch(int a, int b) const;
  /// See CollisionScene::set_aside().
  void set_aside(std::vector<std::pair<int, int>> pairs);
  std::optional<Vec3<double>> friction(int a, int b) const;
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Entry {
    int body = 0, link = -1, cluster = -1;  // link: of the Spec; cluster: links on fixed joints
    unsigned as = 1, with = 1;
    int family = 0;
    bool is_named = false;  // in the list of pairs
  };
  using Pair = std::pair<int, int>;
  struct NamedPair {
    Pair shapes;
    std::optional<Vec3<double>> friction;
  };
  static Pair ordered(int a, int b) { return a < b ? Pair{a, b} : Pair{b, a}; }

  const NamedPair* find_pair(int a, int b) const;
  void find_neighbours(const Spec& spec);
  void find_exclusions(const Spec& spec, const std::vector<std::array<std::string, 2>>& exclusions);
  void find_pairs(const Spec& spec, const std::vector<TouchShape>& shapes);
  void list_families(const Spec& spec);
  void list_silent(const std::vector<TouchShape>& shapes);

  std::vector<Entry> entries_;
  std::vector<Pair> neighbours_;  // clusters, in order
  std::vector<Pair> excluded_;    // links, in order
  std::vector<NamedPair> pairs_;
  std::vector<Pair> aside_;  // shapes, in order
  std::vector<std::string> left_out_;
};

}  // namespace limber
