// Recordings as files, and the data of the report.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <limber/dynamics/kinematics.hpp>
#include <limber/math/quat.hpp>
#include <limber/report/recording_files.hpp>
#include <limber/report/report.hpp>

#include "report/unpacked.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string temporary(const std::string& name) {
  return (fs::temp_directory_path() / ("limber_" + std::to_string(::getpid()) + "_" + name))
      .string();
}

const std::vector<Column> columns = {
    {"time", "s", ""}, {"elbow.position", "rad", "Positions"}, {"odd, \"name\"", "", "Other"}};

std::vector<double> write_rows(const std::string& file, int count) {
  std::vector<double> all;
  const auto recording = open_recording(file, columns);
  for (int k = 0; k < count; ++k) {
    const double row[] = {0.1 * k, std::sin(k), 1e-300 / (k + 1)};
    recording->add(row);
    all.insert(all.end(), std::begin(row), std::end(row));
  }
  recording->close();
  return all;
}

TEST(RecordingFile, CsvComesBackExactly) {
  const std::string file = temporary("a.csv");
  const std::vector<double> written = write_rows(file, 100);
  const Recording read = read_csv_recording(file);
  EXPECT_EQ(read.values, written);
  EXPECT_EQ(read.columns[1].name, "elbow.position");
  EXPECT_EQ(read.columns[1].unit, "rad");
  fs::remove(file);
}

TEST(RecordingFile, JsonIsJson) {
  const std::string file = temporary("a.json");
  const std::vector<double> written = write_rows(file, 30);
  std::ifstream stream(file);
  const Json data = Json::parse(stream);
  EXPECT_EQ(data["columns"][2]["name"], "odd, \"name\"");
  ASSERT_EQ(data["rows"].size(), 30u);
  EXPECT_EQ(data["rows"][7][1].get<double>(), written[7 * 3 + 1]);
  fs::remove(file);
}

// more rows than one chunk holds
TEST(RecordingFile, Hdf5ComesBackExactly) {
  const std::string file = temporary("a.h5");
  const std::vector<double> written = write_rows(file, 2500);
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(id, 0);
  const hid_t dataset = H5Dopen2(id, "elbow.position", H5P_DEFAULT);
  ASSERT_GE(dataset, 0);
  const hid_t space = H5Dget_space(dataset);
  hsize_t size = 0;
  H5Sget_simple_extent_dims(space, &size, nullptr);
  ASSERT_EQ(size, 2500u);
  std::vector<double> read(size);
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data());
  for (std::size_t k = 0; k < read.size(); ++k) EXPECT_EQ(read[k], written[3 * k + 1]);
  const hid_t attribute = H5Aopen(dataset, "unit", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  char unit[8] = {};
  H5Aread(attribute, type, unit);
  EXPECT_STREQ(unit, "rad");
  H5Tclose(type);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(id);
  fs::remove(file);
}

TEST(RecordingFile, AnUnfinishedRecordingIsReadable) {
  const std::string csv = temporary("b.csv"), json = temporary("b.json"), h5 = temporary("b.h5");
  for (const std::string& file : {csv, json, h5}) {
    const auto recording = open_recording(file, columns);
    const double row[] = {1, 2, 3};
    recording->add(row);
  }  // never closed
  EXPECT_EQ(read_csv_recording(csv).rows(), 1u);
  std::ifstream stream(json);
  EXPECT_EQ(Json::parse(stream)["rows"].size(), 1u);
  EXPECT_GT(H5Fis_hdf5(h5.c_str()), 0);
  for (const std::string& file : {csv, json, h5}) fs::remove(file);
}

TEST(RecordingFile, MistakesAreTold) {
  for (const char* file : {"/nowhere/a.csv", "/nowhere/a.json", "/nowhere/a.h5", "a.txt"})
    EXPECT_THROW(open_recording(file, columns), Error) << file;
  const std::string file = temporary("c.csv");
  std::ofstream(file) << "time [s],x\n1,2\n3,oops\n";
  try {
    read_csv_recording(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("c.csv:3"), std::string::npos) << error.what();
  }
  fs::remove(file);
}

