// The folder of compiled code: what is not safe, not complete or not this robot's is not loaded.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limber/compile/source.hpp>
#include <limber/io/load.hpp>

#include "compile/code_cache.hpp"
#include "compile/compiled_robot_support.hpp"
#include "compile/function_code.hpp"
#include "compile/sha256.hpp"
#include "compile/source_text.hpp"
#include "support/message.hpp"

/// A system that gives no files in memory.
static bool refuses_files_in_memory = false;
extern "C" int memfd_create(const char* name, unsigned flags) noexcept {
  if (!refuses_files_in_memory) return static_cast<int>(syscall(SYS_memfd_create, name, flags));
  errno = ENOSYS;
  return -1;
}

namespace limber::test {
namespace LIMBER_TEST_FILE {

class CodeCacheTest : public CompiledRobotTest {
 protected:
  ~CodeCacheTest() override { refuses_files_in_memory = false; }

  CompiledRobot compiled() const { return compile(model_, only(RobotFunction::inverse_dynamics)); }
  std::string library() const { return cache() + "/" + files().at(0); }
  /// What is in the cache is not used: it is built again, and it is right.
  void expect_built_again() const {
    const int before = calls();
    const CompiledRobot robot = compiled();
    EXPECT_EQ(robot.notice(), "");
    EXPECT_TRUE(robot.is_machine_code(RobotFunction::inverse_dynamics));
    EXPECT_EQ(calls(), before + 1);
    expect_right_torques(model_, robot);
    expect_kept();
  }
  void expect_kept() const {
    const int before = calls();
    expect_right_torques(model_, compiled());
    EXPECT_EQ(calls(), before);
  }
  /// Code that runs when a library is loaded: it leaves a mark.
  std::string attack() const {
    return fmt::format(
        "\r#include <stdio.h>\r#ifndef TEXT\r#define TEXT(x) #x\r__attribute__((constructor)) "
        "static void attack(void) {{ fclose(fopen(TEXT({}), TEXT(w))); }}\r#endif\r//",
        mark());
  }
  std::string mark() const { return folder_.path() + "/mark"; }
  bool is_marked() const { return std::filesystem::exists(mark()); }

  Model model_ = load("pendulum");
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// the standard's examples, and lengths around a block
TEST(Sha256, KnownSums) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  const Folder folder;
  for (const std::size_t length : {55U, 56U, 63U, 64U, 65U, 119U, 120U, 128U}) {
    folder.write("text", std::string(length, 'x'));
    EXPECT_EQ(run_in(folder.path(), "sha256sum < text").output.substr(0, 64),
              sha256(std::string(length, 'x')))
        << length;
    Sha256 in_pieces;
    for (std::size_t i = 0; i < length; ++i) in_pieces.add("x", 1);
    EXPECT_EQ(in_pieces.hexadecimal(), sha256(std::string(length, 'x')));
  }
}

TEST_F(CodeCacheTest, DamagedCodeIsBuiltAgain) {
  compiled();
  std::filesystem::resize_file(library(), std::filesystem::file_size(library()) / 2);
  expect_built_again();  // the loader would map what is not there any more
  std::string flipped = bytes_of(library());
  flipped[flipped.size() / 3] = static_cast<char>(flipped[flipped.size() / 3] ^ 4);
  write_bytes(library(), flipped);
  expect_built_again();
  const std::string whole = bytes_of(library());
  EXPECT_TRUE(kept_library(library()));
  auto expect_refused = [&](const std::string& bytes) {
    write_bytes(library(), bytes);
    EXPECT_FALSE(kept_library(library())) << bytes.size() << " of " << whole.size();
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, whole.size() - 81, whole.size() - 80, whole.size() - 1})
    expect_refused(whole.substr(0, size));
  for (std::size_t place = 0; place < whole.size(); place += 1 + whole.size() / 100) {
    flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ 1);
    expect_refused(flipped);
  }
  expect_refused(whole + "more");
  expect_refused(whole + whole);
}

