// KDL: chains of revolute and prismatic joints on a fixed base.
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include <fmt/format.h>

#include "peer.hpp"

namespace limber::bench {

namespace {

KDL::Vector vector(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

KDL::Frame frame(const Transform<double>& X) {
  const Mat3<double>& R = X.R;
  return {KDL::Rotation(R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz), vector(X.p)};
}

KDL::Segment segment(const PlainBody& body) {
  // KDL gives the joint's origin and axis in the parent's frame and its axis may be of any
  // direction
  const KDL::Frame placement = frame(body.placement);
  const auto type = body.kind == JointKind::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
  const KDL::Joint joint(placement.p, placement.M * vector(body.axis), type, 1, 0,
                         body.armature.front());
  const Sym3<double>& I = body.inertia;
  const KDL::RigidBodyInertia inertia(body.mass, vector(body.com),
                                      KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
  return KDL::Segment(joint, placement, inertia);
}

KDL::Chain chain(const PlainTree& tree) {
  KDL::Chain chain;
  for (const PlainBody& body : tree.bodies) chain.addSegment(segment(body));
  return chain;
}

class KdlPeer final : public Peer {
 public:
  KdlPeer(const PlainTree& tree, const std::vector<RandomState>& states)
      : tip_(frame(tree.tip)),
        n_(static_cast<unsigned>(tree.nv)),
        chain_(chain(tree)),
        newton_euler_(chain_, vector(tree.gravity)),
        parameters_(chain_, vector(tree.gravity)),
        forward_(chain_, vector(tree.gravity)),
        kinematics_(chain_),
        jacobian_solver_(chain_),
        q_(n_),
        v_(n_),
        x_(n_),
        result_(n_),
        mass_(tree.nv),
        jacobian_(n_),
        no_forces_(tree.bodies.size(), KDL::Wrench::Zero()),
        states_(states) {}

  std::string name() const override { return "KDL"; }

  bool offers(Algorithm algorithm) const override {
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
      case Algorithm::mass_matrix:
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
      case Algorithm::gravity_forces:
      case Algorithm::forward_kinematics:
      case Algorithm::jacobian:
        return true;
      default:
        return false;
    }
  }

  void run(Algorithm algorithm) override {
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        return each(&KdlPeer::inverse_dynamics);
      case Algorithm::mass_matrix:
        return each(&KdlPeer::mass_matrix);
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
        return each(&KdlPeer::forward_dynamics);
      case Algorithm::gravity_forces:
        return each(&KdlPeer::gravity_forces);
      case Algorithm::forward_kinematics:
        return each(&KdlPeer::kinematics);
      case Algorithm::jacobian:
        return each(&KdlPeer::jacobian);
      default:
        throw Error("KDL does not offer this algorithm");
    }
  }

  std::vector<double> answer(Algorithm algorithm, int state) override {
    const RandomState& s = states_[static_cast<std::size_t>(state)];
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        inverse_dynamics(s);
        return result();
      case Algorithm::mass_matrix:
        mass_matrix(s);
        return matrix(mass_.data);
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
        forward_dynamics(s);
        return result();
      case Algorithm::gravity_forces:
        gravity_forces(s);
        return result();
      case Algorithm::forward_kinematics:
        kinematics(s);
        return pose();
      case Algorithm::jacobian:
        jacobian(s);
        return angular_first();
      default:
        throw Error("KDL does not offer this algorithm");
    }
  }

 private:
  template <class F>
  void each(F algorithm) {
    for (const RandomState& s : states_) (this->*algorithm)(s);
    keep(this);
  }

  // --- what is timed ---
  static void set(KDL::JntArray& to, const std::vector<double>& from) {
    std::copy(from.begin(), from.end(), to.data.data());
  }
  void inverse_dynamics(const RandomState& s) {
    set(q_, s.q);
    set(v_, s.v);
    set(x_, s.a);
    newton_euler_.CartToJnt(q_, v_, x_, no_forces_, result_);
  }
  void mass_matrix(const RandomState& s) {
    set(q_, s.q);
    parameters_.JntToMass(q_, mass_);
  }
  void forward_dynamics(const RandomState& s) {
    set(q_, s.q);
    set(v_, s.v);
    set(x_, s.tau);
    forward_.CartToJnt(q_, v_, x_, no_forces_, result_);
  }
  void gravity_forces(const RandomState& s) {
    set(q_, s.q);
    parameters_.JntToGravity(q_, result_);
  }
  void kinematics(const RandomState& s) {
    set(q_, s.q);
    kinematics_.JntToCart(q_, end_);
  }
  void jacobian(const RandomState& s) {
    set(q_, s.q);
    jacobian_solver_.JntToJac(q_, jacobian_);
  }

  // --- answers ---
  std::vector<double> result() const { return {result_.data.data(), result_.data.data() + n_}; }

  static std::vector<double> matrix(const Eigen::MatrixXd& M) {
    std::vector<double> rows;
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      for (Eigen::Index j = 0; j < M.cols(); ++j) rows.push_back(M(i, j));
    return rows;
  }

  std::vector<double> pose() const {
    const KDL::Frame X = end_ * tip_;
    std::vector<double> numbers(X.M.data, X.M.data + 9);
    numbers.insert(numbers.end(), X.p.data, X.p.data + 3);
    return numbers;
  }

  // moves the reference point to the tip and puts the angular rows first
  std::vector<double> angular_first() {
    kinematics_.JntToCart(q_, end_);
    jacobian_.changeRefPoint(end_.M * tip_.p);
    Eigen::MatrixXd J(jacobian_.data.rows(), jacobian_.data.cols());
    J << jacobian_.data.bottomRows(3), jacobian_.data.topRows(3);
    return matrix(J);
  }

  KDL::Frame tip_;
  unsigned n_;
  KDL::Chain chain_;
  KDL::ChainIdSolver_RNE newton_euler_;
  KDL::ChainDynParam parameters_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::ChainFkSolverPos_recursive kinematics_;
  KDL::ChainJntToJacSolver jacobian_solver_;
  KDL::JntArray q_, v_, x_, result_;
  KDL::JntSpaceInertiaMatrix mass_;
  KDL::Jacobian jacobian_;
  KDL::Frame end_;
  KDL::Wrenches no_forces_;
  std::vector<RandomState> states_;
};

std::string refusal(const PlainTree& tree) {
  const auto unknown = first_unknown_kind(tree, {JointKind::revolute, JointKind::prismatic});
  if (unknown) return fmt::format("no {} joint in a chain", limber::name(*unknown));
  if (tree.has_mimic) return "no mimic joint";
  return tree.is_chain() ? "" : "forward dynamics and mass matrix of chains only";
}

}  // namespace

Entry make_kdl(const PlainTree& tree, const std::vector<RandomState>& states) {
  Entry entry{nullptr, "KDL", refusal(tree)};
  if (entry.refusal.empty()) entry.peer = std::make_unique<KdlPeer>(tree, states);
  return entry;
}

}  // namespace limber::bench