TEST(Report, DataHoldPosesAndCurvesOfTheRun) {
  const Scenario scenario = read_scenario("puma_pick_and_place");
  Report report;
  const limber::Run run = run_scenario(scenario);
  report.recording = run.recording;
  report.summary = summary_of(scenario, run);
  report.comparisons.push_back({"other", run.recording});
  const Json data = Json::parse(report_data(scenario, report));
  const std::size_t rows = run.recording.rows(), bodies = data["scene"]["bodies"].size();
  EXPECT_EQ(unpacked(data["time"]).size(), rows);
  const std::vector<float> poses = unpacked(data["poses"]);
  ASSERT_EQ(poses.size(), rows * bodies * 7);
  // the flange of the drawn scene is where kinematics has it
  Workspace ws(scenario.model);
  const Poses& placed =
      forward_kinematics<double>(scenario.model, run.recording.row(100).subspan(1, 6), ws);
  const Transform<double> flange = frame_pose(scenario.model, placed, scenario.model.frame("tool"));
  const Json* frame = nullptr;
  for (const Json& one : data["scene"]["frames"])
    if (one["name"] == "tool") frame = &one;
  ASSERT_TRUE(frame);
  const std::size_t start = (100 * bodies + (*frame)["body"].get<std::size_t>()) * 7;
  const Quat<double> turn{poses[start + 3], poses[start + 4], poses[start + 5], poses[start + 6]};
  const Json& offset = (*frame)["position"];
  const Vec3<double> p = Vec3<double>{poses[start], poses[start + 1], poses[start + 2]} +
                         to_matrix(turn) * Vec3<double>{offset[0], offset[1], offset[2]};
  EXPECT_NEAR(p.x, flange.p.x, 1e-6);
  EXPECT_NEAR(p.y, flange.p.y, 1e-6);
  EXPECT_NEAR(p.z, flange.p.z, 1e-6);
  std::vector<std::string> titles;
  for (const Json& group : data["groups"]) titles.push_back(group["title"]);
  for (const char* title : {"Positions", "Velocities", "Joint forces", "Currents", "Energy",
                            "Energy error", "Power", "Tracking error"})
    EXPECT_NE(std::find(titles.begin(), titles.end(), title), titles.end()) << title;
  EXPECT_EQ(unpacked(data["groups"][0]["series"][0]["data"]).size(), rows);
  EXPECT_EQ(data["groups"][0]["series"][0]["name"], "waist.position");
}

TEST(Report, LongRecordingsAreThinnedEvenly) {
  const Scenario scenario = read_scenario("double_pendulum");
  Report report;
  report.recording = run_scenario(scenario).recording;
  const Json data = Json::parse(report_data(scenario, report, 100));
  const std::vector<float> times = unpacked(data["time"]);
  ASSERT_EQ(times.size(), 100u);
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 10);
}

TEST(Report, BodiesHaveABoxOfTheirInertiaToChoose) {
  Scenario scenario;
  scenario.title = "rod";
  Spec& spec = scenario.spec;
  // a uniform box of 0.2 × 0.4 × 0.6 m
  const double m = 3;
  spec.add_body("rod", m, {1, 2, 3},
                {m / 12 * (0.16 + 0.36), m / 12 * (0.04 + 0.36), m / 12 * (0.04 + 0.16), 0, 0, 0});
  spec.add_joint("hinge", JointKind::revolute, "", "rod");
  scenario.model = build(spec);
  Report report;
  report.recording.columns = {{"time", "s", ""}, {"hinge.position", "rad", "Positions"}};
  report.recording.values = {0, 0.5};
  const Json data = Json::parse(report_data(scenario, report));
  const Json& shapes = data["scene"]["bodies"][1]["shapes"];
  EXPECT_EQ(shapes.front()["from"], "skeleton");  // what is drawn
  const Json& shape = shapes.back();
  EXPECT_EQ(shape["from"], "inertia");
  std::vector<double> edges = shape["size"];
  std::sort(edges.begin(), edges.end());
  EXPECT_NEAR(edges[0], 0.2, 1e-9);
  EXPECT_NEAR(edges[1], 0.4, 1e-9);
  EXPECT_NEAR(edges[2], 0.6, 1e-9);
  EXPECT_NEAR(shape["position"][2].get<double>(), 3, 1e-12);
}

// a title that would end the script element
TEST(Report, ThePageKeepsItsDataInOnePiece) {
  if (!reports_available()) GTEST_SKIP() << "built without npm";
  Scenario scenario = read_scenario("double_pendulum");
  scenario.title = "</script><b>bold";
  const std::string page = report_page(scenario, {});
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cb>bold"), std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
