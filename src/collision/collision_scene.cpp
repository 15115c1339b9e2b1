#include <limber/collision/collision_scene.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <limber/error.hpp>

#include "collision/broad_phase.hpp"
#include "collision/scene_shapes.hpp"
#include "collision/surface_triangle.hpp"
#include "collision/touch_filter.hpp"
#include "index.hpp"

namespace limber {

struct CollisionScene::Data {
  std::vector<SceneShape> shapes;
  std::vector<std::string> left_out;
  TouchFilter filter;
  ModelIdentity model;
  // written by place()
  std::vector<Transform<double>> poses;  // of the shapes in the world
  BroadPhase broad;
  // written by find()
  std::vector<std::uint64_t> close;  // pairs of shapes: the first one in the upper half
  std::vector<SceneContact> contacts;
  Manifold manifold;

  void place(const Poses& bodies, double margin) {
    if (!bodies.model.is(model) || bodies.holds == Poses::Holds::nothing)
      throw Error(
          "CollisionScene: the poses are not those of the model that the scene was made for; "
          "call forward_kinematics() with this model first");
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      poses[i] = bodies.X_W[shapes[i].body] * shapes[i].placement;
      broad.boxes()[i] = widened(shapes[i].shape.bounds(poses[i]), margin / 2);
    }
  }
};

CollisionScene::CollisionScene(const Spec& spec, const Model& model,
                               std::vector<SceneryShape> scenery, const CollisionSettings& settings)
    : data_(std::make_unique<Data>()) {
  SceneShapes made = make_scene_shapes(spec, model, std::move(scenery), settings);
  data_->shapes = std::move(made.shapes);
  std::vector<TouchShape> touching;
  for (const SceneShape& shape : data_->shapes) touching.push_back(touch_shape(shape));
  data_->filter = TouchFilter(spec, model, settings.exclusions, touching);
  data_->left_out = std::move(made.left_out);
  data_->left_out.insert(data_->left_out.end(), data_->filter.left_out().begin(),
                         data_->filter.left_out().end());
  data_->model = model.identity;
  data_->poses.resize(data_->shapes.size());
  data_->broad = BroadPhase(static_cast<int>(data_->shapes.size()));
}

CollisionScene::CollisionScene(const CollisionScene& other)
    : data_(std::make_unique<Data>(*other.data_)) {}
CollisionScene& CollisionScene::operator=(const CollisionScene& other) {
  if (this != &other) data_ = std::make_unique<Data>(*other.data_);
  return *this;
}
CollisionScene::CollisionScene(CollisionScene&&) noexcept = default;
CollisionScene& CollisionScene::operator=(CollisionScene&&) noexcept = default;
CollisionScene::~CollisionScene() = default;

std::span<const SceneShape> CollisionScene::shapes() const { return data_->shapes; }
std::span<const std::string> CollisionScene::left_out() const { return data_->left_out; }
bool CollisionScene::may_touch(int a, int b) const { return data_->filter.may_touch(a, b); }

std::optional<Vec3<double>> CollisionScene::pair_friction(int a, int b) const {
  return data_->filter.friction(a, b);
}

void CollisionScene::set_aside(std::vector<std::pair<int, int>> pairs) {
  data_->filter.set_aside(std::move(pairs));
}

long CollisionScene::pair_count() const {
  const int count = static_cast<int>(data_->shapes.size());
  long pairs = 0;
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) pairs += may_touch(a, b) ? 1 : 0;
  return pairs;
}

std::span<const SceneContact> CollisionScene::find(const Poses& bodies, double margin) {
  Data& d = *data_;
  d.place(bodies, margin);
  d.close.clear();
  d.broad.find([&](int a, int b) {
    if (d.filter.may_touch(a, b))
      d.close.push_back((static_cast<std::uint64_t>(a) << 32U) | static_cast<std::uint64_t>(b));
  });
  std::sort(d.close.begin(), d.close.end());
  d.contacts.clear();
  for (const std::uint64_t pair : d.close) {
    const std::size_t i = pair >> 32U, k = pair & 0xffffffffU;
    const int a = static_cast<int>(i), b = static_cast<int>(k);
    collide(d.shapes[i].shape, d.poses[i], d.shapes[k].shape, d.poses[k], margin, d.manifold);
    for (const ContactPoint& point : d.manifold.all())
      d.contacts.push_back({d.shapes[i].body, d.shapes[k].body, a, b, point});
  }
  return d.contacts;
}

std::optional<SceneRayHit> CollisionScene::ray_cast(const Poses& bodies, const Vec3<double>& origin,
                                                    const Vec3<double>& direction, double length) {
  Data& d = *data_;
  d.place(bodies, 0);
  std::optional<SceneRayHit> best;
  for (std::size_t i = 0; i < d.shapes.size(); ++i) {
    const std::optional<RayHit> hit = limber::ray_cast(
        d.shapes[i].shape, d.poses[i], origin, direction, best ? best->hit.distance : length);
    if (hit && (!best || hit->distance < best->hit.distance)) best = {static_cast<int>(i), *hit};
  }
  return best;
}

SceneDistance CollisionScene::closest(const Poses& bodies) {
  Data& d = *data_;
  d.place(bodies, 0);
  SceneDistance best;
  best.distance.distance = HUGE_VAL;
  const int count = static_cast<int>(d.shapes.size());
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      const std::size_t i = at_index(a), k = at_index(b);
      if (!d.filter.may_touch(a, b)) continue;
      const double bound = squared_distance(d.broad.boxes()[i], d.broad.boxes()[k]);
      if (best.distance.distance < 0 ? bound > 0
                                     : bound > best.distance.distance * best.distance.distance)
        continue;
      const Distance found = distance(d.shapes[i].shape, d.poses[i], d.shapes[k].shape, d.poses[k]);
      if (found.distance < best.distance.distance) best = {a, b, found};
    }
  return best;
}

}  // namespace limber
