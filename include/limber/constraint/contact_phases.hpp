#pragma once
// The phases of a contact task, as the handbook has them: a frame of the robot meets a surface or a
// hole, the velocities change suddenly, and the motion goes on with s_c = 0, or with the dynamics
// of the base that gives way. [HB] 20.5.2, 20.5.3
//
//   constrained    H q̈ + h = τ + J_cᵀ F,  J_c q̈ + A_c = 0                        (20.88), (20.89)
//   impact         H Δq̇ = J_cᵀ P,  J_c q̇″ + ∂s_c/∂t = 0                          (20.90), (20.91)
//   on a base      m_e s̈ = −F − k s − b ṡ,  s̈ = J_c q̈ + A_c                     (20.92) to (20.94)
//   impact on it   m_e (ṡ″ − ṡ_base′) = −P,  ṡ″ = J_c q̇″                   corrects (20.95) to
//   (20.97)
//
// P = FΔt is the impulse. The equations of the last impact are homogeneous as they are printed
// (with Δṡ = J_c Δq̇ and m_e Δṡ = −P they have the solution zero): the base does not begin with the
// robot's velocity but with its own.
//
// A System does the same with what it has for all mechanisms (limber/sim/environment_contact.hpp);
// these functions are for programs of one robot, and what the System is compared with.
#include <limber/constraint/functional_coordinates.hpp>
#include <limber/dynamics/loads.hpp>
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// A base of one lumped mass on a spring and a damper, [HB] figure 20.15c, along the normal of a
/// surface.
struct LumpedBase {
  double mass = 0;       ///< m_e [kg], positive
  double stiffness = 0;  ///< k [N/m]
  double damping = 0;    ///< b [N s/m]
};

/// Scratch and results; one per thread.
class ContactPhases {
 public:
  /// Throws Error as FunctionalCoordinates does.
  ContactPhases(const Model& model, FunctionalSettings settings);

  // Each of these is for the model of the constructor, at time t [s], q (nq), v (nv), tau (nv) [N
  // m, N]. No allocation. Throws Error as forward_dynamics() does, and where the robot cannot move
  // a constrained coordinate (a singular position).

  /// Accelerations with s_c = 0; acceleration and force are the result.
  void constrained_motion(double t, std::span<const double> q, std::span<const double> v,
                          std::span<const double> tau, const Loads<double>& loads = {});
  /// Velocities after an impact without restitution; velocity, impulse and energy are the result.
  void impact(double t, std::span<const double> q, std::span<const double> v,
              const Loads<double>& loads = {});
  /// Accelerations in touch with a base that gives way: the surface is where the frame is, and the
  /// spring is relaxed at s = 0. One coordinate is constrained, else it throws Error. The surface
  /// rests but for what the base does.
  void motion_on_base(const LumpedBase& base, double t, std::span<const double> q,
                      std::span<const double> v, std::span<const double> tau,
                      const Loads<double>& loads = {});
  /// Velocities after the frame has met the base, which moves with base_velocity along the normal
  /// [m/s]: both move on together.
  void impact_on_base(const LumpedBase& base, double base_velocity, double t,
                      std::span<const double> q, std::span<const double> v,
                      const Loads<double>& loads = {});

  FunctionalCoordinates coordinates;  ///< at the last call
  std::vector<double> acceleration;   ///< q̈ (nv) [rad/s² or m/s²]
  std::vector<double> force;          ///< F, one for each constrained coordinate [N or N m]
  std::vector<double> velocity;       ///< q̇″ (nv) [rad/s or m/s]
  std::vector<double> impulse;        ///< P, likewise [N s or N m s]
  double rate_after = 0;              ///< ṡ″ of impact_on_base() [m/s]
  double acceleration_after = 0;      ///< s̈ of motion_on_base() [m/s²]
  /// Kinetic energy that the impact took from robot and base together; of a surface that moves,
  /// with the work that it does [J].
  double energy_lost = 0;

 private:
  void find_rows(double t, std::span<const double> q, std::span<const double> v,
                 const Loads<double>& loads);
  void expect_base(const LumpedBase& base) const;
  void solve_rows(std::span<double> right);
  void add_response(std::span<const double> rows, std::span<double> out) const;

  Model model_;
  Workspace ws_;
  TreeFactor factor_;
  int rows_ = 0;
  std::vector<double> Y_;      // H⁻¹ J_cᵀ, row by row of J_c (rows × nv)
  std::vector<double> A_, L_;  // J_c H⁻¹ J_cᵀ, and its factor (rows × rows)
};

}  // namespace limber
