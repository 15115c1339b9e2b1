// Rotors with a mount: against a robot in which the rotor is a link of its own, and against closed
// forms. (The random robots of all other tests have some too.)
#include <cmath>

#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>

#include "support/message.hpp"
#include "support/random_robots.hpp"
#include "support/simulate.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// what a rotor is made of: a wheel of mass m and radius r across, with its centre at `place`
struct Wheel {
  double mass = 0.4, axial = 3e-4, across = 2e-4, ratio = 30;
  Transform<double> place;  // z is the axis, in the carrier's frame

  Inertia<double> inertia() const {
    return Inertia<double>::from_com(mass, {}, Sym3<double>::diagonal(across, across, axial));
  }
};

// joint `driven`'s rotor on `carrier`: once as a mount, once as a link that mimics
struct Pair {
  Spec mounted, explicit_link;
  Pair(const Spec& spec, std::size_t driven, std::size_t carrier, const Wheel& wheel)
      : mounted(spec), explicit_link(spec) {
    BodySpec& body = mounted.bodies[carrier];
    body.inertia += wheel.place * wheel.inertia();
    DofSpec& dof = mounted.joints[driven].dof();
    dof.rotor_inertia = wheel.axial;
    dof.gear_ratio = wheel.ratio;
    dof.rotor_mount = body.name;
    dof.rotor_axis = wheel.place.R.column(2);

    explicit_link.add_body("wheel", 0).inertia = wheel.inertia();
    JointSpec& joint = explicit_link.add_joint("spin", JointKind::revolute, body.name, "wheel",
                                               {0, 0, 1}, wheel.place);
    joint.mimic = {spec.joints[driven].name, wheel.ratio, 0.3};
  }
};

TEST(Rotors, EqualALinkThatMimics) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomTreeOptions options;
    options.kinds = {JointKind::revolute, JointKind::prismatic};
    options.rotor = 0;
    const int n = 2 + static_cast<int>(seed % 8);
    const Spec spec = generate_tree(n, seed, options);
    Wheel wheel;
    wheel.place = random.transform();
    const auto driven = static_cast<std::size_t>(random.integer(0, n - 1)),
               carrier = static_cast<std::size_t>(random.integer(0, n - 1));
    const Pair pair(spec, driven, carrier, wheel);
    Robot found(pair.mounted, seed), expected(pair.explicit_link, seed);
    ASSERT_EQ(found.model.nv, n);
    const VectorXd &q = expected.q, &v = expected.v, &a = expected.a;
    EXPECT_TRUE(near(matrix(inverse_dynamics(found.model, in(q), in(v), in(a), found.ws)),
                     matrix(inverse_dynamics(expected.model, in(q), in(v), in(a), expected.ws)),
                     1e-11));
    EXPECT_TRUE(near(matrix(mass_matrix(found.model, in(q), found.ws)),
                     matrix(mass_matrix(expected.model, in(q), expected.ws)), 1e-11));
    EXPECT_TRUE(near(kinetic_energy(found.model, in(q), in(v), found.ws),
                     kinetic_energy(expected.model, in(q), in(v), expected.ws), 1e-11));
    EXPECT_TRUE(near(plain(momentum(found.model, in(q), in(v), found.ws)),
                     plain(momentum(expected.model, in(q), in(v), expected.ws)), 1e-11));
    EXPECT_TRUE(near(found.model.mass(), expected.model.mass(), 1e-13));
  }
}

TEST(Rotors, OnTheWorldAreReflectedInertia) {
  Spec spec = generate_chain(3);
  spec.joints[1].dofs = {{.rotor_inertia = 1e-4, .gear_ratio = 50}};
  Spec mounted = spec;
  mounted.joints[1].dofs[0].rotor_mount = "world";
  mounted.joints[1].dofs[0].rotor_axis = {1, 2, 3};
  Robot r(spec), m(mounted);
  EXPECT_TRUE(near(matrix(mass_matrix(m.model, in(r.q), m.ws)),
                   matrix(mass_matrix(r.model, in(r.q), r.ws)), 1e-12));
  EXPECT_TRUE(near(matrix(inverse_dynamics(m.model, in(r.q), in(r.v), in(r.a), m.ws)),
                   matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), 1e-12));
}

