// Balls on planes, which compliant contact computes without a search, against the same scene with
// the search: surfaces that move by themselves, at no speed, ask for it.
#include <limber/sim/contacts.hpp>
#include <limber/sim/system.hpp>

#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

enum class By : std::uint8_t { lanes, search };

ShapeSpec random_foot(Random& random) {
  ShapeSpec shape;
  shape.kind = random.integer(0, 3) == 0 ? ShapeSpec::Kind::box : ShapeSpec::Kind::sphere;
  shape.role = ShapeSpec::Role::collision;
  shape.size = {random.uniform(0.05, 0.4), 0.2, 0.2};
  shape.placement = {random.rotation(), random.vec3(0.3)};
  return shape;
}

System system_with_contact(std::uint64_t seed, By by) {
  Random random(seed);
  Spec spec = random_spec(seed);
  for (BodySpec& body : spec.bodies)
    for (int k = random.integer(0, 3); k > 0; --k) body.shapes.push_back(random_foot(random));
  Model model = build(spec);
  std::vector<SceneryShape> planes(2);
  planes[0].name = "ground", planes[1].name = "wall";
  planes[0].placement.p.z = random.uniform();
  planes[1].placement = {random.rotation(), random.vec3()};
  CollisionScene scene(spec, model, planes);
  ContactSettings settings;
  settings.method = ContactMethod::compliant;
  settings.normal.kind = static_cast<NormalLaw::Kind>(random.integer(0, 1));
  settings.normal.stiffness = 1e3, settings.normal.damping = 10;
  settings.tangential.kind = static_cast<FrictionLaw::Kind>(random.integer(0, 1));
  for (std::size_t k = 0; k < scene.shapes().size(); ++k) {
    ContactMaterial one;
    one.friction = random.uniform(0, 1.5);
    one.sliding_friction = one.friction * random.uniform(0.5, 1);
    one.torsion = random.integer(0, 1) * random.uniform(0, 0.1);
    settings.materials.push_back(one);
  }
  if (by == By::search) settings.belts.resize(scene.shapes().size());
  System system(std::move(model));
  system.add(std::make_unique<Contacts>(std::move(scene), settings));
  return system;
}

// of robots that a System takes
std::optional<System> system_if_taken(std::uint64_t seed, By by) {
  try {
    return system_with_contact(seed, by);
  } catch (const Error&) {
    return std::nullopt;
  }
}

using Rates = std::function<Evaluated(System&, std::span<const double>, std::span<double>)>;

void expect_agreement(const Rates& rates, double tolerance) {
  int touching = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("robot " + std::to_string(seed));
    std::optional<System> lanes = system_if_taken(seed, By::lanes),
                          search = system_if_taken(seed, By::search);
    ASSERT_EQ(lanes.has_value(), search.has_value());
    if (!lanes) continue;
    Random random(seed + 1000);
    for (int state = 0; state < 5; ++state) {
      const Robot r(random_spec(seed), seed + static_cast<std::uint64_t>(100 * state));
      std::vector<double> x = lanes->initial_state(in(r.q), in(r.v));
      for (std::size_t k = static_cast<std::size_t>(r.model.nq + r.model.nv); k + 1 < x.size(); ++k)
        x[k] = random.uniform(-0.01, 0.01);
      std::vector<double> found(x.size()), expected(x.size());
      const Evaluated one = rates(*lanes, x, found), other = rates(*search, x, expected);
      ASSERT_EQ(one, other);
      if (one == Evaluated::failed) continue;
      double size = 1;
      for (const double value : expected) size = std::max(size, std::fabs(value));
      for (std::size_t k = 0; k < x.size(); ++k)
        EXPECT_NEAR(found[k], expected[k], tolerance * size) << "entry " << k;
      touching += expected.back() != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(touching, 50);
}

TEST(BallContact, LanesAndSearchAgree) {
  expect_agreement([](System& system, std::span<const double> x,
                      std::span<double> x_dot) { return system.derivative(0.1, x, x_dot); },
                   1e-9);
}

// what touches only within the step is not found by the search, so steps are short
TEST(BallContact, LanesAndSearchAgreeOverSteps) {
  expect_agreement([](System& system, std::span<const double> x,
                      std::span<double> x_dot) { return system.step_rate(0.1, x, 1e-7, x_dot); },
                   1e-6);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
