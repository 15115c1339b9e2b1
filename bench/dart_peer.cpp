// DART. Its free and ball joints have Limber's velocities (angular first, body axes) but
// exponential coordinates for positions; it knows no rotor inertia and no cylindrical joint.
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ScrewJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/UniversalJoint.hpp>

#include <numbers>

#include <fmt/format.h>

#include "peer.hpp"

namespace limber::bench {

namespace {

namespace dd = dart::dynamics;

Eigen::Vector3d vector(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

Eigen::Isometry3d isometry(const Transform<double>& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() << X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz, X.R.zx, X.R.zy, X.R.zz;
  out.translation() = vector(X.p);
  return out;
}

template <class Joint>
dd::BodyNode* add(dd::Skeleton& robot, dd::BodyNode* parent, const PlainBody& body,
                  typename Joint::Properties properties) {
  properties.mName = body.name + " joint";
  properties.mT_ParentBodyToJoint = isometry(body.placement);
  return robot.createJointAndBodyNodePair<Joint>(parent, properties).second;
}

template <class Joint>
typename Joint::Properties with_axis(const PlainBody& body) {
  typename Joint::Properties properties;
  properties.mAxis = vector(body.axis);
  return properties;
}

dd::BodyNode* add_joint(dd::Skeleton& robot, dd::BodyNode* parent, const PlainBody& body) {
  switch (body.kind) {
    case JointKind::revolute:
      return add<dd::RevoluteJoint>(robot, parent, body, with_axis<dd::RevoluteJoint>(body));
    case JointKind::prismatic:
      return add<dd::PrismaticJoint>(robot, parent, body, with_axis<dd::PrismaticJoint>(body));
    case JointKind::helical: {
      auto properties = with_axis<dd::ScrewJoint>(body);
      properties.mPitch = 2 * std::numbers::pi * body.pitch;  // advance per turn
      return add<dd::ScrewJoint>(robot, parent, body, properties);
    }
    case JointKind::universal: {
      dd::UniversalJoint::Properties properties;
      properties.mAxis = {vector(body.axis), vector(body.axis2)};
      return add<dd::UniversalJoint>(robot, parent, body, properties);
    }
    case JointKind::planar:
      return add<dd::PlanarJoint>(robot, parent, body, {});
    case JointKind::translation:
      return add<dd::TranslationalJoint>(robot, parent, body, {});
    case JointKind::spherical:
      return add<dd::BallJoint>(robot, parent, body, {});
    case JointKind::free:
      return add<dd::FreeJoint>(robot, parent, body, {});
    default:
      throw Error(fmt::format("DART has no joint of kind '{}'", limber::name(body.kind)));
  }
}

dd::SkeletonPtr skeleton(const PlainTree& tree) {
  dd::SkeletonPtr robot = dd::Skeleton::create(tree.name);
  robot->setGravity(vector(tree.gravity));
  std::vector<dd::BodyNode*> nodes;
  for (const PlainBody& body : tree.bodies) {
    dd::BodyNode* const parent =
        body.parent < 0 ? nullptr : nodes[static_cast<std::size_t>(body.parent)];
    dd::BodyNode* const node = add_joint(*robot, parent, body);
    const Sym3<double>& I = body.inertia;
    Eigen::Matrix3d moment;
    moment << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    node->setName(body.name);
    node->setInertia(dd::Inertia(body.mass, vector(body.com), moment));
    nodes.push_back(node);
  }
  return robot;
}

// exponential coordinates of the joints' rotations; the rest as it is
Eigen::VectorXd positions(const PlainTree& tree, const std::vector<double>& q) {
  Eigen::VectorXd out(tree.nv);
  for (const PlainBody& body : tree.bodies) {
    const double* const x = &q[static_cast<std::size_t>(body.q)];
    const auto quat = [](const double* y) { return Eigen::Quaterniond(y[3], y[0], y[1], y[2]); };
    if (body.kind == JointKind::spherical) {
      out.segment(body.v, 3) = dd::BallJoint::convertToPositions(quat(x).toRotationMatrix());
    } else if (body.kind == JointKind::free) {
      Eigen::Isometry3d pose(quat(x + 3));
      pose.translation() << x[0], x[1], x[2];
      out.segment(body.v, 6) = dd::FreeJoint::convertToPositions(pose);
    } else {
      for (int k = 0; k < body.nv; ++k) out[body.v + k] = x[k];
    }
  }
  return out;
}

class DartPeer final : public Peer {
 public:
  DartPeer(const PlainTree& tree, const std::vector<RandomState>& states)
      : tip_(isometry(tree.tip)),
        welded_potential_(tree.welded_potential),
        robot_(skeleton(tree)),
        last_(robot_->getBodyNode(robot_->getNumBodyNodes() - 1)) {
    for (const RandomState& s : states)
      states_.push_back({positions(tree, s.q), eigen(s.v), eigen(s.a), eigen(s.tau)});
  }

  std::string name() const override { return "DART"; }
  bool supports_rotors() const override { return false; }
  bool offers(Algorithm algorithm) const override {
    return algorithm != Algorithm::factorize_and_solve;
  }

  void run(Algorithm algorithm) override {
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        return each(&DartPeer::inverse_dynamics);
      case Algorithm::mass_matrix:
        return each(&DartPeer::mass_matrix);
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
        return each(&DartPeer::forward_dynamics);
      case Algorithm::bias_forces:
        return each(&DartPeer::bias_forces);
      case Algorithm::gravity_forces:
        return each(&DartPeer::gravity_forces);
      case Algorithm::forward_kinematics:
        return each(&DartPeer::kinematics);
      case Algorithm::jacobian:
        return each(&DartPeer::jacobian);
      case Algorithm::energy:
        return each(&DartPeer::energy);
      default:
        throw Error("DART does not offer this algorithm");
    }
  }

  std::vector<double> answer(Algorithm algorithm, int state) override {
    const State& s = states_[static_cast<std::size_t>(state)];
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        inverse_dynamics(s);
        return numbers(robot_->getForces());
      case Algorithm::mass_matrix:
        return rows(mass_matrix(s));
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
        forward_dynamics(s);
        return numbers(robot_->getAccelerations());
      case Algorithm::bias_forces:
        return numbers(bias_forces(s));
      case Algorithm::gravity_forces:
        return numbers(gravity_forces(s));
      case Algorithm::forward_kinematics:
        kinematics(s);
        return pose();
      case Algorithm::jacobian:
        return all_columns(jacobian(s));
      case Algorithm::energy:
        energy(s);
        return {kinetic_, potential_ + welded_potential_};
      default:
        throw Error("DART does not offer this algorithm");
    }
  }

