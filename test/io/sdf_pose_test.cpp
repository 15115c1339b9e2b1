// SDF: where things are, by each rule of its frames, against closed forms; and random nested models
// against a plain evaluation of their poses.
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/sdf_text.hpp"
#include "support/random.hpp"

namespace LIMBER_TEST_FILE {

using limber::Mat3;
using limber::Spec;
using limber::Transform;
using limber::Vec3;
using limber::test::error_of;
using limber::test::expect_words;
using namespace limber::test::sdf;

constexpr double half_pi = std::numbers::pi / 2;
const std::string quarter = "1.5707963267948966";

Mat3<double> about_z(double angle) { return limber::rotation<double>({0, 0, 1}, angle); }

TEST(SdfPose, OfALinkIsInItsModelAndThatOfAModelInTheWorld) {
  const Spec spec = parse(pose("1 0 0 0 0 " + quarter) + link_of("a", pose("0 1 0 0 0 0")) +
                          link_of("b", pose("")) + link_of("c"));
  expect_near(where(spec, "a"), {about_z(half_pi), {0, 0, 0}});
  expect_near(where(spec, "b"), {about_z(half_pi), {1, 0, 0}});
  expect_near(where(spec, "c"), {about_z(half_pi), {1, 0, 0}});
}

TEST(SdfPose, IsRelativeToWhatStandsLater) {
  const Spec spec = parse(link_of("a", pose("1 0 0 0 0 0", "relative_to='f'")) +
                          "<frame name='f'>" + pose("0 2 0 0 0 0", "relative_to='b'") + "</frame>" +
                          link_of("b", pose("0 0 3 0 0 " + quarter, "relative_to='__model__'")));
  expect_near(where(spec, "a"), {about_z(half_pi), {-2, 1, 3}});
  expect_near(where(spec, "f"), {about_z(half_pi), {-2, 0, 3}});
}

TEST(SdfPose, OfAFrameIsByDefaultThatOfWhatItIsAttachedTo) {
  const Spec spec = parse(link_of("a", pose("0 0 1 0 0 0")) + link_of("b", pose("0 0 5 0 0 0")) +
                          "<frame name='on_a' attached_to='a'>" + pose("1 0 0 0 0 0") + "</frame>" +
                          "<frame name='on_frame' attached_to='on_a'>" + pose("1 0 0 0 0 0") +
                          "</frame>" + "<frame name='of_model'>" + pose("0 7 0 0 0 0") +
                          "</frame>" + "<frame name='elsewhere' attached_to='b'>" +
                          pose("1 0 0 0 0 0", "relative_to='on_a'") + "</frame>");
  expect_near(where(spec, "on_a").p, {1, 0, 1});
  expect_near(where(spec, "on_frame").p, {2, 0, 1});
  expect_near(where(spec, "of_model").p, {0, 7, 0});
  expect_near(where(spec, "elsewhere").p, {2, 0, 1});
  EXPECT_EQ(spec.frames.at(1).body, "a");
  EXPECT_EQ(spec.frames.at(2).body, "a");  // the first link, which the model's frame is on
  EXPECT_EQ(spec.frames.at(3).body, "b");
}

TEST(SdfPose, OfAJointIsByDefaultThatOfItsChild) {
  const std::string links = link_of("a", pose("0 0 1 0 0 0")) + link_of("b", pose("1 0 1 0 0 0"));
  const auto anchor = [&](const std::string& content) {
    const Spec spec = parse(links + joint("j", "revolute", "a", "b", content + "<axis/>"));
    return spec.joints.at(0).placement.p;
  };
  expect_near(anchor(""), {1, 0, 0});
  expect_near(anchor(pose("0 0.5 0 0 0 0")), {1, 0.5, 0});
  expect_near(anchor(pose("0 0.5 0 0 0 0", "relative_to='a'")), {0, 0.5, 0});
  expect_near(anchor(pose("0 0.5 0 0 0 0", "relative_to='__model__'")), {0, 0.5, -1});
}

TEST(SdfPose, JointsAreFramesToo) {
  const Spec spec = parse(link_of("a") + link_of("b", pose("1 0 0 0 0 0", "relative_to='j'")) +
                          link_of("c", pose("0 0 2 0 0 0")) +
                          joint("j", "revolute", "a", "c", pose("0 3 0 0 0 0") + "<axis/>") +
                          joint("weld", "fixed", "c", "b"));
  expect_near(where(spec, "b").p, {1, 3, 2});
}

TEST(SdfPose, RotationsAsAnglesDegreesAndQuaternions) {
  const auto turn = [](const std::string& numbers, const std::string& attributes = "") {
    return where(parse(link_of("a", pose(numbers, attributes))), "a").R;
  };
  const Mat3<double> expected = limber::rotation_from_rpy(0.1, 0.2, 0.3);
  expect_near(turn("0 0 0 0.1 0.2 0.3"), expected);
  expect_near(turn("0 0 0 0 0 90", "degrees='true'"), about_z(half_pi));
  const double h = std::sqrt(0.5);
  expect_near(turn(fmt::format("1 2 3 0 0 {0} {0}", h), "rotation_format='quat_xyzw'"),
              about_z(half_pi));
  expect_near(turn("1 2 3 0 0 3 3", "rotation_format='quat_xyzw'"), about_z(half_pi));
  // roll about the fixed x first
  expect_near(expected.row(2),
              {-std::sin(0.2), std::cos(0.2) * std::sin(0.1), std::cos(0.2) * std::cos(0.1)});
}

TEST(SdfPose, OldFilesCallItFrame) {
  const Spec spec =
      parse(link_of("a", pose("1 0 0 0 0 0")) + link_of("b", pose("0 1 0 0 0 0", "frame='a'")) +
                link_of("c", pose("0 1 0 0 0 0", "frame=''")),
            "1.6");
  expect_near(where(spec, "b").p, {1, 1, 0});
  expect_near(where(spec, "c").p, {0, 1, 0});
}

TEST(SdfPose, NestedModelsHaveScopes) {
  const std::string hand =
      "<model name='hand'>" + pose("0 0 1 0 0 " + quarter) + link_of("palm", pose("1 0 0 0 0 0")) +
      "<frame name='grip' attached_to='palm'>" + pose("0 1 0 0 0 0") + "</frame></model>";
  const Spec spec = parse(pose("10 0 0 0 0 0") + link_of("arm") + hand +
                          link_of("camera", pose("1 0 0 0 0 0", "relative_to='hand::grip'")) +
                          link_of("light", pose("1 0 0 0 0 0", "relative_to='hand'")) +
                          link_of("fan", pose("1 0 0 0 0 0", "relative_to='hand::__model__'")));
  EXPECT_EQ(spec.name, "m");
  expect_near(where(spec, "hand::palm"), {about_z(half_pi), {10, 1, 1}});
  expect_near(where(spec, "hand::grip").p, {9, 1, 1});
  expect_near(where(spec, "camera").p, {9, 2, 1});
  expect_near(where(spec, "light").p, {10, 1, 1});
  expect_near(where(spec, "fan").p, {10, 1, 1});
  // names of the outer model are not seen within
  expect_words(error_of([] {
                 parse(link_of("arm") + "<model name='hand'>" +
                       link_of("palm", pose("", "relative_to='arm'")) + "</model>");
               }),
               {"robot.sdf:1", "link 'hand::palm'", "'arm' does not exist in this model"});
}

TEST(SdfPose, PlacementFrameIsPutWhereThePoseSays) {
  const std::string content = link_of("base") + link_of("tip", pose("0 0 2 0 0 " + quarter));
  const Spec spec = parse(pose("5 0 0 0 0 0") + content, "1.9", "placement_frame='tip'");
  expect_near(where(spec, "tip"), {Mat3<double>::identity(), {5, 0, 0}});
  expect_near(where(spec, "base"), {about_z(-half_pi), {5, 0, -2}});
  // of a nested model, by a frame of a model nested in it
  const Spec nested =
      parse(link_of("a", pose("0 3 0 0 0 0")) + "<model name='n' placement_frame='inner::f'>" +
            pose("1 0 0 0 0 0", "relative_to='a'") + link_of("b") +
            "<model name='inner' placement_frame='c'>" + pose("0 0 1 0 0 0") +
            link_of("c", pose("0 0 8 0 0 0")) + "<frame name='f' attached_to='c'>" +
            pose("0 1 0 0 0 0") + "</frame></model></model>");
  expect_near(where(nested, "n::inner::f").p, {1, 3, 0});
  expect_near(where(nested, "n::inner::c").p, {1, 2, 0});
  expect_near(where(nested, "n::b").p, {1, 2, -1});
}

TEST(SdfPose, TheModelsFrameIsOnItsCanonicalLink) {
  const std::string content = "<frame name='f'/>" + link_of("a") + link_of("b");
  EXPECT_EQ(parse(content).frames.at(0).body, "a");
  EXPECT_EQ(parse(content, "1.9", "canonical_link='b'").frames.at(0).body, "b");
  // a model without links has that of its first nested one
  const std::string inner = "<model name='n'>" + link_of("c") + "</model>";
  EXPECT_EQ(parse("<frame name='f'/>" + inner).frames.at(0).body, "n::c");
  EXPECT_EQ(parse("<frame name='f'/>" + inner, "1.9", "canonical_link='n::c'").frames.at(0).body,
            "n::c");
}

TEST(SdfPose, ShapesMayBeRelativeToOtherFrames) {
  const Spec spec = parse(link_of("a", pose("0 0 1 0 0 " + quarter) + "<visual name='v'>" +
                                           pose("1 0 0 0 0 0", "relative_to='f'") +
                                           "<geometry><box><size>1 2 3</size></box></geometry>"
                                           "</visual>") +
                          "<frame name='f'>" + pose("0 5 0 0 0 0") + "</frame>");
  // (1, 5, 0) in the model
  expect_near(spec.bodies.at(0).shapes.at(0).placement, {about_z(-half_pi), {5, -1, -1}});
}

TEST(SdfPose, CyclesAreNamed) {
  const auto frame = [](const std::string& name, const std::string& attached,
                        const std::string& relative) {
    return "<frame name='" + name + "' attached_to='" + attached + "'>" +
           pose("", "relative_to='" + relative + "'") + "</frame>";
  };
  expect_words(error_of([&] { parse(link_of("l") + frame("a", "b", "l") + frame("b", "a", "l")); }),
               {"frame 'a'", "attached_to leads back to itself", "a → b"});
  expect_words(error_of([&] { parse(link_of("l") + frame("a", "l", "b") + frame("b", "l", "a")); }),
               {"frame 'a'", "relative_to leads back to itself", "a → b"});
  expect_words(error_of([&] { parse(link_of("l", pose("", "relative_to='l'"))); }),
               {"link 'l'", "relative_to leads back to itself"});
  // a long way is no cycle
  std::string chain = link_of("f0");
  for (int k = 1; k <= 20000; ++k)
    chain += fmt::format("<frame name='f{}' attached_to='f{}'><pose>0.5 0 0 0 0 0</pose></frame>",
                         k, k - 1);
  const Spec spec = parse(chain);
  EXPECT_EQ(spec.frames.back().body, "f0");
  EXPECT_EQ(spec.frames.back().placement.p.x, 10000);
}

// --- random nested models: objects that hold each other, evaluated by plain recursion ---

struct Thing {
  enum class Kind { model, link, frame } kind = Kind::model;
  std::string name;          // in its model
  Thing* outer = nullptr;    // the model it is in
  Thing* base = nullptr;     // what its pose is relative to; null: the default
  Transform<double> offset;  // the pose as written
  double numbers[6]{};
  Thing* placement = nullptr;  // of a model
  std::vector<std::unique_ptr<Thing>> content;
};

// 4×4 by hand
using Matrix = std::array<std::array<double, 4>, 4>;
Matrix one() {
  Matrix m{};
  for (std::size_t i = 0; i < 4; ++i) m[i][i] = 1;
  return m;
}
Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
Matrix inverted(const Matrix& a) {
  Matrix b = one();
  for (std::size_t i = 0; i < 3; ++i) {
    b[i][3] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      b[i][j] = a[j][i];
      b[i][3] -= a[j][i] * a[j][3];
    }
  }
  return b;
}
Matrix offset_of(const Thing& thing) {
  const double* n = thing.numbers;
  const double cr = std::cos(n[3]), sr = std::sin(n[3]), cp = std::cos(n[4]), sp = std::sin(n[4]),
               cy = std::cos(n[5]), sy = std::sin(n[5]);
  return {{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, n[0]},
           {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, n[1]},
           {-sp, cp * sr, cp * cr, n[2]},
           {0, 0, 0, 1}}};
}