// every freedom of a ball joint and of a free joint may drive a rotor
TEST(Rotors, FollowFreedomsWithoutAPositionOfTheirOwn) {
  for (const JointKind kind : {JointKind::spherical, JointKind::free, JointKind::planar}) {
    SCOPED_TRACE(name(kind));
    Spec spec = generate_chain(3);
    spec.joints[1].kind = kind;
    const int nv = velocity_count(kind);
    spec.joints[1].dofs.assign(static_cast<std::size_t>(nv), DofSpec{});
    for (int k = 0; k < nv; ++k) {
      DofSpec& dof = spec.joints[1].dofs[static_cast<std::size_t>(k)];
      dof.rotor_inertia = 1e-4, dof.gear_ratio = 10 + k;
      dof.rotor_mount = k % 2 ? "body1" : "body3";
      dof.rotor_axis = {1, 0.5 * k, -0.3};
    }
    Robot r(spec);
    EXPECT_EQ(r.model.nv, nv + 2);
    r.move_plain();
    const VectorXd tau = r.plain.tau();
    EXPECT_TRUE(
        near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), tau, 1e-11));
    EXPECT_TRUE(near(matrix(mass_matrix(r.model, in(r.q), r.ws)), r.plain.mass_matrix(), 1e-11));
    EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws)), r.a,
                     solve_tolerance(r, tau)));
  }
}

// a heavy case on a ball joint with a fast wheel in it: m g l = Ω ((C − A) Ω cos θ + J s)
TEST(Rotors, FastWheelMakesItsGimbalPrecess) {
  const double m = 1.5, l = 0.2, A = 0.1, C = 0.02, J = 0.004, g = 9.81;  // A, C about the pivot
  Spec spec;
  spec.add_body("case", m, {0, 0, l}, Sym3<double>::diagonal(A - m * l * l, A - m * l * l, C));
  spec.add_body("shaft", 0);
  spec.add_joint("pivot", JointKind::spherical, "", "case");
  JointSpec& shaft = spec.add_joint("shaft", JointKind::revolute, "case", "shaft");
  shaft.dofs = {{.rotor_inertia = J, .rotor_mount = "case"}};
  const Model model = build(spec);
  Workspace ws(model);
  for (const double tilt : {0.3, 1.2, 2.0})
    for (const double precession : {0.7, -2.0}) {
      const double cosine = std::cos(tilt);
      const double spin = (m * g * l / precession - (C - A) * precession * cosine) / J;
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(tilt, Vector3d(0.6, 0.8, 0)));
      const Vector3d w = turn.conjugate() * Vector3d(0, 0, precession);
      VectorXd q(5), v(4);
      q << turn.x(), turn.y(), turn.z(), turn.w(), 0.4;
      v << w, spin;
      const VectorXd zero = VectorXd::Zero(4);
      // the case keeps its angular velocity in its own axes, the wheel its spin
      EXPECT_TRUE(near(matrix(forward_dynamics(model, in(q), in(v), in(zero), ws)), zero, 1e-11));
    }
}

