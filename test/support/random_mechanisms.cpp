#include "support/random_mechanisms.hpp"

#include <Eigen/Geometry>

#include <limber/model/joint_kind.hpp>
#include <limber/model/joint_space.hpp>

namespace limber::test {

namespace {

using Kind = LoopSpec::Kind;

Transform<double> link_pose(const std::string& link, Robot& robot) {
  if (link.empty()) return {};
  const Poses& bodies = forward_kinematics<double>(robot.model, in(robot.q), robot.ws);
  return frame_pose(robot.model, bodies, robot.model.frame(link));
}

Mat3<double> turn_about(const Vec3<double>& axis, double angle) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, plain(axis)).toRotationMatrix();
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

Vec3<double> across(const Vec3<double>& axis, Random& random) {
  Vec3<double> d = cross(axis, random.direction());
  return d / norm(d);
}

/// A pose of frame b in frame a that the joint allows.
Transform<double> allowed_pose(LoopSpec& loop, Random& random) {
  const Vec3<double> u = loop.axis;
  const double angle = random.uniform(-2, 2), slide = random.uniform();
  switch (loop.joint_kind) {
    case JointKind::revolute:
      return {turn_about(u, angle), {}};
    case JointKind::prismatic:
      return {Mat3<double>::identity(), u * slide};
    case JointKind::helical:
      return {turn_about(u, angle), u * (loop.pitch * angle)};
    case JointKind::cylindrical:
      return {turn_about(u, angle), u * slide};
    case JointKind::planar:
      return {turn_about(u, angle), across(u, random) * slide};
    case JointKind::universal:
      return {turn_about(u, angle) * turn_about(loop.axis2, slide), {}};
    case JointKind::spherical:
      return {random.rotation(), {}};
    case JointKind::translation:
      return {Mat3<double>::identity(), random.vec3()};
    default:
      return {};
  }
}

}  // namespace

std::vector<LoopSort> all_loop_sorts() {
  std::vector<LoopSort> sorts{{Kind::connect}, {Kind::weld},    {Kind::distance},
                              {Kind::slot},    {Kind::surface}, {Kind::rolling}};
  for (const JointFacts& kind : joint_facts)
    if (kind.kind != JointKind::free && kind.kind != JointKind::custom)
      sorts.push_back({Kind::joint, kind.kind});
  return sorts;
}

std::string name_of(const LoopSort& sort) {
  return sort.kind == Kind::joint ? name(sort.joint) : name(sort.kind);
}

LoopSpec random_loop(const LoopSort& sort, const std::string& a, const std::string& b, Robot& robot,
                     Random& random) {
  LoopSpec loop;
  loop.name = name_of(sort) + " " + a + " " + b;
  loop.kind = sort.kind;
  loop.joint_kind = sort.joint;
  loop.body_a = a;
  loop.body_b = b;
  loop.axis = random.direction();
  loop.axis2 = across(loop.axis, random);
  loop.pitch = sort.joint == JointKind::helical ? random.uniform(0.1, 0.5) : 0;
  loop.placement_a = {random.rotation(), random.vec3(0.3)};
  Transform<double> between;  // of frame b in frame a
  switch (sort.kind) {
    case Kind::connect:
      between = {random.rotation(), {}};
      break;
    case Kind::slot:
      between = {random.rotation(), loop.axis * random.uniform()};
      break;
    case Kind::surface:
      between = {random.rotation(), across(loop.axis, random) * random.uniform()};
      break;
    case Kind::distance:
      between = {random.rotation(), random.vec3()};
      loop.distance = norm(between.p);
      break;
    case Kind::rolling: {
      loop.radius = random.integer(0, 3) == 0 ? 0 : random.uniform(0.2, 0.5);
      loop.rim = random.integer(0, 2) == 0 && loop.radius > 0 ? 0 : random.uniform(0.05, 0.2);
      between.R = random.rotation();
      const double lean = between.R.zz;
      between.p = {random.uniform(), random.uniform(),
                   loop.radius * std::sqrt(1 - lean * lean) + loop.rim};
      break;
    }
    default:
      between = allowed_pose(loop, random);
  }
  loop.placement_b =
      inverse(link_pose(b, robot)) * (link_pose(a, robot) * loop.placement_a * between);
  return loop;
}

