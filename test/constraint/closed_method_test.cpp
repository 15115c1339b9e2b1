// All methods of forward dynamics with loops agree, redundant loops included; and with a
// formulation in the accelerations of all bodies that is written here, with its own rows.
#include <limber/constraint/closed_method.hpp>

#include <map>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/constraint/loop_analysis.hpp>

#include "support/message.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr ClosedMethod others[] = {ClosedMethod::automatic, ClosedMethod::dense,
                                   ClosedMethod::null_space, ClosedMethod::embedding};

// --- maximal coordinates: accelerations of all links, of all joints, forces of joints and loops
// ---

/// One row of a loop: unit wrench on link b about the world's origin, and its rate.
struct PlainRow {
  Vector6 T, T_dot;
};

PlainRow row_at(const Vector3d& p, const Vector3d& p_dot, const Vector3d& e, const Vector3d& e_dot,
                double pitch = 0) {
  PlainRow row;
  row.T << p.cross(e) - pitch * e, e;
  row.T_dot << p_dot.cross(e) + p.cross(e_dot) - pitch * e_dot, e_dot;
  return row;
}

/// The rows of a loop and how they change while the links move with va and vb.
std::vector<PlainRow> plain_rows(const LoopSpec& loop, const Pose& A, const Pose& B,
                                 const Vector6& va, const Vector6& vb) {
  using Kind = LoopSpec::Kind;
  const Vector3d wa = va.head<3>(), wb = vb.head<3>();
  const auto at = [](const Vector6& v, const Vector3d& p) -> Vector3d {
    return v.tail<3>() + v.head<3>().cross(p);
  };
  const Vector3d p = B.translation(), p_dot = at(vb, p), u = A.linear() * plain(loop.axis);
  const Vector3d x = u.unitOrthogonal(), y = u.cross(x);
  std::vector<PlainRow> rows;
  const auto force = [&](const Vector3d& e, double pitch = 0) {
    rows.push_back(row_at(p, p_dot, e, wa.cross(e), pitch));
  };
  const auto moment = [&](const Vector3d& e, const Vector3d& e_dot) {
    PlainRow row;
    row.T << e, Vector3d::Zero();
    row.T_dot << e_dot, Vector3d::Zero();
    rows.push_back(row);
  };
  const auto all_forces = [&] { force(x), force(y), force(u); };
  const auto tilts = [&] { moment(x, wa.cross(x)), moment(y, wa.cross(y)); };
  const auto all_moments = [&] { tilts(), moment(u, wa.cross(u)); };
  switch (loop.kind) {
    case Kind::connect:
      all_forces();
      break;
    case Kind::weld:
      all_forces(), all_moments();
      break;
    case Kind::distance: {
      const Vector3d d = p - A.translation(), d_dot = p_dot - at(va, A.translation());
      const Vector3d e = d.normalized();
      rows.push_back(row_at(p, p_dot, e, (d_dot - e * e.dot(d_dot)) / d.norm()));
      break;
    }
    case Kind::slot:
      force(x), force(y);
      break;
    case Kind::surface:
      force(u);
      break;
    case Kind::rolling: {  // the point that touches moves along the rim
      const Vector3d n = A.linear().col(2), axle = B.linear().col(2);
      const Vector3d n_dot = wa.cross(n), axle_dot = wb.cross(axle);
      const Vector3d aside = n - axle * axle.dot(n);
      const Vector3d aside_dot =
          n_dot - axle_dot * axle.dot(n) - axle * (axle_dot.dot(n) + axle.dot(n_dot));
      Vector3d up = n, up_dot = n_dot;
      if (loop.radius > 0) {
        up = aside.normalized();
        up_dot = (aside_dot - up * up.dot(aside_dot)) / aside.norm();
      }
      const Vector3d c = p - up * loop.radius - n * loop.rim;
      const Vector3d c_dot = p_dot - up_dot * loop.radius - n_dot * loop.rim;
      for (int i = 0; i < 3; ++i) {
        const Vector3d e = A.linear().col(i);
        rows.push_back(row_at(c, c_dot, e, wa.cross(e)));
      }
      break;
    }
    case Kind::coupling:
      break;
    case Kind::joint:
      switch (loop.joint_kind) {
        case JointKind::revolute:
          all_forces(), tilts();
          break;
        case JointKind::prismatic:
          force(x), force(y), all_moments();
          break;
        case JointKind::helical:
          force(x), force(y), force(u, loop.pitch), tilts();
          break;
        case JointKind::cylindrical:
          force(x), force(y), tilts();
          break;
        case JointKind::planar:
          force(u), tilts();
          break;
        case JointKind::universal: {
          const Vector3d w = B.linear() * plain(loop.axis2), w_dot = wb.cross(w);
          all_forces();
          moment(w.cross(u), w_dot.cross(u) + w.cross(wa.cross(u)));
          break;
        }
        case JointKind::spherical:
          all_forces();
          break;
        case JointKind::translation:
          all_moments();
          break;
        default:
          all_forces(), all_moments();
      }
  }
  return rows;
}

