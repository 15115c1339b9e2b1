// Inertia that a part adds to a body, against a body of this inertia that is carried: free, held by
// prescribed motion, in a loop, in contact and impact.
#include <limber/sim/payload.hpp>

#include <map>

#include <limber/limber.hpp>
#include <limber/io/load.hpp>
#include <limber/sim/contacts.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const Inertia<double> block =
    Inertia<double>::from_com(2, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04, 0.001, 0.002, -0.003});

/// The block as inertia of the body it is on, its weight as a force, its energy as stored.
class AddedBlock final : public Part {
 public:
  explicit AddedBlock(std::string link) : Part("added block"), link_(std::move(link)) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<AddedBlock>(*this); }
  Role role() const override { return Role::world; }
  void attach(Model& model) override {
    frame_ = model.frame(link_);
    body_ = static_cast<std::size_t>(model.frames[frame_].body);
    const Transform<double> X =
        inverse(model.body_placement[body_]) * model.frames[frame_].placement;
    in_body_ = X * block;
  }
  void apply(Evaluation& at) override {
    const Transform<double> pose = body_pose(at.model, at.kinematics(), static_cast<int>(body_));
    const Vec3<double> g = transpose_times(pose.R, at.model.gravity);
    at.body_inertia()[body_] += ArticulatedInertia<double>(in_body_);
    at.body_forces()[body_] += Force<double>{cross(in_body_.h, g), g * in_body_.m};
  }
  bool stores_energy() const override { return true; }
  StoredEnergy stored_energy(Evaluation& at) override {
    const Accelerations& bodies = at.accelerations();
    const Transform<double>& X = at.model.body_placement[body_];
    const Motion<double> v = apply_inverse(X, bodies.v[body_]),
                         a = apply_inverse(X, bodies.a[body_]);
    const Transform<double> pose = body_pose(at.model, bodies, static_cast<int>(body_));
    const Vec3<double> com = in_body_.com(), g = transpose_times(pose.R, at.model.gravity);
    return {
        dot(v, in_body_ * v) / 2 - in_body_.m * dot(at.model.gravity, transform_point(pose, com)),
        dot(v, in_body_ * a) - in_body_.m * dot(g, v.linear + cross(v.angular, com))};
  }

 private:
  std::string link_;
  int frame_ = 0;
  std::size_t body_ = 0;
  Inertia<double> in_body_;
};

enum class How { carried, added };
std::unique_ptr<Part> make(How how, const std::string& link) {
  if (how == How::added) return std::make_unique<AddedBlock>(link);
  return std::make_unique<Payload>(PayloadSettings{"block", link, block, 0, HUGE_VAL});
}

struct Result {
  std::vector<double> x;                 // at the end: q, v
  std::map<std::string, double> values;  // recorded there: reactions, energies
  double largest_error = 0;              // of the energy, on the way [J]
};

struct Problem {
  Model model;
  std::vector<double> q, v;
  std::string link, method = "rk4";
  double step = 1e-3, duration = 0.4;
  std::function<void(System&)> add = [](System&) {};
};

Result run(const Problem& problem, How how) {
  System system(problem.model);
  system.add(make(how, problem.link));
  problem.add(system);
  SimulationSettings settings;
  settings.duration = problem.duration;
  settings.integrator.method = problem.method;
  settings.integrator.step = problem.step;
  settings.record_interval = problem.duration / 20;
  RecordChoice choice;
  choice.reactions = {"all"};
  Recorder recorder(system, choice);
  Result result;
  Simulation simulation(std::move(system), settings, problem.q, problem.v);
  simulation.on_record = [&](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    for (std::size_t k = 0; k < row.size(); ++k) result.values[recorder.columns()[k].name] = row[k];
    result.largest_error = std::max(result.largest_error, std::abs(now.energy(x).error()));
  };
  simulation.run();
  EXPECT_EQ(simulation.status(), RunStatus::finished) << simulation.message();
  const auto count = static_cast<long>(problem.q.size() + problem.v.size());
  result.x.assign(simulation.x().begin(), simulation.x().begin() + count);
  return result;
}

