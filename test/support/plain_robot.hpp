#pragma once
// PlainRobot: the dynamics of a Spec by the shortest road, as reference for the library. Everything
// is a plain Eigen matrix in world (absolute) coordinates, spatial vectors are taken about the
// world origin, angular part first, and links are walked by the names of the Spec: no canonical
// frames, no merging of fixed joints, no spatial operators of Limber, gravity as a force on every
// link. [RDA] (4.6)-(4.10)
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <limber/model/spec.hpp>

namespace limber::test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Pose = Eigen::Isometry3d;

Vector3d plain(const Vec3<double>& v);
Eigen::Matrix3d plain(const Mat3<double>& A);
Eigen::Matrix3d plain(const Sym3<double>& A);
Pose plain(const Transform<double>& X);
Vector6 plain(const Motion<double>& v);
Vector6 plain(const Force<double>& f);

/// v× as a matrix.
Eigen::Matrix3d skew(const Vector3d& v);
/// Takes motions from the frame with pose T to the frame in which T is given; its transpose takes
/// forces the other way.
Matrix6 motion_matrix(const Pose& T);
/// v ×̂ on motions; minus its transpose is v ×̂ on forces.
Matrix6 cross_matrix(const Vector6& v);
/// The 6 × 6 matrix of ten inertial parameters: mass, ∫ r dm, ∫ r rᵀ dm.
Matrix6 inertia_matrix(const Inertia<double>& I);

/// A link of the Spec and its motion.
struct PlainLink {
  const BodySpec* body = nullptr;
  const JointSpec* joint = nullptr;              ///< null: a root, welded to the world
  int parent = -1;                               ///< link; −1: the world
  int q_index = 0, v_index = 0, nq = 0, nv = 0;  ///< variables, mimic joints unfolded

  Pose pose = Pose::Identity();  ///< of the link's own frame
  Matrix6X S;                    ///< columns
  Vector6 v = Vector6::Zero();   ///< velocity
  Vector6 a = Vector6::Zero();   ///< spatial acceleration
  Vector6 f = Vector6::Zero();   ///< force through the joint
  Matrix6 inertia = Matrix6::Zero();
};

/// A motor's rotor that spins in one of the links; the link's inertia holds it locked.
struct PlainRotor {
  int carrier = -1;  ///< link; −1: the world
  int column = 0;    ///< unfolded variable that it follows
  double inertia = 0, ratio = 1;
  Vector3d axis;                     ///< unit, in the carrier's frame
  Vector3d e = Vector3d::Zero();     ///< the same in the world
  double spin = 0, spin_rate = 0;    ///< relative to the carrier, and its derivative
  Vector3d w = Vector3d::Zero();     ///< angular velocity of the carrier
  Vector3d wdot = Vector3d::Zero();  ///< angular acceleration of the carrier
};

class PlainRobot {
 public:
  explicit PlainRobot(const Spec& spec);
  PlainRobot(const PlainRobot&) = delete;

  int nq() const { return static_cast<int>(Gq_.cols()); }
  int nv() const { return static_cast<int>(G_.cols()); }
  const std::vector<PlainLink>& links() const { return links_; }
  const PlainLink& link(const std::string& name) const;

  Vector6 base_velocity = Vector6::Zero();      ///< of the world itself
  Vector6 base_acceleration = Vector6::Zero();  ///< of the world itself, spatial
  std::map<std::string, Vector6> forces;        ///< external, by link, in the link's own frame

  /// Places and moves everything; the functions below speak of this state.
  void move(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  VectorXd tau() const;  ///< inverse dynamics
  Vector6 reaction(
      const std::string& link) const;  ///< force through its joint, in the link's frame
  MatrixXd jacobian(const std::string& link) const;  ///< 6 × nv, about the world origin
  MatrixXd mass_matrix() const;
  double kinetic_energy() const;
  double potential_energy() const;
  double mass() const;
  Vector3d center_of_mass() const;
  Vector6 momentum() const;

 private:
  void add_link(const BodySpec& body, const JointSpec* joint, int parent);
  void add_children(const std::string& parent_name, int parent);
  void fold_mimics();
  void pass_joint(PlainLink& link, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void add_rotors(const PlainLink& link);
  void move_rotors(const VectorXd& tree_v, const VectorXd& tree_a);
  Vector6 weight(const PlainLink& link) const;
  MatrixXd tree_jacobian(int link) const;

  Spec spec_;
  std::vector<PlainLink> links_;
  std::vector<PlainRotor> rotors_;
  std::map<std::string, int> index_;
  int tree_nq_ = 0, tree_nv_ = 0;
  MatrixXd Gq_, G_;             // unfolded from the user's variables
  VectorXd offset_, armature_;  // per unfolded variable
  VectorXd v_, a_;
};

}  // namespace limber::test