Eigen::VectorXd plain_gap(const LoopSpec& loop, const PlainRobot& robot) {
  const auto frame = [&](const std::string& link, const Transform<double>& placement) {
    return (link.empty() ? Pose::Identity() : robot.link(link).pose) * plain(placement);
  };
  const Pose X =
      frame(loop.body_a, loop.placement_a).inverse() * frame(loop.body_b, loop.placement_b);
  const Vector3d p = X.translation(), u = plain(loop.axis), w = plain(loop.axis2);
  const Eigen::Matrix3d R = X.linear();
  std::vector<double> gap;
  const auto put = [&](const Eigen::MatrixXd& values) {
    gap.insert(gap.end(), values.data(), values.data() + values.size());
  };
  const auto put_one = [&](double value) { gap.push_back(value); };
  const Eigen::Matrix3d turn = R - Eigen::Matrix3d::Identity();
  const Vector3d tilt = R * u - u, aside = p - u * u.dot(p);
  switch (loop.kind) {
    case Kind::connect:
      put(p);
      break;
    case Kind::weld:
      put(p), put(turn);
      break;
    case Kind::distance:
      put_one(p.norm() - loop.distance);
      break;
    case Kind::slot:
      put(aside);
      break;
    case Kind::surface:
      put_one(u.dot(p));
      break;
    case Kind::rolling: {
      const double lean = R(2, 2);
      put_one(p.z() - loop.radius * std::sqrt(1 - lean * lean) - loop.rim);
      break;
    }
    case Kind::coupling:
      break;
    case Kind::joint:
      switch (loop.joint_kind) {
        case JointKind::revolute:
          put(p), put(tilt);
          break;
        case JointKind::prismatic:
          put(aside), put(turn);
          break;
        case JointKind::helical: {
          const Vector3d x = u.unitOrthogonal(), y = u.cross(x), moved = R * x;
          const double angle = std::atan2(y.dot(moved), x.dot(moved)) * loop.pitch;
          const double lead = 2 * M_PI * loop.pitch;
          put(aside), put(tilt);
          put_one(std::remainder(u.dot(p) - angle, lead));
          break;
        }
        case JointKind::cylindrical:
          put(aside), put(tilt);
          break;
        case JointKind::planar:
          put_one(u.dot(p)), put(tilt);
          break;
        case JointKind::universal:
          put(p), put_one(u.dot(R * w));
          break;
        case JointKind::spherical:
          put(p);
          break;
        case JointKind::translation:
          put(turn);
          break;
        default:
          put(p), put(turn);
      }
  }
  return Eigen::Map<Eigen::VectorXd>(gap.data(), static_cast<Eigen::Index>(gap.size()));
}

Vector3d plain_slip(const LoopSpec& loop, const PlainRobot& robot) {
  const auto velocity = [&](const std::string& link, const Vector3d& at) -> Vector3d {
    if (link.empty()) return Vector3d::Zero();
    const Vector6 v = robot.link(link).v;  // about the world's origin
    return v.tail<3>() + v.head<3>().cross(at);
  };
  const auto frame = [&](const std::string& link, const Transform<double>& placement) {
    return (link.empty() ? Pose::Identity() : robot.link(link).pose) * plain(placement);
  };
  const Pose A = frame(loop.body_a, loop.placement_a), B = frame(loop.body_b, loop.placement_b);
  const Vector3d n = A.linear().col(2), axle = B.linear().col(2);
  Vector3d up = n - axle * axle.dot(n);
  up.normalize();
  const Vector3d at = B.translation() - up * loop.radius - n * loop.rim;
  return velocity(loop.body_b, at) - velocity(loop.body_a, at);
}

ClosedRobot::ClosedRobot(const Spec& spec, std::uint64_t seed) : robot(spec, seed) {}

ClosedRobot::ClosedRobot(std::uint64_t seed) : robot(random_spec(seed), 1000 + seed) {
  Random random(seed * 977);
  std::vector<std::string> links{""};
  for (const BodySpec& body : robot.spec.bodies)
    if (robot.model.frames[robot.model.frame(body.name)].body > 0) links.push_back(body.name);
  const std::vector<LoopSort> sorts = all_loop_sorts();
  const int count = random.integer(1, 4);
  std::vector<LoopSpec> chosen;
  for (int k = 0, tries = 0; k < count && tries < 50; ++tries) {
    const auto pick = [&] {
      return links[static_cast<std::size_t>(random.integer(0, static_cast<int>(links.size()) - 1))];
    };
    const std::string a = pick(), b = pick();
    const auto body = [&](const std::string& link) {
      return link.empty() ? 0 : robot.model.frames[robot.model.frame(link)].body;
    };
    if (body(a) == body(b)) continue;
    const auto sort =
        sorts[static_cast<std::size_t>(random.integer(0, static_cast<int>(sorts.size()) - 1))];
    chosen.push_back(random_loop(sort, a, b, robot, random));
    ++k;
  }
  add_loops(chosen);
}

void ClosedRobot::add_loops(const std::vector<LoopSpec>& more) {
  loops.insert(loops.end(), more.begin(), more.end());
  mechanism = std::make_unique<Mechanism>(robot.model);
  for (const LoopSpec& loop : loops) mechanism->add(loop);
  closed = std::make_unique<ClosedDynamics>(*mechanism);
  close_velocity();
}

void ClosedRobot::close_velocity() {
  robot.v = matrix(closed_velocity<double>(*mechanism, 0, in(robot.q), in(robot.v), *closed));
}

}  // namespace limber::test
