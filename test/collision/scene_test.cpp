// Scenes: pairs that may touch, all of them found, in the same order every time, without
// allocation.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/collision/collision_scene.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "collision/plain_shapes.hpp"
#include "support/counting_new.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

ShapeSpec collision_shape(ShapeSpec::Kind kind, const V& size) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.role = ShapeSpec::Role::collision;
  shape.size = size;
  return shape;
}

// loose things of all kinds
Spec heap(int count, Random& random) {
  Spec spec;
  spec.name = "heap";
  for (int i = 0; i < count; ++i) {
    BodySpec& body = spec.add_body("thing" + std::to_string(i), 1, {}, {1, 1, 1, 0, 0, 0});
    const auto kind = static_cast<ShapeSpec::Kind>(i % 5);
    body.shapes.push_back(collision_shape(
        kind, {random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)}));
    spec.add_joint("free" + std::to_string(i), JointKind::free, "", body.name);
  }
  return spec;
}
std::vector<double> random_places(const Model& model, double size, Random& random) {
  std::vector<double> q(static_cast<std::size_t>(model.nq));
  for (std::size_t i = 0; i < q.size(); i += 7) {
    const V p = random.vec3(size);
    const Quat<double> r = random.quat();
    const double values[7]{p.x, p.y, p.z, r.x, r.y, r.z, r.w};
    std::copy_n(values, 7, q.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return q;
}

TEST(Scene, FindsWhatAllPairsFind) {
  Random random(51);
  const Spec spec = heap(60, random);
  const Model model = build(spec);
  Workspace ws(model);
  CollisionScene scene(spec, model, {{"ground", "", T::translation({0, 0, -0.8}), Shape::plane()}});
  ASSERT_EQ(scene.shapes().size(), 61u);
  EXPECT_EQ(scene.pair_count(), 61 * 60 / 2);
  std::size_t total = 0;
  for (int round = 0; round < 10; ++round) {
    const Poses& poses = forward_kinematics(model, random_places(model, 1, random), ws);
    const double margin = 0.02;
    std::vector<SceneContact> slow;
    Manifold m;
    const auto pose_of = [&](const SceneShape& s) { return poses.X_W[s.body] * s.placement; };
    for (int a = 0; a < 61; ++a)
      for (int b = a + 1; b < 61; ++b) {
        const SceneShape &p = scene.shapes()[static_cast<std::size_t>(a)],
                         &q = scene.shapes()[static_cast<std::size_t>(b)];
        collide(p.shape, pose_of(p), q.shape, pose_of(q), margin, m);
        for (const ContactPoint& c : m.all()) slow.push_back({p.body, q.body, a, b, c});
      }
    const std::span<const SceneContact> found = scene.find(poses, margin);
    ASSERT_EQ(found.size(), slow.size());
    for (std::size_t i = 0; i < slow.size(); ++i) {
      ASSERT_EQ(found[i].shape_a, slow[i].shape_a);
      ASSERT_EQ(found[i].shape_b, slow[i].shape_b);
      ASSERT_EQ(found[i].body_b, slow[i].body_b);
      ASSERT_EQ(found[i].at.depth, slow[i].at.depth);
    }
    total += slow.size();
    // the closest pair
    double deepest = -HUGE_VAL;
    for (const SceneContact& c : slow) deepest = std::max(deepest, c.at.depth);
    const SceneDistance closest = scene.closest(poses);
    if (deepest > 0) {
      ASSERT_NEAR(closest.distance.distance, -deepest, 1e-9);
    }
  }
  EXPECT_GT(total, 200u);
}

// nothing of the last call stays, and a copy goes on by itself
TEST(Scene, IsTheSameWhateverWasBefore) {
  Random random(52);
  const Spec spec = heap(40, random);
  const Model model = build(spec);
  Workspace ws(model);
  CollisionScene used(spec, model);
  for (int i = 0; i < 5; ++i)
    used.find(forward_kinematics(model, random_places(model, 1, random), ws));
  CollisionScene fresh(spec, model), copy = used;
  const Poses& poses = forward_kinematics(model, random_places(model, 0.5, random), ws);
  const auto first = used.find(poses, 0.01), second = fresh.find(poses, 0.01),
             third = copy.find(poses, 0.01);
  ASSERT_GT(first.size(), 20u);
  ASSERT_EQ(first.size(), second.size());
  ASSERT_EQ(first.size(), third.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(std::memcmp(&first[i].at.point, &second[i].at.point, sizeof(V)), 0);
    ASSERT_EQ(std::memcmp(&first[i].at.point, &third[i].at.point, sizeof(V)), 0);
    ASSERT_EQ(first[i].at.feature, second[i].at.feature);
  }
}

TEST(Scene, DoesNotAllocate) {
  Random random(53);
  const Spec spec = heap(40, random);
  const Model model = build(spec);
  Workspace ws(model);
  HeightField field{5, 5, 4, 4, std::vector<double>(25, -0.3)};
  const std::vector<V> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  CollisionScene scene(spec, model,
                       {{"field", "", {}, Shape::height_field(field)},
                        {"mesh", "", {}, Shape::mesh(convex_hull(points))},
                        {"hull", "", {}, Shape::convex(points)}});
  std::vector<std::vector<double>> places;
  for (int i = 0; i < 10; ++i) places.push_back(random_places(model, 0.6, random));
  for (const std::vector<double>& q : places) scene.find(forward_kinematics(model, q, ws), 0.01);
  EXPECT_EQ(allocations_in([&] {
              for (const std::vector<double>& q : places) {
                const Poses& poses = forward_kinematics(model, q, ws);
                scene.find(poses, 0.01);
                scene.closest(poses);
                scene.ray_cast(poses, {0, 0, 3}, {0, 0, -1});
              }
            }),
            0);
}

TEST(Scene, RaysMeetTheFirstShape) {
  Random random(54);
  const Spec spec = heap(30, random);
  const Model model = build(spec);
  Workspace ws(model);
  CollisionScene scene(spec, model, {{"ground", "", T::translation({0, 0, -2}), Shape::plane()}});
  const Poses& poses = forward_kinematics(model, random_places(model, 1, random), ws);
  int things = 0;
  for (int i = 0; i < 100; ++i) {
    const V from{random.uniform(-3, 3), random.uniform(-3, 3), 3}, d = random.vec3(1) - from;
    double least = HUGE_VAL;
    int first = -1;
    for (std::size_t k = 0; k < scene.shapes().size(); ++k) {
      const SceneShape& s = scene.shapes()[k];
      if (const auto hit = ray_cast(s.shape, poses.X_W[s.body] * s.placement, from, d);
          hit && hit->distance < least)
        least = hit->distance, first = static_cast<int>(k);
    }
    const auto hit = scene.ray_cast(poses, from, d);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->shape, first);
    EXPECT_EQ(hit->hit.distance, least);
    things += first < 30 ? 1 : 0;
  }
  EXPECT_GT(things, 20);
}

// by names of shapes
bool touch(const CollisionScene& scene, const std::string& a, const std::string& b) {
  int found[2]{-1, -1};
  for (std::size_t i = 0; i < scene.shapes().size(); ++i) {
    if (scene.shapes()[i].name == a) found[0] = static_cast<int>(i);
    if (scene.shapes()[i].name == b) found[1] = static_cast<int>(i);
  }
  EXPECT_GE(found[0], 0) << a;
  EXPECT_GE(found[1], 0) << b;
  return scene.may_touch(found[0], found[1]);
}
bool lists(std::span<const std::string> texts, const std::string& word) {
  return std::ranges::any_of(
      texts, [&](const std::string& t) { return t.find(word) != std::string::npos; });
}

TEST(SceneFilter, NeighboursDoNotTouch) {
  const Spec spec = parse_urdf(R"(<robot name='r'>
    <link name='base'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
    <link name='plate'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
    <link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>
      <collision name='tube'><geometry><sphere radius='1'/></geometry></collision></link>
    <link name='hand'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>
      <visual><geometry><sphere radius='1'/></geometry></visual>
      <collision><geometry><sphere radius='1'/></geometry></collision></link>
    <joint name='weld' type='fixed'><parent link='base'/><child link='plate'/></joint>
    <joint name='shoulder' type='revolute'><parent link='plate'/><child link='arm'/><axis xyz='0 1 0'/><limit effort='1' velocity='1' lower='-1' upper='1'/></joint>
    <joint name='wrist' type='revolute'><parent link='arm'/><child link='hand'/><axis xyz='0 1 0'/><limit effort='1' velocity='1' lower='-1' upper='1'/></joint>
  </robot>)");
  const Model model = build(spec);
  const CollisionScene scene(
      spec, model, {{"ground", "", {}, Shape::plane()}, {"tray", "hand", {}, Shape::sphere(0.1)}});
  EXPECT_FALSE(touch(scene, "base", "plate"));  // one body
  EXPECT_FALSE(touch(scene, "plate", "arm.tube"));
  EXPECT_FALSE(touch(scene, "base", "arm.tube"));  // welded to the plate
  EXPECT_FALSE(touch(scene, "arm.tube", "hand"));
  EXPECT_TRUE(touch(scene, "base", "hand"));
  EXPECT_TRUE(touch(scene, "ground", "arm.tube"));
  EXPECT_TRUE(touch(scene, "ground", "hand"));
  EXPECT_FALSE(touch(scene, "ground", "base"));  // neither moves
  EXPECT_FALSE(touch(scene, "tray", "arm.tube"));
  EXPECT_TRUE(touch(scene, "tray", "base"));
  EXPECT_TRUE(lists(scene.left_out(), "'plate' and 'arm': joint 'shoulder' joins them"));
  EXPECT_TRUE(lists(contacts_left_out(spec, model), "'arm' and 'hand': joint 'wrist' joins them"));
  CollisionSettings settings;
  settings.exclusions = {{"base", "hand"}};
  EXPECT_FALSE(touch(CollisionScene(spec, model, {}, settings), "base", "hand"));
  settings.exclusions = {{"base", "hnad"}};
  EXPECT_THROW(CollisionScene(spec, model, {}, settings), Error);
}

TEST(SceneFilter, MjcfBitsExclusionsAndPairs) {
  const std::string body = "<freejoint/><geom name='";
  const Spec spec = parse_mjcf(
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
      "<body name='a'>" +
      body +
      "ga' size='0.1'/></body>"
      "<body name='b'>" +
      body +
      "gb' size='0.1' contype='2' conaffinity='1'/></body>"
      "<body name='c'>" +
      body +
      "gc' size='0.1' contype='4' conaffinity='2'/></body>"
      "<body name='d'>" +
      body +
      "gd' size='0.1' contype='0' conaffinity='0'/></body>"
      "<body name='e' pos='0 0 2'>" +
      body +
      "ge' size='0.1'/>"
      "<body name='f'><joint name='hinge'/><geom name='gf' size='0.1'/></body></body>"
      "</worldbody><contact><exclude body1='a' body2='e'/><exclude body1='world' body2='e'/>"
      "<pair geom1='gd' geom2='gc' friction='0.3'/></contact></mujoco>");
  const Model model = build(spec);
  const CollisionScene scene(spec, model);
  EXPECT_TRUE(touch(scene, "world.floor", "a.ga"));
  EXPECT_TRUE(touch(scene, "a.ga", "b.gb"));   // 1 in 1
  EXPECT_TRUE(touch(scene, "b.gb", "c.gc"));   // 2 in 2
  EXPECT_FALSE(touch(scene, "a.ga", "c.gc"));  // 1 not in 2, 4 not in 1
  EXPECT_FALSE(touch(scene, "a.ga", "d.gd"));
  EXPECT_TRUE(touch(scene, "c.gc", "d.gd"));  // the pair
  EXPECT_FALSE(touch(scene, "a.ga", "e.ge"));
  EXPECT_FALSE(touch(scene, "world.floor", "e.ge"));
  EXPECT_TRUE(touch(scene, "world.floor", "f.gf"));
  EXPECT_FALSE(touch(scene, "e.ge", "f.gf"));
  EXPECT_TRUE(touch(scene, "a.ga", "f.gf"));
  EXPECT_TRUE(lists(scene.left_out(), "'a' and 'e': excluded by the robot file"));
  const auto number = [&](const std::string& name) {
    for (std::size_t i = 0; i < scene.shapes().size(); ++i)
      if (scene.shapes()[i].name == name) return static_cast<int>(i);
    return -1;
  };
  ASSERT_TRUE(scene.pair_friction(number("d.gd"), number("c.gc")));
  EXPECT_EQ(scene.pair_friction(number("d.gd"), number("c.gc"))->x, 0.3);
  EXPECT_FALSE(scene.pair_friction(number("a.ga"), number("b.gb")));
}

TEST(SceneFilter, ModelsThatDoNotCollideWithThemselves) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><collision "
           "name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>";
  };
  for (const bool collides : {false, true}) {
    const Spec spec =
        parse_sdf("<sdf version='1.7'><model name='m'><self_collide>" +
                  std::string(collides ? "true" : "false") + "</self_collide>" + link("a") +
                  link("b") + link("c") +
                  "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 "
                  "0 1</xyz></axis></joint>"
                  "<joint name='k' type='revolute'><parent>b</parent><child>c</child><axis><xyz>0 "
                  "0 1</xyz></axis></joint></model></sdf>");
    const Model model = build(spec);
    const CollisionScene scene(spec, model);
    EXPECT_FALSE(touch(scene, "a.c", "b.c"));
    EXPECT_EQ(touch(scene, "a.c", "c.c"), collides);
    EXPECT_EQ(lists(scene.left_out(), "does not collide with itself"), !collides);
  }
}

