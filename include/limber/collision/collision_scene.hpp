#pragma once
// CollisionScene: the shapes of a robot and of what stands around it, which of them may touch, and
// where they do.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <limber/collision/collide.hpp>
#include <limber/io/mesh_files.hpp>
#include <limber/model/body_motion.hpp>

namespace limber {

/// Something to touch besides the shapes of the robot file.
struct SceneryShape {
  std::string name;
  std::string frame;            ///< of the model, that carries it; empty: the world
  Transform<double> placement;  ///< pose of the shape in this frame
  Shape shape = Shape::plane();
  /// Friction and the bits of collides_as and collides_with; its geometry is not read.
  ShapeSpec properties{};
};

/// What may touch, and what happens to shapes that cannot be used.
struct CollisionSettings {
  /// Where mesh files are looked for besides the folders of the robot file, see mesh_search().
  std::vector<std::string> mesh_folders{};
  /// How a mesh of a robot file is touched.
  enum class MeshAs : std::uint8_t { convex_hull, surface };
  MeshAs meshes_as = MeshAs::convex_hull;
  /// What happens to a shape that cannot be made: its mesh file is not found, a size is 0.
  enum class Unusable : std::uint8_t {
    refuse,    ///< Error
    leave_out  ///< an entry of left_out()
  };
  Unusable unusable = Unusable::refuse;
  /// Pairs of links (by name, or "world") that do not touch, besides those
  /// that the file excludes.
  std::vector<std::array<std::string, 2>> exclusions{};
};

/// A shape of a scene.
struct SceneShape {
  std::string name;  ///< "link", or "link.shape" if the shape has a name; of scenery its own
  int body = 0;      ///< of the model; 0: the world
  Transform<double> placement;  ///< pose in the body's canonical frame
  Shape shape;
  ShapeSpec properties{};  ///< friction, bits, material
  int family = 0;          ///< see BodySpec
  int frame = -1;          ///< of the model, that carries it; −1: the world
};

/// What of a robot cannot touch although it has shapes, and why: one text each. As
/// CollisionScene::left_out(), but without reading mesh files.
std::vector<std::string> contacts_left_out(const Spec& spec, const Model& model);

/// One contact point of a scene.
struct SceneContact {
  int body_a = 0, body_b = 0;    ///< of the model; 0: the world
  int shape_a = 0, shape_b = 0;  ///< into shapes(); shape_a < shape_b
  ContactPoint at;
};

/// What a ray meets in a scene.
struct SceneRayHit {
  int shape = -1;  ///< into shapes()
  RayHit hit;
};

/// The distance of two shapes of a scene.
struct SceneDistance {
  int shape_a = -1, shape_b = -1;
  Distance distance;
};

/// Which pairs of shapes may touch:
/// - both are collision shapes (or scenery) and stand on different bodies;
/// - their bits agree (`collides_as`, `collides_with`);
/// - their links are not of one family (BodySpec::family), and neither the file nor the settings
///   exclude the two links;
/// - their links are no neighbours: no joint, and no loop, joins the two, or links that fixed
/// joints
///   make one with them. The world is no neighbour: what stands on it may be touched by all.
/// A pair of shapes that the file demands (Spec::contact_pairs) may touch whatever these rules say.
/// A copy works on its own.
class CollisionScene {
 public:
  /// `model` is what build(spec) made. Reads mesh files. Throws Error with the name of the shape.
  CollisionScene(const Spec& spec, const Model& model, std::vector<SceneryShape> scenery = {},
                 const CollisionSettings& settings = {});
  CollisionScene(const CollisionScene&);
  CollisionScene& operator=(const CollisionScene&);
  CollisionScene(CollisionScene&&) noexcept;
  CollisionScene& operator=(CollisionScene&&) noexcept;
  ~CollisionScene();

  std::span<const SceneShape> shapes() const;
  /// What cannot touch although it is there, and why: one text each.
  std::span<const std::string> left_out() const;
  /// True if shapes a and b may touch.
  bool may_touch(int a, int b) const;
  /// The friction that the file gives to a pair of shapes instead of that of the shapes, if it
  /// does.
  std::optional<Vec3<double>> pair_friction(int a, int b) const;
  long pair_count() const;  ///< pairs of shapes that may touch
  /// These pairs of shapes do not touch from now on: who calls finds them in another way.
  void set_aside(std::vector<std::pair<int, int>> pairs);

  /// All contacts of shapes that overlap or are at most `margin` apart, ordered by shape_a, then
  /// shape_b, then as collide() gives them. Valid until the next call. Allocates only when there
  /// are more contacts or close pairs than ever before.
  std::span<const SceneContact> find(const Poses& bodies, double margin = 0);

  /// The shape that a ray from `origin` along `direction` meets first.
  std::optional<SceneRayHit> ray_cast(const Poses& bodies, const Vec3<double>& origin,
                                      const Vec3<double>& direction, double length = HUGE_VAL);
  /// The two shapes, of those that may touch, that are closest to each other or overlap most;
  /// shape_a = −1 if no pair may touch.
  SceneDistance closest(const Poses& bodies);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace limber
