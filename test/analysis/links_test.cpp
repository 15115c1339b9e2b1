// Links as beams and bearings against closed forms, and against a link cut into slices.
#include <numbers>

#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/analysis/analysis.hpp>
#include <limber/sim/external_force.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81, L = 0.8, m = 3, tip_mass = 5, d = 0.15;

// a uniform rod along x on a joint at the world, and a point mass behind a joint at its end, which
// may stand off to the side (y)
Spec rod(Vec3<double> axis, double side = 0) {
  Spec spec;
  spec.name = "rod";
  const double J = m * L * L / 12;
  spec.add_body("arm", m, {L / 2, 0, 0}, {0, J, J, 0, 0, 0});
  spec.add_joint("shoulder", JointKind::revolute, "", "arm", axis);
  spec.add_body("tip", tip_mass, {0, side, 0}, {1e-4, 1e-4, 1e-4, 0, 0, 0});
  spec.add_joint("wrist", JointKind::revolute, "arm", "tip", axis,
                 Transform<double>::translation({L, 0, 0}));
  return spec;
}

LinkSettings tube() {
  LinkSettings link;
  link.link = "arm";
  link.to = {L, 0, 0};
  link.up = {0, 0, 1};
  link.section = {SectionSettings::Kind::tube, 0.05, 0, 0, 0.003};
  link.material = *find_material("aluminium");
  link.mass = m;
  link.stations = 11;
  return link;
}

Scenario scenario_of(const Spec& spec, const LinkSettings& link, JointFunction motion,
                     double duration = 0.1) {
  Scenario scenario;
  scenario.spec = spec;
  scenario.model = scenario.nominal = build(spec);
  scenario.q.assign(static_cast<std::size_t>(scenario.model.nq), 0);
  scenario.v.assign(static_cast<std::size_t>(scenario.model.nv), 0);
  scenario.simulation.duration = duration;
  AnalysisSettings settings;
  settings.interval = duration / 4;
  settings.reference = function_trajectory(scenario.model, duration, std::move(motion));
  settings.links = {link};
  scenario.analysis = std::make_shared<const AnalysisSettings>(settings);
  return scenario;
}

void rest(double, std::span<double> q, std::span<double> v, std::span<double> a) {
  for (const std::span<double> numbers : {q, v, a}) std::fill(numbers.begin(), numbers.end(), 0.0);
}

void expect_close(double found, double expected) {
  EXPECT_NEAR(found, expected, 1e-11 * std::max(1.0, std::abs(expected)));
}

TEST(AnalysisLinks, CantileverUnderItsWeightAndALoadAtItsEnd) {
  const Scenario scenario = scenario_of(rod({0, 1, 0}), tube(), rest);
  const LinkAnalysis link = analyse(scenario).links.at(0);
  const double F = tip_mass * g, weight = m * g / L;
  const double E = link.yield_strength > 0 ? find_material("aluminium")->youngs_modulus : 0;
  const double R = 0.025, r = 0.022, I = std::numbers::pi / 4 * (std::pow(R, 4) - std::pow(r, 4));
  ASSERT_EQ(link.places.size(), 11U);
  for (std::size_t k = 0; k < link.places.size(); ++k) {
    const double l = L - link.places[k];
    expect_close(link.forces[k].shear_z, F + weight * l);
    expect_close(link.forces[k].bending_y, -(F * l + weight * l * l / 2));
    expect_close(link.forces[k].normal, 0);
    expect_close(link.forces[k].torsion, 0);
  }
  const double stress = (F * L + weight * L * L / 2) * R / I;
  EXPECT_NEAR(link.figures.at(Figure::stress).value, stress, 1e-11 * stress);
  const double deflection = F * L * L * L / (3 * E * I) + weight * std::pow(L, 4) / (8 * E * I);
  EXPECT_NEAR(link.figures.at(Figure::deflection).value, deflection, 1e-11 * deflection);
  EXPECT_NEAR(link.figures.at(Figure::twist).value, 0, 1e-15);
}

TEST(AnalysisLinks, LoadBesideTheAxisTwists) {
  const Scenario scenario = scenario_of(rod({0, 1, 0}, d), tube(), rest);
  const LinkAnalysis link = analyse(scenario).links.at(0);
  const double R = 0.025, r = 0.022, G = find_material("aluminium")->shear_modulus;
  const double J = std::numbers::pi / 2 * (std::pow(R, 4) - std::pow(r, 4));
  const double T = tip_mass * g * d;
  for (const SectionForces& f : link.forces) expect_close(f.torsion, T);
  EXPECT_NEAR(link.figures.at(Figure::twist).value, T * L / (G * J), 1e-11 * T * L / (G * J));
  expect_close(link.stresses[3].torsion / (T * R / J), 1);
}