TEST_F(CodeCacheTest, LibraryOfAnotherNameIsNotLoaded) {
  compiled();
  const std::string bytes = bytes_of(library());
  model_.gravity.z *= 2;
  compiled();
  for (const std::string& file : files()) write_bytes(cache() + "/" + file, bytes);
  const int before = calls();
  expect_right_torques(model_, compiled());
  EXPECT_EQ(calls(), before + 1);
}

TEST_F(CodeCacheTest, LibraryPutIntoTheFolderIsNotLoaded) {
  compiled();
  std::string text = attack();
  std::replace(text.begin(), text.end(), '\r', '\n');
  folder_.write("attack.c", text);
  ASSERT_EQ(run_in(folder_.path(), "cc -shared -fPIC attack.c -o attack.so").status, 0);
  write_bytes(library(), bytes_of(folder_.path() + "/attack.so"));
  expect_built_again();
  const std::string place = library();
  std::filesystem::remove(place);
  std::filesystem::create_symlink(folder_.path() + "/attack.so", place);
  expect_built_again();
  EXPECT_FALSE(is_marked());
}

// a stranger's robot, compiled first, has the numbers of the honest one
TEST_F(CodeCacheTest, HonestRobotDoesNotLoadWhatWasBuiltForAHostileOne) {
  const Model honest = model_;
  model_.name = "pendulum" + attack();
  model_.joint_name[1] = "?\?/\"};" + attack();
  model_.frames[0].name = model_.name;
  expect_right_torques(model_, compiled());
  EXPECT_EQ(calls(), 1);
  EXPECT_FALSE(is_marked());
  model_ = honest;
  expect_built_again();
  EXPECT_EQ(files().size(), 2U);
  EXPECT_FALSE(is_marked());
}

TEST(RunTimeCode, CarriesNoNames) {
  FunctionOptions options;
  options.parameters = {free_parameter("payload:tip"), free_parameter("gear:turn")};
  auto texts = [&](const Model& model) {
    std::string all;
    for (const RobotFunction f : {RobotFunction::kinematics, RobotFunction::jacobians,
                                  RobotFunction::inverse_dynamics, RobotFunction::step}) {
      TracedRobot robot = trace_robot(model, {{f}, {}, options, "robot"});
      remove_names(robot);
      const LibrarySource source = library_source(robot, KernelNumbers::only_double);
      for (const auto* files : {&source.headers, &source.units})
        for (const GeneratedFile& file : *files) all += file.name + "\n" + file.text;
      for (const GeneratedFile& file : write_source(robot, {Target::cuda}))
        all += file.name + "\n" + file.text;
    }
    return all;
  };
  Spec spec = load_spec("every_joint");
  const std::string plain = texts(build(spec));
  EXPECT_EQ(plain.find("every_joint"), std::string::npos);
  spec.name = "another";
  for (JointSpec& joint : spec.joints) {
    joint.name += "_2";
    if (joint.mimic) joint.mimic->joint += "_2";
  }
  for (FrameSpec& frame : spec.frames) frame.name += "_2";
  options.parameters = {free_parameter("payload:tip_2"), free_parameter("gear:turn_2")};
  EXPECT_TRUE(texts(build(spec)) == plain);
}

// not by a path behind which another file may be by now
TEST_F(CodeCacheTest, CodeIsLoadedByADescriptor) {
  for (const bool refuses : {false, true}) {
    refuses_files_in_memory = refuses;
    compiled();  // built, then found
    const CompiledRobot robot = compiled();
    EXPECT_TRUE(robot.is_machine_code(RobotFunction::inverse_dynamics));
    const std::string maps = bytes_of("/proc/self/maps");
    EXPECT_EQ(maps.find(".so\n", maps.find(cache())), std::string::npos) << maps;
    EXPECT_EQ(maps.find("inverse_dynamics-"), std::string::npos);
    EXPECT_NE(maps.find(refuses ? cache() + "/library." : "memfd:limber"), std::string::npos);
    std::filesystem::resize_file(library(), 0);
    expect_right_torques(model_, robot);
    EXPECT_EQ(files().size(), 1U);
  }
}

// the loader takes a path that it has seen for the library that it has
TEST_F(CodeCacheTest, EachRobotGetsItsOwnCode) {
  for (int i = 0; i < 2; ++i) {
    model_.gravity.z -= 1;
    expect_right_torques(model_, compiled());
    expect_kept();
  }
}

