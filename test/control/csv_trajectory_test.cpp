// CSV trajectories: values, held joints, and messages with lines.
#include <cstdio>
#include <fstream>

#include <limber/control/joint_trajectory.hpp>
#include <limber/limber.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// A file that is gone after the test.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : name_(testing::TempDir() + "limber_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv") {
    std::ofstream(name_) << text;
  }
  ~TextFile() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

TEST(CsvTrajectory, GoesThroughItsLines) {
  const Model m = load("puma560");
  const TextFile file(
      "# a comment\nelbow, time ,waist\n0.1,2.0,0\n\n0.2,2.5,0.4\n0.3,3.5,-0.2\n0.1,4,0\n");
  const std::vector<double> rest{0, 0.3, 0, 0, -0.2, 0};
  const auto path = csv_trajectory(m, file.name(), rest);
  EXPECT_NEAR(path->duration(), 2, 1e-15);
  std::vector<double> q(6), v(6), a(6);
  path->sample(0.5, q, v, a);
  EXPECT_NEAR(q[0], 0.4, 1e-14);
  EXPECT_NEAR(q[2], 0.2, 1e-14);
  EXPECT_NEAR(q[1], 0.3, 1e-14);
  path->sample(0.8, q, v, a);
  EXPECT_NEAR(q[1], 0.3, 1e-14);
  EXPECT_NEAR(v[4], 0, 1e-14);
}

TEST(CsvTrajectory, TakesQuaternionsByName) {
  Spec spec;
  spec.add_body("ball", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("socket", JointKind::spherical, "", "ball");
  const Model m = build(spec);
  const TextFile file("time,socket.qx,socket.qy,socket.qz,socket.qw\n0,0,0,0,1\n1,1,0,0,-1\n");
  const auto path = csv_trajectory(m, file.name(), std::vector<double>{0, 0, 0, 1});
  std::vector<double> q(4), v(3), a(3);
  path->sample(1, q, v, a);
  // (1, 0, 0, −1), of length √2, is the turn by −90° about x
  EXPECT_NEAR(std::abs(q[0]), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(q[0] * q[3], -0.5, 1e-14);
}

TEST(CsvTrajectory, SaysWhatIsWrongAndWhere) {
  const Model m = load("puma560");
  const std::vector<double> rest(6, 0.0);
  const auto message = [&](const std::string& text) {
    const TextFile file(text);
    return message_of([&] { csv_trajectory(m, file.name(), rest); });
  };
  EXPECT_TRUE(mentions(message("time,elbwo\n0,0\n1,1\n"), {".csv:1", "elbwo", "elbow"}));
  EXPECT_TRUE(mentions(message("time,elbow\n0,0\n1,x\n"), {".csv:3", "'x'", "number"}));
  EXPECT_TRUE(mentions(message("time,elbow\n0,0\n1\n"), {".csv:3", "1 values", "2 columns"}));
  EXPECT_TRUE(mentions(message("time,elbow\n0,0\n1,1\n1,2\n"), {".csv:4", "increase"}));
  EXPECT_TRUE(mentions(message("elbow\n0\n"), {".csv:1", "time"}));
  EXPECT_TRUE(mentions(message("time,elbow,elbow\n0,0,0\n1,1,1\n"), {".csv:1", "twice"}));
  EXPECT_TRUE(mentions(message("time,elbow\n0,0\n"), {"two"}));
  EXPECT_TRUE(mentions(message("time,elbow\n0,0\n1,9\n"), {".csv", "elbow", "limits", "1 s"}));
  EXPECT_TRUE(mentions(message(" \n"), {"empty"}));
  EXPECT_TRUE(mentions(message_of([&] { csv_trajectory(m, "/nowhere.csv", rest); }),
                       {"/nowhere.csv", "no such file"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
