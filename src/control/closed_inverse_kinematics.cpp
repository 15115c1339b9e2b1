#include <limber/control/closed_inverse_kinematics.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/constraint/assemble.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/model/joint_space.hpp>

#include "constraint/position_rows.hpp"
#include "control/frame_solver.hpp"
#include "control/limits.hpp"
#include "control/task_paths.hpp"
#include "index.hpp"
#include "math/singular_values.hpp"

namespace limber {

namespace {

Numbers numbers_of(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }

class ClosedFrameSolver {
 public:
  ClosedFrameSolver(const Mechanism& m, double t, const std::string& frame,
                    const InverseKinematicsSettings& settings)
      : tree_(m.tree),
        settings_(settings),
        frames_(m.tree, frame, settings),
        frame_(m.tree.frame(frame)),
        task_(rows_of(settings.rows)),
        rows_(m, t),
        ws_(m.tree) {
    search_.may_move.assign(at_index(tree_.nv), 0);
    for (const int k : frames_.freedoms()) search_.may_move[at_index(k)] = 1;
    search_.tolerance = settings.tolerance;
  }

  /// Closes the loops again, in place.
  bool close(std::span<double> q) {
    int count = 0;
    return rows_.close(search_, q, count) <= settings_.tolerance;
  }

  void solve(const Transform<double>& pose, Numbers& q) {
    double damping = 1e-3;
    for (int i = 0; i < settings_.iterations; ++i)
      if (error(pose, q) <= settings_.tolerance || !improve(pose, damping, q)) return;
  }

  InverseKinematicsResult result(const Transform<double>& pose, const Numbers& q) {
    return frames_.result(pose, q);
  }
  void scatter(const Numbers& from, int number, Numbers& q) { frames_.scatter(from, number, q); }

 private:
  double error(const Transform<double>& pose, const Numbers& q) {
    return frames_.left(pose, q).norm();
  }

  /// Directions that the loops allow, of freedoms that may move and do not press against a limit
  /// where the task pulls them.
  Dense directions(const Numbers& q, const Dense& J, const Numbers& e) {
    Dense loops = rows_.jacobian(q);
    scale_rows(row_scales(rows_.mechanism(), rows_.held(), loops), loops);
    std::vector<char> moves = search_.may_move;
    while (true) {
      // freedoms that rest: rows of the identity
      std::vector<int> rest;
      for (int k = 0; k < tree_.nv; ++k)
        if (!moves[at_index(k)]) rest.push_back(k);
      Dense columns(tree_.nv, loops.rows + static_cast<int>(rest.size()));
      for (int k = 0; k < tree_.nv; ++k)
        for (int i = 0; i < loops.rows; ++i) columns(k, i) = loops(i, k);
      for (std::size_t i = 0; i < rest.size(); ++i)
        columns(rest[i], loops.rows + static_cast<int>(i)) = 1;
      const Dense N = RankedQr(std::move(columns), 1e-9).complement();
      const Numbers pull = N * transposed_times(N, transposed_times(J, e));
      bool is_done = true;
      for (int k = 0; k < tree_.nv; ++k) {
        const int place = tree_.dof_q[k];
        if (place < 0 || !moves[at_index(k)]) continue;
        const double x = q[at_index(place)], to = pull[at_index(k)];
        if ((to > 1e-12 && x >= tree_.dof[k].upper) || (to < -1e-12 && x <= tree_.dof[k].lower))
          moves[at_index(k)] = 0, is_done = false;
      }
      if (is_done) return N;
    }
  }

  /// One iteration of Levenberg and Marquardt along these directions; true if the pose came nearer.
  bool improve(const Transform<double>& pose, double& damping, Numbers& q) {
    const Numbers e = numbers_of(frames_.left(pose, q));
    const auto full = jacobian<double>(tree_, q, frame_, Reference::world_aligned, ws_);
    Dense J(static_cast<int>(task_.size()), tree_.nv);
    for (int i = 0; i < J.rows; ++i)
      for (int k = 0; k < J.columns; ++k) J(i, k) = full(task_[at_index(i)], k);
    const Dense N = directions(q, J, e);
    if (N.columns == 0) return false;
    const Dense reduced = transpose(J * N);  // column by column, as SingularValues wants it
    const SingularValues values(reduced.data, J.rows);
    for (; damping < 1e8; damping *= 10) {
      const Numbers step = N * values.times([&](double s) { return s / (s * s + damping); }, e);
      Numbers trial(q.size());
      integrate<double>(tree_, q, step, 1.0, trial);
      for (int k = 0; k < tree_.nv; ++k)
        if (const int place = tree_.dof_q[k]; place >= 0)
          trial[at_index(place)] =
              std::clamp(trial[at_index(place)], tree_.dof[k].lower, tree_.dof[k].upper);
      if (close(trial) && error(pose, trial) < error(pose, q)) {
        q = trial;
        damping = std::max(damping / 10, 1e-15);
        return true;
      }
    }
    return false;
  }

  const Model& tree_;
  InverseKinematicsSettings settings_;
  FrameSolver frames_;
  int frame_;
  std::vector<int> task_;
  PositionRows rows_;
  PositionRows::Search search_;
  Workspace ws_;
};

}  // namespace

InverseKinematicsResult inverse_kinematics(const Mechanism& m, double t, const std::string& frame,
                                           const Transform<double>& pose,
                                           std::span<const double> start,
                                           const InverseKinematicsSettings& settings) {
  expect_pose("inverse kinematics", pose);
  ClosedFrameSolver solver(m, t, frame, settings);
  Numbers first = checked_position(m.tree, "inverse kinematics: start", start);
  if (!solver.close(first)) {
    first = checked_position(m.tree, "inverse kinematics: start", start);
    AssemblySettings assembly;
    assembly.tolerance = settings.tolerance;
    const Assembly found = assemble(m, t, first, assembly);
    if (!found.is_closed)
      throw Error(fmt::format("inverse kinematics of robot '{}': at the start {}", m.tree.name,
                              describe(found)));
  }
  Numbers q = first;
  solver.solve(pose, q);
  InverseKinematicsResult best = solver.result(pose, q);
  for (int i = 0; i < settings.restarts && !best.reached; ++i) {
    q = first;
    solver.scatter(first, i, q);
    if (!solver.close(q)) continue;
    solver.solve(pose, q);
    const InverseKinematicsResult found = solver.result(pose, q);
    if (found.reached ||
        found.distance_left + found.turn_left < best.distance_left + best.turn_left)
      best = found;
  }
  return best;
}

}  // namespace limber
