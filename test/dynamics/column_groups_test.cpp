// Columns that move together, eliminated together: joints that follow a neighbour, rotors beside
// the joints that they drive. Against the mass matrix, against inverse dynamics.
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/regressor.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

bool has_one_freedom(const JointSpec& joint) { return velocity_count(joint.kind) == 1; }

// joints of which `joint` may be a follower: earlier ones on the same carrier, and the carrier's
// own
std::vector<std::string> neighbours(const Spec& spec, std::size_t joint) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < joint; ++j) {
    const JointSpec& other = spec.joints[j];
    const std::string& carrier = spec.joints[joint].parent;
    if (has_one_freedom(other) && (other.parent == carrier || other.child == carrier))
      names.push_back(other.name);
  }
  return names;
}

// a tree in which a third of the joints with one freedom follow a neighbour, and most have rotors
// on the body before them, the body after them, or the world
Spec grouped_tree(std::uint64_t seed) {
  Random random(seed);
  RandomTreeOptions options;
  options.kinds = {JointKind::revolute, JointKind::revolute,    JointKind::prismatic,
                   JointKind::helical,  JointKind::cylindrical, JointKind::spherical,
                   JointKind::free};
  options.rotor = 0.3;
  Spec spec = generate_tree(2 + static_cast<int>(seed % 12), seed, options);
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    JointSpec& joint = spec.joints[j];
    if (!has_one_freedom(joint)) continue;
    const std::vector<std::string> masters = neighbours(spec, j);
    if (!masters.empty() && random.uniform(0, 1) < 0.35)
      joint.mimic = MimicSpec{masters[static_cast<std::size_t>(
                                  random.integer(0, static_cast<int>(masters.size()) - 1))],
                              random.uniform(-2, 2), random.uniform(-1, 1)};
    if (random.uniform(0, 1) < 0.3) continue;
    DofSpec& dof = joint.dof();
    dof.rotor_inertia = random.uniform(1e-4, 1e-3);
    dof.gear_ratio = random.uniform(-40, 40);
    dof.rotor_axis = {random.uniform(-1, 1), random.uniform(-1, 1), 1};
    const std::vector<std::string> mounts = {joint.parent.empty() ? "world" : joint.parent,
                                             joint.child, "world"};
    dof.rotor_mount = mounts[static_cast<std::size_t>(random.integer(0, 2))];
  }
  return spec;
}

Motion<double> random_motion(Random& random) {
  Motion<double> m;
  for (int k = 0; k < 3; ++k)
    m.angular[k] = random.uniform(-1, 1), m.linear[k] = random.uniform(-1, 1);
  return m;
}

// everything that loads can hold but body inertia, on rotors too
struct Everything {
  std::vector<Force<double>> forces;
  std::vector<double> joint_inertia;
  std::vector<ArticulatedInertia<double>> body_inertia;
  Loads<double> loads;
  Everything(const Model& model, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < model.bodies(); ++i) {
      const Motion<double> numbers = random_motion(random);
      forces.push_back({numbers.angular, numbers.linear});
      body_inertia.emplace_back(Inertia<double>::from_com(
          random.uniform(0, 1), {0.1, random.uniform(-1, 1), 0.2}, {1, 2, 2.5, 0.1, 0.2, 0.3}));
    }
    for (int k = 0; k < model.nv; ++k) joint_inertia.push_back(random.uniform(0, 1));
    loads.body_forces = forces;
    loads.joint_inertia = joint_inertia;
    loads.base_velocity = random_motion(random);
    loads.base_acceleration = random_motion(random);
    loads.passive = Passive::included;
  }
};

void expect_both_ways_agree(Robot& r, const Loads<double>& loads, const Loads<double>& without) {
  for (const Loads<double>& each : {without, loads}) {
    const VectorXd found =
        matrix(forward_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), r.ws, each));
    EXPECT_TRUE(near(found,
                     matrix(forward_dynamics_by_mass_matrix<double>(r.model, in(r.q), in(r.v),
                                                                    in(r.tau), r.ws, each)),
                     1e-10));
    EXPECT_TRUE(
        near(matrix(inverse_dynamics<double>(r.model, in(r.q), in(r.v), in(found), r.ws, each)),
             r.tau, 1e-10));
  }
}

template <class F>
void for_grouped_robots(F&& f) {
  int with_groups = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Robot r(grouped_tree(seed), seed);
    ASSERT_TRUE(r.model.has_local_groups());
    if (r.model.together.empty()) continue;
    ++with_groups;
    f(r, seed);
  }
  EXPECT_GT(with_groups, 100);
}

