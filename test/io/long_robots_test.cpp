// Chains of many thousand links from files: read in one pass, whatever hangs from what.
#include <limber/io/load.hpp>

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::string link(int i) { return i < 0 ? "base" : "l" + std::to_string(i); }

void expect_chain(const Spec& spec, int count) {
  ASSERT_EQ(spec.bodies.size(), static_cast<std::size_t>(count) + 1);
  ASSERT_EQ(spec.joints.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(spec.joints.back().parent, link(count - 2));
  EXPECT_EQ(spec.joints.back().child, link(count - 1));
  EXPECT_EQ(spec.bodies.back().inertia.m, 1.5);
}

TEST(LongRobots, AHundredThousandLinksInUrdf) {
  const int count = 100'000;
  std::string text = "<robot name='chain'><link name='base'/>\n";
  for (int i = 0; i < count; ++i) {
    text += "<link name='" + link(i) +
            "'><inertial><mass value='1.5'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n";
    text += "<joint name='j" + std::to_string(i) + "' type='continuous'><parent link='" +
            link(i - 1) + "'/><child link='" + link(i) + "'/></joint>\n";
  }
  expect_chain(parse_urdf(text + "</robot>", "chain.urdf"), count);
}

TEST(LongRobots, ThirtyThousandLinksInYaml) {
  const int count = 30'000;
  std::string bodies = "bodies:\n- {name: base}\n", joints = "joints:\n";
  for (int i = 0; i < count; ++i) {
    bodies += "- {name: " + link(i) + ", mass: 1.5, inertia: [1, 1, 1]}\n";
    joints += "- {name: j" + std::to_string(i) + ", kind: revolute, parent: " + link(i - 1) +
              ", child: " + link(i) + "}\n";
  }
  expect_chain(parse_yaml(bodies + joints, "chain.yaml"), count);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