TEST_F(CodeCacheTest, FolderBelowOneThatOthersMayWriteIsRefused) {
  const std::string above = folder_.path() + "/cache";
  std::filesystem::create_directories(cache());
  for (const mode_t mode : {0777U, 0770U}) {
    ASSERT_EQ(chmod(above.c_str(), mode), 0);
    const CompiledRobot robot = compiled();
    EXPECT_FALSE(robot.is_machine_code(RobotFunction::inverse_dynamics));
    EXPECT_TRUE(mentions(robot.notice(),
                         {"others may write into the folder " + above, cache(), "LIMBER_CACHE"}));
    expect_right_torques(model_, robot);
  }
  EXPECT_EQ(calls(), 0);
  EXPECT_TRUE(files().empty());
  ASSERT_EQ(chmod(above.c_str(), 01777), 0);  // as /tmp
  EXPECT_EQ(compiled().notice(), "");
}

TEST_F(CodeCacheTest, FolderBelowOneOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives folders away";
  std::filesystem::create_directories(cache());
  const std::string above = folder_.path() + "/cache";
  ASSERT_EQ(chown(above.c_str(), 12345, static_cast<gid_t>(-1)), 0);
  EXPECT_TRUE(mentions(compiled().notice(), {above + " above it belongs to another user"}));
}

/// A process that was there and is gone.
pid_t ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST_F(CodeCacheTest, FoldersOfKilledBuildsAreRemovedAfterADay) {
  namespace fs = std::filesystem;
  fs::create_directories(cache());
  ASSERT_EQ(chmod(cache().c_str(), S_IRWXU), 0);
  const std::string gone = std::to_string(ended_process()), here = std::to_string(getpid());
  const auto left_behind = [&](const std::string& name, std::chrono::hours age) {
    fs::create_directory(cache() + "/" + name);
    std::ofstream(cache() + "/" + name + "/library.cpp") << "// half done";
    fs::last_write_time(cache() + "/" + name, fs::file_time_type::clock::now() - age);
  };
  using std::chrono::hours;
  left_behind("mass.so." + gone + ".Ab3xY9", hours(25));  // the only stale one
  left_behind("mass.so." + gone + ".Ab3xY8", hours(23));
  left_behind("mass.so." + here + ".Ab3xY7", hours(25));
  left_behind("notes." + gone, hours(25));
  left_behind("a.12x." + gone + "x.Ab3xY6", hours(25));
  compile(load("pendulum"), only(RobotFunction::inverse_dynamics));
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(cache()))
    if (entry.is_directory()) folders.insert(entry.path().filename().string());
  EXPECT_EQ(folders,
            (std::set<std::string>{"mass.so." + gone + ".Ab3xY8", "mass.so." + here + ".Ab3xY7",
                                   "notes." + gone, "a.12x." + gone + "x.Ab3xY6"}));
}

TEST_F(CodeCacheTest, FolderThatOthersMayWriteIsRefused) {
  const Model model = load("pendulum");
  std::filesystem::create_directories(cache());
  for (const mode_t mode : {0777U, 0720U}) {
    ASSERT_EQ(chmod(cache().c_str(), mode), 0);
    const CompiledRobot robot = compile(model, only(RobotFunction::inverse_dynamics));
    EXPECT_FALSE(robot.is_machine_code(RobotFunction::inverse_dynamics));
    EXPECT_TRUE(mentions(robot.notice(), {"may write into it"}));
    expect_right_torques(model, robot);
  }
  EXPECT_EQ(calls(), 0);
  EXPECT_TRUE(files().empty());
}

TEST_F(CodeCacheTest, LibraryThatOthersMayWriteIsNotLoaded) {
  const Model model = load("pendulum");
  compile(model, only(RobotFunction::inverse_dynamics));
  ASSERT_EQ(chmod((cache() + "/" + files().at(0)).c_str(), 0777), 0);
  EXPECT_EQ(compile(model, only(RobotFunction::inverse_dynamics)).notice(), "");
  EXPECT_EQ(calls(), 2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
