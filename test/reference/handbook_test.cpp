// The handbook's model of chains against limber/dynamics.
#include <limber/reference/handbook.hpp>

#include <cmath>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>

#include "reference/support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using reference::HandbookChain;

Spec random_chain(int number) {
  const auto seed = static_cast<std::uint64_t>(number);
  Spec spec = generate_tree(1 + number % 20, seed,
                            {.kinds = {JointKind::revolute, JointKind::prismatic}, .branching = 0});
  Random random(seed);
  spec.gravity = random.vec3(10);
  for (JointSpec& joint : spec.joints)
    if (random.integer(0, 1) == 0) joint.child_placement = random.transform();
  return spec;
}

// every vector of the geometry along the joint's axis or zero: all joints are "specific"
Spec specific_chain() {
  Spec spec;
  const auto I = Sym3<double>::diagonal(0.1, 0.2, 0.25);
  const JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::revolute,
                             JointKind::revolute};
  std::string parent;
  for (int i = 0; i < 4; ++i) {
    const std::string child = "link" + std::to_string(i);
    spec.add_body(child, 1 + i, {0, 0, 0.1 * i}, I);
    spec.add_joint("joint" + std::to_string(i), kinds[i], parent, child,
                   i == 3 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1},
                   {rotation<double>({0, 0, 1}, 0.4 * i), {0, 0, 0.3 * i}});
    parent = child;
  }
  return spec;
}

void compare(Robot& r) {
  const HandbookChain chain = reference::handbook_chain(r.spec);
  const auto model = reference::handbook_model<double>(chain, in(r.q), in(r.v));
  const MatrixXd H = matrix(model.H);
  EXPECT_TRUE(near(H, matrix(mass_matrix(r.model, in(r.q), r.ws)), 1e-10));
  EXPECT_TRUE(near(matrix(model.h), matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws)), 1e-10));
  const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
  EXPECT_TRUE(near(matrix(reference::inverse_dynamics(model, in(r.a))), tau, 1e-10));
  EXPECT_TRUE(
      near(matrix(reference::forward_dynamics(model, in(tau))), r.a, solve_tolerance(r, tau)));
}

TEST(Handbook, EquationsOfMotionAgree) {
  for (int i = 1; i <= 200 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("chain " + std::to_string(i));
    Robot r(random_chain(i), static_cast<std::uint64_t>(i));
    compare(r);
  }
}

TEST(Handbook, SpecificJointsAgree) {
  for (std::uint64_t i = 1; i <= 10; ++i) {
    Robot r(specific_chain(), i);
    compare(r);
  }
}

// Λ and Ξ are the Jacobians of the links' mass centres
TEST(Handbook, RecursiveMatricesAreJacobians) {
  for (int i = 1; i <= 40; ++i) {
    Robot r(random_chain(i), static_cast<std::uint64_t>(i));
    const auto model =
        reference::handbook_model<double>(reference::handbook_chain(r.spec), in(r.q), in(r.v));
    r.move_plain();
    for (std::size_t j = 0; j < model.links.size(); ++j) {
      const auto& link = model.links[j];
      const std::string& name = r.model.body_name[j + 1];
      const MatrixXd J = r.plain.jacobian(name);  // about the world's origin
      const Vector6 a = r.plain.link(name).a, v = r.plain.link(name).v;
      EXPECT_TRUE(near(plain(link.A), r.plain.link(name).pose.linear(), 1e-10));
      const Vector3d c = plain(link.centre);
      for (std::size_t k = 0; k <= j; ++k) {
        const Vector6 column = J.col(static_cast<Eigen::Index>(k));
        EXPECT_TRUE(near(plain(link.Lambda[k]), column.head<3>(), 1e-10));
        EXPECT_TRUE(near(plain(link.Xi[k]), column.tail<3>() + column.head<3>().cross(c), 1e-10));
      }
      // classical acceleration of the centre, its part without q̈
      const Vector6 rest = a - J * r.a;
      const Vector3d w = v.head<3>(), centre_velocity = v.tail<3>() + w.cross(c);
      EXPECT_TRUE(near(plain(link.Gamma), rest.head<3>(), 1e-10));
      EXPECT_TRUE(near(plain(link.Delta),
                       rest.tail<3>() + rest.head<3>().cross(c) + w.cross(centre_velocity), 1e-10));
    }
  }
}

TEST(Handbook, JointForcesAreTheReactions) {
  for (int i = 1; i <= 40; ++i) {
    Robot r(random_chain(i), static_cast<std::uint64_t>(i));
    const HandbookChain chain = reference::handbook_chain(r.spec);
    const auto model = reference::handbook_model<double>(chain, in(r.q), in(r.v));
    const auto reactions = reference::joint_forces(chain, model, in(r.a));
    r.move_plain();
    for (std::size_t j = 0; j < reactions.size(); ++j) {
      const Vector6 f = r.plain.link(r.model.body_name[j + 1]).f;  // about the world's origin
      EXPECT_TRUE(near(plain(reactions[j].force), f.tail<3>(), 1e-10));
      const Vector3d moment =
          plain(reactions[j].couple) + plain(model.links[j].joint).cross(plain(reactions[j].force));
      EXPECT_TRUE(near(moment, f.head<3>(), 1e-10));
    }
  }
}

// the chapter's zero: −r_{j−1,j} and r_jj point the same way across the axis
TEST(Handbook, CoordinateIsZeroInTheExtendedPosition) {
  Robot r(random_chain(9));
  const HandbookChain chain = reference::handbook_chain(r.spec);
  for (std::size_t j = 0; j < chain.links.size(); ++j) {
    if (chain.links[j].joint == reference::HandbookLink::Joint::linear) continue;
    VectorXd q = r.q;
    q[static_cast<Eigen::Index>(j)] = -chain.links[j].offset;
    const auto model = reference::handbook_model<double>(chain, in(q), in(r.v));
    const auto& link = model.links[j];
    const Vector3d e = plain(link.e),
                   to_joint = j == 0
                                  ? plain(link.joint)
                                  : Vector3d(plain(link.joint) - plain(model.links[j - 1].centre));
    const Vector3d a = e.cross(to_joint.cross(e)).normalized();
    const Vector3d r_jj = plain(link.centre) - plain(link.joint);
    EXPECT_TRUE(near(a, e.cross(r_jj.cross(e)).normalized(), 1e-10));
  }
}

TEST(Handbook, RefusesWhatIsNoChain) {
  auto message = [](const Spec& spec) {
    return message_of([&] { reference::handbook_chain(spec); });
  };
  Spec spec = generate_chain(4);
  spec.joints[2].parent = spec.joints[1].parent;
  EXPECT_TRUE(mentions(message(spec), {"'joint2' and 'joint3' branch", "serial chain"}));
  spec = generate_chain(4);
  spec.joints[1].kind = JointKind::spherical;
  EXPECT_TRUE(mentions(message(spec), {"'joint2' is spherical", "revolute and prismatic"}));
  spec = generate_chain(4);
  spec.joints[1].mimic = MimicSpec{"joint1", 1, 0};
  EXPECT_TRUE(mentions(message(spec), {"'joint2' follows another"}));
  spec = generate_chain(4);
  spec.add_body("loose", 1);
  EXPECT_TRUE(mentions(message(spec), {"5 bodies but 4 joints"}));
  spec.joints[0].parent = "loose";
  EXPECT_TRUE(mentions(message(spec), {"no joint starts from the world"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
