// The fingerprint of compiled code: each field of a model that code depends on is in it, and no
// other.
#include "compile/fingerprint.hpp"

#include <gtest/gtest.h>

#include "support/fields.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// code is made for trees
Model open_model() {
  Model model = full_model();
  model.loops.clear();
  return model;
}

TEST(Fingerprint, KnowsEachFieldThatCodeDependsOn) {
  Model model = open_model();
  // functions are known by what they do, which would be traced for every change
  model.custom.clear();
  const auto known = [](const Model& m) {
    return fingerprint(m, RobotFunction::inverse_dynamics, {}, "");
  };
  const std::string plain = known(model);
  EXPECT_EQ(known(open_model()) == plain, false);
  Model copy = model;
  copy.custom.clear();
  int code = 0, notes = 0;
  for_each_change_in(copy, "model", FieldUse::code, [&](const std::string& name, FieldUse use) {
    if (use == FieldUse::identity) return;  // the lists that were cleared
    EXPECT_EQ(known(copy) != plain, use == FieldUse::code) << name;
    ++(use == FieldUse::code ? code : notes);
  });
  EXPECT_GT(code, 60);
  EXPECT_GT(notes, 10);
}

TEST(Fingerprint, KnowsTheNumbersOfCustomJoints) {
  Model model = open_model();
  const auto known = [](const Model& m) {
    return fingerprint(m, RobotFunction::inverse_dynamics, {}, "");
  };
  Model neutral = model, parameter = model;
  neutral.custom[0].neutral[0] += 0.1;
  parameter.custom[0].parameters[0] += 0.1;
  EXPECT_NE(known(neutral), known(model));
  EXPECT_NE(known(parameter), known(model));
}

TEST(Fingerprint, KnowsTheWater) {
  Model model = open_model();
  model.custom.clear();
  FunctionOptions plain;
  plain.water.links = {{"foot", {}}};
  plain.water.links[0].hydrodynamics.cylinders = {{{}, {1, 0, 0}, 0.1}};
  plain.water.links[0].hydrodynamics.surfaces = {{{{{}, {1, 0, 0}}}, 1, 0, SphereSurface{{}, 1}}};
  plain.water.links[0].hydrodynamics.foils.resize(1);
  const auto known = [&](const FunctionOptions& options) {
    return fingerprint(model, RobotFunction::step, options, "");
  };
  int changes = 0;
  const auto expect_other = [&](auto&& change) {
    FunctionOptions other = plain;
    change(other.water, other.water.links[0].hydrodynamics);
    EXPECT_NE(known(other), known(plain)) << "change " << changes;
    ++changes;
  };
  expect_other([](CompiledWater& w, Hydrodynamics&) { w.density = 1; });
  expect_other([](CompiledWater& w, Hydrodynamics&) { w.links.clear(); });
  expect_other([](CompiledWater& w, Hydrodynamics&) { w.links[0].link = "hand"; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.added_mass.H.xy = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.displacement.volume = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.displacement.center.y = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.linear_damping[1][2] = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.quadratic_damping[5][0] = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders.clear(); });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders[0].start.z = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders[0].end.z = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders[0].radius = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders[0].coefficient = 2; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders[0].end_coefficient = 2; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.cylinders[0].skin_coefficient = 2; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces.clear(); });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].patches.clear(); });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].patches[0].point.y = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].patches[0].area.z = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].coefficient = 2; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].skin_coefficient = 2; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].sphere.reset(); });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].sphere->center.x = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.surfaces[0].sphere->radius = 2; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils.clear(); });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].center.y = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].chord.y = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].normal.y = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].area = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].slope = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].drag_coefficient = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].induced_drag = 1; });
  expect_other([](CompiledWater&, Hydrodynamics& h) { h.foils[0].most_lift = 1; });
}

TEST(Fingerprint, KnowsTheContactOfAStep) {
  Model model = open_model();
  model.custom.clear();
  FunctionOptions plain;
  plain.contact.candidates = {{"foot", {1, 2, 3}, 0.1}};
  const auto known = [&](const FunctionOptions& options) {
    return fingerprint(model, RobotFunction::step, options, "");
  };
  int changes = 0;
  const auto expect_other = [&](auto&& change) {
    FunctionOptions other = plain;
    change(other.contact);
    EXPECT_NE(known(other), known(plain)) << "change " << changes;
    ++changes;
  };
  expect_other([](StepContact& c) { c.candidates.clear(); });
  expect_other([](StepContact& c) { c.candidates.push_back(c.candidates[0]); });
  expect_other([](StepContact& c) { c.candidates[0].link = "hand"; });
  expect_other([](StepContact& c) { c.candidates[0].point.z = 4; });
  expect_other([](StepContact& c) { c.candidates[0].radius = 0.2; });
  expect_other([](StepContact& c) { c.normal = {0, 1, 0}; });
  expect_other([](StepContact& c) { c.height = 1; });
  expect_other([](StepContact& c) { c.friction = 0.3; });
  expect_other([](StepContact& c) { c.sweeps = 3; });
  expect_other([](StepContact& c) { c.correction = 0.3; });
  expect_other([](StepContact& c) { c.fastest_push = 0.3; });
  EXPECT_EQ(known(plain), known(FunctionOptions(plain)));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