// a motor inside a floating body spins up its wheel: all momentum stays zero
TEST(Rotors, ReactionWheelTurnsItsSatellite) {
  const double C = 2.0, J = 0.05, torque = 0.3;
  Spec spec;
  spec.gravity = {};
  spec.add_body("hull", 10, {0.1, 0.2, 0.3}, Sym3<double>::diagonal(3, 2.5, C));
  spec.add_body("shaft", 0);
  spec.add_joint("free", JointKind::free, "", "hull");
  JointSpec& shaft = spec.add_joint("wheel", JointKind::revolute, "hull", "shaft");
  shaft.dofs = {{.rotor_inertia = J, .rotor_mount = "hull"}};
  const Model model = build(spec);
  Workspace ws(model);
  VectorXd tau = VectorXd::Zero(7);
  tau[6] = torque;
  auto acceleration = [&](double, const VectorXd& q, const VectorXd& v) {
    return matrix(forward_dynamics(model, in(q), in(v), in(tau), ws));
  };
  Moving x{0, matrix(neutral_position(model)), VectorXd::Zero(7)};
  simulate(model, x, 2, 100, acceleration);
  EXPECT_TRUE(near(plain(momentum(model, in(x.q), in(x.v), ws)), Vector6::Zero(), 1e-12));
  EXPECT_NEAR(x.v[2], -J * x.v[6] / C, 1e-12);
  // the motor works against J and C in series
  EXPECT_NEAR(x.v[6], torque * 2 / (J - J * J / C), 1e-10);

  // tumbling as well: gyroscopic, and momentum is still conserved
  x.v << 0.4, -0.3, 0.2, 0.1, 0.2, 0.3, 5;
  const Vector6 before = plain(momentum(model, in(x.q), in(x.v), ws));
  simulate(model, x, 1, 400, acceleration);
  EXPECT_TRUE(near(plain(momentum(model, in(x.q), in(x.v), ws)), before, 1e-9));
}

// --- what the user sees ---

Spec geared() {
  Spec spec = generate_chain(3);
  spec.joints[1].dofs = {{.rotor_inertia = 1e-4, .gear_ratio = 40, .rotor_mount = "body1"}};
  return spec;
}

TEST(Rotors, AreHiddenBodies) {
  const Model plain_model = build(generate_chain(3)), model = build(geared());
  EXPECT_EQ(model.nq, 3);
  EXPECT_EQ(model.nv, 3);
  EXPECT_EQ(model.bodies(), 5);
  EXPECT_EQ(model.frames.size(), plain_model.frames.size());
  EXPECT_EQ(model.warnings, plain_model.warnings);
  EXPECT_DOUBLE_EQ(model.mass(), plain_model.mass());
  const auto rotor = static_cast<std::size_t>(model.body("joint2 rotor"));
  EXPECT_EQ(model.is_rotor[rotor], 1);
  EXPECT_EQ(model.parent[rotor], model.body("body1"));
  EXPECT_EQ(model.master[rotor], model.body_of_joint("joint2"));
  EXPECT_EQ(cast<float>(model).is_rotor, model.is_rotor);
}

TEST(Rotors, ZeroInertiaNeedsNoBody) {
  Spec spec = geared();
  spec.joints[1].dofs[0].rotor_inertia = 0;
  EXPECT_EQ(build(spec).bodies(), 4);
}

TEST(Rotors, RefusedAndWarned) {
  Spec unknown = geared();
  unknown.joints[1].dofs[0].rotor_mount = "bdy1";
  EXPECT_TRUE(mentions(message_of([&] { build(unknown); }),
                       {"joint 'joint2'", "'bdy1'", "did you mean 'body1'"}));
  Spec axis = geared();
  axis.joints[1].dofs[0].rotor_axis = {};
  EXPECT_TRUE(mentions(message_of([&] { build(axis); }), {"joint 'joint2'", "axis"}));
  axis.joints[1].dofs[0].rotor_axis = {1e200, 1e200, 0};
  EXPECT_TRUE(mentions(message_of([&] { build(axis); }), {"joint 'joint2'", "axis"}));
  Spec chain = geared();
  chain.joints[1].dofs[0].gear_ratio = 1e100;
  chain.joints[1].mimic = {"joint1", 1e100, 0};
  EXPECT_TRUE(mentions(message_of([&] { build(chain); }), {"joint 'joint2'", "too large"}));
  Spec fixed = geared();
  fixed.joints[1].kind = JointKind::fixed;
  EXPECT_TRUE(mentions(message_of([&] { build(fixed); }), {"joint 'joint2'", "fixed", "rotor"}));
  Spec light = geared();
  light.joints[1].dofs[0].rotor_inertia = 10;
  EXPECT_TRUE(mentions(build(light).warnings, {"'body1'", "less rotational inertia", "locked"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
