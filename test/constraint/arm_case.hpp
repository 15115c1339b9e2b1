#pragma once
// Teams of random arms, and the accelerations and forces of a team by one dense system of all
// unknowns. The system is made from PlainRobot: world coordinates, spatial accelerations, no
// operational space.
#include <memory>

#include <Eigen/Dense>

#include <limber/constraint/arm_team.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

inline Motion<double> motion_of(const Vector6& x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

struct TeamCase {
  std::vector<std::unique_ptr<Robot>> robots;
  std::vector<std::string> hands;  ///< links
  std::vector<ArmGrasp> grasps;
  Inertia<double> object_inertia;
  ObjectState<double> object;

  void add(std::unique_ptr<Robot> robot, const std::string& hand, ArmGrasp grasp) {
    grasp.frame = robot->model.frame(hand);
    robots.push_back(std::move(robot));
    hands.push_back(hand);
    grasps.push_back(grasp);
  }
  std::size_t arms() const { return robots.size(); }
  ArmTeam team() const {
    std::vector<BasicArm<double>> arms;
    for (std::size_t k = 0; k < robots.size(); ++k) arms.push_back({&robots[k]->model, grasps[k]});
    return {arms, object_inertia};
  }
  std::vector<ArmState<double>> states() const {
    std::vector<ArmState<double>> states;
    for (const auto& r : robots) {
      Loads<double> loads;
      loads.base_velocity = motion_of(r->plain.base_velocity);
      loads.base_acceleration = motion_of(r->plain.base_acceleration);
      states.push_back({in(r->q), in(r->v), in(r->tau), loads});
    }
    return states;
  }
  int nv() const {
    int n = 0;
    for (const auto& r : robots) n += r->model.nv;
    return n;
  }
  int rows() const {
    int n = 0;
    for (const ArmGrasp& g : grasps) n += g.freedoms.rows();
    return n;
  }
};

/// What the dense system says.
struct DenseMotion {
  std::vector<VectorXd> acceleration;  ///< of each arm
  Vector6 object;                      ///< derivative of the velocity in the object's axes
  std::vector<Vector6> force;          ///< about the mass centre, world axes; least norm
  double condition = 0;                ///< of the regular part of the system
  int indeterminate = 0;               ///< forces that nothing decides
  double residual = 0;                 ///< of the whole system
};

/// Rows G of all grasps: of the freedoms of all arms, then of the object's velocity in the world.
/// rate: the relative velocities that should be zero. bias: their accelerations where those of
/// joints and object are zero. C: the rows as wrenches in the world.
struct DenseRows {
  MatrixXd G, C;
  VectorXd rate, bias;
};

inline Vector3d column3(const Eigen::Matrix3d& A, int k) { return A.col(k); }

/// v_o: velocity of the object in the world. The plain robots must stand at (q, v, 0).
inline DenseRows dense_rows(const TeamCase& t, const Vector6& v_o) {
  const int nv = t.nv();
  DenseRows r{MatrixXd::Zero(t.rows(), nv + 6), MatrixXd::Zero(6, t.rows()),
              VectorXd::Zero(t.rows()), VectorXd::Zero(t.rows())};
  const Eigen::Matrix3d R = plain(t.object.pose.R);
  int row = 0, column = 0;
  for (std::size_t k = 0; k < t.arms(); ++k) {
    const Robot& robot = *t.robots[k];
    const MatrixXd J = robot.plain.jacobian(t.hands[k]);
    const Vector6 v_h = robot.plain.link(t.hands[k]).v;
    const Vector6 v_rel = v_h - v_o;
    const Vector3d P = robot.plain.link(t.hands[k]).pose.translation();
    const Vector3d P_rate = v_h.tail(3) + Vector3d(v_h.head(3)).cross(P);
    const Eigen::Matrix3d axes = R * plain(t.grasps[k].contact.R);
    for (int axis = 0; axis < 6; ++axis) {
      if (t.grasps[k].freedoms.free[static_cast<std::size_t>(axis)]) continue;
      const Vector3d e = column3(axes, axis % 3), e_rate = Vector3d(v_o.head(3)).cross(e);
      Vector6 c, c_rate;
      if (axis < 3) {
        c << e, Vector3d::Zero();
        c_rate << e_rate, Vector3d::Zero();
      } else {
        c << P.cross(e), e;
        c_rate << P_rate.cross(e) + P.cross(e_rate), e_rate;
      }
      r.G.block(row, column, 1, robot.model.nv) = c.transpose() * J;
      r.G.block(row, nv, 1, 6) = -c.transpose();
      r.C.col(row) = c;
      r.rate[row] = c.dot(v_rel);
      // acceleration of the hand for no acceleration of its joints
      r.bias[row] = c_rate.dot(v_rel) + c.dot(robot.plain.link(t.hands[k]).a);
      ++row;
    }
    column += robot.model.nv;
  }
  return r;
}

inline void move_plain_robots(TeamCase& t) {
  for (auto& r : t.robots) r->plain.move(r->q, r->v, r->zero());
}

/// Gives all bodies velocities that the grasps allow, as near to the ones that they have as can be.
inline void make_velocities_fit(TeamCase& t) {
  move_plain_robots(t);
  VectorXd v(t.nv() + 6);
  int column = 0;
  for (const auto& r : t.robots) {
    v.segment(column, r->model.nv) = r->v;
    column += r->model.nv;
  }
  const Matrix6 X = motion_matrix(plain(t.object.pose));
  v.tail(6) = X * plain(t.object.velocity);
  const DenseRows rows = dense_rows(t, v.tail(6));
  v -= rows.G.completeOrthogonalDecomposition().solve(rows.rate);
  column = 0;
  for (const auto& r : t.robots) {
    r->v = v.segment(column, r->model.nv);
    column += r->model.nv;
  }
  const Vector6 b = X.inverse() * v.tail(6);
  t.object.velocity = {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
}

inline DenseMotion dense_motion(TeamCase& t) {
  move_plain_robots(t);
  const int nv = t.nv(), rows = t.rows(), n = nv + 6 + rows;
  const Pose pose = plain(t.object.pose);
  const Matrix6 X = motion_matrix(pose), X_inverse = X.inverse();
  VectorXd rhs = VectorXd::Zero(n);
  MatrixXd A = MatrixXd::Zero(n, n);
  int column = 0;
  for (const auto& r : t.robots) {
    const int count = r->model.nv;
    A.block(column, column, count, count) = r->plain.mass_matrix();
    rhs.segment(column, count) = r->tau - r->plain.tau();
    column += count;
  }
  // the object: I a + v ×* I v = weight + C λ
  const Matrix6 I = X_inverse.transpose() * inertia_matrix(t.object_inertia) * X_inverse;
  const Vector6 v_o = X * plain(t.object.velocity);
  const Vector3d g = plain(t.robots[0]->model.gravity), com = pose * plain(t.object_inertia.com());
  Vector6 weight;
  weight << com.cross(t.object_inertia.m * g), t.object_inertia.m * g;
  A.block(nv, nv, 6, 6) = I;
  rhs.segment(nv, 6) = weight + cross_matrix(v_o).transpose() * (I * v_o);
  const DenseRows r = dense_rows(t, v_o);
  A.bottomLeftCorner(rows, nv + 6) = r.G;
  A.topRightCorner(nv + 6, rows) = r.G.transpose();
  rhs.tail(rows) = -r.bias;

  // lengths and masses of very different size meet here: each row is scaled by its largest entry
  const VectorXd scale = A.cwiseAbs().rowwise().maxCoeff().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd s = svd.singularValues();
  int rank = 0;
  while (rank < n && s[rank] > 1e-12 * s[0]) ++rank;
  const VectorXd y = svd.matrixU().leftCols(rank).transpose() * (scale.asDiagonal() * rhs);
  const VectorXd x =
      scale.asDiagonal() * (svd.matrixV().leftCols(rank) * y.cwiseQuotient(s.head(rank))).eval();

  DenseMotion out;
  column = 0;
  for (const auto& robot : t.robots) {
    out.acceleration.push_back(x.segment(column, robot->model.nv));
    column += robot->model.nv;
  }
  out.object = X_inverse * x.segment(nv, 6);
  int row = 0;
  for (const ArmGrasp& grasp : t.grasps) {
    const int count = grasp.freedoms.rows();
    Vector6 f = r.C.middleCols(row, count) * x.segment(nv + 6 + row, count);
    f.head(3) -= com.cross(Vector3d(f.tail(3)));
    out.force.push_back(f);
    row += count;
  }
  out.condition = s[0] / s[rank - 1];
  out.indeterminate = n - rank;
  out.residual = (A * x - rhs).cwiseAbs().maxCoeff() / (1 + rhs.cwiseAbs().maxCoeff());
  return out;
}

/// A robot and one of its links, somewhere.
inline std::unique_ptr<Robot> random_arm(int bodies, std::uint64_t seed,
                                         const RandomTreeOptions& options) {
  return std::make_unique<Robot>(generate_tree(bodies, seed, options), 7 + seed);
}

/// Two arms that differ, or more; the velocities fit.
inline TeamCase random_team(std::uint64_t seed) {
  Random random(seed);
  TeamCase t;
  t.object_inertia = random.inertia();
  t.object = {random.transform(), random.motion()};
  const int arms = random.integer(1, 4);
  const GraspFreedoms kinds[] = {GraspFreedoms::rigid(),         GraspFreedoms::rigid(),
                                 GraspFreedoms::point(),         GraspFreedoms::soft_finger(),
                                 GraspFreedoms::sliding_point(), GraspFreedoms::sliding_face()};
  for (int k = 0; k < arms; ++k) {
    RandomTreeOptions options;
    options.branching = random.uniform(0, 0.4);
    options.mimic = seed % 3 == 0 ? 0.2 : 0;
    if (seed % 2 == 0) options.kinds = {JointKind::revolute, JointKind::prismatic};
    auto robot =
        random_arm(random.integer(1, 10), 100 * seed + static_cast<std::uint64_t>(k), options);
    const std::vector<BodySpec>& bodies = robot->spec.bodies;
    const std::string hand = bodies.back().name;
    const ArmGrasp grasp{0, kinds[random.integer(0, 5)], {random.rotation(), {}}};
    if (seed % 5 == 0) {  // on a base that moves
      for (Vector6* x : {&robot->plain.base_velocity, &robot->plain.base_acceleration})
        for (int i = 0; i < 6; ++i) (*x)[i] = random.uniform();
    }
    t.add(std::move(robot), hand, grasp);
  }
  make_velocities_fit(t);
  return t;
}

}  // namespace limber::test