TEST(ColumnGroups, ForwardDynamicsAgreesWithTheMassMatrix) {
  for_grouped_robots([](Robot& r, std::uint64_t seed) {
    const Everything all(r.model, seed);
    expect_both_ways_agree(r, all.loads, {});
  });
}

TEST(ColumnGroups, TakeInertiaOfLoads) {
  for_grouped_robots([](Robot& r, std::uint64_t seed) {
    Everything all(r.model, seed);
    all.loads.body_inertia = all.body_inertia;
    Loads<double> inertia_only;
    inertia_only.body_inertia = all.body_inertia;
    expect_both_ways_agree(r, all.loads, inertia_only);
  });
}

TEST(ColumnGroups, HybridDynamicsAgreesWithTheMassMatrix) {
  for_grouped_robots([](Robot& r, std::uint64_t seed) {
    const Everything all(r.model, seed);
    Random random(seed);
    std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
    for (Known& one : known)
      if (random.uniform(0, 1) < 0.5) one = Known::acceleration;
    const auto found =
        hybrid_dynamics<double>(r.model, in(r.q), in(r.v), known, in(r.tau), r.ws, all.loads);
    const VectorXd a = matrix(found.a), tau = matrix(found.tau);
    const auto expected = hybrid_dynamics_by_mass_matrix<double>(r.model, in(r.q), in(r.v), known,
                                                                 in(r.tau), r.ws, all.loads);
    EXPECT_TRUE(near(a, matrix(expected.a), 1e-10));
    EXPECT_TRUE(near(tau, matrix(expected.tau), 1e-10));
  });
}

TEST(ColumnGroups, FloatAgrees) {
  const Spec spec = grouped_tree(7);
  Robot r(spec, 7);
  const BasicModel<float> model = cast<float>(r.model);
  BasicWorkspace<float> ws(model);
  const auto single = [](const VectorXd& x) { return std::vector<float>(x.begin(), x.end()); };
  const auto found = forward_dynamics<float>(model, single(r.q), single(r.v), single(r.tau), ws);
  const auto expected = forward_dynamics<double>(r.model, in(r.q), in(r.v), in(r.tau), r.ws);
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], 1e-3 * (1 + std::abs(expected[k])));
}

// a chain of three, the rotor of the last joint on the first body: between them stands a joint that
// does not belong to the group
TEST(ColumnGroups, OthersGoByTheMassMatrix) {
  RandomTreeOptions options;
  options.kinds = {JointKind::revolute};
  options.rotor = 0;
  Spec spec = generate_tree(1, 1, options);
  const std::string first = spec.bodies.back().name;
  std::string last = first;
  for (const char* name : {"second", "third"}) {
    spec.add_body(name, 1).inertia = spec.bodies.front().inertia;
    spec.add_joint(name, JointKind::revolute, last, name, {0, 1, 0},
                   {Mat3<double>::identity(), {0.3, 0, 0.1}});
    last = name;
  }
  DofSpec& dof = spec.joints.back().dof();
  dof.rotor_inertia = 1e-4, dof.gear_ratio = 100, dof.rotor_mount = first;
  Robot r(spec, 3);
  EXPECT_FALSE(r.model.has_local_groups());
  expect_both_ways_agree(r, {}, {});
  dof.rotor_mount = "second";
  EXPECT_TRUE(Robot(spec, 3).model.has_local_groups());
}

// the model with `moments` and a mass added to each of its rotors
Model with_heavy_rotors(const Model& model, const Vec3<double>& moments) {
  std::vector<double> parameters = inertial_parameters(model);
  for (int i = 1; i < model.bodies(); ++i) {
    if (!model.is_rotor[i]) continue;
    double* own = &parameters[10 * static_cast<std::size_t>(i - 1)];
    own[0] += 0.2, own[4] += moments.x, own[7] += moments.y, own[9] += moments.z;
  }
  return with_inertial_parameters(model, parameters);
}

// a rotor with mass that is round goes on being a part of its carrier, one that is not is a body
TEST(ColumnGroups, RotorsMayHaveOtherParameters) {
  for_grouped_robots([](Robot& r, std::uint64_t seed) {
    const Model original = r.model;
    r.model = with_heavy_rotors(original, {0.01, 0.01, 0.01});
    EXPECT_TRUE(r.model.has_local_groups());
    expect_both_ways_agree(r, Everything(r.model, seed).loads, {});
    r.model = with_heavy_rotors(original, {0.01, 0.02, 0.025});
    EXPECT_EQ(r.model.has_local_groups(), original.together.rotors.empty());
    expect_both_ways_agree(r, Everything(r.model, seed).loads, {});
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