double armature(const PlainLink& link, int k) {
  const std::vector<DofSpec>& dofs = link.joint->dofs;
  if (dofs.empty()) return 0;
  const DofSpec& dof = dofs[dofs.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  return dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia;
}

/// True where the formulation below has everything that the robot has.
bool is_plain(const Robot& robot) {
  for (const JointSpec& joint : robot.spec.joints) {
    if (joint.mimic) return false;
    for (const DofSpec& dof : joint.dofs)
      if (!dof.rotor_mount.empty()) return false;
  }
  return robot.plain.links().size() <= 12;
}

/// Accelerations of the joints; with `impulse` their velocities after the loops were closed
/// suddenly.
enum class Wanted { acceleration, velocity };
VectorXd maximal(const ClosedRobot& c, PlainRobot& plain_robot, const VectorXd& v, Wanted wanted) {
  const Robot& r = c.robot;
  const bool rates = wanted == Wanted::velocity;
  plain_robot.move(r.q, v, r.zero());
  const std::vector<PlainLink>& links = plain_robot.links();
  const int bodies = static_cast<int>(links.size()), nv = r.model.nv;
  std::vector<std::pair<const LoopSpec*, std::vector<PlainRow>>> loops;
  const auto index = [&](const std::string& name) {
    for (int i = 0; i < bodies; ++i)
      if (links[static_cast<std::size_t>(i)].body->name == name) return i;
    return -1;
  };
  const auto pose = [&](const std::string& name) {
    return name.empty() ? Pose::Identity() : plain_robot.link(name).pose;
  };
  const auto velocity = [&](const std::string& name) -> Vector6 {
    return name.empty() ? Vector6(Vector6::Zero()) : plain_robot.link(name).v;
  };
  int loop_rows = 0;
  for (const LoopSpec& loop : c.loops) {
    loops.emplace_back(&loop, plain_rows(loop, pose(loop.body_a) * plain(loop.placement_a),
                                         pose(loop.body_b) * plain(loop.placement_b),
                                         velocity(loop.body_a), velocity(loop.body_b)));
    loop_rows += static_cast<int>(loops.back().second.size());
  }
  // unknowns: a (6 each), joint accelerations, joint forces (6 each), loop forces
  const int A = 0, Q = 6 * bodies, F = Q + nv, L = F + 6 * bodies, size = L + loop_rows;
  MatrixXd K = MatrixXd::Zero(size, size);
  VectorXd b = VectorXd::Zero(size);
  const Vector3d gravity = plain(r.spec.gravity);
  for (int i = 0; i < bodies; ++i) {
    const PlainLink& link = links[static_cast<std::size_t>(i)];
    const Matrix6& I = link.inertia;
    // a_i − a_parent − S q̈ = bias
    const int row = 6 * i;
    K.block<6, 6>(row, A + 6 * i).setIdentity();
    Vector6 bias = link.a;
    if (link.parent >= 0) {
      K.block<6, 6>(row, A + 6 * link.parent) -= Matrix6::Identity();
      bias -= links[static_cast<std::size_t>(link.parent)].a;
    }
    if (link.nv > 0) K.block(row, Q + link.v_index, 6, link.nv) = -link.S;
    b.segment<6>(row) = rates ? Vector6(Vector6::Zero()) : bias;
    // I a + v ×* I v − weight = f − Σ f of children + loop forces
    const int force = Q + nv + 6 * i;
    K.block<6, 6>(force, A + 6 * i) = I;
    K.block<6, 6>(force, F + 6 * i) = -Matrix6::Identity();
    if (link.parent >= 0) K.block<6, 6>(Q + nv + 6 * link.parent, F + 6 * i).setIdentity();
    if (rates) {
      b.segment<6>(force) = I * link.v;
    } else {
      Vector6 g = Vector6::Zero();
      g.tail<3>() = gravity;
      b.segment<6>(force) = I * g + cross_matrix(link.v).transpose() * I * link.v;
    }
    // Sᵀ f + armature q̈ = tau
    for (int k = 0; k < link.nv; ++k) {
      const int at = 6 * bodies + link.v_index + k;
      K.block<1, 6>(at, F + 6 * i) = link.S.col(k).transpose();
      K(at, Q + link.v_index + k) = armature(link, k);
      b[at] = rates ? armature(link, k) * v[link.v_index + k] : r.tau[link.v_index + k];
    }
  }
  int row = L;
  for (const auto& [loop, rows] : loops)
    for (const PlainRow& one : rows) {
      const int ia = index(loop->body_a), ib = index(loop->body_b);
      if (ib >= 0) {
        K.block<1, 6>(row, A + 6 * ib) = one.T.transpose();
        K.block<6, 1>(Q + nv + 6 * ib, row) = -one.T;
      }
      if (ia >= 0) {
        K.block<1, 6>(row, A + 6 * ia) -= one.T.transpose();
        K.block<6, 1>(Q + nv + 6 * ia, row) += one.T;
      }
      if (!rates) b[row] = -one.T_dot.dot(velocity(loop->body_b) - velocity(loop->body_a));
      ++row;
    }
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
  solver.setThreshold(1e-12);
  solver.compute(K);
  return solver.solve(b).segment(Q, nv);
}

// --- random mechanisms, some with a loop twice ---

/// Jᵀ λ: what the forces of the rows do, which is unique.
VectorXd effect_of_forces(const ClosedRobot& c) {
  VectorXd f = c.robot.zero();
  for (int k = 0; k < f.size(); ++k)
    for (int row = 0; row < c.mechanism->rows; ++row)
      f[k] += c.closed->rows.jt(k, row) * c.closed->solver.force[row];
  return f;
}
/// Of single forces: rows that nearly depend on each other multiply the rounding of their effect.
constexpr double force_tolerance = 1e-4;

template <class F>
void for_closed_robots(int count, F&& f) {
  for (int seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    if (seed % 3 == 0) {
      LoopSpec again = c.loops[0];
      again.name += " again";
      c.add_loops({again});
    }
    f(c, seed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ClosedMethods, AgreeOnAThousandMechanismsAndWithMaximalCoordinates) {
  int redundant = 0, compared = 0;
  for_closed_robots(share_of(1000), [&](ClosedRobot& c, int) {
    const auto run = [&](ClosedMethod method) {
      return VectorXd(matrix(closed_forward_dynamics(*c.mechanism, 0, in(c.robot.q), in(c.robot.v),
                                                     in(c.robot.tau), {method, {}}, *c.closed)));
    };
    const VectorXd a = run(ClosedMethod::rows);
    const VectorXd force = matrix(c.closed->solver.force), effect = effect_of_forces(c);
    const int rank = c.closed->solver.rank;
    const List<std::uint8_t> determinate = c.closed->solver.is_determinate;
    redundant += rank < c.mechanism->rows ? 1 : 0;
    for (const ClosedMethod method : others) {
      SCOPED_TRACE(name(method));
      EXPECT_TRUE(near(run(method), a, 1e-8));
      EXPECT_EQ(c.closed->solver.rank, rank);
      EXPECT_TRUE(near(effect_of_forces(c), effect, 1e-8));
      EXPECT_TRUE(near(matrix(c.closed->solver.force), force, force_tolerance));
      EXPECT_EQ(c.closed->solver.is_determinate, determinate);
    }
    if (!is_plain(c.robot)) return;
    ++compared;
    EXPECT_TRUE(near(maximal(c, c.robot.plain, c.robot.v, Wanted::acceleration), a, 1e-8));
  });
  EXPECT_GT(redundant, share_of(300));
  EXPECT_GT(compared, share_of(100));
}

TEST(ClosedMethods, AgreeOnImpulses) {
  for_closed_robots(share_of(300), [&](ClosedRobot& c, int seed) {
    Random random(static_cast<std::uint64_t>(seed));
    VectorXd v(c.robot.model.nv);
    for (double& x : v) x = random.uniform();
    const auto run = [&](ClosedMethod method) {
      return VectorXd(
          matrix(closed_velocity(*c.mechanism, 0, in(c.robot.q), in(v), {method, {}}, *c.closed)));
    };
    const VectorXd after = run(ClosedMethod::rows);
    const VectorXd impulse = matrix(c.closed->solver.force), effect = effect_of_forces(c);
    for (const ClosedMethod method : others) {
      SCOPED_TRACE(name(method));
      EXPECT_TRUE(near(run(method), after, 1e-8));
      EXPECT_TRUE(near(effect_of_forces(c), effect, 1e-8));
      EXPECT_TRUE(near(matrix(c.closed->solver.force), impulse, force_tolerance));
    }
    if (!is_plain(c.robot)) return;
    EXPECT_TRUE(near(maximal(c, c.robot.plain, v, Wanted::velocity), after, 1e-8));
  });
}

TEST(ClosedMethods, PlanarFourBarsWithSpatialClosuresAgree) {
  const FourBar bar;
  Random random(3);
  for (const JointKind kind :
       {JointKind::revolute, JointKind::spherical, JointKind::cylindrical, JointKind::universal}) {
    ClosedRobot c(bar.tree(), 1);
    LoopSpec loop = bar.loop(LoopSpec::Kind::joint, kind);
    loop.axis2 = {1, 0, 0};  // across the axis of the pin
    if (kind == JointKind::universal) {
      loop.axis = {1, 0, 0}, loop.axis2 = {0, 0, 1};
      const double angle = bar.angles(1.1).rocker - bar.angles(1.1).coupler;
      loop.placement_b.R = rotation_from_rpy(0, 0, -angle);
    }
    c.robot.q = Eigen::Map<const VectorXd>(bar.position(1.1).data(), 3);
    c.robot.v = VectorXd::Unit(3, 0) * 2;
    c.add_loops({loop});
    const auto run = [&](ClosedMethod method) {
      return VectorXd(matrix(closed_forward_dynamics(*c.mechanism, 0, in(c.robot.q), in(c.robot.v),
                                                     in(c.robot.tau), {method, {}}, *c.closed)));
    };
    const VectorXd a = run(ClosedMethod::rows);
    EXPECT_LT(c.closed->solver.rank, c.mechanism->rows);
    for (const ClosedMethod method : others) EXPECT_TRUE(near(run(method), a, 1e-10));
    EXPECT_TRUE(near(maximal(c, c.robot.plain, c.robot.v, Wanted::acceleration), a, 1e-9));
  }
}

TEST(ClosedMethods, EmbeddingTakesTheFreedomsThatItIsGiven) {
  const FourBar bar;
  ClosedRobot c(bar.tree(), 1);
  c.robot.q = Eigen::Map<const VectorXd>(bar.position(1.1).data(), 3);
  c.add_loops({bar.loop(LoopSpec::Kind::connect)});
  const VectorXd a = matrix(closed_forward_dynamics<double>(
      *c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(c.robot.tau), *c.closed));
  for (int k = 0; k < 3; ++k) {
    const ClosedMethodSettings settings{ClosedMethod::embedding, {k}};
    EXPECT_TRUE(near(matrix(closed_forward_dynamics(*c.mechanism, 0, in(c.robot.q), in(c.robot.v),
                                                    in(c.robot.tau), settings, *c.closed)),
                     a, 1e-10));
    const auto G = embedding_matrix(*c.mechanism, 0, in(c.robot.q), {k});
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(G(i, 0) * c.robot.v[k], c.robot.v[i], 1e-12);
  }
  const auto refused = [&](std::vector<int> independent) {
    return message_of([&] { embedding_matrix(*c.mechanism, 0, in(c.robot.q), independent); });
  };
  EXPECT_NE(refused({}).find("do not determine"), std::string::npos);
  EXPECT_NE(refused({0, 1}).find("1 independent freedoms"), std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
