// Where shapes touch: contact points of two shapes, their distance, rays, and all contacts of a
// robot with itself and with what stands around it.
#include <cstdio>

#include <limber/collision/collision_scene.hpp>
#include <limber/limber.hpp>

using limber::Shape;
using Pose = limber::Transform<double>;

int main() {
  // a box stands on the ground, 1 mm deep: four corners
  const Shape box = Shape::box({0.4, 0.2, 0.1}), ground = Shape::plane();
  const Pose on_ground = Pose::translation({0, 0, 0.049});
  limber::Manifold contacts;
  limber::collide(box, on_ground, ground, {}, 0, contacts);
  for (const limber::ContactPoint& c : contacts.all())
    std::printf("corner %u at (%.2f, %.2f), depth %.4f m\n", c.feature, c.point.x, c.point.y,
                c.depth);

  // how far is a ball from it, and what does a ray from above meet?
  const Shape ball = Shape::sphere(0.05);
  const Pose above = Pose::translation({0.3, 0, 0.2});
  const limber::Distance gap = limber::distance(ball, above, box, on_ground);
  std::printf("the ball is %.4f m away, along (%.3f, %.3f, %.3f)\n", gap.distance, gap.normal.x,
              gap.normal.y, gap.normal.z);
  if (const auto hit = limber::ray_cast(box, on_ground, {0.1, 0, 1}, {0, 0, -1}))
    std::printf("the ray meets the box after %.4f m\n", hit->distance);

  // two links with shapes, over a ground: neighbours do not touch
  limber::Spec spec;
  spec.name = "arm";
  limber::ShapeSpec rod;
  rod.kind = limber::ShapeSpec::Kind::capsule;
  rod.role = limber::ShapeSpec::Role::collision;
  rod.size = {0.03, 0.4, 0};
  rod.placement.p = {0, 0, 0.2};
  for (const char* name : {"upper", "lower"})
    spec.add_body(name, 1, {0, 0, 0.2}, limber::Sym3<double>::diagonal(0.01, 0.01, 0.001))
        .shapes.push_back(rod);
  spec.add_joint("shoulder", limber::JointKind::revolute, "", "upper", {0, 1, 0}).placement.p.z =
      0.23;
  spec.add_joint("elbow", limber::JointKind::revolute, "upper", "lower", {0, 1, 0}).placement.p.z =
      0.4;
  const limber::Model model = limber::build(spec);
  limber::CollisionScene scene(spec, model, {{"ground", "", {}, ground}});
  for (const std::string& reason : scene.left_out()) std::printf("left out: %s\n", reason.c_str());

  limber::Workspace ws(model);
  const double q[]{1.2, 1.5};  // bent down
  const limber::Poses& poses = limber::forward_kinematics<double>(model, q, ws);
  for (const limber::SceneContact& c : scene.find(poses))
    std::printf("%s touches %s at (%.3f, %.3f), depth %.4f m\n",
                scene.shapes()[static_cast<std::size_t>(c.shape_a)].name.c_str(),
                scene.shapes()[static_cast<std::size_t>(c.shape_b)].name.c_str(), c.at.point.x,
                c.at.point.y, c.at.depth);
}
