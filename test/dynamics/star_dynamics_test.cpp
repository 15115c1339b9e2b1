// Floating bodies with legs: both methods against the general algorithm and the plain robot, and
// against the counts of [McM] tables 12 and 16.
#include <limber/dynamics/star_dynamics.hpp>

#include <limber/scalar/counted.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr StarMethod both[] = {StarMethod::composite_bodies, StarMethod::articulated_bodies};

// a body with legs of joints of all kinds; every third star has legs that branch
Spec random_star(std::uint64_t seed) {
  Random random(seed);
  Spec spec;
  spec.name = "star";
  spec.gravity = random.vec3(10);
  spec.add_body("body", 0).inertia = random.inertia();
  spec.add_joint("float", JointKind::free, "", "body", {0, 0, 1}, random.transform());
  const JointKind kinds[] = {JointKind::revolute,  JointKind::prismatic, JointKind::helical,
                             JointKind::spherical, JointKind::universal, JointKind::cylindrical};
  const int legs = random.integer(1, 6), joints = random.integer(1, 8);
  for (int k = 0; k < legs; ++k) {
    std::vector<std::string> chain{"body"};
    for (int i = 0; i < joints; ++i) {
      const std::string name = "leg" + std::to_string(k) + "_" + std::to_string(i);
      spec.add_body(name, 0).inertia = random.inertia();
      const bool branches = seed % 3 == 0 && i > 1 && random.integer(0, 2) == 0;
      const JointKind kind = seed % 2 == 0 ? JointKind::revolute : kinds[random.integer(0, 5)];
      JointSpec& joint = spec.add_joint("joint_" + name, kind, branches ? chain[1] : chain.back(),
                                        name, random.direction(), random.transform());
      if (kind == JointKind::universal) {  // a second axis square to the first
        const Mat3<double> R = random.rotation();
        joint.axis = {R.xx, R.yx, R.zx}, joint.axis2 = {R.xy, R.yy, R.zy};
      }
      chain.push_back(name);
    }
  }
  return spec;
}

// forces on bodies, springs, and inertia that loads add
struct RandomLoads {
  std::vector<Force<double>> forces;
  std::vector<ArticulatedInertia<double>> inertia;
  std::vector<double> joint_inertia;
  Loads<double> loads;

  RandomLoads(const Model& m, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < m.bodies(); ++i) {
      forces.push_back(random.force());
      inertia.push_back(random.articulated());
    }
    for (int k = 0; k < m.nv; ++k) joint_inertia.push_back(random.uniform(0, 1));
    if (seed % 2 == 0) loads.body_forces = forces;
    if (seed % 3 == 0) loads.joint_inertia = joint_inertia;
    if (seed % 5 == 0) loads.body_inertia = inertia;
    if (seed % 7 == 0) loads.passive = Passive::included;
    if (seed % 4 == 0)
      loads.base_velocity = random.motion(), loads.base_acceleration = random.motion();
  }
};

TEST(StarDynamics, RandomStarsMoveAsTheGeneralAlgorithmSays) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(120)); ++seed) {
    SCOPED_TRACE("star " + std::to_string(seed));
    Robot r(random_star(seed), seed);
    const RandomLoads random(r.model, seed);
    const VectorXd expected =
        matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws, random.loads));
    Star star(r.model);
    for (const StarMethod method : both)
      EXPECT_TRUE(near(matrix(star_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), method,
                                                    r.ws, star, random.loads)),
                       expected, 1e-10));
    if (HasFailure()) return;
  }
}

TEST(StarDynamics, GivesTheForcesBack) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(60)); ++seed) {
    SCOPED_TRACE("star " + std::to_string(seed));
    Robot r(random_star(seed), seed);
    Star star(r.model);
    for (const StarMethod method : both) {
      const VectorXd a =
          matrix(star_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), method, r.ws, star));
      r.plain.move(r.q, r.v, a);
      EXPECT_TRUE(near(r.plain.tau(), r.tau, 1e-9));
    }
    if (HasFailure()) return;
  }
}

TEST(StarDynamics, BodyAlone) {
  Spec spec = random_star(1);
  spec.bodies.resize(1), spec.joints.resize(1);
  Robot r(spec);
  Star star(r.model);
  EXPECT_TRUE(star.legs.empty());
  const VectorXd expected = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
  for (const StarMethod method : both)
    EXPECT_TRUE(near(
        matrix(star_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), method, r.ws, star)),
        expected, 1e-12));
}

// --- counts --------------------------------------------------------------------------------------

