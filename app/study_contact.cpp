// A mass on compliant ground: the largest stable step of every integrator against the stiffness.
#include "study_contact.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/sim/contacts.hpp>
#include <limber/sim/integrator.hpp>
#include <limber/sim/system.hpp>

#include "table.hpp"

namespace limber::app::study_contact {

namespace {

constexpr double mass = 1, damping_ratio = 0.05, gravity = 9.81, radius = 0.1;
constexpr double longest = 30, shortest = 1e-3;  // steps that are tried, in radians of the swing
constexpr int steps_tried = 400, halvings = 14;
constexpr double stiffnesses[] = {1e3, 1e4, 1e5, 1e6, 1e7};

Spec sphere_on_a_rail() {
  Spec spec;
  spec.name = "sphere";
  spec.gravity = {0, 0, -gravity};
  BodySpec& body = spec.add_body("sphere", mass, {}, {0.004, 0.004, 0.004, 0, 0, 0});
  ShapeSpec shape;
  shape.kind = ShapeSpec::Kind::sphere;
  shape.role = ShapeSpec::Role::collision;
  shape.size = {radius, 0, 0};
  body.shapes.push_back(shape);
  spec.add_joint("height", JointKind::prismatic, "", "sphere", {0, 0, 1});
  return spec;
}

System ground_of(double stiffness) {
  const Spec spec = sphere_on_a_rail();
  Model model = build(spec);
  SceneryShape ground;
  ground.name = "ground";
  CollisionScene scene(spec, model, {ground});
  ContactSettings settings;
  settings.method = ContactMethod::compliant;
  settings.materials.assign(scene.shapes().size(), {});
  settings.normal.kind = NormalLaw::Kind::linear;
  settings.normal.stiffness = stiffness;
  settings.normal.damping = 2 * damping_ratio * std::sqrt(stiffness * mass);
  // the state of friction that sticks would bound the steps, too: by its own damping and stiffness
  settings.tangential.kind = FrictionLaw::Kind::regularised;
  System system(std::move(model));
  system.add(std::make_unique<Contacts>(std::move(scene), settings));
  return system;
}

// begins a little deeper than it rests, so that it does not leave the ground, which is linear
constexpr double pressed_by = 0.01;
std::vector<double> pressed(System& system, double stiffness) {
  const double q[] = {radius - (1 + pressed_by) * mass * gravity / stiffness}, v[] = {0.0};
  return system.initial_state(q, v);
}

bool is_stable(const std::string& method, double stiffness, double step) {
  System system = ground_of(stiffness);
  IntegratorSettings settings;
  settings.method = method;
  settings.step = step;
  const std::unique_ptr<Integrator> integrator = make_integrator(settings);
  integrator->start(system, 0, pressed(system, stiffness));
  // a swing that grows is larger in the end than in the beginning; one that has grown until it
  // leaves the ground may stay as it is
  const double depth = mass * gravity / stiffness, rest = radius - depth;
  double late = 0;
  for (int k = 0; k < steps_tried; ++k) {
    if (integrator->step(HUGE_VAL) != StepStatus::ok) return false;
    const double away = std::abs(integrator->x()[0] - rest);
    if (!(away < depth)) return false;
    if (k >= steps_tried - steps_tried / 4) late = std::max(late, away);
  }
  return late <= pressed_by * depth;
}

Limit largest_step(const std::string& method, double stiffness) {
  const double frequency = std::sqrt(stiffness / mass);
  double low = shortest, high = longest;
  if (is_stable(method, stiffness, high / frequency)) return {high / frequency, true};
  for (int k = 0; k < halvings; ++k) {
    const double middle = std::sqrt(low * high);
    (is_stable(method, stiffness, middle / frequency) ? low : high) = middle;
  }
  return {low / frequency, false};
}

// of error control, over ten swings
Limit mean_step(const std::string& method, double stiffness) {
  System system = ground_of(stiffness);
  IntegratorSettings settings;
  settings.method = method;
  settings.step = 1e-6;
  settings.relative_tolerance = 1e-6;
  settings.absolute_tolerance = 1e-9;
  const std::unique_ptr<Integrator> integrator = make_integrator(settings);
  integrator->start(system, 0, pressed(system, stiffness));
  const double end = 10 * 2 * M_PI / std::sqrt(stiffness / mass);
  while (integrator->t() < end)
    if (integrator->step(end) != StepStatus::ok) return {};
  return {end / static_cast<double>(integrator->cost().steps), false};
}

}  // namespace

Study examine(const std::function<void(double)>& progress) {
  Study study{{std::begin(stiffnesses), std::end(stiffnesses)}, mass, damping_ratio, {}};
  double done = 0;
  for (const IntegratorMethod& method : integrator_methods()) {
    Row row{std::string(method.name), method.error_control, {}};
    for (const double stiffness : stiffnesses)
      row.limits.push_back(method.error_control ? mean_step(row.method, stiffness)
                                                : largest_step(row.method, stiffness));
    study.rows.push_back(std::move(row));
    progress(++done / static_cast<double>(integrator_methods().size()));
  }
  return study;
}

std::string to_text(const Study& study) {
  std::string text = fmt::format(
      "A sphere of {} kg on ground that is a spring and a damper (ratio {}): the largest stable "
      "step [s] against the\nstiffness of the ground [N/m]; of methods with error control the mean "
      "step at a tolerance of 1e-6.\n\n",
      study.mass, study.damping_ratio);
  std::vector<Table::Column> columns{{"method", Table::Align::left}};
  for (const double k : study.stiffness) columns.push_back({fmt::format("{:.0e}", k)});
  columns.push_back({"step · ω [rad]"});
  Table table(columns);
  for (const Row& row : study.rows) {
    std::vector<std::string> cells{row.method};
    for (const Limit& limit : row.limits)
      cells.push_back(fmt::format("{}{:.2e}", limit.is_unlimited ? "> " : "", limit.step));
    const double radians = row.limits.back().step * std::sqrt(study.stiffness.back() / study.mass);
    cells.push_back(row.error_control ? "chosen" : fmt::format("{:.3g}", radians));
    table.add(cells);
  }
  return text + table.text() +
         "\nHard contact (time_stepping) has no stiffness: its step does not depend on the "
         "ground.\n";
}

nlohmann::ordered_json to_json(const Study& study) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : study.rows) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const Limit& limit : row.limits) steps.push_back(limit.step);
    rows.push_back(
        {{"method", row.method}, {"error_control", row.error_control}, {"steps", steps}});
  }
  return {{"mass", study.mass},
          {"damping_ratio", study.damping_ratio},
          {"stiffness", study.stiffness},
          {"methods", rows}};
}

}  // namespace limber::app::study_contact
