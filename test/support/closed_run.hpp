#pragma once
// A closed mechanism that moves: classical Runge-Kutta steps on closed_forward_dynamics(), after
// each of them positions and velocities are brought back to the loops. It shares no code with the
// simulator.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <limber/constraint/closed_dynamics.hpp>
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/model/joint_space.hpp>

#include "support/near.hpp"

namespace limber::test {

struct ClosedRun {
  /// At rest in the neutral position, or in a named state.
  explicit ClosedRun(const Model& model, const std::string& state = "")
      : mechanism(model),
        closed(mechanism),
        ws(mechanism.tree),
        q(matrix(neutral_position(model))),
        v(Eigen::VectorXd::Zero(model.nv)),
        forces(static_cast<std::size_t>(model.bodies())) {
    for (const Keyframe& one : model.keyframes)
      if (one.name == state) q = matrix(one.q), v = matrix(one.v);
  }

  const Model& tree() const { return mechanism.tree; }
  static std::span<double> span(Eigen::VectorXd& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
  int index(const std::string& joint) const {  // of its first velocity
    return tree().v_fold[tree().v_index[tree().body_of_joint(joint)]].index;
  }
  int q_index(const std::string& joint) const {
    return tree().q_fold[tree().q_index[tree().body_of_joint(joint)]].index;
  }
  double position(const std::string& joint) const { return q[q_index(joint)]; }
  double rate(const std::string& joint) const { return v[index(joint)]; }

  Vec3<double> origin(const std::string& frame) {
    const Poses& poses = forward_kinematics<double>(tree(), in(q), ws);
    return frame_pose(tree(), poses, tree().frame(frame)).p;
  }

  Eigen::VectorXd acceleration(double time, const Eigen::VectorXd& at_q,
                               const Eigen::VectorXd& at_v) {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(tree().nv);
    Loads<double> loads;
    if (act) {
      act(at_q, at_v, tau, forces);
      loads.body_forces = forces;
    }
    return matrix(closed_forward_dynamics<double>(mechanism, time, in(at_q), in(at_v), in(tau),
                                                  closed, loads));
  }

  Eigen::VectorXd moved(const Eigen::VectorXd& rates, double h) {
    Eigen::VectorXd to = q;
    integrate<double>(tree(), in(q), in(rates), h, span(to));
    return to;
  }

  void step(double h) {
    using Eigen::VectorXd;
    const VectorXd a1 = acceleration(t, q, v);
    const VectorXd v2 = v + a1 * (h / 2), a2 = acceleration(t + h / 2, moved(v, h / 2), v2);
    const VectorXd v3 = v + a2 * (h / 2), a3 = acceleration(t + h / 2, moved(v2, h / 2), v3);
    const VectorXd v4 = v + a3 * h, a4 = acceleration(t + h, moved(v3, h), v4);
    q = moved(v + 2 * v2 + 2 * v3 + v4, h / 6);
    v += (a1 + 2 * a2 + 2 * a3 + a4) * (h / 6);
    t += h;
    project();
  }

  void project() {
    const ClosedPosition found = close_loops<double>(mechanism, t, span(q), closed, tolerance);
    largest_gap = std::fmax(largest_gap, found.gap);
    v = matrix(closed_velocity<double>(mechanism, t, in(q), in(v), closed));
  }

  void run(double end, double h) {
    const long steps = std::lround((end - t) / h);
    for (long k = 0; k < steps; ++k) step((end - t) / static_cast<double>(steps - k));
  }

  double gap() {
    double worst = 0;
    for (const double x : loop_gaps<double>(mechanism, t, in(q), closed.ws, closed.rows))
      worst = std::fmax(worst, std::abs(x));
    return worst;
  }
  double energy() {  // without what acts from outside
    return kinetic_energy<double>(tree(), in(q), in(v), ws) +
           potential_energy<double>(tree(), in(q), ws);
  }

  Mechanism mechanism;
  ClosedDynamics closed;
  Workspace ws;
  double t = 0;
  Eigen::VectorXd q, v;
  double tolerance = 1e-12;  ///< of gaps
  double largest_gap = 0;    ///< that any step has left
  /// Drives and forces on bodies in their frames: writes both.
  std::function<void(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau,
                     std::vector<Force<double>>& forces)>
      act;
  std::vector<Force<double>> forces;
};

}  // namespace limber::test
