// Files from strangers: what is no ordinary file, too deep, too large or not clean text is refused
// with file and line, and large robots load.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::load_spec;
using limber::parse_urdf;
using limber::parse_yaml;
using limber::test::error_of;
using limber::test::expect_words;

namespace fs = std::filesystem;

class Limits : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  const fs::path folder_ =
      fs::temp_directory_path() / (std::string("limber_limits_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST_F(Limits, OnlyOrdinaryFilesAreRead) {
  const fs::path pipe = folder_ / "pipe.urdf", zero = folder_ / "zero.yaml";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", zero);
  for (const fs::path& file : {pipe, zero})
    expect_words(error_of([&] { load_spec(file.string()); }),
                 {file.string(), "pipe", "device", "ordinary"});
  expect_words(error_of([&] { load_spec("/dev/null"); }), {"/dev/null", "device"});
  fs::create_directory(folder_ / "folder.urdf");
  expect_words(error_of([&] { load_spec((folder_ / "folder.urdf").string()); }), {"folder"});
  const fs::path loop = folder_ / "loop.yaml";
  fs::create_symlink("loop.yaml", loop);
  expect_words(error_of([&] { load_spec(loop.string()); }), {"loop.yaml", "cannot be opened"});
  expect_words(error_of([&] { load_spec(std::string(5000, 'a') + ".yaml"); }),
               {"cannot be opened"});
}

TEST_F(Limits, FilesBeyondTheLimitAreNotRead) {
  for (const char* name : {"large.urdf", "large.yaml"}) {
    const fs::path file = folder_ / name;
    std::ofstream(file) << "<robot";
    fs::resize_file(file, std::uintmax_t{1} << 40);  // a hole: takes no space on the disk
    expect_words(error_of([&] { load_spec(file.string()); }), {name, "more than 1073 MB"});
  }
}

TEST_F(Limits, DeepNestingIsRefusedWithItsLine) {
  const int depth = 100'000;
  expect_words(error_of([&] { parse_yaml("a: 1\nbodies: " + repeated("[", depth), "deep.yaml"); }),
               {"deep.yaml:2", "nested"});
  expect_words(error_of([&] { parse_yaml("\n" + repeated("{a: ", depth), "deep.yaml"); }),
               {"deep.yaml:2", "nested"});
  expect_words(error_of([&] { parse_yaml("\n\n" + repeated("- ", depth), "deep.yaml"); }),
               {"deep.yaml:3"});
  expect_words(
      error_of([&] { parse_urdf("<robot name='x'>\n" + repeated("<a>", depth), "deep.urdf"); }),
      {"deep.urdf:2", "nested too deeply"});
  const std::string number = repeated("(", depth) + "1" + repeated(")", depth);
  expect_words(
      error_of([&] { parse_yaml("bodies: [{name: a, mass: \"" + number + "\"}]", "deep.yaml"); }),
      {"deep.yaml:1", "mass"});
}

TEST_F(Limits, AttributesOfOneElementAreCounted) {
  std::string many = "<robot name='r'>\n<link name='a'";
  for (int i = 0; i < 100'000; ++i) many += " a" + std::to_string(i) + "='1'";
  expect_words(error_of([&] { parse_urdf(many + "/></robot>", "many.urdf"); }),
               {"many.urdf:2", "more than 1000 attributes"});
}

TEST_F(Limits, AliasesDoNotGrowBeyondALimit) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int k = 1; k < 10; ++k) laughs += ", " + below;
    laughs += "]\n";
  }
  expect_words(error_of([&] { parse_yaml(laughs, "laughs.yaml"); }),
               {"laughs.yaml:", "aliases", "1000000"});
  // the same list of shapes for every body: allowed while it is small
  const std::string shared =
      "bodies:\n"
      "- {name: a, mass: 1, shapes: &s [{kind: sphere, size: [1]}]}\n"
      "- {name: b, mass: 1, shapes: *s}\n";
  EXPECT_EQ(parse_yaml(shared).bodies[1].shapes.size(), 1u);
  expect_words(error_of([] { parse_yaml("bodies: &b [*b]\n", "self.yaml"); }),
               {"self.yaml:1", "alias", "within"});
  expect_words(error_of([] { parse_yaml("bodies: [*nobody]\n", "none.yaml"); }), {"none.yaml:1"});
}

