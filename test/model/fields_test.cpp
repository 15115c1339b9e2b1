// The table of a model's fields: complete, and every field arrives where it is used.
#include "model/fields.hpp"

#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include <limber/model/equality.hpp>
#include <limber/model/generate.hpp>

#include "support/fields.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct Three {
  int number = 0;
  std::string text;
  std::vector<double> list;
};
static_assert(has_members<Three, 3>);
static_assert(!has_members<Three, 2>, "a forgotten member is noticed");
static_assert(!has_members<Three, 4>);

template <class S>
void expect_distinct_names() {
  std::set<std::string> names;
  for_each_field<S>([&](const auto& field) { names.insert(field.name); });
  EXPECT_EQ(names.size(), field_count<S>);
}

TEST(Fields, AreEachThereOnce) {
  expect_distinct_names<BasicModel<double>>();
  expect_distinct_names<StepConstants<float>>();
  expect_distinct_names<BasicFrame<Dual>>();
  expect_distinct_names<Fold<double>>();
  expect_distinct_names<DofSpec>();
  expect_distinct_names<ShapeSpec>();
  expect_distinct_names<CustomJoint>();
}

TEST(Fields, EqualityNoticesEachOfThem) {
  const Model model = full_model();
  EXPECT_TRUE(equal(model, model));
  EXPECT_TRUE(equal(model, full_model()));  // of another build()
  int count = 0;
  for_each_change(model, [&](const Model& changed, const std::string& what, FieldUse) {
    EXPECT_FALSE(equal(model, changed)) << what;
    EXPECT_FALSE(equal(changed, model)) << what;
    ++count;
  });
  EXPECT_GT(count, 80);
  Model shorter = model;
  shorter.frames.pop_back();
  EXPECT_FALSE(equal(model, shorter));
}

TEST(Fields, CastKeepsEachOfThem) {
  const Model model = full_model();
  const auto check = [](const Model& m, const std::string& what) {
    EXPECT_EQ(flat(cast<double>(m)), flat(m)) << what;
    EXPECT_EQ(flat(cast<Dual>(m)), flat(m)) << what;
  };
  check(model, "unchanged");
  for_each_change(model, [&](const Model& changed, const std::string& what, FieldUse) {
    EXPECT_NE(flat(changed), flat(model)) << what;
    check(changed, what);
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
