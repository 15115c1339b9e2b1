#pragma once
// What the joints that close loops do besides closing them: springs, damping, friction, limits,
// efforts. A joint of the tree has these in the dynamics; in a loop they are forces between its two
// bodies along the freedoms that it leaves.
#include <limber/sim/part.hpp>

namespace limber {

/// Loop joints that turn about or slide along one axis (revolute, prismatic, helical, cylindrical)
/// and have numbers of their own (LoopSpec::dofs). Angles are counted over any number of turns, by
/// a continuous state. Friction is proportional to the rate below 1e-3 rad/s or m/s. At a limit a
/// bumper pushes back: a spring of 100 rad/s on the inertia that the joint meets where the run
/// begins, with half of the critical damping. Efforts are inputs: "loop
/// joints.NAME.effort", within the effort limit. Every System adds this part itself where its robot
/// has such joints.
class LoopJoints final : public Part {
 public:
  /// Throws Error naming the loop for numbers of other kinds of joints.
  explicit LoopJoints(std::span<const BasicLoop<double>> loops);
  /// True if a loop has numbers that this part is needed for.
  static bool is_needed(std::span<const BasicLoop<double>> loops);

  std::unique_ptr<Part> clone() const override { return std::make_unique<LoopJoints>(*this); }
  Role role() const override { return Role::world; }
  int continuous_states() const override { return static_cast<int>(freedoms_.size()); }
  int discrete_states() const override { return 2 * static_cast<int>(freedoms_.size()); }
  std::vector<InputSpec> inputs() const override;
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  bool stores_energy() const override { return true; }
  StoredEnergy stored_energy(Evaluation& at) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

 private:
  struct Freedom {
    BasicLoop<double> loop;
    std::string name;
    bool turns = false;
    Vec3<double> first, second;  ///< across the axis, in frame a
    DofSpec dof;
  };
  struct Motion1 {  ///< of one freedom
    double position = 0, rate = 0;
    Vec3<double> axis, point;  ///< in the world
  };
  Motion1 motion_of(const Freedom& freedom, Evaluation& at, double counted) const;
  double force_on(std::size_t k, const Motion1& motion, const Evaluation& at) const;
  double inertia_of(const Freedom& freedom, Evaluation& at) const;

  std::vector<BasicLoop<double>> loops_;  // all of them
  std::vector<Freedom> freedoms_;
};

}  // namespace limber