TEST_F(Limits, NamesAreCleanText) {
  const auto link = [](const std::string& name) {
    return "<robot name='r'>\n<link name='a'/>\n<link name='" + name + "'/></robot>";
  };
  for (const char* bad : {"a&#0;b", "a&#x0;b", "a&#27;[31m", "a&#xD800;", "a&#x110000;", "a&#;",
                          "a&nbsp;b", "a&lt", "a & b"})
    expect_words(error_of([&] { parse_urdf(link(bad), "bad.urdf"); }),
                 {"bad.urdf:3", "no entity that XML defines", "&amp;"});
  for (const char* bad : {"a\x1b[31mb", "a\x01", "a\xff", "a\xc0\xaf", "a\xc2\x9b"})
    expect_words(error_of([&] { parse_urdf(link(bad), "bad.urdf"); }), {"bad.urdf:3", "UTF-8"});
  for (const char* bad : {"a\nb", "a\tb", "a&#10;b", "a&#13;b", "a&#x9b;b"})
    expect_words(error_of([&] { parse_urdf(link(bad), "bad.urdf"); }),
                 {"bad.urdf:3", "name of <link>", "control character"});
  expect_words(error_of([&] { parse_urdf(link(std::string("a\0b", 3)), "bad.urdf"); }),
               {"bad.urdf:3", "zero byte"});
  for (const char* good : {"a b", "a&quot;b", "größe", "&#x624B;", "&amp;&lt;"})
    EXPECT_EQ(parse_urdf(link(good)).bodies.size(), 2u);
  // comments may be in any encoding
  EXPECT_EQ(parse_urdf("<robot name='r'><!-- gr\xf6\xdf"
                       "e & <b> &x; --><link name='a'/></robot>")
                .bodies.size(),
            1u);
  for (const char* other :
       {"<joint name='a\nb' type='fixed'><parent link='a'/><child link='b'/></joint>",
        "<joint name='j' type='fixed'><parent link='a\nb'/><child link='b'/></joint>",
        "<frame name='a\nb' link='a'/>",
        "<link name='b'><visual name='x\ny'><geometry><sphere "
        "radius='1'/></geometry></visual></link>",
        "<material name='x\ny'><color rgba='1 1 1 1'/></material>"})
    expect_words(error_of([&] {
                   parse_urdf("<robot name='r'><link name='a'/>" + std::string(other) + "</robot>",
                              "bad.urdf");
                 }),
                 {"bad.urdf:1", "control character"});
  expect_words(
      error_of([] { parse_urdf("<robot name='a\nb'><link name='a'/></robot>", "b.urdf"); }),
      {"b.urdf:1", "name of <robot>"});

  for (const char* bad :
       {"\"a\\nb\"", "\"a\\tb\"", "\"a\\eb\"", "\"a\\0b\"", "\"a\\x9bb\"", "a\xff"}) {
    for (const std::string& text :
         {"bodies:\n- {name: " + std::string(bad) + "}\n",
          "bodies: [{name: a}]\njoints:\n- {name: " + std::string(bad) +
              ", kind: fixed, parent: world, child: a}\n",
          "bodies: [{name: a}]\nname: " + std::string(bad) + "\n",
          "convention: standard\njoints:\n- {name: " + std::string(bad) + "}\n"}) {
      const std::string message = error_of([&] { parse_yaml(text, "bad.yaml"); });
      expect_words(message, {"bad.yaml:", "UTF-8"});
      EXPECT_EQ(message.find_first_of("\n\t\x1b"), std::string::npos) << message;
    }
  }
}

TEST_F(Limits, TinyNumbersAreNumbers) {
  const auto spec = parse_yaml("bodies: [{name: a, mass: 1, com: [1e-310, 1e-400, -1e-400]}]");
  EXPECT_EQ(spec.bodies[0].inertia.h.x, 1e-310);
  EXPECT_EQ(spec.bodies[0].inertia.h.y, 0);
  expect_words(error_of([] { parse_yaml("bodies: [{name: a, mass: 1e400}]"); }), {"not a finite"});
}

// a star of revolute joints, or fixed links, as text
std::string large_robot(int links, bool urdf, bool fixed) {
  std::string bodies, joints;
  for (int i = 0; i < links; ++i) {
    const std::string n = std::to_string(i);
    if (urdf) {
      bodies += "<link name='l" + n + "'><inertial><mass value='1'/></inertial></link>\n";
      joints += "<joint name='j" + n + "' type='" + (fixed ? "fixed" : "continuous") +
                "'><parent link='base'/><child link='l" + n + "'/></joint>\n";
    } else {
      bodies += "- {name: l" + n + ", mass: 1}\n";
      joints += "- {name: j" + n + ", kind: " + (fixed ? "fixed" : "revolute") +
                ", parent: base, child: l" + n + "}\n";
    }
  }
  return urdf ? "<robot name='r'><link name='base'/>" + bodies + joints + "</robot>"
              : "bodies:\n- {name: base}\n" + bodies + "joints:\n" + joints;
}

TEST_F(Limits, LargeRobotsLoad) {
  const int links = 20'000;
  for (const bool fixed : {false, true})
    for (const bool urdf : {false, true}) {
      const std::string text = large_robot(links, urdf, fixed);
      const limber::Model model = build(urdf ? parse_urdf(text) : parse_yaml(text));
      EXPECT_EQ(model.nv, fixed ? 0 : links);
      EXPECT_EQ(model.mass(), links);
    }
}

}  // namespace LIMBER_TEST_FILE
