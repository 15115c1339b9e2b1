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

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