TEST(Scene, ReadsMeshesAndNamesWhatIsMissing) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "limber_collision_scene";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tetra.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto robot = [](const std::string& file) {
    return parse_urdf("<robot name='r'><link name='base'><collision><geometry><mesh filename='" +
                      file + "' scale='2 2 2'/></geometry></collision></link></robot>");
  };
  CollisionSettings settings;
  settings.mesh_folders = {folder.string()};
  const Spec spec = robot("tetra.obj");
  const Model model = build(spec);
  const CollisionScene hull(spec, model, {}, settings);
  ASSERT_EQ(hull.shapes().size(), 1u);
  EXPECT_EQ(hull.shapes()[0].shape.kind(), Shape::Kind::convex);
  EXPECT_NEAR(hull.shapes()[0].shape.bounds({}).upper.x, 2, 1e-8);
  settings.meshes_as = CollisionSettings::MeshAs::surface;
  const CollisionScene surface(spec, model, {}, settings);
  EXPECT_EQ(surface.shapes()[0].shape.kind(), Shape::Kind::mesh);
  const Spec gone = robot("gone.obj");
  const Model gone_model = build(gone);
  try {
    const CollisionScene scene(gone, gone_model, {}, settings);
    ADD_FAILURE() << "a missing mesh was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("shape 'base': mesh 'gone.obj' not found"),
              std::string::npos)
        << error.what();
  }
  settings.unusable = CollisionSettings::Unusable::leave_out;
  const CollisionScene scene(gone, gone_model, {}, settings);
  EXPECT_TRUE(scene.shapes().empty());
  EXPECT_TRUE(lists(scene.left_out(), "gone.obj"));
  std::filesystem::remove_all(folder);
}

TEST(Scene, RefusesPosesOfAnotherModel) {
  Random random(55);
  const Spec spec = heap(2, random);
  const Model model = build(spec), other = build(spec);
  CollisionScene scene(spec, model);
  Workspace ws(other);
  EXPECT_THROW(scene.find(forward_kinematics(other, random_places(other, 1, random), ws)), Error);
  EXPECT_THROW(scene.find(Poses(model)), Error);
  EXPECT_THROW(CollisionScene(spec, model, {{"ground", "nowhere", {}, Shape::plane()}}), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
