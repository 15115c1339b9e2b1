// What scenario files may ask of an analysis, limits, scans, and the report.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <limber/analysis/analysis.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

const std::string arm = R"(title: Arm
duration: 0.3
robots:
  - model: double_pendulum
    initial: {position: {shoulder: 0.4, elbow: 0.2}}
trajectories:
  - name: move
    segments:
      - {kind: move, to: {shoulder: 0.8, elbow: 0.5}, duration: 0.3, law: quintic}
controllers:
  - {name: pd, kind: pd, trajectory: move, kp: 60, kd: 8}
drives:
  - joint: elbow
    motor: {torque_constant: 0.05, resistance: 0.5, voltage_limit: 48, current_limit: 20}
    gear: {ratio: 50}
analyse:
  links:
    - {link: upper, section: {kind: tube, diameter: 0.05, thickness: 0.002}, material: aluminium}
)";

std::string message_of(const std::string& text) {
  try {
    parse_scenario(text, "arm.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_error(const std::string& addition, const std::string& line, const std::string& words) {
  const std::string message = message_of(arm + addition);
  EXPECT_TRUE(message.starts_with("arm.yaml:" + line)) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(AnalysisKeys, WrongOnesAreToldWithTheirLine) {
  expect_error("  limit: []\n", "19", "limits");
  expect_error("  interval: 0\n", "19", "positive");
  expect_error("  limits:\n    - {figure: peak_torqe, at_most: 1}\n", "20", "peak_torque");
  expect_error("  limits:\n    - {figure: peak_torque, of: elbw, at_most: 1}\n", "20", "elbow");
  expect_error("  limits:\n    - {figure: peak_torque, at_most: -1}\n", "20", "positive");
  expect_error("  limits:\n    - {figure: stress, of: elbow, at_most: 1}\n", "20", "stress");
  expect_error("  scan:\n    - {path: duration, values: []}\n", "20", "values");
  expect_error("  motion: reference\n", "17", "trajectory");
  expect_error("  trajectory: move\n", "19", "motion: reference");
}

void expect_link_error(const std::string& link, const std::string& words) {
  const std::size_t start = arm.find("    - {link");
  const std::string message = message_of(arm.substr(0, start) + link);
  EXPECT_TRUE(message.starts_with("arm.yaml:18")) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(AnalysisKeys, ImpossibleLinksAreRefused) {
  const std::string round = "section: {kind: round, diameter: 0.03}, material: steel";
  expect_link_error("    - {link: uper, " + round + "}\n", "upper");
  expect_link_error("    - {link: lower, " + round + "}\n", "to: [");
  expect_link_error("    - {link: upper, " + round + ", to: [0, 0, 0]}\n", "same");
  expect_link_error("    - {link: upper, " + round + ", stations: 1}\n", "2 to 10000");
  expect_link_error("    - {link: upper, " + round + ", stations: 1e8}\n", "2 to 10000");
  expect_link_error(
      "    - {link: upper, section: {kind: tube, diameter: 0.03, thickness: 1}, "
      "material: steel}\n",
      "wall");
  expect_link_error(
      "    - {link: upper, section: {kind: round, diameter: 0.03}, "
      "material: butter}\n",
      "aluminium");
}

TEST(AnalysisKeys, LinksReachFromJointToJoint) {
  // a table of Denavit and Hartenberg puts a link's frame at its outer end
  const Scenario scenario = parse_scenario(
      "duration: 1\nrobots: [{model: puma560}]\nanalyse:\n  links:\n    - {link: link2, "
      "section: "
      "{kind: round, diameter: 0.1}, material: {youngs_modulus: 1e9, shear_modulus: 1e9, density: "
      "1e3, yield_strength: 1e6}}\n",
      "arm.yaml");
  const LinkSettings& link = scenario.analysis->links.at(0);
  EXPECT_NEAR(norm(link.from - Vec3<double>{-0.4318, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(link.to - Vec3<double>{0, 0, 0.15005}), 0, 1e-15);
  const double length = std::hypot(0.4318, 0.15005);
  EXPECT_NEAR(link.mass, 1e3 * std::numbers::pi * 0.05 * 0.05 * length, 1e-12);
}

TEST(AnalysisKeys, ScansOfTooManyPointsAreRefused) {
  std::string values = "1";
  for (int k = 0; k < 60; ++k) values += ", 1";
  const std::string one = "    - {path: duration, values: [" + values + "]}\n";
  expect_error("  scan:\n" + one + one, "20", "combinations");
}

TEST(AnalysisLimits, ThoseOfTheFileAndThoseOfTheMotor) {
  const Scenario scenario =
      parse_scenario(arm +
                         "  limits:\n    - {figure: peak_torque, of: elbow, at_most: 1e-3}\n"
                         "    - {figure: stress, at_most: 1e9}\n",
                     "arm.yaml");
  const Analysis analysis = analyse(scenario);
  ASSERT_GE(analysis.checks.size(), 5U);
  const LimitCheck& torque = analysis.checks[0];
  EXPECT_TRUE(torque.violated());
  EXPECT_EQ(torque.of, "elbow");
  EXPECT_EQ(torque.found.value,
            find_figures(analysis, FigureOwner::joint, "elbow")->at(Figure::peak_torque).value);
  EXPECT_LT(torque.margin(), 0);
  EXPECT_FALSE(analysis.checks[1].violated());
  EXPECT_EQ(analysis.violations(), 1U);
  std::vector<std::string> from;
  for (const LimitCheck& check : analysis.checks) from.push_back(check.from);
  EXPECT_NE(std::find(from.begin(), from.end(), "motor"), from.end());
  EXPECT_NE(std::find(from.begin(), from.end(), "material"), from.end());
}

TEST(AnalysisLimits, FiguresThatNobodyHasAreToldWithTheirLine) {
  const Scenario scenario = parse_scenario(
      arm + "  limits:\n    - {figure: winding_temperature, at_most: 100}\n", "arm.yaml");
  try {
    analyse(scenario);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("arm.yaml:20")) << error.what();
  }
}

TEST(AnalysisLimits, ReferencesHaveNoTrackingError) {
  const Scenario scenario = parse_scenario(arm +
                                               "  motion: reference\n  trajectory: move\n"
                                               "  limits: [{figure: tracking_error, at_most: 1}]\n",
                                           "arm.yaml");
  const Analysis analysis = analyse(scenario);
  ASSERT_EQ(analysis.warnings.size(), 1U);
  EXPECT_NE(analysis.warnings[0].find("tracking_error"), std::string::npos);
  EXPECT_EQ(analysis.motors.size(), 1U);
}

Scenario read(std::span<const Override> overrides) {
  return parse_scenario(arm, "arm.yaml", overrides);
}

void expect_same(const Figures& a, const Figures& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [figure, measured] : a) EXPECT_EQ(measured.value, b.at(figure).value);
}

TEST(AnalysisScan, PointsAreSingleRunsWhateverTheThreads) {
  const std::vector<ScanSettings> parameters = {
      {"ratio", "drives.elbow.gear.ratio", {"30", "50", "80"}},
      {"mass", "robots.0.changes", {"[]", "[{link: lower, mass_factor: 2}]"}}};
  ScanHooks hooks;
  hooks.threads = 3;
  std::size_t told = 0;
  hooks.on_point = [&](std::size_t done, std::size_t count) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(count, 6U);
  };
  const std::vector<ScanPoint> points = run_scan(parameters, read, hooks);
  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(told, 6U);
  EXPECT_EQ(points[3].values, (std::vector<std::string>{"50", "[{link: lower, mass_factor: 2}]"}));
  const Override single[] = {{parameters[0].path, "50"},
                             {parameters[1].path, parameters[1].values[1]}};
  expect_same(points[3].figures, key_figures(analyse(read(single))));
  hooks.threads = 1;
  told = 0;
  const std::vector<ScanPoint> again = run_scan(parameters, read, hooks);
  for (std::size_t k = 0; k < 6; ++k) expect_same(points[k].figures, again[k].figures);
}

TEST(AnalysisScan, WhatCannotBeRunIsTold) {
  const std::vector<ScanPoint> points =
      run_scan({{"ratio", "drives.elbow.gear.ratio", {"50", "0"}}}, read);
  EXPECT_EQ(points[0].status, RunStatus::finished);
  EXPECT_TRUE(points[1].figures.empty());
  EXPECT_NE(points[1].message.find("ratio"), std::string::npos) << points[1].message;
  EXPECT_THROW(run_scan({{"x", "drives.wrist.gear.ratio", {"1", "2"}}}, read), Error);
}

TEST(AnalysisReport, HasTablesAndDiagrams) {
  Scenario scenario = parse_scenario(
      arm + "  scan:\n    - {path: drives.elbow.gear.ratio, values: [40, 60], name: ratio}\n",
      "arm.yaml");
  const Analysis analysis = analyse(scenario);
  const std::vector<ScanPoint> scan = run_scan(scenario.analysis->scan, read);
  const Report report = analysis_report(scenario, analysis, scan);
  const auto has_table = [&](const std::string& title) {
    return std::any_of(report.tables.begin(), report.tables.end(),
                       [&](const ReportTable& table) { return table.title == title; });
  };
  for (const char* title : {"Limits", "Joints", "Motors", "Bearings", "Links", "Scan"})
    EXPECT_TRUE(has_table(title)) << title;
  for (const ReportTable& table : report.tables)
    for (const ReportTable::Row& row : table.rows)
      EXPECT_EQ(row.cells.size(), table.columns.size()) << table.title;
  const auto diagram = [&](const std::string& title) {
    return std::find_if(report.diagrams.begin(), report.diagrams.end(),
                        [&](const Diagram& one) { return one.title == title; });
  };
  const auto torque_speed = diagram("Torque and speed of the motor of 'elbow'");
  ASSERT_NE(torque_speed, report.diagrams.end());
  ASSERT_EQ(torque_speed->curves.size(), 2U);
  // corners of the limits: current to (48 − 0.5 · 20)/0.05 = 760 rad/s, no load at 960 rad/s
  const Diagram::Curve& limits = torque_speed->curves[1];
  ASSERT_EQ(limits.x.size(), 9U);
  EXPECT_DOUBLE_EQ(limits.x[2], 760);
  EXPECT_DOUBLE_EQ(limits.y[2], 1);
  EXPECT_DOUBLE_EQ(limits.x[3], 960);
  EXPECT_NEAR(limits.y[3], 0, 1e-12);
  EXPECT_DOUBLE_EQ(limits.y[4], -1);
  EXPECT_NE(diagram("RMS torque over ratio"), report.diagrams.end());
  EXPECT_NE(diagram("Stress along 'upper'"), report.diagrams.end());
  EXPECT_FALSE(report_data(scenario, report).empty());
}

const ReportTable& table_of(const Report& report, const std::string& title) {
  for (const ReportTable& table : report.tables)
    if (table.title == title) return table;
  throw std::runtime_error("no table " + title);
}

const std::string limited_arm = arm +
                                "  limits:\n    - {figure: rms_current, at_most: 5}\n    - "
                                "{figure: deflection, at_most: 0.01}\n";

TEST(AnalysisReport, TheLeastMarginComesFirst) {
  const Scenario scenario = parse_scenario(limited_arm, "arm.yaml");
  Analysis analysis = analyse(scenario);
  ASSERT_GT(analysis.checks.size(), 3U);
  analysis.checks[2].limit = analysis.checks[2].found.value / 2;  // a margin of −100 %
  const Report report = analysis_report(scenario, analysis);
  const ReportTable& limits = table_of(report, "Limits");
  ASSERT_EQ(limits.columns[5].name, "margin");
  EXPECT_NEAR(*limits.rows.front().cells[5].number, -100, 1e-9);
  EXPECT_EQ(limits.rows.front().state, ReportTable::State::violation);
  for (std::size_t k = 1; k < limits.rows.size(); ++k)
    EXPECT_LE(*limits.rows[k - 1].cells[5].number, *limits.rows[k].cells[5].number);
  EXPECT_EQ(report.summary.verdict, "1 limit violated");
  ASSERT_GE(report.conclusions.size(), 2U);
  EXPECT_EQ(report.conclusions[0].text, "limits are violated");
  EXPECT_EQ(report.conclusions[1].figure, "100 %");
  EXPECT_NE(report.conclusions[1].text.find("over the limit"), std::string::npos);
}

TEST(AnalysisReport, FiguresAreInTheUnitsOfADesigner) {
  const Scenario scenario = parse_scenario(arm, "arm.yaml");
  const Analysis analysis = analyse(scenario);
  const Report report = analysis_report(scenario, analysis);
  const ReportTable& links = table_of(report, "Links");
  const auto column = [&](const std::string& name) {
    for (std::size_t k = 0; k < links.columns.size(); ++k)
      if (links.columns[k].name == name) return k;
    throw std::runtime_error("no column " + name);
  };
  const Figures& figures = analysis.links.at(0).figures;
  EXPECT_EQ(links.columns[column("stress")].unit, "MPa");
  EXPECT_NEAR(*links.rows[0].cells[column("stress")].number, figures.at(Figure::stress).value / 1e6,
              1e-12);
  EXPECT_EQ(links.columns[column("deflection")].unit, "mm");
  EXPECT_NEAR(*links.rows[0].cells[column("deflection")].number,
              figures.at(Figure::deflection).value * 1000, 1e-12);
  EXPECT_EQ(links.columns[column("twist")].unit, "mrad");
  EXPECT_EQ(table_of(report, "Joints").columns[1].unit, "N m");
}

TEST(AnalysisReport, ScansShowTheirLimits) {
  const Scenario scenario = parse_scenario(
      limited_arm +
          "  scan:\n    - {path: drives.elbow.gear.ratio, values: [40, 60], name: ratio}\n",
      "arm.yaml");
  const std::vector<ScanPoint> scan =
      run_scan(scenario.analysis->scan, [](std::span<const Override> overrides) {
        return parse_scenario(limited_arm, "arm.yaml", overrides);
      });
  const Report report = analysis_report(scenario, analyse(scenario), scan);
  const auto curves = [&](const std::string& title) {
    for (const Diagram& diagram : report.diagrams)
      if (diagram.title == title) return diagram.curves;
    throw std::runtime_error("no diagram " + title);
  };
  const std::vector<double> ratios = {40, 60};
  const auto current = curves("RMS current over ratio");
  ASSERT_EQ(current.size(), 2U);
  EXPECT_EQ(current[0].name, "elbow");
  EXPECT_EQ(current[0].x, ratios);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(current[0].y[k], scan[k].figures.at(Figure::rms_current).value);
  EXPECT_EQ(current[1].kind, Diagram::Curve::Kind::limit);
  EXPECT_EQ(current[1].x, ratios);
  EXPECT_EQ(current[1].y, (std::vector<double>{5, 5}));
  // of 10 mm and, for the stress, the yield strength
  EXPECT_EQ(curves("Deflection over ratio").at(1).y, (std::vector<double>{10, 10}));
  EXPECT_EQ(curves("Stress over ratio").at(1).kind, Diagram::Curve::Kind::limit);
  // without a limit: the largest alone
  EXPECT_EQ(curves("RMS torque over ratio").size(), 1U);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
