// Every fixture of ../shared/oracle (see the README there) through the command: joints matched by
// name, tolerance 1e-9 |y_i| + 1e-11 max|y|. Skipped where that folder is absent.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
const fs::path shared = fs::path(LIMBER_SOURCE_DIR) / ".." / "shared";

// --- comparing ---

std::vector<double> flat(const Json& value) {
  if (value.is_number()) return {value.get<double>()};
  std::vector<double> numbers;
  for (const Json& entry : value)
    for (double x : flat(entry)) numbers.push_back(x);
  return numbers;
}

void expect_near(const Json& found, const Json& expected, const std::string& what) {
  const std::vector<double> x = flat(found), y = flat(expected);
  ASSERT_EQ(x.size(), y.size()) << what;
  double largest = 0;
  for (double value : y) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < x.size(); ++k)
    EXPECT_NEAR(x[k], y[k], 1e-9 * std::abs(y[k]) + 1e-11 * largest) << what << ", entry " << k;
}

// --- a fixture and its robot ---

class Fixture {
 public:
  explicit Fixture(const fs::path& file) : data_(Json::parse(std::ifstream(file))) {
    robot_ = shared / "robots" / fs::path(data_["model_file"].get<std::string>()).filename();
    const Outcome info = run({"info"}, "");
    if (info.status == 0) info_ = Json::parse(info.out);
    else info_error_ = info.err;
  }

  const Json& operator[](const char* key) const { return data_[key]; }
  const std::string& info_error() const { return info_error_; }
  const Json& info() const { return info_; }

  Outcome run(std::vector<std::string> arguments, const std::string& states) const {
    arguments.insert(arguments.begin() + 1, robot_.string());
    arguments.push_back("--json");
    if (data_["floating"]) arguments.push_back("--floating");
    return run_limber(arguments, states);
  }

  // Limber's form of a fixture's q: the root's pose as seven numbers
  static Json position(const Json& q) {
    Json result = q;
    if (q.contains("root")) {
      result["root"] = q["root"]["position"];
      for (const Json& x : q["root"]["quaternion_xyzw"]) result["root"].push_back(x);
    }
    return result;
  }
  // Limber's form of a fixture's v, a or tau: the root's angular part first
  static Json velocity(const Json& v) {
    Json result = v;
    if (v.contains("root")) {
      result["root"] = v["root"]["angular"];
      for (const Json& x : v["root"]["linear"]) result["root"].push_back(x);
    }
    return result;
  }
  // the same as an array in the order that `limber info` reports
  Json array(const Json& by_name, const char* space) const {
    Json result(info_[space == std::string("q") ? "nq" : "nv"], 0.0);
    for (const Json& joint : info_["joints"])
      for (int k = 0; k < joint[space][1]; ++k) {
        const Json& part = by_name.at(joint["name"]);
        result[joint[space][0].get<std::size_t>() + static_cast<std::size_t>(k)] =
            part.is_array() ? part[static_cast<std::size_t>(k)] : part;
      }
    return result;
  }
  // where the fixture's rows and columns stand in Limber's v
  std::vector<std::size_t> columns() const {
    static const std::map<std::string, std::size_t> component{
        {"", 0}, {"ax", 0}, {"ay", 1}, {"az", 2}, {"lx", 3}, {"ly", 4}, {"lz", 5}};
    std::map<std::string, std::size_t> start;
    for (const Json& joint : info_["joints"]) start[joint["name"]] = joint["v"][0];
    std::vector<std::size_t> result;
    for (const Json& entry : data_["order"])
      result.push_back(start.at(entry[0]) + component.at(entry[1]));
    return result;
  }

 private:
  Json data_, info_;
  fs::path robot_;
  std::string info_error_;
};

// by the beginning of the file: every test of the command lists them when it starts
bool is_fixture(const fs::path& file) {
  std::string begin(300, ' ');
  std::ifstream(file).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("\"pinocchio-urdf-fixture-1\"") != std::string::npos;
}

std::vector<std::string> fixtures() {
  std::vector<std::string> names;
  if (fs::is_directory(shared / "oracle"))
    for (const auto& entry : fs::directory_iterator(shared / "oracle"))
      if (entry.path().extension() == ".json" && is_fixture(entry.path()))
        names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names.empty() ? std::vector<std::string>{"absent"} : names;
}

class Oracle : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "absent") GTEST_SKIP() << "no ../shared/oracle beside the sources";
    fixture = std::make_unique<Fixture>(shared / "oracle" / (GetParam() + ".json"));
    ASSERT_EQ(fixture->info_error(), "");
  }
  // one JSON line per state of the fixture
  template <class F>
  std::string lines(F state_to_json) const {
    std::string text;
    for (const Json& state : (*fixture)["states"]) text += state_to_json(state).dump() + "\n";
    return text;
  }
  // runs the command on those lines; one result per state
  std::vector<Json> results(const std::vector<std::string>& arguments,
                            const std::string& states) const {
    const Outcome outcome = fixture->run(arguments, states);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::vector<Json> values = outcome.lines();
    EXPECT_EQ(values.size(), (*fixture)["states"].size());
    return values;
  }
  const Json& state(std::size_t k) const { return (*fixture)["states"][k]; }

  std::unique_ptr<Fixture> fixture;
};