 private:
  struct State {
    Eigen::VectorXd q, v, a, tau;
  };

  template <class F>
  void each(F algorithm) {
    for (const State& s : states_) (this->*algorithm)(s);
    keep(robot_.get());
  }

  // --- what is timed; DART computes lazily, so the result is asked for ---
  void inverse_dynamics(const State& s) {
    robot_->setPositions(s.q);
    robot_->setVelocities(s.v);
    robot_->setAccelerations(s.a);
    robot_->computeInverseDynamics();
  }
  const Eigen::MatrixXd& mass_matrix(const State& s) {
    robot_->setPositions(s.q);
    return robot_->getMassMatrix();
  }
  void forward_dynamics(const State& s) {
    robot_->setPositions(s.q);
    robot_->setVelocities(s.v);
    robot_->setForces(s.tau);
    robot_->computeForwardDynamics();
  }
  const Eigen::VectorXd& bias_forces(const State& s) {
    robot_->setPositions(s.q);
    robot_->setVelocities(s.v);
    return robot_->getCoriolisAndGravityForces();
  }
  const Eigen::VectorXd& gravity_forces(const State& s) {
    robot_->setPositions(s.q);
    return robot_->getGravityForces();
  }
  void kinematics(const State& s) {
    robot_->setPositions(s.q);
    for (std::size_t i = 0; i < robot_->getNumBodyNodes(); ++i)
      keep(&robot_->getBodyNode(i)->getWorldTransform());
  }
  dart::math::Jacobian jacobian(const State& s) {
    robot_->setPositions(s.q);
    return last_->getWorldJacobian(tip_.translation());
  }
  // computePotentialEnergy() takes the bodies' origins for their centres of mass, so it is not used
  void energy(const State& s) {
    robot_->setPositions(s.q);
    robot_->setVelocities(s.v);
    kinetic_ = robot_->computeKineticEnergy();
    potential_ = -robot_->getMass() * robot_->getGravity().dot(robot_->getCOM());
  }

  // --- answers ---
  static Eigen::VectorXd eigen(const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  static std::vector<double> numbers(const Eigen::VectorXd& x) {
    return {x.data(), x.data() + x.size()};
  }
  static std::vector<double> rows(const Eigen::MatrixXd& M) {
    std::vector<double> all;
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      for (Eigen::Index j = 0; j < M.cols(); ++j) all.push_back(M(i, j));
    return all;
  }
  std::vector<double> pose() const {
    const Eigen::Isometry3d X = last_->getWorldTransform() * tip_;
    std::vector<double> all = rows(X.linear());
    all.insert(all.end(), X.translation().data(), X.translation().data() + 3);
    return all;
  }
  // DART's Jacobian has only the columns that move the body
  std::vector<double> all_columns(const dart::math::Jacobian& own) const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, static_cast<Eigen::Index>(robot_->getNumDofs()));
    const std::vector<std::size_t>& columns = last_->getDependentGenCoordIndices();
    for (std::size_t k = 0; k < columns.size(); ++k)
      J.col(static_cast<Eigen::Index>(columns[k])) = own.col(static_cast<Eigen::Index>(k));
    return rows(J);
  }

  Eigen::Isometry3d tip_;
  double welded_potential_;
  dd::SkeletonPtr robot_;
  dd::BodyNode* last_;
  std::vector<State> states_;
  double kinetic_ = 0, potential_ = 0;
};

std::string refusal(const PlainTree& tree) {
  const auto unknown = first_unknown_kind(
      tree, {JointKind::revolute, JointKind::prismatic, JointKind::helical, JointKind::universal,
             JointKind::planar, JointKind::translation, JointKind::spherical, JointKind::free});
  if (unknown) return fmt::format("no {} joint", limber::name(*unknown));
  if (tree.has_mimic) return "no mimic joint";
  const std::string massless = massless_body(tree);
  if (!massless.empty()) return fmt::format("body {} lacks mass or a moment of inertia", massless);
  for (const PlainBody& body : tree.bodies)
    if (body.kind == JointKind::planar && body.axis.z != 1) return "planar joint about z only";
  return "";
}

}  // namespace

Entry make_dart(const PlainTree& tree, const std::vector<RandomState>& states) {
  Entry entry{nullptr, "DART", refusal(tree)};
  if (entry.refusal.empty()) entry.peer = std::make_unique<DartPeer>(tree, states);
  return entry;
}

}  // namespace limber::bench