// the pose of a thing in a model around it (null: the world)
Matrix pose_in(const Thing& thing, const Thing* around) {
  if (&thing == around) return one();
  const Thing* base = thing.base ? thing.base : thing.outer;
  const Matrix placed = base ? times(pose_in(*base, around), offset_of(thing)) : offset_of(thing);
  if (!thing.placement) return placed;
  return times(placed, inverted(pose_in(*thing.placement, &thing)));
}

void collect(Thing& thing, std::vector<Thing*>& all) {
  for (const auto& one : thing.content) {
    all.push_back(one.get());
    if (one->kind == Thing::Kind::model) collect(*one, all);
  }
}

// how a thing is called from within a model around it
std::string name_from(const Thing& thing, const Thing& model) {
  return thing.outer == &model ? thing.name : name_from(*thing.outer, model) + "::" + thing.name;
}

void fill(Thing& model, limber::test::Random& random, int levels) {
  const int count = random.integer(1, 5);
  for (int k = 0; k < count; ++k) {
    auto thing = std::make_unique<Thing>();
    thing->outer = &model;
    thing->name = "t" + std::to_string(k);
    const int kind = k == 0 ? 1 : random.integer(0, levels > 0 ? 2 : 1);
    thing->kind = kind == 0   ? Thing::Kind::frame
                  : kind == 1 ? Thing::Kind::link
                              : Thing::Kind::model;
    for (double& number : thing->numbers) number = random.uniform(-2, 2);
    // relative to something that is placed already, perhaps in a model that is nested
    std::vector<Thing*> known;
    collect(model, known);
    if (!known.empty() && random.integer(0, 1) == 1)
      thing->base =
          known[static_cast<std::size_t>(random.integer(0, static_cast<int>(known.size()) - 1))];
    if (thing->kind == Thing::Kind::model) fill(*thing, random, levels - 1);
    model.content.push_back(std::move(thing));
  }
  std::vector<Thing*> within;
  collect(model, within);
  if (random.integer(0, 1) == 1)
    model.placement =
        within[static_cast<std::size_t>(random.integer(0, static_cast<int>(within.size()) - 1))];
}

