#pragma once
// What the joints that close loops do besides closing them: springs, damping, friction, limits,
// efforts. A joint of the tree has these in the dynamics; in a loop they are forces between its two
// bodies along the freedoms that it leaves.
#include <limber/sim/part.hpp>

namespace limber {

/// Loop joints of any kind that have numbers of their own (LoopSpec::dofs), each of their freedoms
/// by itself, with the variables that the kind has in the tree. Angles about axes are counted over
/// any number of turns, by a continuous state. Where a kind has a quaternion, springs and limits
/// act on the components of the rotation vector and of the displacement of frame b in frame a;
/// damping, friction and efforts on its velocities, which are in the axes of frame b. Friction is
/// proportional to the rate below 1e-3 rad/s or m/s. At a limit a bumper pushes back: a spring of
/// 100 rad/s on the inertia that the joint meets where the run begins, with half of the critical
/// damping. Efforts are inputs: "loop joints.NAME.effort", within the effort limit; NAME is the
/// loop's, of several freedoms LOOP.LABEL as in variables.hpp. Every System adds this part itself
/// where its robot has such joints.
class LoopJoints final : public Part {
 public:
  /// Throws Error naming the loop for the rotor of a motor.
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
    int index = 0;  ///< among the velocities of the joint
    bool turns = false;
    Mat3<double> axes;  ///< of the joint, in frame a
    DofSpec dof;
  };
  struct Motion1 {  ///< of one freedom
    double position = 0, position_rate = 0, rate = 0;
    /// Moment or force on body b for a unit of what acts on the position and on the rate, in the
    /// world; a force acts at `point`.
    Vec3<double> along_position, along_rate, point;
  };
  struct Acting {  ///< on a freedom
    double on_position = 0, on_rate = 0;
    double sum() const { return on_position + on_rate; }
  };
  struct Relative;  // frame b against frame a
  Motion1 motion_of(const Freedom& freedom, Evaluation& at, double counted) const;
  Motion1 on_axis(const Freedom& freedom, const Relative& b, double counted) const;
  Motion1 on_cross(const Freedom& freedom, const Relative& b, double counted) const;
  Motion1 on_ball(const Freedom& freedom, const Relative& b) const;
  Acting force_on(std::size_t k, const Motion1& motion, const Evaluation& at) const;
  double inertia_of(const Freedom& freedom, Evaluation& at) const;

  std::vector<BasicLoop<double>> loops_;  // all of them
  std::vector<Freedom> freedoms_;
};

}  // namespace limber
