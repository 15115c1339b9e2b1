#pragma once
// Small machines and what runs them, for the tests of drives.
#include <algorithm>
#include <functional>

#include <limber/model/model.hpp>
#include <limber/sim/simulation.hpp>

namespace limber::test {

/// A wheel on a vertical axis, joint "wheel": nothing but its inertia [kg m²].
inline Model wheel(double inertia, const DofSpec& dof = {}) {
  Spec spec;
  spec.name = "wheel";
  spec.add_body("disc", 1, {}, {inertia, inertia, inertia, 0, 0, 0});
  spec.add_joint("wheel", JointKind::revolute, "", "disc").dofs = {dof};
  return build(spec);
}

/// A block of the given mass [kg] that slides along a line; gravity pulls it along the line with
/// `downhill` [m/s²], positive in the direction of the line.
inline Model block(double mass, double downhill = 0, const DofSpec& dof = {}) {
  Spec spec;
  spec.name = "block";
  spec.gravity = {downhill, 0, -9.81};
  spec.add_body("block", mass);
  spec.add_joint("slide", JointKind::prismatic, "", "block", {1, 0, 0}).dofs = {dof};
  return build(spec);
}

/// Commands as functions of time and state.
class Commands final : public Part {
 public:
  using Law = std::function<void(Evaluation&)>;
  explicit Commands(Law law) : Part("commands"), law_(std::move(law)) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Commands>(*this); }
  Role role() const override { return Role::control; }
  void apply(Evaluation& at) override { law_(at); }

 private:
  Law law_;
};

inline std::unique_ptr<Part> constant_command(double value) {
  return std::make_unique<Commands>([value](Evaluation& at) { at.command[0] = value; });
}

inline SimulationSettings accurate(double duration) {
  SimulationSettings settings;
  settings.duration = duration;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = 1e-12;
  settings.integrator.absolute_tolerance = 1e-13;
  settings.event_tolerance = std::max(1e-13, 1e-15 * duration);  // what the clock resolves
  return settings;
}

/// For stiff systems.
inline SimulationSettings accurate_stiff(double duration) {
  SimulationSettings settings = accurate(duration);
  settings.integrator.method = "cvode_bdf";
  settings.integrator.relative_tolerance = 1e-10;
  settings.integrator.absolute_tolerance = 1e-10;
  return settings;
}

/// The value of the named column at (t, x).
inline double column(System& system, double t, std::span<const double> x, const std::string& name) {
  const std::vector<Column> columns = system.columns();
  std::vector<double> values(columns.size());
  if (system.evaluate(t, x) == Evaluated::failed) throw Error(system.failure());
  system.record(x, values);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].name == name) return values[k];
  throw Error("no column '" + name + "'");
}

}  // namespace limber::test
