// MuJoCo's equality constraints are springs and dampers: the stiffer they are made, the nearer its
// accelerations and motions come to ours, whose loops stay closed. mujoco_loops.mjs runs MuJoCo in
// node; skipped where node or the package is absent (scripts/deps.sh --peers installs it).
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limber/io/load.hpp>

#include "support/closed_run.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Eigen::VectorXd;
using Json = nlohmann::json;

fs::path package() {
  const char* given = std::getenv("LIMBER_MUJOCO");
  return given ? fs::path(given)
               : fs::path(LIMBER_SOURCE_DIR) / "build/peers/node_modules/@mujoco/mujoco";
}

Json ask_mujoco(const fs::path& file) {
  const std::string command =
      "node '" + (fs::path(LIMBER_SOURCE_DIR) / "test/constraint/mujoco_loops.mjs").string() +
      "' '" + package().string() + "' '" + file.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> piece{};
  while (pipe) {
    const std::size_t count = fread(piece.data(), 1, piece.size(), pipe.get());
    if (count == 0) break;
    text.append(piece.data(), count);
  }
  return text.empty() ? Json() : Json::parse(text);
}

// both begin closed: coupler and rocker meet at (0.6, 0, 0.4), the arms meet at (0.5, 0, 0.7)
constexpr const char* four_bar = R"(
<mujoco><option gravity="0 0 -9.81" timestep="1e-4" integrator="RK4" tolerance="1e-14"/>
<worldbody>
  <body name="crank"><joint name="crank" axis="0 1 0"/>
    <geom type="capsule" size=".02" fromto="0 0 0 .1 0 .3" density="2000" contype="0" conaffinity="0"/>
    <body name="coupler" pos=".1 0 .3"><joint name="coupler" axis="0 1 0"/>
      <geom type="capsule" size=".02" fromto="0 0 0 .5 0 .1" density="2000" contype="0" conaffinity="0"/>
    </body></body>
  <body name="rocker" pos=".5 0 0"><joint name="rocker" axis="0 1 0"/>
    <geom type="capsule" size=".03" fromto="0 0 0 .1 0 .4" density="2000" contype="0" conaffinity="0"/>
  </body>
</worldbody>
<equality><connect name="pin" body1="coupler" body2="rocker" anchor=".5 0 .1" solref="SOLREF" solimp="SOLIMP"/></equality>
</mujoco>)";
constexpr const char* two_arms = R"(
<mujoco><option gravity="0 0 -9.81" timestep="1e-4" integrator="RK4" tolerance="1e-14"/>
<worldbody>
  <body name="a1" pos="0 0 .3"><joint name="a1" axis="0 0 1"/>
    <geom type="box" size=".05 .04 .06" density="1500" contype="0" conaffinity="0"/>
    <body name="a2"><joint name="a2" axis="0 1 0"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .1 .05 .4" density="1500" contype="0" conaffinity="0"/>
      <body name="a3" pos=".1 .05 .4"><joint name="a3" axis="0 1 0"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .4 -.05 0" density="1500" contype="0" conaffinity="0"/>
  </body></body></body>
  <body name="b1" pos="1 0 .3"><joint name="b1" axis="1 0 0"/>
    <geom type="box" size=".05 .04 .06" density="1500" contype="0" conaffinity="0"/>
    <body name="b2"><joint name="b2" axis="0 1 0"/>
      <geom type="capsule" size=".03" fromto="0 0 0 0 .1 .5" density="1500" contype="0" conaffinity="0"/>
      <body name="b3" pos="0 .1 .5"><joint name="b3" axis="0 1 0"/>
        <geom type="capsule" size=".03" fromto="0 0 0 -.5 -.1 -.1" density="1500" contype="0" conaffinity="0"/>
  </body></body></body>
</worldbody>
<equality><connect name="meet" body1="a3" body2="b3" anchor=".4 -.05 0" solref="SOLREF" solimp="SOLIMP"/></equality>
</mujoco>)";

VectorXd numbers(const Json& list) {
  const auto values = list.get<std::vector<double>>();
  return matrix(values);
}

class MujocoLoops : public testing::TestWithParam<const char*> {};

TEST_P(MujocoLoops, ApproachOursAsTheyAreMadeStiff) {
  const fs::path folder = fs::temp_directory_path() / "limber_mujoco_loops";
  fs::create_directories(folder);
  const fs::path file = folder / (std::to_string(std::strlen(GetParam())) + ".xml");
  std::ofstream(file) << GetParam();
  const Json mujoco = ask_mujoco(file);
  std::string text = GetParam();
  for (const auto& [word, by] : {std::pair{"SOLREF", "0.01 1"}, std::pair{"SOLIMP", "0.9 0.9"}})
    text.replace(text.find(word), std::strlen(word), by);
  const Model model = build(parse_mjcf(text));
  if (mujoco.is_null()) GTEST_SKIP() << "no MuJoCo in " << package();

  ClosedRun run(model);
  ASSERT_LT(run.gap(), 1e-12);
  const VectorXd a = run.acceleration(0, run.q, run.v);
  double before = HUGE_VAL;
  for (std::size_t k = 0; k < 4; ++k) {  // the impedance leaves 1 − d of what the loop prevents
    const double difference = (numbers(mujoco["accelerations"][k]) - a).norm() / a.norm();
    EXPECT_LT(difference, before / 5);
    before = difference;
  }
  EXPECT_LT(before, 1e-3);
  run.run(0.3, 1e-3);
  before = HUGE_VAL;
  for (std::size_t k = 0; k < 4; ++k) {
    const double difference = (numbers(mujoco["ends"][k]) - run.q).norm();
    EXPECT_LT(difference, before / 1.8);
    before = difference;
  }
}

INSTANTIATE_TEST_SUITE_P(Loops, MujocoLoops, testing::Values(four_bar, two_arms),
                         [](const auto& one) { return one.index == 0 ? "FourBar" : "TwoArms"; });

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