TEST(AnalysisLinks, SpinningRodIsPulled) {
  const double w = 7;
  Spec spec = rod({0, 0, 1});
  spec.gravity = {};
  const auto spin = [&](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
    rest(t, q, v, a);
    q[0] = w * t;
    v[0] = w;
  };
  const LinkAnalysis link = analyse(scenario_of(spec, tube(), spin)).links.at(0);
  for (std::size_t k = 0; k < link.places.size(); ++k) {
    const double x = link.places[k];
    expect_close(link.forces[k].normal,
                 m * w * w * (L * L - x * x) / (2 * L) + tip_mass * w * w * L);
    expect_close(link.forces[k].bending_y, 0);
    expect_close(link.forces[k].bending_z, 0);
  }
}

TEST(AnalysisLinks, RestAtTheInnerEndDoesNotLoadTheBeam) {
  LinkSettings link = tube();
  link.mass = 1;  // of the link's 3 kg
  link.rest = LinkSettings::Rest::inner;
  const LinkAnalysis inner = analyse(scenario_of(rod({0, 1, 0}), link, rest)).links.at(0);
  expect_close(inner.forces[0].shear_z, (tip_mass + 1) * g);
  expect_close(inner.forces[0].bending_y, -(tip_mass * g * L + g * L / 2));
  link.rest = LinkSettings::Rest::outer;
  const LinkAnalysis outer = analyse(scenario_of(rod({0, 1, 0}), link, rest)).links.at(0);
  expect_close(outer.forces[0].shear_z, (tip_mass + m) * g);
  expect_close(outer.forces[0].bending_y, -(tip_mass * g * L + m * g * L / 2));
  expect_close(outer.forces[10].shear_z, (tip_mass + m - 1) * g);
}

TEST(AnalysisLinks, TooHeavyBeamIsToldOf) {
  LinkSettings link = tube();
  link.mass = 4;
  const Analysis analysis = analyse(scenario_of(rod({0, 1, 0}), link, rest));
  ASSERT_EQ(analysis.warnings.size(), 1U);
  EXPECT_NE(analysis.warnings[0].find("link 'arm'"), std::string::npos);
}

// a lively motion in space: a chain whose second link is looked at, its axis not along a frame's
Spec crooked_chain() {
  Spec spec;
  spec.name = "chain";
  spec.add_body("base", 4, {0, 0, 0.1}, {0.1, 0.1, 0.05, 0, 0, 0});
  spec.add_joint("turn", JointKind::revolute, "", "base", {0, 0, 1});
  spec.add_body("arm", 3, {0.1, 0.2, 0.15}, {0.03, 0.02, 0.03, 0.001, 0.002, 0.003});
  spec.add_joint("lift", JointKind::revolute, "base", "arm", {0, 1, 0},
                 Transform<double>::translation({0, 0.1, 0.3}));
  spec.add_body("hand", 2, {0.05, 0.1, -0.05}, {0.01, 0.01, 0.01, 0, 0, 0});
  spec.add_joint("twist", JointKind::revolute, "arm", "hand", {1, 0, 0},
                 Transform<double>::translation({0.2, 0.4, 0.3}));
  return spec;
}

void swing(double t, std::span<double> q, std::span<double> v, std::span<double> a) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double w = 2.0 + static_cast<double>(k), phase = 0.3 * static_cast<double>(k);
    q[k] = 0.8 * std::sin(w * t + phase);
    v[k] = 0.8 * w * std::cos(w * t + phase);
    a[k] = -0.8 * w * w * std::sin(w * t + phase);
  }
}

LinkSettings crooked_link() {
  LinkSettings link = tube();
  link.from = {0.01, -0.02, 0.03};
  link.to = {0.2, 0.4, 0.3};
  link.up = {0, 0, 1};
  link.mass = 1.7;
  return link;
}

TEST(AnalysisLinks, InnerEndBearsTheReactionOfTheJoint) {
  const Scenario scenario = scenario_of(crooked_chain(), crooked_link(), swing, 0.4);
  const Analysis analysis = analyse(scenario);
  const LinkAnalysis& link = analysis.links.at(0);
  const double t = *link.figures.at(Figure::stress).time;
  std::vector<double> q(3), v(3), a(3);
  swing(t, q, v, a);
  Workspace ws(scenario.model);
  const auto tau = inverse_dynamics<double>(scenario.model, q, v, a, ws);
  const Force<double> f = joint_reaction(scenario.model, tau, scenario.model.body_of_joint("lift"));
  const LinkSettings settings = crooked_link();
  const Vec3<double> axis = settings.to - settings.from, x = axis / norm(axis);
  const Vec3<double> moment = f.angular - cross(settings.from, f.linear);
  const SectionForces& inner = link.forces.front();
  expect_close(inner.normal, -dot(f.linear, x));
  expect_close(inner.torsion, dot(moment, x));
  expect_close(std::hypot(inner.shear_y, inner.shear_z), norm(f.linear - x * dot(f.linear, x)));
  expect_close(std::hypot(inner.bending_y, inner.bending_z), norm(moment - x * dot(moment, x)));
}

