#pragma once
// Small parts for tests of System and Simulation.
#include <functional>

#include <limber/sim/system.hpp>

namespace limber::test {

/// Adds what a function says.
class FunctionPart final : public Part {
 public:
  using Function = std::function<void(Evaluation&)>;
  FunctionPart(std::string name, Role role, Function function)
      : Part(std::move(name)), role_(role), function_(std::move(function)) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<FunctionPart>(*this); }
  Role role() const override { return role_; }
  void apply(Evaluation& at) override { function_(at); }

 private:
  Role role_;
  Function function_;
};

/// Samples with period T; its discrete states are the number of samples, the time of the last, and
/// a command −k q[0] that holds.
class SampledSpring final : public Part {
 public:
  SampledSpring(std::string name, double period, double stiffness)
      : Part(std::move(name)), period_(period), stiffness_(stiffness) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<SampledSpring>(*this); }
  Role role() const override { return Role::control; }
  double sample_time() const override { return period_; }
  int discrete_states() const override { return 3; }
  void update(Evaluation& at, std::span<double> d) override {
    d[0] += 1;
    d[1] = at.t;
    d[2] = -stiffness_ * at.q[0];
  }
  void apply(Evaluation& at) override { at.command[0] += at.d[2]; }

 private:
  double period_, stiffness_;
};

/// Pushes a freedom with the force that its input says, through a lag of first order: z.
class Pusher final : public Part {
 public:
  explicit Pusher(int freedom = 0, std::string name = "pusher", double first = 0)
      : Part(std::move(name)), freedom_(freedom), first_(first) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<Pusher>(*this); }
  Role role() const override { return Role::world; }
  int continuous_states() const override { return 1; }
  std::vector<InputSpec> inputs() const override {
    return {{"force", "N", first_, -50, 50}, {"rate", "1/s", 10, 0.1, 100}};
  }
  void apply(Evaluation& at) override { at.tau[static_cast<std::size_t>(freedom_)] += at.z[0]; }
  void derivative(Evaluation& at, std::span<double> z_dot) override {
    z_dot[0] = at.inputs[1] * (at.inputs[0] - at.z[0]);
  }

 private:
  int freedom_;
  double first_;
};

/// A mass that slides along z.
inline Spec slider(double mass = 2) {
  Spec spec;
  spec.name = "slider";
  spec.add_body("mass", mass, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_joint("slide", JointKind::prismatic, "", "mass");
  return spec;
}

}  // namespace limber::test
