#pragma once
// The quadratic program of whole-body control: accelerations a of all freedoms and forces f of the
// contacts,
//   minimise   Σ weight |J a + J̇ v − (a_r + K_p e + K_d ė)|² + small terms of a and f
//   with       M a + h = τ + J_cᵀ f        τ = 0 where nothing drives a freedom (a floating base)
//              J_c a + J̇_c v = −d J_c v    contacts hold
//              |τ| ≤ limit,  f in its friction cone, least ≤ f_n ≤ most.
// The cone is linearised: a pyramid inside it.
//
// At each instant: start(), release() of contacts that are in the air, the tasks in any order,
// solve(), torques(). WholeBodyController and WalkingController are made of it.
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <limber/control/joint_controller.hpp>
#include <limber/control/quadratic_program.hpp>
#include <limber/control/task_trajectory.hpp>
#include <limber/fluid/water_loads.hpp>

namespace limber {

/// A point that holds.
struct HeldContact {
  std::string frame;
  Vec3<double> normal{0, 0, 1};  ///< of the ground, towards the robot, world axes; any length
  double friction = 0.6;         ///< coefficient of the cone
  double least_force = 0;        ///< along the normal [N]
  double most_force = HUGE_VAL;  ///< [N]
  Vec3<double> point{};          ///< from the frame's origin, in its axes [m]
};

/// How a task is followed.
struct TaskGains {
  double stiffness = 100, damping = 20;  ///< [1/s²], [1/s]
  double weight = 1;
};

/// What a controller counts on of the water: that it is at rest, with these links in it. Without
/// `water` it counts on none.
struct KnownWater {
  std::shared_ptr<const Water> water{};
  std::vector<LinkHydrodynamics> links{};
};

/// Contacts and weights of a WholeBodyProgram.
struct WholeBodyProgramSettings {
  std::vector<HeldContact> contacts;
  int cone_sides = 4;                 ///< of the pyramid, at least 3
  double contact_damping = 10;        ///< d: of what a contact should not move, but does [1/s]
  double acceleration_weight = 1e-6;  ///< of all a
  double force_weight = 1e-8;         ///< of all f, per N²
  PassiveCompensation passive = PassiveCompensation::none;  ///< none or from_measured
  KnownWater water;
};

/// Throws Error naming the field for invalid settings.
void check(const WholeBodyProgramSettings& settings);
/// Throws Error for gains that are negative and weights that are not positive; `what` begins it.
void check(const TaskGains& gains, const std::string& what);

/// See the top of the file. Nothing is allocated after the constructor. What is called before
/// start() throws Error.
class WholeBodyProgram {
 public:
  /// freedoms: those that are driven (indices into v), and the largest force of each [N m or N].
  /// tasks: at most this many, a pose counts as two. Throws Error for frames that do not exist.
  WholeBodyProgram(const WholeBodyProgramSettings& settings, const Model& model,
                   std::span<const int> freedoms, std::span<const double> limits, int tasks);

  /// Begins anew: the equations of motion, all contacts held, limits and cones.
  void start(const Model& model, std::span<const double> q, std::span<const double> v);
  /// This contact bears no force now, and its point is free.
  void release(int contact);
  /// A frame follows a motion.
  void follow(int frame, TaskRows rows, const TaskMotion& reference, const TaskGains& gains);
  /// The centre of mass follows the origin of a motion.
  void follow_center(const TaskMotion& reference, const TaskGains& gains);
  /// A freedom accelerates as wanted [rad/s² or m/s²], with this weight.
  void follow_freedom(int freedom, double acceleration, double weight);

  /// Where a frame is in the world, and how it moves, in the state of start().
  Transform<double> pose(int frame) const;
  Motion<double> velocity(int frame) const;  ///< as Reference::world_aligned

  /// Begins with the rows that `active` says are active (1 lower, −1 upper bound, 0 neither), and
  /// writes there those of the solution; empty: from the beginning.
  QpResult solve(std::span<double> active);
  /// The force of each driven freedom [N m or N] of a solution.
  void torques(const QpResult& found, std::span<double> out) const;
  /// The force on a contact in world axes [N], and the part of its cone that is used: 1 on it.
  Vec3<double> force(const QpResult& found, int contact) const;
  double friction_use(const QpResult& found, int contact) const;
  double normal_force(const QpResult& found, int contact) const;
  /// The acceleration that is missing of the task that misses most [m/s² or rad/s²], and which one,
  /// in the order in which they were added.
  struct Missing {
    double acceleration = 0;
    int task = 0;
  };
  Missing missing(const QpResult& found) const;

  /// What a row is, in words; rows with bounds on both sides that hold a solution back.
  std::string row_words(int row) const;
  std::string held_back_by(const QpResult& found) const;
  int rows() const { return rows_; }

 private:
  void expect_started() const;
  void add_dynamics(std::span<const double> q, std::span<const double> v);
  void add_contacts(std::span<const double> q, std::span<const double> v);
  void leave_out_dependent_rows();
  void add_limits();
  void add_cones();
  void add_task(std::span<const double> J, const Vec3<double>& wanted, double weight);
  double& A(int i, int j) { return A_[static_cast<std::size_t>(i * n_ + j)]; }
  int contacts() const { return static_cast<int>(settings_.contacts.size()); }
  int cone_row(int contact) const;

  WholeBodyProgramSettings settings_;
  std::vector<int> freedoms_, contact_frames_;
  std::vector<double> limits_;
  std::vector<int> passive_;            // freedoms that are not driven
  std::vector<int> limited_;            // places in freedoms_ with a finite limit
  std::vector<std::uint8_t> released_;  // of each contact
  double lever_;                        // by which turns are compared with shifts [m]
  int nv_, n_, rows_;
  QuadraticProgram program_;
  Water still_;                         // the known water, at rest
  std::optional<WaterLoads> in_water_;  // what it does

  // of the present instant
  const Model* model_ = nullptr;
  std::span<const double> q_, v_;
  Workspace ws_;
  Velocities bodies_;
  int row_ = 0, tasks_ = 0;
  std::vector<double> M_, h_, J_;  // mass matrix, bias forces, one Jacobian
  std::vector<double> contact_J_;  // of all contacts
  std::vector<double> H_, g_, A_, lower_, upper_;
  std::vector<std::int8_t> active_;
  // of each task of three rows, turns and shifts of a frame apart: J and what J a should be
  std::vector<double> task_J_, task_wanted_;
};

}  // namespace limber