std::string write(const Thing& thing) {
  const char* tag = thing.kind == Thing::Kind::model  ? "model"
                    : thing.kind == Thing::Kind::link ? "link"
                                                      : "frame";
  std::string text = fmt::format("<{} name='{}'", tag, thing.name);
  if (thing.placement)
    text += fmt::format(" placement_frame='{}'", name_from(*thing.placement, thing));
  text += ">";
  // the last one first, so that names stand before what they name
  for (std::size_t k = thing.content.size(); k-- > 0;) text += write(*thing.content[k]);
  const double* n = thing.numbers;
  text += fmt::format(
      "<pose{}>{} {} {} {} {} {}</pose></{}>\n",
      thing.base ? fmt::format(" relative_to='{}'", name_from(*thing.base, *thing.outer)) : "",
      n[0], n[1], n[2], n[3], n[4], n[5], tag);
  return text;
}

TEST(SdfPose, RandomNestedModels) {
  limber::test::Random random(71);
  std::size_t compared = 0;
  for (int round = 0; round < 60; ++round) {
    Thing robot;
    robot.name = "robot";
    for (double& number : robot.numbers) number = random.uniform(-2, 2);
    fill(robot, random, 3);
    const std::string text = "<sdf version='1.10'>" + write(robot) + "</sdf>";
    const Spec spec = limber::parse_sdf(text);
    std::vector<Thing*> all;
    collect(robot, all);
    for (const Thing* thing : all) {
      if (thing->kind == Thing::Kind::model) continue;
      const std::string name = name_from(*thing, robot);
      const Transform<double> found = where(spec, name);
      const Matrix expected = pose_in(*thing, nullptr);
      for (int i = 0; i < 3; ++i) {
        const auto row = static_cast<std::size_t>(i);
        EXPECT_NEAR(found.p[i], expected[row][3], 1e-12) << name << "\n" << text;
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(found.R.row(i)[j], expected[row][static_cast<std::size_t>(j)], 1e-12) << name;
      }
      ++compared;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 300u);
}

}  // namespace LIMBER_TEST_FILE