// pose of the link in the world
Transform<double> pose_at(const Model& model, Workspace& ws, double t) {
  std::vector<double> q(3), v(3), a(3);
  swing(t, q, v, a);
  return body_pose(model, forward_kinematics<double>(model, q, ws), model.body("arm"));
}

TEST(AnalysisLinks, SlicesOfTheBeamAddUpToTheSame) {
  const Scenario scenario = scenario_of(crooked_chain(), crooked_link(), swing, 0.4);
  const LinkAnalysis link = analyse(scenario).links.at(0);
  const Model& model = scenario.model;
  const LinkSettings settings = crooked_link();
  const double t = *link.figures.at(Figure::stress).time, h = 1e-3;
  Workspace ws(model);
  // force that the slices between two stations need, their acceleration by differences of positions
  const std::size_t from = 3, to = 8;
  constexpr int slices = 400;
  Vec3<double> needed;
  for (int k = 0; k < slices; ++k) {
    const double share = 0.3 + 0.5 * (k + 0.5) / slices;
    const Vec3<double> r = settings.from + (settings.to - settings.from) * share;
    const auto at = [&](double step) {
      return transform_point(pose_at(model, ws, t + step * h), r);
    };
    const Vec3<double> acceleration =
        (at(1) * 16.0 + at(-1) * 16.0 - at(2) - at(-2) - at(0) * 30.0) / (12 * h * h);
    needed += (acceleration - model.gravity) * (settings.mass * 0.5 / slices);
  }
  const Vec3<double> axis = settings.to - settings.from;
  const Vec3<double> x = pose_at(model, ws, t).R * (axis / norm(axis));
  EXPECT_NEAR(link.forces[to].normal - link.forces[from].normal, dot(needed, x), 1e-7);
  // shear: dM/ds = −x × F, so that the moments change by the area under the shear forces; Simpson
  // over 2 stations each is exact for shear forces of second order
  double area_y = 0, area_z = 0;
  const double step = link.places[1];
  for (std::size_t k = 0; k + 2 < link.places.size(); k += 2) {
    const auto& f = link.forces;
    area_y += step / 3 * (f[k].shear_y + 4 * f[k + 1].shear_y + f[k + 2].shear_y);
    area_z += step / 3 * (f[k].shear_z + 4 * f[k + 1].shear_z + f[k + 2].shear_z);
  }
  expect_close(link.forces.back().bending_z - link.forces.front().bending_z, -area_y);
  expect_close(link.forces.back().bending_y - link.forces.front().bending_y, area_z);
  const double change_y = link.forces[from].shear_y - link.forces[to].shear_y;
  const double change_z = link.forces[from].shear_z - link.forces[to].shear_z;
  EXPECT_NEAR(std::hypot(change_y, change_z), norm(needed - x * dot(needed, x)), 1e-7);
}

TEST(AnalysisBearings, SpinningRodOnAnUprightShaft) {
  const double w = 7;
  const auto spin = [&](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
    rest(t, q, v, a);
    q[0] = w * t;
    v[0] = w;
  };
  const Analysis analysis = analyse(scenario_of(rod({0, 0, 1}), tube(), spin));
  const BearingAnalysis& shoulder = analysis.bearings.at(0);
  EXPECT_EQ(shoulder.name, "shoulder");
  expect_close(shoulder.figures.at(Figure::axial_force).value, (m + tip_mass) * g);
  expect_close(shoulder.figures.at(Figure::radial_force).value, (m * L / 2 + tip_mass * L) * w * w);
  expect_close(shoulder.figures.at(Figure::tilting_moment).value, (m * L / 2 + tip_mass * L) * g);
  const BearingAnalysis& wrist = analysis.bearings.at(1);
  expect_close(wrist.figures.at(Figure::radial_force).value, tip_mass * L * w * w);
  expect_close(wrist.figures.at(Figure::tilting_moment).value, 0);
}

TEST(AnalysisBearings, ForcesFromOutsideCount) {
  Scenario scenario = scenario_of(rod({0, 1, 0}), tube(), rest);
  ExternalForceSettings push;
  push.frame = "tip";
  push.force.constant = {{}, {0, 30, 0}};
  scenario.parts.push_back(std::make_shared<ExternalForce>(push));
  const Analysis analysis = analyse(scenario);
  const BearingAnalysis& shoulder = analysis.bearings.at(0);  // axis along y
  expect_close(shoulder.figures.at(Figure::axial_force).value, 30);
  expect_close(shoulder.figures.at(Figure::tilting_moment).value, 30 * L);
  expect_close(analysis.links[0].forces[0].bending_z, -30 * L);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