// the same motion, reactions and energy in both forms
void compare(const Problem& problem, double tolerance) {
  const Result carried = run(problem, How::carried), added = run(problem, How::added);
  ASSERT_EQ(carried.x.size(), added.x.size());
  double moved = 0;
  for (std::size_t k = 0; k < carried.x.size(); ++k) {
    EXPECT_NEAR(carried.x[k], added.x[k], tolerance * (1 + std::abs(carried.x[k]))) << k;
    if (k < problem.q.size()) moved = std::max(moved, std::abs(carried.x[k] - problem.q[k]));
  }
  EXPECT_GT(moved, 0.01);
  int compared = 0;
  double size = 1;
  for (const auto& [name, value] : carried.values) size = std::max(size, std::abs(value));
  for (const auto& [name, value] : carried.values) {
    const auto other = added.values.find(name);
    if (other == added.values.end()) continue;
    // what is added counts as stored energy
    if (name == "kinetic_energy" || name == "potential_energy") continue;
    EXPECT_NEAR(value, other->second, 100 * tolerance * size) << name;
    ++compared;
  }
  EXPECT_GT(compared, 10);
  EXPECT_NEAR(carried.largest_error, added.largest_error, 1e-3 * carried.largest_error + 1e-9);
}

Problem arm() {
  Spec spec = load_spec("puma560");
  for (JointSpec& joint : spec.joints)
    joint.dof().friction_positive = joint.dof().friction_negative = 0;
  return {build(spec), {0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, {0.1, -0.2, 0.3, 0.4, -0.5, 0.6}, "link4"};
}

TEST(AddedInertia, OfAFreeArm) {
  Problem problem = arm();
  compare(problem, 1e-10);
  problem.method = "dopri5";
  compare(problem, 1e-6);  // steps are chosen by errors, which rounding changes
}

/// The largest difference of a state to the exact one, for steps of these lengths [s].
std::vector<double> errors_of_steps(Problem problem, const Result& exact,
                                    std::initializer_list<double> steps) {
  std::vector<double> errors;
  for (const double step : steps) {
    problem.step = step;
    const Result found = run(problem, How::added);
    double error = 0;
    for (std::size_t k = 0; k < exact.x.size(); ++k)
      error = std::max(error, std::abs(found.x[k] - exact.x[k]));
    errors.push_back(error);
  }
  return errors;
}

// the momenta of the midpoint rule are those of the robot alone: another method of second order
TEST(AddedInertia, WithTheMidpointRule) {
  Problem problem = arm();
  const Result exact = run(problem, How::carried);
  problem.method = "midpoint";
  const std::vector<double> errors = errors_of_steps(problem, exact, {4e-3, 2e-3});
  EXPECT_GT(errors[0], 1e-7);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
}

/// The first freedom turns as it is told.
class Turner final : public Part {
 public:
  Turner() : Part("turner") {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Turner>(*this); }
  Role role() const override { return Role::world; }
  std::span<const int> prescribed() const override { return freedoms_; }
  void prescribe(const PartInstant& at, const GivenMotion& motion) override {
    motion.q[0] = 0.3 + std::sin(2 * at.t);
    motion.v[0] = 2 * std::cos(2 * at.t);
    motion.given[0] = -4 * std::sin(2 * at.t);
    motion.known[0] = Known::acceleration;
  }

 private:
  std::vector<int> freedoms_{0};
};

TEST(AddedInertia, WithPrescribedMotion) {
  Problem problem = arm();
  problem.add = [](System& system) { system.add(std::make_unique<Turner>()); };
  compare(problem, 1e-10);
}

TEST(AddedInertia, InALoop) {
  const Model model = load("four_bar");
  const std::vector<double> home{1.0471975511965976, -0.5397970426545353, 1.6614783975487226};
  Problem problem{model, home, {0, 0, 0}, "coupler"};
  compare(problem, 1e-8);
}

// a joint that runs into its bumper, whose stiffness goes with the inertia
TEST(AddedInertia, AtAJointLimit) {
  Problem problem{build(slider()), {0}, {-1}, "mass"};
  problem.model.column_dof[0].lower = -0.05;
  problem.duration = 0.3;
  problem.add = [](System& system) {
    JointLimitSettings limits;
    limits.frequency = 100;
    system.add(std::make_unique<JointLimits>(limits));
  };
  compare(problem, 1e-8);
}

Problem falling_box(ContactMethod method, double restitution) {
  Spec spec;
  // with its centre of mass where the block has its own: steps turn free bodies about that
  spec.add_body("box", 1, block.com(), {0.02, 0.03, 0.04});
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::box;
  shape.role = ShapeSpec::Role::collision;
  shape.size = {0.3, 0.4, 0.5};
  spec.bodies.back().shapes.push_back(shape);
  spec.add_joint("root", JointKind::free, "", "box");
  Problem problem{build(spec), {0, 0, 0.45, 0.1, 0.2, 0.1, 0.97}, {0.5, 0, 0.2, 0.4, 0, -1}, "box"};
  const double length = std::sqrt(0.1 * 0.1 + 0.2 * 0.2 + 0.1 * 0.1 + 0.97 * 0.97);
  for (std::size_t k = 3; k < 7; ++k) problem.q[k] /= length;
  problem.add = [spec, model = problem.model, method, restitution](System& system) {
    std::vector<SceneryShape> ground(1);
    ground[0].name = "ground";
    CollisionScene scene(spec, model, ground);
    ContactSettings settings;
    settings.method = method;
    ContactMaterial material;
    material.friction = material.sliding_friction = 0.4;
    material.restitution = restitution;
    settings.materials.assign(scene.shapes().size(), material);
    system.add(std::make_unique<Contacts>(std::move(scene), settings));
  };
  return problem;
}

TEST(AddedInertia, InSteppedContact) {
  for (const double restitution : {0.0, 0.5}) {
    Problem problem = falling_box(ContactMethod::stepping, restitution);
    problem.method = "time_stepping";
    const Result carried = run(problem, How::carried), added = run(problem, How::added);
    for (std::size_t k = 0; k < carried.x.size(); ++k)
      EXPECT_NEAR(carried.x[k], added.x[k], 1e-6) << restitution << " " << k;
    EXPECT_LT(added.x[2], 0.45);
    // work of contacts on what is added is accounted for as that on the body
    EXPECT_NEAR(carried.largest_error, added.largest_error, 0.05 * carried.largest_error + 1e-3);
  }
}

// steps turn free bodies about the centre of mass of the model, which is not that of what is added:
// another method of second order, so that what carried and added bodies differ by goes with h²
TEST(AddedInertia, StepsOfAFreeBodyAreOfSecondOrder) {
  Spec spec;
  spec.add_body("box", 1, {-0.1, 0.05, 0.02}, {0.02, 0.03, 0.04});
  spec.add_joint("root", JointKind::free, "", "box");
  Problem problem{build(spec), {0, 0, 0, 0, 0, 0, 1}, {2, -1, 3, 0.4, 0, -1}, "box"};
  problem.step = 1e-4;
  const Result exact = run(problem, How::added);
  problem.method = "time_stepping";
  const std::vector<double> errors = errors_of_steps(problem, exact, {4e-3, 2e-3, 1e-3});
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.4);
  EXPECT_LT(errors[2], 1e-5);
}

