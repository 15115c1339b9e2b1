// The plain reference; see plain_robot.hpp. Included once by each test program that uses it.
#include "support/plain_robot.hpp"

#include <algorithm>

namespace limber::test {

Vector3d plain(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d plain(const Mat3<double>& A) {
  Eigen::Matrix3d D;
  D << A.xx, A.xy, A.xz, A.yx, A.yy, A.yz, A.zx, A.zy, A.zz;
  return D;
}
Eigen::Matrix3d plain(const Sym3<double>& A) {
  Eigen::Matrix3d D;
  D << A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz;
  return D;
}
Pose plain(const Transform<double>& X) {
  Pose T = Pose::Identity();
  T.linear() = plain(X.R);
  T.translation() = plain(X.p);
  return T;
}
namespace {
Vector6 stack(const Vector3d& angular, const Vector3d& linear) {
  Vector6 r;
  r << angular, linear;
  return r;
}
}  // namespace
Vector6 plain(const Motion<double>& v) { return stack(plain(v.angular), plain(v.linear)); }
Vector6 plain(const Force<double>& f) { return stack(plain(f.angular), plain(f.linear)); }

Eigen::Matrix3d skew(const Vector3d& v) {
  Eigen::Matrix3d D;
  D << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return D;
}
Matrix6 motion_matrix(const Pose& T) {
  Matrix6 X = Matrix6::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = T.linear();
  X.bottomLeftCorner<3, 3>() = skew(T.translation()) * T.linear();
  return X;
}
Matrix6 cross_matrix(const Vector6& v) {
  Matrix6 X = Matrix6::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = skew(v.head<3>());
  X.bottomLeftCorner<3, 3>() = skew(v.tail<3>());
  return X;
}
Matrix6 inertia_matrix(const Inertia<double>& I) {
  const Eigen::Matrix3d J = plain(I.J);
  Matrix6 A;
  A.topLeftCorner<3, 3>() = J.trace() * Eigen::Matrix3d::Identity() - J;
  A.topRightCorner<3, 3>() = skew(plain(I.h));
  A.bottomLeftCorner<3, 3>() = -skew(plain(I.h));
  A.bottomRightCorner<3, 3>() = I.m * Eigen::Matrix3d::Identity();
  return A;
}

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A joint at one position, in the coordinates of its joint frame.
struct PlainJoint {
  Pose pose = Pose::Identity();    ///< of the moved joint frame
  Matrix6X S;                      ///< columns
  std::vector<int> carriers;       ///< column k is fixed in what the first carriers[k] columns move
  Vector6 bias = Vector6::Zero();  ///< what Ṡ v has besides (custom joints only)

  void add(const Vector3d& angular, const Vector3d& linear, int carried_by) {
    S.conservativeResize(6, S.cols() + 1);
    S.col(S.cols() - 1) << angular, linear;
    carriers.push_back(carried_by);
  }
};

/// The smallest turn that takes z to the unit vector n, by Rodrigues' formula; about x to −z.
Eigen::Matrix3d turn_of_z(const Vector3d& n) {
  if (n.z() < -1 + 1e-14) return Vector3d(1, -1, -1).asDiagonal();
  const Eigen::Matrix3d K = skew(Vector3d::UnitZ().cross(n));
  return Eigen::Matrix3d::Identity() + K + K * K / (1 + n.z());
}

PlainJoint plain_joint(const JointSpec& joint, const VectorXd& q, const VectorXd& v) {
  using Eigen::AngleAxisd;
  const Vector3d zero = Vector3d::Zero(), axis = plain(joint.axis).normalized();
  PlainJoint r;
  r.S.resize(6, 0);
  switch (joint.kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      r.pose.linear() = AngleAxisd(q[0], axis).toRotationMatrix();
      r.add(axis, zero, 0);
      break;
    case JointKind::prismatic:
      r.pose.translation() = axis * q[0];
      r.add(zero, axis, 0);
      break;
    case JointKind::helical:
      r.pose.linear() = AngleAxisd(q[0], axis).toRotationMatrix();
      r.pose.translation() = axis * (joint.pitch * q[0]);
      r.add(axis, joint.pitch * axis, 0);
      break;
    case JointKind::cylindrical:
      r.pose.linear() = AngleAxisd(q[0], axis).toRotationMatrix();
      r.pose.translation() = axis * q[1];
      r.add(axis, zero, 0);
      r.add(zero, axis, 0);
      break;
    case JointKind::planar: {
      // the plane's own axes: the joint frame turned the shortest way until z is the normal
      const Eigen::Matrix3d plane = turn_of_z(axis);
      const Vector3d shift = plane * Vector3d(q[0], q[1], 0);
      r.pose.linear() = AngleAxisd(q[2], axis).toRotationMatrix();
      r.pose.translation() = shift;
      r.add(zero, plane * Vector3d::UnitX(), 0);
      r.add(zero, plane * Vector3d::UnitY(), 0);
      r.add(axis, shift.cross(axis), 2);
      break;
    }
    case JointKind::universal: {
      const Vector3d second = plain(joint.axis2).normalized();
      const AngleAxisd turn1(q[0], axis), turn2(q[1], second);
      r.pose.linear() = turn1.toRotationMatrix() * turn2.toRotationMatrix();
      r.add(axis, zero, 0);
      r.add(turn1 * second, zero, 1);
      break;
    }
    case JointKind::spherical:
      r.pose.linear() = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
      for (int k = 0; k < 3; ++k) r.add(r.pose.linear().col(k), zero, 3);
      break;
    case JointKind::translation:
      r.pose.translation() = q;
      for (int k = 0; k < 3; ++k) r.add(zero, Vector3d::Unit(k), 0);
      break;
    case JointKind::free: {
      r.pose.linear() = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
      r.pose.translation() = q.head<3>();
      const Eigen::Matrix3d R = r.pose.linear();
      for (int k = 0; k < 3; ++k) r.add(R.col(k), q.head<3>().cross(R.col(k)), 6);
      for (int k = 0; k < 3; ++k) r.add(zero, R.col(k), 6);
      break;
    }
    case JointKind::custom: {
      JointKinematics<double> out;
      joint.custom.kinematics_double(joint.custom.parameters, {q.data(), std::size_t(q.size())},
                                     {v.data(), std::size_t(v.size())}, out);
      r.pose = plain(out.X);
      const Matrix6 X = motion_matrix(r.pose);
      for (int k = 0; k < joint.custom.nv; ++k) {
        const Vector6 column = X * plain(out.S[static_cast<std::size_t>(k)]);
        r.add(column.head<3>(), column.tail<3>(), joint.custom.nv);
      }
      r.bias = X * plain(out.bias);
      break;
    }
  }
  return r;
}

Vector3d first_moment(const PlainLink& link) {
  const Inertia<double>& I = link.body->inertia;
  return link.pose.linear() * plain(I.h) + I.m * link.pose.translation();
}

}  // namespace

// --- structure ---

PlainRobot::PlainRobot(const Spec& spec) : spec_(spec) {
  // roots first, then what hangs from the world; depth first, children in the order of the file
  for (const BodySpec& body : spec_.bodies) {
    const bool carried = std::any_of(spec_.joints.begin(), spec_.joints.end(),
                                     [&](const JointSpec& j) { return j.child == body.name; });
    if (!carried) add_link(body, nullptr, -1);
  }
  add_children("", -1);
  fold_mimics();
  for (const PlainLink& link : links_)
    if (link.joint) add_rotors(link);
}

void PlainRobot::add_link(const BodySpec& body, const JointSpec* joint, int parent) {
  PlainLink link;
  link.body = &body;
  link.joint = joint;
  link.parent = parent;
  link.q_index = tree_nq_, link.v_index = tree_nv_;
  if (joint) {
    const bool custom = joint->kind == JointKind::custom;
    link.nq = custom ? joint->custom.nq : position_count(joint->kind);
    link.nv = custom ? joint->custom.nv : velocity_count(joint->kind);
  }
  tree_nq_ += link.nq, tree_nv_ += link.nv;
  const int number = static_cast<int>(links_.size());
  index_[body.name] = number;
  links_.push_back(link);
  add_children(body.name, number);
}

void PlainRobot::add_children(const std::string& parent_name, int parent) {
  for (const JointSpec& joint : spec_.joints)
    if (joint.parent == parent_name)
      for (const BodySpec& body : spec_.bodies)
        if (body.name == joint.child) add_link(body, &joint, parent);
}

// the chain rule of mimic joints: tree variables = G · user's variables (+ offset)
void PlainRobot::fold_mimics() {
  std::map<std::string, const PlainLink*> by_joint;
  std::map<const PlainLink*, std::pair<int, int>> start;  // independent joints: user's q and v
  int nq = 0, nv = 0;
  for (const PlainLink& link : links_) {
    if (!link.joint) continue;
    by_joint[link.joint->name] = &link;
    if (link.joint->mimic && link.nv > 0) continue;
    start[&link] = {nq, nv};
    nq += link.nq, nv += link.nv;
  }
  Gq_ = MatrixXd::Zero(tree_nq_, nq);
  G_ = MatrixXd::Zero(tree_nv_, nv);
  offset_ = VectorXd::Zero(tree_nq_);
  armature_ = VectorXd::Zero(tree_nv_);
  for (const PlainLink& link : links_) {
    if (!link.joint) continue;
    double ratio = 1, offset = 0;
    const PlainLink* master = &link;
    while (master->joint->mimic && link.nv > 0) {
      const MimicSpec& mimic = *master->joint->mimic;
      offset += ratio * mimic.offset;
      ratio *= mimic.multiplier;
      master = by_joint.at(mimic.joint);
    }
    for (int k = 0; k < link.nq; ++k) {
      Gq_(link.q_index + k, start.at(master).first + k) = ratio;
      offset_[link.q_index + k] = offset;
    }
    for (int k = 0; k < link.nv; ++k) {
      G_(link.v_index + k, start.at(master).second + k) = ratio;
      const std::vector<DofSpec>& dofs = link.joint->dofs;
      if (dofs.empty()) continue;
      const DofSpec& dof = dofs.size() == 1 ? dofs[0] : dofs[at(k)];
      if (!dof.rotor_mount.empty()) continue;
      armature_[link.v_index + k] = dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia;
    }
  }
}

void PlainRobot::add_rotors(const PlainLink& link) {
  for (int k = 0; k < link.nv && !link.joint->dofs.empty(); ++k) {
    const std::vector<DofSpec>& dofs = link.joint->dofs;
    const DofSpec& dof = dofs.size() == 1 ? dofs[0] : dofs[at(k)];
    if (dof.rotor_mount.empty()) continue;
    PlainRotor rotor;
    if (const auto carrier = index_.find(dof.rotor_mount); carrier != index_.end())
      rotor.carrier = carrier->second;
    rotor.column = link.v_index + k;
    rotor.inertia = dof.rotor_inertia, rotor.ratio = dof.gear_ratio;
    rotor.axis = plain(dof.rotor_axis).normalized();
    rotors_.push_back(rotor);
  }
}

// --- motion and forces ---

// link.pose, v and a are the parent's before and the link's own after
void PlainRobot::pass_joint(PlainLink& link, const VectorXd& q, const VectorXd& v,
                            const VectorXd& a) {
  const Pose frame = link.pose * plain(link.joint->placement);
  const PlainJoint joint = plain_joint(*link.joint, q, v);
  const Matrix6 X = motion_matrix(frame);
  link.pose = frame * joint.pose * plain(link.joint->child_placement);
  link.S = X * joint.S;
  const Vector6 parent_velocity = link.v;
  link.v += link.S * v;
  // Ṡ of a column that is fixed in a moving body is that body's velocity ×̂ S
  link.a += link.S * a + X * joint.bias;
  for (int k = 0; k < link.nv; ++k) {
    const int carriers = joint.carriers[at(k)];
    const Vector6 carrier = parent_velocity + link.S.leftCols(carriers) * v.head(carriers);
    link.a += cross_matrix(carrier) * link.S.col(k) * v[k];
  }
}

void PlainRobot::move(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  v_ = v, a_ = a;
  const VectorXd tree_q = Gq_ * q + offset_, tree_v = G_ * v, tree_a = G_ * a;
  for (PlainLink& link : links_) {
    const PlainLink* parent = link.parent < 0 ? nullptr : &links_[at(link.parent)];
    link.pose = parent ? parent->pose : Pose::Identity();
    link.v = parent ? parent->v : base_velocity;
    link.a = parent ? parent->a : base_acceleration;
    link.S.resize(6, 0);
    if (link.joint)
      pass_joint(link, tree_q.segment(link.q_index, link.nq), tree_v.segment(link.v_index, link.nv),
                 tree_a.segment(link.v_index, link.nv));
    const Matrix6 to_link = motion_matrix(link.pose.inverse());
    link.inertia = to_link.transpose() * inertia_matrix(link.body->inertia) * to_link;
  }
  for (PlainLink& link : links_) {
    link.f = link.inertia * link.a - cross_matrix(link.v).transpose() * (link.inertia * link.v) -
             weight(link);
    if (const auto force = forces.find(link.body->name); force != forces.end())
      link.f -= motion_matrix(link.pose.inverse()).transpose() * force->second;
  }
  move_rotors(tree_v, tree_a);
  for (std::size_t i = links_.size(); i-- > 0;)
    if (links_[i].parent >= 0) links_[at(links_[i].parent)].f += links_[i].f;
}

// A rotor adds the angular momentum J spin e to its carrier's: the carrier needs the couple that is
// its derivative.
void PlainRobot::move_rotors(const VectorXd& tree_v, const VectorXd& tree_a) {
  for (PlainRotor& rotor : rotors_) {
    rotor.spin = rotor.ratio * tree_v[rotor.column];
    rotor.spin_rate = rotor.ratio * tree_a[rotor.column];
    PlainLink* carrier = rotor.carrier < 0 ? nullptr : &links_[at(rotor.carrier)];
    rotor.e = carrier ? carrier->pose.linear() * rotor.axis : rotor.axis;
    rotor.w = (carrier ? carrier->v : base_velocity).head<3>();
    rotor.wdot = (carrier ? carrier->a : base_acceleration).head<3>();
    if (!carrier) continue;
    carrier->f.head<3>() +=
        rotor.inertia * (rotor.spin_rate * rotor.e + rotor.spin * rotor.w.cross(rotor.e));
  }
}

Vector6 PlainRobot::weight(const PlainLink& link) const {
  const Vector3d g = plain(spec_.gravity);
  return stack(first_moment(link).cross(g), link.body->inertia.m * g);
}

// --- results ---

const PlainLink& PlainRobot::link(const std::string& name) const {
  return links_[at(index_.at(name))];
}

VectorXd PlainRobot::tau() const {
  VectorXd tree_tau = armature_.cwiseProduct(G_ * a_);
  for (const PlainLink& link : links_)
    tree_tau.segment(link.v_index, link.nv) += link.S.transpose() * link.f;
  for (const PlainRotor& rotor : rotors_)  // the motor turns its rotor in space
    tree_tau[rotor.column] +=
        rotor.ratio * rotor.inertia * (rotor.spin_rate + rotor.e.dot(rotor.wdot));
  return G_.transpose() * tree_tau;
}

Vector6 PlainRobot::reaction(const std::string& name) const {
  return motion_matrix(link(name).pose).transpose() * link(name).f;
}

MatrixXd PlainRobot::tree_jacobian(int number) const {
  MatrixXd J = MatrixXd::Zero(6, tree_nv_);
  for (int i = number; i >= 0; i = links_[at(i)].parent)
    J.middleCols(links_[at(i)].v_index, links_[at(i)].nv) = links_[at(i)].S;
  return J;
}

MatrixXd PlainRobot::jacobian(const std::string& name) const {
  return tree_jacobian(index_.at(name)) * G_;
}

MatrixXd PlainRobot::mass_matrix() const {
  MatrixXd M = armature_.asDiagonal();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const MatrixXd J = tree_jacobian(static_cast<int>(i));
    M += J.transpose() * links_[i].inertia * J;
  }
  // twice the energy of a rotor besides its carrier's: J (spin² + 2 spin e · ω)
  for (const PlainRotor& rotor : rotors_) {
    const VectorXd spin = rotor.ratio * VectorXd::Unit(tree_nv_, rotor.column);
    VectorXd carried = VectorXd::Zero(tree_nv_);
    if (rotor.carrier >= 0)
      carried = tree_jacobian(rotor.carrier).topRows<3>().transpose() * rotor.e;
    M += rotor.inertia *
         (spin * spin.transpose() + spin * carried.transpose() + carried * spin.transpose());
  }
  return G_.transpose() * M * G_;
}

double PlainRobot::kinetic_energy() const {
  const VectorXd tree_v = G_ * v_;
  double twice = tree_v.dot(armature_.cwiseProduct(tree_v));
  for (const PlainLink& link : links_) twice += link.v.dot(link.inertia * link.v);
  for (const PlainRotor& rotor : rotors_)
    twice += rotor.inertia * rotor.spin * (rotor.spin + 2 * rotor.e.dot(rotor.w));
  return twice / 2;
}

double PlainRobot::potential_energy() const {
  return -plain(spec_.gravity).dot(mass() * center_of_mass());
}

double PlainRobot::mass() const {
  double sum = 0;
  for (const PlainLink& link : links_) sum += link.body->inertia.m;
  return sum;
}

Vector3d PlainRobot::center_of_mass() const {
  Vector3d sum = Vector3d::Zero();
  for (const PlainLink& link : links_) sum += first_moment(link);
  return sum / mass();
}

Vector6 PlainRobot::momentum() const {
  Vector6 sum = Vector6::Zero();
  for (const PlainLink& link : links_) sum += link.inertia * link.v;
  for (const PlainRotor& rotor : rotors_) sum.head<3>() += rotor.inertia * rotor.spin * rotor.e;
  return sum;
}

}  // namespace limber::test