// m legs of n revolute joints with general parameters on a body in its principal axes
Spec counted_star(int legs, int joints) {
  Random random(5);
  Spec spec;
  spec.add_body("body", 0).inertia = {10, {}, Sym3<double>::diagonal(1, 2, 3)};
  spec.add_joint("float", JointKind::free, "", "body");
  for (int k = 0; k < legs; ++k) {
    std::string parent = "body";
    for (int i = 0; i < joints; ++i) {
      const std::string name = "leg" + std::to_string(k) + "_" + std::to_string(i);
      spec.add_body(name, 0).inertia = random.inertia();
      spec.add_joint("joint_" + name, JointKind::revolute, parent, name, random.direction(),
                     random.transform());
      parent = name;
    }
  }
  return spec;
}

OperationCount count(int legs, int joints, StarMethod method) {
  const Model plain = build(counted_star(legs, joints));
  const RandomState state = generate_state(plain, 1);
  const auto model = cast<Counted>(plain);
  BasicWorkspace<Counted> ws(model);
  BasicStar<Counted> star(model);
  Counted::start();
  auto variables = [](const std::vector<double>& values) {
    std::vector<Counted> r;
    for (const double x : values) r.push_back(Counted::variable(x));
    return r;
  };
  const auto q = variables(state.q), v = variables(state.v);
  auto tau = variables(state.tau);
  for (std::size_t k = 0; k < 6; ++k) tau[k] = Counted(0);  // a walker has no thrusters
  return Counted::needed_for(star_dynamics<Counted>(model, q, v, tau, method, ws, star));
}

void expect_at_most(const OperationCount& found, long multiplications, long additions) {
  EXPECT_LE(found.multiplications, multiplications);
  EXPECT_LE(found.additions, additions);
}

TEST(StarDynamics, CostsNoMoreThanTheThesis) {
  expect_at_most(count(6, 3, StarMethod::composite_bodies), 4440, 3944);    // table 12
  expect_at_most(count(6, 3, StarMethod::articulated_bodies), 4485, 4136);  // table 16
  expect_at_most(count(1, 6, StarMethod::articulated_bodies), 1502, 1361);
  for (const long m : {1, 4})
    for (const long n : {1, 2, 3, 4, 5, 8}) {
      SCOPED_TRACE(std::to_string(m) + " legs, " + std::to_string(n) + " joints");
      const int legs = static_cast<int>(m), joints = static_cast<int>(n);
      expect_at_most(count(legs, joints, StarMethod::articulated_bodies), 224 * m * n + 59 * m + 99,
                     205 * m * n + 63 * m + 68);
      if (n == 1) continue;  // gravity in the body's axes costs more by a quaternion than by angles
      expect_at_most(count(legs, joints, StarMethod::composite_bodies),
                     m * (n * n * n + 105 * n * n + 1052 * n + 210) / 6 + 102,
                     m * (n * n * n + 78 * n * n + 989 * n + 186) / 6 + 62);
    }
}

TEST(StarDynamics, ArticulatedBodiesAreCheaperFromFourJointsOn) {
  for (int n = 1; n <= 10; ++n) {
    const OperationCount composite = count(6, n, StarMethod::composite_bodies),
                         articulated = count(6, n, StarMethod::articulated_bodies);
    EXPECT_EQ(articulated.multiplications + articulated.additions <
                  composite.multiplications + composite.additions,
              n >= 4)
        << n;
  }
}

// --- misuse --------------------------------------------------------------------------------------

TEST(StarDynamics, SaysWhatItDoesNotTake) {
  EXPECT_NE(message_of([] { Star star(build(generate_chain(3))); }).find("floating base"),
            std::string::npos);
  Spec follows = random_star(2);
  follows.add_body("tail", 1);
  JointSpec& tail = follows.add_joint("tail", JointKind::revolute, "body", "tail");
  tail.mimic = MimicSpec{"joint_leg0_0", 2, 0};
  EXPECT_NE(message_of([&] { Star star(build(follows)); }).find("mimic joints"), std::string::npos);
  Robot r(random_star(2)), other(random_star(4));
  Star star(other.model);
  EXPECT_NE(message_of([&] {
              star_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau),
                                    StarMethod::composite_bodies, r.ws, star);
            }).find("another model"),
            std::string::npos);
}

TEST(StarDynamics, NamesTheJointThatMeetsNoInertia) {
  Spec spec = random_star(2);
  spec.add_body("loose", 0);
  spec.add_joint("joint_loose", JointKind::revolute, spec.bodies[spec.bodies.size() - 2].name,
                 "loose", {0, 0, 1});
  Model model;
  const std::string text = message_of([&] {
    model = build(spec);
    Workspace ws(model);
    Star star(model);
    const RandomState s = generate_state(model, 1);
    star_dynamics<double>(model, s.q, s.v, s.tau, StarMethod::composite_bodies, ws, star);
  });
  EXPECT_NE(text.find("joint_loose"), std::string::npos) << text;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
