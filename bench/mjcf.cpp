#include "mjcf.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <limber/math/quat.hpp>

namespace limber::bench {

namespace {

std::string numbers(const Vec3<double>& a) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", a.x, a.y, a.z);
}

std::string joint(const char* type, const Vec3<double>& axis) {
  return fmt::format("<joint type=\"{}\" axis=\"{}\"/>\n", type, numbers(axis));
}

std::string joints(const PlainBody& body) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  switch (body.kind) {
    case JointKind::revolute:
      return joint("hinge", body.axis);
    case JointKind::prismatic:
      return joint("slide", body.axis);
    case JointKind::cylindrical:
      return joint("hinge", body.axis) + joint("slide", body.axis);
    case JointKind::planar:
      return joint("slide", x) + joint("slide", y) + joint("hinge", z);
    case JointKind::universal:
      return joint("hinge", body.axis) + joint("hinge", body.axis2);
    case JointKind::spherical:
      return "<joint type=\"ball\"/>\n";
    case JointKind::translation:
      return joint("slide", x) + joint("slide", y) + joint("slide", z);
    case JointKind::free:
      return "<joint type=\"free\"/>\n";
    default:
      throw Error(fmt::format("MuJoCo has no joint of kind '{}'", limber::name(body.kind)));
  }
}

std::string numbers(const Quat<double>& turn) {
  return fmt::format("{:.17g} {}", turn.w, numbers(turn.vec()));
}

// by principal axes: those that MuJoCo finds itself are good to eight digits only
std::string inertial(const PlainBody& body) {
  const Sym3<double>& I = body.inertia;
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(matrix);
  const auto column = [&](int k) {
    const Eigen::Vector3d c = principal.eigenvectors().col(k);
    return Vec3<double>{c[0], c[1], c[2]};
  };
  const Eigen::Vector3d& moment = principal.eigenvalues();
  const Vec3<double> x = column(0), y = column(1);
  const Quat<double> turn = to_quat(Mat3<double>::from_columns(x, y, cross(x, y)));
  return fmt::format("<inertial pos=\"{}\" quat=\"{}\" mass=\"{:.17g}\" diaginertia=\"{}\"/>\n",
                     numbers(body.com), numbers(turn), body.mass,
                     numbers(Vec3<double>{moment[0], moment[1], moment[2]}));
}

std::string opening(const PlainBody& body) {
  return fmt::format("<body pos=\"{}\" quat=\"{}\">\n", numbers(body.placement.p),
                     numbers(to_quat(body.placement.R))) +
         inertial(body) + joints(body);
}

}  // namespace

std::string mjcf_text(const PlainTree& tree) {
  std::string text = fmt::format(
      "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
      "<option gravity=\"{}\"><flag constraint=\"disable\" contact=\"disable\" passive=\"disable\" "
      "actuation=\"disable\" energy=\"enable\"/></option>\n<worldbody>\n",
      numbers(tree.gravity));
  // bodies come depth first: close what is open until the parent is on top
  std::vector<int> open;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    for (; !open.empty() && open.back() != tree.bodies[i].parent; open.pop_back())
      text += "</body>\n";
    text += opening(tree.bodies[i]);
    open.push_back(static_cast<int>(i));
  }
  for (; !open.empty(); open.pop_back()) text += "</body>\n";
  return text + "</worldbody>\n</mujoco>\n";
}

}  // namespace limber::bench
