// Dry friction of joints over hard contact: each step decides what sticks, with what the ground
// does.
#include <limber/drive/joint_friction.hpp>
#include <limber/sim/contacts.hpp>

#include "drive/drive_support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double mass = 10, leg_mass = 0.1, length = 0.5, splay = 0.4, g = 9.81;
constexpr double foot = 0.02, hip_height = length * 0.92106099400288510 + foot;  // cos 0.4

// A trunk that moves up and down only, on two legs that are hinged to it and stand apart; feet are
// balls on hard ground.
System table_on_two_legs(double hip_friction, double ground_friction) {
  Spec spec;
  spec.gravity = {0, 0, -g};
  spec.add_body("trunk", mass, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_joint("lift", JointKind::prismatic, "", "trunk", {0, 0, 1});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "right" : "left";
    BodySpec& leg = spec.add_body(name, leg_mass, {0, 0, -length / 2}, {1e-3, 1e-3, 1e-4, 0, 0, 0});
    ShapeSpec ball;
    ball.kind = ShapeSpec::Kind::sphere;
    ball.role = ShapeSpec::Role::collision;
    ball.size = {foot, 0, 0};
    ball.placement.p = {0, 0, -length};
    leg.shapes.push_back(ball);
    spec.add_joint("hip_" + name, JointKind::revolute, "trunk", name, {0, 1, 0});
  }
  Model model = build(spec);
  CollisionScene scene(spec, model, {{"ground", "", {}, Shape::plane()}});
  ContactSettings settings;
  ContactMaterial material;
  material.friction = material.sliding_friction = ground_friction;
  settings.materials.assign(scene.shapes().size(), material);
  System system(std::move(model));
  system.add(std::make_unique<Contacts>(std::move(scene), settings));
  for (const char* hip : {"hip_right", "hip_left"})
    system.add(std::make_unique<JointFriction>(
        JointFrictionSettings{hip, FrictionSettings{hip_friction, hip_friction}}));
  return system;
}

SimulationSettings stepping(double h, double duration) {
  SimulationSettings settings;
  settings.integrator.method = "time_stepping";
  settings.integrator.step = h;
  settings.duration = duration;
  return settings;
}

// The feet carry half of the weight each, N. Without friction of the ground the hips must bear
// N sin(splay) l less what the legs' own weight does about them.
TEST(SteppedFriction, HipsHoldATableUpToTheirFriction) {
  const double N = (mass + 2 * leg_mass) * g / 2;
  const double needed = (N - leg_mass * g / 2) * length * std::sin(splay);
  const std::vector<double> q{hip_height, -splay, splay}, v(3);
  for (const double h : {1e-3, 5e-3}) {
    Simulation holds(table_on_two_legs(1.02 * needed, 0), stepping(h, 2), q, v);
    ASSERT_EQ(holds.run(), RunStatus::finished) << holds.message();
    EXPECT_NEAR(holds.x()[0], hip_height, 1e-5);
    EXPECT_NEAR(holds.x()[1], -splay, 1e-9);
    EXPECT_NEAR(holds.x()[2], splay, 1e-9);
    Simulation falls(table_on_two_legs(0.98 * needed, 0), stepping(h, 0.5), q, v);
    ASSERT_EQ(falls.run(), RunStatus::finished) << falls.message();
    EXPECT_LT(falls.x()[0], hip_height - 1e-3);
    EXPECT_LT(falls.x()[1], -splay - 1e-3);
  }
}

// ground that holds the feet carries the table without the hips
TEST(SteppedFriction, FrictionOfTheGroundHelps) {
  const std::vector<double> q{hip_height, -splay, splay}, v(3);
  Simulation run(table_on_two_legs(0.1, 2), stepping(2e-3, 2), q, v);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[0], hip_height, 1e-5);
}

TEST(SteppedFriction, ABlockComesToRestWithoutContact) {
  constexpr double h = 1e-3, m = 1.5, v0 = 1, force = 2;
  System system(block(m));
  system.add(std::make_unique<JointFriction>(
      JointFrictionSettings{"slide", FrictionSettings{force, force}}));
  Simulation run(system, stepping(h, 5), std::vector{0.0}, std::vector{v0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[0], m * v0 * v0 / (2 * force), v0 * h);
  EXPECT_EQ(run.x()[1], 0);
}

// a slide whose motion is given pushes a loose box: it does not give way
class Pushing final : public Part {
 public:
  Pushing() : Part("pushing") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Pushing>(*this); }
  Role role() const override { return Role::world; }
  std::span<const int> prescribed() const override { return {&freedom_, 1}; }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override {
    motion.q[0] = speed * at.t;
    motion.v[0] = speed;
    motion.given[0] = 0;
    motion.known[0] = Known::acceleration;
  }
  static constexpr double speed = 0.5;

 private:
  int freedom_ = 0;
};

TEST(SteppedFriction, GivenMotionDoesNotGiveWay) {
  Spec spec;
  spec.gravity = {0, 0, 0};
  for (const char* name : {"pusher", "box"}) {
    ShapeSpec cube;
    cube.kind = ShapeSpec::Kind::box;
    cube.role = ShapeSpec::Role::collision;
    cube.size = {0.2, 0.2, 0.2};
    spec.add_body(name, 30, {}, {0.1, 0.1, 0.1, 0, 0, 0}).shapes.push_back(cube);
  }
  spec.add_joint("slide", JointKind::prismatic, "", "pusher", {1, 0, 0});
  spec.add_joint("free", JointKind::free, "", "box");
  Model model = build(spec);
  CollisionScene scene(spec, model, {});
  ContactSettings settings;
  settings.materials.assign(scene.shapes().size(), {});
  System system(std::move(model));
  system.add(std::make_unique<Contacts>(std::move(scene), settings));
  system.add(std::make_unique<Pushing>());
  Simulation run(system, stepping(2e-3, 1), std::vector<double>{0, 0.3, 0, 0, 0, 0, 0, 1},
                 std::vector<double>{Pushing::speed, 0, 0, 0, 0, 0, 0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[0], 0.5, 1e-12);
  EXPECT_NEAR(run.x()[1], 0.7, 1e-4);                 // they touch
  EXPECT_NEAR(run.x()[8 + 4], Pushing::speed, 1e-8);  // and move together
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
