// What must not matter: where the user put his frames, and in which order he listed his joints.
#include <limber/dynamics/forward_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// every body frame moved by a random transform, everything that hangs on it moved back
Spec with_other_body_frames(Spec spec, Random& random) {
  for (BodySpec& body : spec.bodies) {
    const Transform<double> X = random.transform(), back = inverse(X);
    body.inertia = back * body.inertia;
    bool carried = false;
    for (JointSpec& joint : spec.joints) {
      if (joint.child == body.name)
        joint.child_placement = joint.child_placement * X, carried = true;
      if (joint.parent == body.name) joint.placement = back * joint.placement;
      for (DofSpec& dof : joint.dofs)
        if (dof.rotor_mount == body.name) dof.rotor_axis = back.R * dof.rotor_axis;
    }
    for (FrameSpec& frame : spec.frames)
      if (frame.body == body.name) frame.placement = back * frame.placement;
    EXPECT_TRUE(carried) << "a root's own frame is the world's";
  }
  return spec;
}

bool has_axis_only(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic ||
         kind == JointKind::helical || kind == JointKind::cylindrical;
}

// joint frames turned any way and moved along their axis
Spec with_other_joint_frames(Spec spec, Random& random) {
  for (JointSpec& joint : spec.joints) {
    if (!has_axis_only(joint.kind) && joint.kind != JointKind::universal) continue;
    Transform<double> X = Transform<double>::rotation(random.rotation());
    if (has_axis_only(joint.kind)) X.p = joint.axis * random.uniform();
    joint.placement = joint.placement * X;
    joint.child_placement = inverse(X) * joint.child_placement;
    joint.axis = transpose_times(X.R, joint.axis);
    joint.axis2 = transpose_times(X.R, joint.axis2);
  }
  return spec;
}

void expect_same_dynamics(Robot& r, const Spec& changed) {
  Robot c(changed);
  EXPECT_TRUE(near(matrix(inverse_dynamics(c.model, in(r.q), in(r.v), in(r.a), c.ws)),
                   matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), 1e-10));
  EXPECT_TRUE(near(matrix(mass_matrix(c.model, in(r.q), c.ws)),
                   matrix(mass_matrix(r.model, in(r.q), r.ws)), 1e-10));
  EXPECT_TRUE(near(matrix(forward_dynamics(c.model, in(r.q), in(r.v), in(r.tau), c.ws)),
                   matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws)),
                   solve_tolerance(r, r.tau) + 1e-9));
}

TEST(Invariance, BodyFramesDoNotMatter) {
  for_random_robots(100, [](Robot& r) {
    Random random(11);
    expect_same_dynamics(r, with_other_body_frames(r.spec, random));
  });
}

TEST(Invariance, JointFramesDoNotMatter) {
  for_random_robots(100, [](Robot& r) {
    Random random(12);
    expect_same_dynamics(r, with_other_joint_frames(r.spec, random));
  });
}

// positions of the user's variables by the names of their joints
struct Places {
  std::map<std::string, std::pair<int, int>> q, v;  // start, count
  explicit Places(const Model& model) {
    int at_q = 0, at_v = 0;
    for (std::size_t b = 1; b < model.kind.size(); ++b) {
      if (model.master[b] >= 0) continue;
      q[model.joint_name[b]] = {at_q, model.q_count[b]};
      v[model.joint_name[b]] = {at_v, model.v_count[b]};
      at_q += model.q_count[b], at_v += model.v_count[b];
    }
  }
};
// the matrix P with y = P x, where x is ordered as `from` and y as `to`
MatrixXd permutation(const std::map<std::string, std::pair<int, int>>& from,
                     const std::map<std::string, std::pair<int, int>>& to, int n) {
  MatrixXd P = MatrixXd::Zero(n, n);
  for (const auto& [name, place] : from)
    for (int k = 0; k < place.second; ++k) P(to.at(name).first + k, place.first + k) = 1;
  return P;
}

TEST(Invariance, OrderOfTheFileDoesNotMatter) {
  int really_changed = 0;
  for_random_robots(100, [&](Robot& r) {
    Spec reversed = r.spec;
    std::reverse(reversed.joints.begin(), reversed.joints.end());
    std::reverse(reversed.bodies.begin(), reversed.bodies.end());
    Robot c(reversed);
    const Places old_places(r.model), places(c.model);
    const MatrixXd Pq = permutation(old_places.q, places.q, r.model.nq);
    const MatrixXd P = permutation(old_places.v, places.v, r.model.nv);
    if (!P.isIdentity(0)) ++really_changed;
    const VectorXd q = Pq * r.q, v = P * r.v, a = P * r.a, tau = P * r.tau;
    EXPECT_TRUE(near(matrix(inverse_dynamics(c.model, in(q), in(v), in(a), c.ws)),
                     P * matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)),
                     1e-10));
    EXPECT_TRUE(near(matrix(mass_matrix(c.model, in(q), c.ws)),
                     P * matrix(mass_matrix(r.model, in(r.q), r.ws)) * P.transpose(), 1e-10));
    EXPECT_TRUE(near(matrix(forward_dynamics(c.model, in(q), in(v), in(tau), c.ws)),
                     P * matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws)),
                     solve_tolerance(r, r.tau) + 1e-9));
  });
  EXPECT_GT(really_changed, 30);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