TEST(AddedInertia, InContactBetweenEvents) {
  for (const double restitution : {0.0, 0.5}) {
    Problem problem = falling_box(ContactMethod::event, restitution);
    const Result carried = run(problem, How::carried), added = run(problem, How::added);
    for (std::size_t k = 0; k < carried.x.size(); ++k)
      EXPECT_NEAR(carried.x[k], added.x[k], 1e-6) << restitution << " " << k;
    EXPECT_LT(added.largest_error, 1e-4);
    EXPECT_NEAR(carried.largest_error, added.largest_error, 0.01 * carried.largest_error);
  }
}

// nothing of it is left where no part adds any
TEST(AddedInertia, IsForgottenWhenNoPartAddsIt) {
  Problem problem = arm();
  System system(problem.model), plain(problem.model);
  system.add(std::make_unique<FunctionPart>("sometimes", Role::world, [](Evaluation& at) {
    if (at.t < 1) at.body_inertia()[3].M += Sym3<double>::diagonal(5, 5, 5);
  }));
  const std::vector<double> x = system.initial_state(problem.q, problem.v);
  const auto accelerations = [&](System& of, double t) {
    EXPECT_EQ(of.evaluate(t, x), Evaluated::ok);
    return std::vector<double>(of.accelerations().begin(), of.accelerations().end());
  };
  const std::vector<double> bare = accelerations(plain, 2);
  EXPECT_NE(accelerations(system, 0), bare);
  EXPECT_EQ(accelerations(system, 2), bare);
  EXPECT_TRUE(system.body_inertia().empty());
}

TEST(AddedInertia, ThatIsNoNumberIsBlamedOnItsPart) {
  Problem problem = arm();
  System system(problem.model);
  system.add(std::make_unique<FunctionPart>(
      "bad", Role::world, [](Evaluation& at) { at.body_inertia()[2].M.xy = std::nan(""); }));
  const std::vector<double> x = system.initial_state(problem.q, problem.v);
  std::vector<double> x_dot(x.size());
  EXPECT_EQ(system.derivative(0, x, x_dot), Evaluated::failed);
  EXPECT_NE(system.failure().find("part 'bad'"), std::string::npos) << system.failure();
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
