// Robot files of the field, where a collection lies beside the source tree, as other kinds of files
// and back: the same dynamics, unless the other kind lacks something, which is then named.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/same_dynamics.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

using limber::Error;
using limber::RobotFormat;
using limber::Spec;
using limber::WrittenRobot;
using limber::test::expect_same_dynamics;
using limber::test::keeps_dynamics;
using limber::test::text_of;

const fs::path collection = fs::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots";

// calls f(file name, spec) for all robots that load and are not too large
template <class F>
void for_each_robot(const std::string& extension, const F& f) {
  for (const auto& entry : fs::recursive_directory_iterator(collection)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(extension) || name.starts_with("100_")) continue;
    std::optional<Spec> spec;
    try {
      spec = limber::load_spec(entry.path().string());
      build(*spec);
    } catch (const Error&) {
      continue;  // the tests of the readers say why
    }
    SCOPED_TRACE(name);
    f(name, *spec);
  }
}

Spec without_mimics(Spec spec) {
  for (limber::JointSpec& joint : spec.joints) joint.mimic.reset();
  return spec;
}

TEST(Collection, UrdfAsMjcfAndBack) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  int whole = 0;
  for_each_robot(".urdf", [&](const std::string& name, const Spec& spec) {
    const WrittenRobot written = write_robot(spec, RobotFormat::mjcf);
    const Spec back = limber::parse_mjcf(written.text, name + ".xml");
    // what MJCF lacks is that joints follow each other: the tree without that is the same
    if (keeps_dynamics(written.losses)) ++whole, expect_same_dynamics(spec, back);
    else expect_same_dynamics(without_mimics(spec), back);
  });
  EXPECT_GE(whole, 10);
}

TEST(Collection, UrdfAsUrdfAndYamlAndBack) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  for_each_robot(".urdf", [&](const std::string& name, const Spec& spec) {
    // ball joints that a file beside the URDF names
    const auto is_ball = [](const limber::JointSpec& joint) {
      return joint.kind == limber::JointKind::spherical;
    };
    if (std::any_of(spec.joints.begin(), spec.joints.end(), is_ball)) {
      EXPECT_THROW(write_robot(spec, RobotFormat::urdf), Error);
      return;
    }
    const WrittenRobot urdf = write_robot(spec, RobotFormat::urdf);
    EXPECT_TRUE(keeps_dynamics(urdf.losses)) << text_of(urdf.losses);
    expect_same_dynamics(spec, limber::parse_urdf(urdf.text, name));
    const WrittenRobot yaml = write_robot(spec, RobotFormat::yaml);
    if (yaml.losses.empty()) {
      EXPECT_TRUE(compare(spec, limber::parse_yaml(yaml.text, name), 1e-300).equal());
    }
  });
}

TEST(Collection, MjcfAsMjcfAndYamlAndBack) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  for_each_robot(".mjcf.xml", [&](const std::string& name, const Spec& spec) {
    const WrittenRobot mjcf = write_robot(spec, RobotFormat::mjcf);
    EXPECT_TRUE(keeps_dynamics(mjcf.losses)) << text_of(mjcf.losses);
    const Spec back = limber::parse_mjcf(mjcf.text, name);
    expect_same_dynamics(spec, back);
    EXPECT_EQ(back.loops.size(), spec.loops.size());
    const WrittenRobot yaml = write_robot(spec, RobotFormat::yaml);
    EXPECT_TRUE(yaml.losses.empty()) << text_of(yaml.losses);
    EXPECT_TRUE(compare(spec, limber::parse_yaml(yaml.text, name), 1e-300).equal());
  });
}

TEST(Collection, SdfAsSdfAndYamlAndBack) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  for_each_robot(".sdf", [&](const std::string& name, const Spec& spec) {
    const WrittenRobot yaml = write_robot(spec, RobotFormat::yaml);
    EXPECT_TRUE(yaml.losses.empty()) << text_of(yaml.losses);
    EXPECT_TRUE(compare(spec, limber::parse_yaml(yaml.text, name), 1e-300).equal());
    const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
    const std::string file = testing::TempDir() + name + "_again.sdf";
    std::ofstream(file) << written.text;
    const Spec back = limber::load_spec(file);
    fs::remove(file);
    if (keeps_dynamics(written.losses)) {
      expect_same_dynamics(spec, back);
      EXPECT_EQ(back.loops.size(), spec.loops.size());
    } else {
      std::printf("%s as SDF:\n%s", name.c_str(), text_of(written.losses).c_str());
    }
  });
}

TEST(Collection, UrdfAsSdfAndBack) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  int whole = 0;
  for_each_robot(".urdf", [&](const std::string&, const Spec& spec) {
    const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
    const Spec back = limber::parse_sdf(written.text);
    if (!keeps_dynamics(written.losses)) return;
    ++whole;
    expect_same_dynamics(spec, back);
  });
  EXPECT_GE(whole, 10);
}

}  // namespace LIMBER_TEST_FILE
