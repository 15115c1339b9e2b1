// Free parameters: a program with other values does what a robot built with these values does.
#include <limber/compile/program.hpp>

#include <limber/dynamics/forward_dynamics.hpp>

#include "support/message.hpp"
#include "support/passive_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Programs of `spec` with free parameters at `values` against the interpreted robot `changed`.
void expect_same(const Spec& spec, const std::vector<std::string>& parameters,
                 const VectorXd& values, const Spec& changed) {
  FunctionOptions options;
  for (const std::string& text : parameters) options.parameters.push_back(free_parameter(text));
  const Model model = build(spec);
  Robot r(changed, 5);
  ASSERT_EQ(model.nv, r.model.nv);
  const auto result = [&](RobotFunction function, std::vector<VectorXd> inputs) {
    inputs.push_back(values);
    return run(trace(model, function, options), inputs)[0];
  };
  const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
  EXPECT_TRUE(near(result(RobotFunction::inverse_dynamics, {r.q, r.v, r.a}), tau, 1e-12));
  const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
  EXPECT_TRUE(near(as_matrix(result(RobotFunction::mass_matrix, {r.q}), r.model.nv), M, 1e-12));
  if (!r.model.singular_reason.empty() || !model.singular_reason.empty()) return;
  // the equation of motion, whatever the condition of M
  const VectorXd a = result(RobotFunction::forward_dynamics, {r.q, r.v, r.tau});
  const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
  const double size = std::max(1.0, (M.cwiseAbs() * a.cwiseAbs() + bias.cwiseAbs()).maxCoeff());
  EXPECT_LT((M * a + bias - r.tau).cwiseAbs().maxCoeff(), 1e-12 * size);
}

/// Calls f(spec, random) for random robots with one to twelve variables.
template <class F>
void for_small_specs(int count, F&& f) {
  int left = share_of(count);
  for (std::uint64_t seed = 1; left > 0; ++seed) {
    SCOPED_TRACE("random robot " + std::to_string(seed));
    const Spec spec = random_spec(seed);
    if (const Model model = build(spec); model.nv == 0 || model.nv > 12) continue;
    --left;
    Random random(seed);
    f(spec, random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(FreeParameters, Gravity) {
  for_small_specs(30, [](const Spec& spec, Random& random) {
    Spec changed = spec;
    changed.gravity = random.vec3(10);
    const Vec3<double>& g = changed.gravity;
    expect_same(spec, {"gravity"}, Eigen::Vector3d(g.x, g.y, g.z), changed);
  });
}

/// The ten numbers of a random payload.
VectorXd random_payload(Random& random) {
  VectorXd p(10);
  p << random.uniform(0.5, 3), random.uniform(), random.uniform(), random.uniform(),
      random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2), random.uniform(-0.3, 0.3),
      random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3);
  return p;
}
/// The same as a body that is fixed to a body of the robot.
void add_payload(Spec& spec, const std::string& body, const Transform<double>& placement,
                 const VectorXd& p) {
  const std::string name = "payload on " + body;
  spec.add_body(name, p[0], {p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7], p[8], p[9]});
  spec.add_joint("fix " + name, JointKind::fixed, body, name, {0, 0, 1}, placement);
}

TEST(FreeParameters, PayloadOnAnyBody) {
  for_small_specs(30, [](const Spec& spec, Random& random) {
    const auto last = static_cast<int>(spec.bodies.size()) - 1;
    const std::string body = spec.bodies[static_cast<std::size_t>(random.integer(0, last))].name;
    const VectorXd payload = random_payload(random);
    Spec changed = spec;
    add_payload(changed, body, {}, payload);
    expect_same(spec, {"payload:" + body}, payload, changed);
  });
}

TEST(FreeParameters, PayloadOnAFrame) {
  Random random(8);
  Spec spec = generate_chain(4);
  const Transform<double> placement = random.transform();
  spec.frames.push_back({"tool", spec.bodies.back().name, placement, {}});
  const VectorXd payload = random_payload(random);
  Spec changed = spec;
  add_payload(changed, spec.bodies.back().name, placement, payload);
  expect_same(spec, {"payload:tool"}, payload, changed);
  // no payload is no payload
  expect_same(spec, {"payload:tool"}, VectorXd::Zero(10), spec);
}

