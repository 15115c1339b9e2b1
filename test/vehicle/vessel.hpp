#pragma once
// A body that floats in water, for tests of what moves it, and a part that brakes it.
#include <limber/limber.hpp>
#include <limber/sim/integrator.hpp>
#include <limber/sim/simulation.hpp>
#include <limber/sim/system.hpp>

namespace limber::test {

/// A free body "hull" without weight, with a frame "stern" at `place`.
inline Spec vessel(double mass, const Vec3<double>& place = {}) {
  Spec spec;
  spec.name = "vessel";
  spec.gravity = {};
  spec.add_body("hull", mass, {}, {2, 3, 4});
  spec.add_joint("base", JointKind::free, "", "hull");
  spec.frames.push_back({"stern", "hull", {Mat3<double>::identity(), place}, {}});
  return spec;
}

/// Brakes the body with the square of its speed along x.
class SurgeDrag final : public Part {
 public:
  explicit SurgeDrag(double coefficient) : Part("drag"), coefficient_(coefficient) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<SurgeDrag>(*this); }
  Role role() const override { return Role::world; }
  void apply(Evaluation& at) override {
    const double u = frame_velocity(at.model, at.kinematics(), 0, Reference::body).linear.x;
    at.body_forces()[1].linear.x -= coefficient_ * u * std::abs(u);
  }

 private:
  double coefficient_;
};

/// q of the vessel at a place, unturned.
inline std::vector<double> at_place(const Vec3<double>& p) { return {p.x, p.y, p.z, 0, 0, 0, 1}; }

/// The value of a column at (t, x).
inline double recorded(System& system, double t, std::span<const double> x,
                       const std::string& column) {
  if (system.evaluate(t, x) != Evaluated::ok) throw Error(system.failure());
  const std::vector<Column> columns = system.columns();
  std::vector<double> values(columns.size());
  system.record(x, values);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].name == column) return values[k];
  throw Error("no column " + column);
}

/// x after a time, by Runge-Kutta steps of a millisecond.
inline std::vector<double> carried(System& system, std::vector<double> x, double duration) {
  const auto integrator = make_integrator({"rk4", 1e-3});
  integrator->start(system, 0, x);
  while (integrator->t() < duration - 1e-12)
    if (integrator->step(duration) != StepStatus::ok) throw Error(system.failure());
  return {integrator->x().begin(), integrator->x().end()};
}

}  // namespace limber::test
