// A part of your own in a simulation: drag of the air on a pendulum's tip. An event tells when the
// pendulum passes its lowest point; the recording shows where its energy went.
#include <cmath>
#include <cstdio>

#include <limber/simulator.hpp>

namespace {

constexpr double length = 1;  // of the pendulum [m]

class AirDrag final : public limber::Part {
 public:
  explicit AirDrag(double coefficient) : Part("air drag"), coefficient_(coefficient) {}
  std::unique_ptr<limber::Part> clone() const override { return std::make_unique<AirDrag>(*this); }
  limber::Role role() const override { return limber::Role::world; }
  void apply(limber::Evaluation& at) override {
    const double speed = at.v[0] * length;  // of the tip [m/s]
    at.tau[0] -= coefficient_ * speed * std::abs(speed) * length;
  }

 private:
  double coefficient_;  // [N s²/m²]
};

}  // namespace

int main() {
  limber::System system(limber::load("pendulum"));
  system.add(std::make_unique<AirDrag>(0.05));
  system.add(std::make_unique<limber::ValueEvent>(
      "lowest point", limber::named_value(system.model(), "pivot.position"), 0.0,
      limber::EventSpec::Crossing::both, limber::Then::watch));

  limber::SimulationSettings settings;
  settings.duration = 3;
  settings.integrator.method = "dopri5";
  const std::vector<double> q{1.5}, v{0};
  limber::Simulation simulation(system, settings, q, v);
  limber::Recorder recorder(simulation.system(), {});
  limber::Recording recording{recorder.columns(), {}};
  simulation.on_record = [&](const limber::System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    recording.values.insert(recording.values.end(), row.begin(), row.end());
  };
  std::printf("%s\n", limber::name(simulation.run()));
  for (const limber::Event& event : simulation.events())
    std::printf("%.6f s: %s\n", event.t, event.text.c_str());
  std::printf("lost to the air: %.6f J\n", -recording.series("work").back());
}