TEST_P(Oracle, Info) {
  const Json& info = fixture->info();
  EXPECT_EQ(info["nv"], (*fixture)["nv"]);
  expect_near(info["mass"], (*fixture)["mass_all"], "mass");
  std::map<std::string, Json> joints;
  for (const Json& joint : info["joints"]) joints[joint["name"]] = joint;
  for (const Json& expected : (*fixture)["joints"]) {
    const Json& joint = joints.at(expected["name"]);
    EXPECT_EQ(joint["q"][1], expected["nq"]) << joint;
    EXPECT_EQ(joint["v"][1], expected["nv"]) << joint;
    EXPECT_EQ(joint["child"], expected["child_link"]) << joint;
    EXPECT_EQ(joint["parent"], expected["name"] == "root" ? "world" : expected["parent_link"])
        << joint;
  }
  for (const Json& expected : (*fixture)["mimic_joints"]) {
    const Json& mimic = joints.at(expected["name"])["mimic"];
    EXPECT_EQ(mimic["joint"], expected["joint"]);
    EXPECT_EQ(mimic["multiplier"], expected["multiplier"]);
    EXPECT_EQ(mimic["offset"], expected["offset"]);
  }
}

TEST_P(Oracle, InverseDynamicsByName) {
  const auto check = [&](const char* quantity, auto state_to_json) {
    const std::vector<Json> found = results({"id", "--named"}, lines(state_to_json));
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Json expected = Fixture::velocity(state(k)[quantity]);
      expect_near(fixture->array(found[k]["tau"], "v"), fixture->array(expected, "v"),
                  std::string(quantity) + " of state " + std::to_string(k));
    }
  };
  const auto q = [](const Json& s) { return Fixture::position(s["q"]); };
  const auto v = [](const Json& s) { return Fixture::velocity(s["v"]); };
  const auto a = [](const Json& s) { return Fixture::velocity(s["a"]); };
  check("rnea", [&](const Json& s) { return Json{{"q", q(s)}, {"v", v(s)}, {"a", a(s)}}; });
  check("nle", [&](const Json& s) { return Json{{"q", q(s)}, {"v", v(s)}}; });
  check("grav", [&](const Json& s) { return Json{{"q", q(s)}}; });
}

TEST_P(Oracle, ForwardDynamics) {
  const std::string states = lines([&](const Json& s) {
    return Json{{"q", fixture->array(Fixture::position(s["q"]), "q")},
                {"v", fixture->array(Fixture::velocity(s["v"]), "v")},
                {"tau", fixture->array(Fixture::velocity(s["tau_in"]), "v")}};
  });
  if (state(0).contains("fd_rest")) {  // some joint carries nothing: refused with its name
    const Outcome outcome = fixture->run({"fd"}, states);
    EXPECT_EQ(outcome.status, 2);
    const Json& massless = (*fixture)["massless_subtree_joints"];
    EXPECT_TRUE(std::any_of(massless.begin(), massless.end(), [&](const Json& joint) {
      return outcome.err.find(joint.get<std::string>()) != std::string::npos;
    })) << outcome.err;
    return;
  }
  const std::vector<Json> found = results({"fd"}, states);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (state(k)["aba_ok"])
      expect_near(found[k]["a"], fixture->array(Fixture::velocity(state(k)["aba"]), "v"),
                  "aba of state " + std::to_string(k));
}

TEST_P(Oracle, MassMatrix) {
  const std::vector<Json> found =
      results({"mass"}, lines([&](const Json& s) {
                return Json{{"q", fixture->array(Fixture::position(s["q"]), "q")}};
              }));
  const std::vector<std::size_t> column = fixture->columns();
  for (std::size_t k = 0; k < found.size(); ++k) {
    Json M = Json::array();
    for (std::size_t i : column)
      for (std::size_t j : column) M.push_back(found[k]["M"][i][j]);
    expect_near(M, state(k)["M"], "M of state " + std::to_string(k));
  }
}

TEST_P(Oracle, Jacobians) {
  const std::string states = lines([&](const Json& s) {
    return Json{{"q", fixture->array(Fixture::position(s["q"]), "q")}};
  });
  const std::vector<std::size_t> column = fixture->columns();
  for (std::size_t f = 0; f < (*fixture)["jac_frames"].size(); ++f) {
    const std::string link = (*fixture)["jac_frames"][f]["link"];
    const std::vector<Json> found =
        results({"jacobian", "--frame", link, "--reference", "world_aligned"}, states);
    for (std::size_t k = 0; k < found.size(); ++k) {
      Json J = Json::array();
      for (std::size_t row : {3u, 4u, 5u, 0u, 1u, 2u})  // the fixture has the linear rows first
        for (std::size_t j : column) J.push_back(found[k]["J"][row][j]);
      expect_near(J, state(k)["jac"][f]["J"], "J of " + link + " in state " + std::to_string(k));
    }
  }
}

TEST_P(Oracle, EnergiesCentreOfMassAndPoses) {
  std::vector<std::string> arguments{"kinematics"};
  for (const Json& frame : (*fixture)["jac_frames"]) {
    arguments.push_back("--frame");
    arguments.push_back(frame["link"]);
  }
  const std::vector<Json> found =
      results(arguments, lines([&](const Json& s) {
                return Json{{"q", Fixture::position(s["q"])}, {"v", Fixture::velocity(s["v"])}};
              }));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string in_state = " in state " + std::to_string(k);
    expect_near(found[k]["kinetic"], state(k)["kinetic"], "kinetic energy" + in_state);
    expect_near(found[k]["potential"], state(k)["potential_all"], "potential energy" + in_state);
    expect_near(found[k]["com"], state(k)["com_all"], "centre of mass" + in_state);
    expect_near(found[k]["mass"], (*fixture)["mass_all"], "mass" + in_state);
    for (std::size_t f = 0; f < (*fixture)["jac_frames"].size(); ++f) {
      const std::string link = (*fixture)["jac_frames"][f]["link"];
      expect_near(found[k]["frames"][link]["position"], state(k)["jac"][f]["pos"], link + in_state);
      expect_near(found[k]["frames"][link]["rotation"], state(k)["jac"][f]["rot"], link + in_state);
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Fixtures, Oracle, testing::ValuesIn(fixtures()), test_name);

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