/// Frees the gear of every joint that has a rotor and no master. Returns how many.
int free_gears(const Spec& spec, Random& random) {
  Spec changed = spec;
  std::vector<std::string> parameters;
  std::vector<double> values;
  for (JointSpec& joint : changed.joints) {
    const bool one = joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic ||
                     joint.kind == JointKind::helical;
    if (!one || joint.mimic || joint.dofs.empty() || joint.dofs[0].rotor_inertia == 0) continue;
    joint.dofs[0].gear_ratio = random.uniform(-50, 50);
    parameters.push_back("gear:" + joint.name);
    values.push_back(joint.dofs[0].gear_ratio);
  }
  if (!values.empty()) expect_same(spec, parameters, matrix(values), changed);
  return static_cast<int>(values.size());
}

TEST(FreeParameters, GearsWithAndWithoutMount) {
  int gears = 0, mounted = 0;
  for_small_specs(60, [&](const Spec& spec, Random& random) {
    gears += free_gears(spec, random);
    for (const JointSpec& joint : spec.joints)
      mounted += !joint.dofs.empty() && !joint.dofs[0].rotor_mount.empty() ? 1 : 0;
  });
  EXPECT_GT(gears, share_of(30));
  EXPECT_GT(mounted, share_of(5));
}

// a joint that follows another has a motor of its own: its gear stays
TEST(FreeParameters, GearsOfFollowersStay) {
  Spec spec = generate_chain(4);
  for (JointSpec& joint : spec.joints) {
    joint.dof().rotor_inertia = 1e-4;
    joint.dof().gear_ratio = 30;
    joint.dof().rotor_mount = spec.bodies[0].name;
  }
  spec.joints[2].mimic = MimicSpec{spec.joints[1].name, -0.5, 0.2};
  Random random(9);
  EXPECT_EQ(free_gears(spec, random), 3);
}

// the rotor is round: its angle does not matter, and costs no sine
TEST(FreeParameters, MountedRotorsCostNoSine) {
  Spec spec = generate_chain(3);
  spec.joints[1].dof().rotor_inertia = 1e-4;
  spec.joints[1].dof().gear_ratio = 30;
  spec.joints[1].dof().rotor_mount = spec.bodies[0].name;
  const Model model = build(spec);
  FunctionOptions options;
  options.parameters = {free_parameter("gear:" + spec.joints[1].name)};
  EXPECT_EQ(trace(model, RobotFunction::inverse_dynamics, options).count().sincos,
            trace(model, RobotFunction::inverse_dynamics).count().sincos);
}

TEST(FreeParameters, Together) {
  Random random(10);
  Spec spec = generate_chain(5);
  spec.joints[3].dof().rotor_inertia = 1e-3;
  Spec changed = spec;
  changed.joints[3].dof().gear_ratio = 12;
  changed.gravity = {1, 2, 3};
  const VectorXd payload = random_payload(random);
  add_payload(changed, spec.bodies[2].name, {}, payload);
  VectorXd values(14);
  values << 12, payload, 1, 2, 3;
  expect_same(spec, {"gear:" + spec.joints[3].name, "payload:" + spec.bodies[2].name, "gravity"},
              values, changed);
}

TEST(FreeParameters, WhatIsRefused) {
  for (const char* text : {"", "mass", "gravity:x", "payload", "payload:", "gear", "gear:"})
    EXPECT_TRUE(mentions(message_of([&] { free_parameter(text); }),
                         {"gravity, payload:FRAME, gear:JOINT or fluid"}))
        << text;
  Spec spec = generate_chain(3);
  for (JointSpec& joint : spec.joints) joint.dofs.clear();
  spec.joints[1].kind = JointKind::cylindrical;
  const Model model = build(spec);
  const auto refusal = [&](const std::string& text) {
    FunctionOptions options;
    options.parameters = {free_parameter(text)};
    return message_of([&] { trace(model, RobotFunction::inverse_dynamics, options); });
  };
  EXPECT_TRUE(mentions(refusal("gear:" + spec.joints[0].name), {"no rotor", spec.joints[0].name}));
  EXPECT_TRUE(mentions(refusal("gear:" + spec.joints[1].name), {"one freedom"}));
  EXPECT_TRUE(mentions(refusal("gear:nothing"), {"nothing"}));
  EXPECT_TRUE(mentions(refusal("payload:nothing"), {"nothing"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
