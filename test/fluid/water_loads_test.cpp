// Trees under water: Kirchhoff's equations written out with true accelerations, inverse against
// forward dynamics, energy, Lagrange's equations by differences, gravity in two ways.
#include <limber/fluid/submerged.hpp>

#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/joint_space.hpp>

#include "support/counting_new.hpp"
#include "support/message.hpp"
#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// The force on a link as Kirchhoff wrote it: the fluid's momentum P about the link's origin changes
// in the moving axes; a: spatial acceleration, whose linear part is the rate of the components of v
Vector6 explicit_force(const Hydrodynamics& body, const PlainLink& link, const Water& water,
                       const Vector3d& gravity) {
  const Matrix6 to_link = motion_matrix(link.pose.inverse());
  const Vector6 v = to_link * link.v, a = to_link * link.a;
  const Vector3d b = plain(body.displacement.center), place = link.pose * b;
  const Flow flow = water.flow({place.x(), place.y(), place.z()}, when);
  const Eigen::Matrix3d R = link.pose.linear();
  const Vector3d w = head(v), u = R.transpose() * plain(flow.velocity),
                 a_f = R.transpose() * plain(flow.acceleration), g = R.transpose() * gravity;
  Vector6 v_r = v, rate = a;
  v_r.tail<3>() -= u;
  rate.tail<3>() -= a_f - w.cross(u);
  const Matrix6 B = dense(body.added_mass);
  const Vector6 P = B * v_r;
  Vector6 f = -B * rate;
  f.head<3>() -= w.cross(head(P)) + tail(v_r).cross(tail(P));
  f.tail<3>() -= w.cross(tail(P));
  const Vector3d lift = water.density * body.displacement.volume * (a_f - g);
  f.head<3>() += b.cross(lift);
  f.tail<3>() += lift;
  for (int k = 0; k < 6; ++k) {  // damping in our order
    const auto marine = static_cast<std::size_t>((k + 3) % 6);
    f[k] -= (body.linear_damping[marine][marine] +
             body.quadratic_damping[marine][marine] * std::abs(v_r[k])) *
            v_r[k];
  }
  return f;
}

TEST(WaterLoads, AreTheForcesOfKirchhoffOnAnyTree) {
  for_random_robots(60, [](Robot& r) {
    const auto links = all_links(r.spec, 5);
    WaterLoads water_loads(r.model, links);
    const Water water = streaming();
    r.move_plain();
    for (const LinkHydrodynamics& link : links)
      r.plain.forces[link.link] =
          explicit_force(link.hydrodynamics, r.plain.link(link.link), water, plain(r.spec.gravity));
    r.move_plain();
    const Loads<double> loads = loads_of(r, water_loads, water);
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     r.plain.tau(), 1e-10));
  });
}

TEST(WaterLoads, ForwardAndHybridDynamicsInvertInverseDynamics) {
  for_random_robots(60, [](Robot& r) {
    WaterLoads water_loads(r.model, all_links(r.spec, 6));
    const Loads<double> loads = loads_of(r, water_loads, streaming());
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, loads));
    if (M.size() == 0) return;
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws, loads));
    const double scale = tau.cwiseAbs().maxCoeff() + bias.cwiseAbs().maxCoeff();
    const auto expect = [&](const VectorXd& a) {
      EXPECT_LT((M * a + bias - tau).cwiseAbs().maxCoeff(), 1e-9 * scale);
    };
    expect(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws, loads)));
    std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
    VectorXd given = tau;
    for (int k = 0; k < r.model.nv; k += 2) {
      known[static_cast<std::size_t>(k)] = Known::acceleration;
      given[k] = r.a[k];
    }
    expect(matrix(hybrid_dynamics(r.model, in(r.q), in(r.v), known, in(given), r.ws, loads).a));
  });
}

// the rate of all energy, by differences along the motion, is the power of joints and drag
TEST(WaterLoads, EnergyBalanceInStillWater) {
  for_random_robots(40, [](Robot& r) {
    WaterLoads water_loads(r.model, all_links(r.spec, 7));
    Water water;
    water.density = 1000;
    const Loads<double> loads = loads_of(r, water_loads, water);
    const double drag = water_loads.viscous_power();
    EXPECT_LE(drag, 0);
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
    if (tau.size() == 0) return;
    const auto energy_at = [&](double t) {
      VectorXd q(r.model.nq), step = r.v * t + r.a * (t * t / 2);
      const VectorXd v = r.v + r.a * t;
      integrate(r.model, in(r.q), in(step), 1, {q.data(), static_cast<std::size_t>(q.size())});
      const Velocities& bodies = forward_kinematics(r.model, in(q), in(v), r.ws);
      const Loads<double> there = water_loads.update(r.model, bodies, water, 0);
      const double fluid = water_loads.fluid_energy(),
                   buoyancy = water_loads.potential_energy(r.model, bodies, water, 0);
      const double kinetic = kinetic_energy(r.model, in(q), in(v), r.ws, there);
      EXPECT_NEAR(kinetic - kinetic_energy(r.model, in(q), in(v), r.ws), fluid, 1e-9 * kinetic);
      return kinetic + potential_energy(r.model, in(q), r.ws) + buoyancy;
    };
    const double h = 1e-4, rate = (energy_at(h) - energy_at(-h)) / (2 * h);
    EXPECT_NEAR(rate, tau.dot(r.v) + drag, 1e-5 * (std::abs(rate) + std::abs(drag) + 1));
  });
}

// a vehicle that slides and turns by joints with true coordinates, and an arm: Lagrange's equations
// with the energies of bodies and of the fluid, by differences
TEST(WaterLoads, VehicleWithArmObeysLagrange) {
  Spec spec;
  Random random(11);
  spec.name = "vehicle with arm";
  std::string parent;
  const auto add = [&](const std::string& name, JointKind kind, const Vec3<double>& axis) {
    spec.add_body(name, 0, {}, {}).inertia = random.inertia();
    JointSpec& joint = spec.add_joint("to " + name, kind, parent, name);
    joint.axis = axis;
    joint.placement = random.transform();
    parent = name;
  };
  add("slide", JointKind::translation, {0, 0, 1});
  add("yaw", JointKind::revolute, {0, 0, 1});
  add("pitch", JointKind::revolute, {0, 1, 0});
  add("shoulder", JointKind::revolute, {1, 0, 0});
  add("elbow", JointKind::revolute, {0, 0.6, 0.8});
  Robot r(spec, 12);
  std::vector<LinkHydrodynamics> links;
  for (const BodySpec& body : spec.bodies) {
    Hydrodynamics water;
    water.added_mass = random.articulated();
    water.displacement = {random.uniform(0, 2e-3), random.vec3(0.3)};
    links.push_back({body.name, water});
  }
  WaterLoads water_loads(r.model, links);
  Water water;
  water.density = 1000;
  const Vec3<double> u{0.4, -0.3, 0.2};
  water.current = constant_current(u);
  const Loads<double> loads = loads_of(r, water_loads, water);
  const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
  const auto lagrangian = [&](const VectorXd& q, const VectorXd& v) {
    r.plain.move(q, v, r.a);
    double L = r.plain.kinetic_energy() - r.plain.potential_energy();
    for (const LinkHydrodynamics& l : links) {
      const PlainLink& link = r.plain.link(l.link);
      Vector6 rel = link.v;  // about the world origin: the current is the same everywhere
      rel.tail<3>() -= plain(u);
      rel = motion_matrix(link.pose.inverse()) * rel;
      L += 0.5 * rel.dot(dense(l.hydrodynamics.added_mass) * rel);
      const Vector3d b = link.pose * plain(l.hydrodynamics.displacement.center);
      L -= 1000 * l.hydrodynamics.displacement.volume * plain(spec.gravity).dot(b);
    }
    return L;
  };
  const double h = 1e-4;
  const auto momenta = [&](double t) {
    const VectorXd q = r.q + r.v * t + r.a * (t * t / 2), v = r.v + r.a * t;
    VectorXd p(v.size());
    for (int k = 0; k < v.size(); ++k) {
      VectorXd d = VectorXd::Zero(v.size());
      d[k] = 0.1;  // quadratic in v: exact
      p[k] = (lagrangian(q, v + d) - lagrangian(q, v - d)) / 0.2;
    }
    return p;
  };
  VectorXd expected = (momenta(h) - momenta(-h)) / (2 * h);
  for (int k = 0; k < r.model.nv; ++k) {
    VectorXd d = VectorXd::Zero(r.model.nq);
    d[k] = h;
    expected[k] -= (lagrangian(r.q + d, r.v) - lagrangian(r.q - d, r.v)) / (2 * h);
  }
  EXPECT_TRUE(near(tau, expected, 1e-6));
}

// [McM] §7.2.4: weights as forces on bodies, or gravity as an acceleration of the base
TEST(WaterLoads, GravityAsForcesAndAsBias) {
  for_random_robots(30, [](Robot& r) {
    WaterLoads water_loads(r.model, all_links(r.spec, 9));
    const Loads<double> loads = loads_of(r, water_loads, streaming());
    const VectorXd expected =
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
    Model floating = r.model;
    floating.gravity = {};
    std::vector<Force<double>> forces(loads.body_forces.begin(), loads.body_forces.end());
    const Poses& bodies = forward_kinematics(r.model, in(r.q), r.ws);
    for (int i = 1; i < r.model.bodies(); ++i) {
      const auto b = static_cast<std::size_t>(i);
      if (r.model.is_rotor[b]) return;  // the weight of a rotor acts on what carries it
      const Vec3<double> g = transpose_times(body_pose(r.model, bodies, i).R, r.model.gravity);
      const Inertia<double> own = apply_inverse(r.model.body_placement[b], r.model.inertia[b]);
      forces[b] += Force<double>{cross(own.h, g), g * own.m};
    }
    Loads<double> heavy = loads;
    heavy.body_forces = forces;
    Workspace ws(floating);
    EXPECT_TRUE(near(matrix(inverse_dynamics(floating, in(r.q), in(r.v), in(r.a), ws, heavy)),
                     expected, 1e-10));
  });
}

TEST(WaterLoads, NoDensityIsDryLand) {
  for_random_robots(20, [](Robot& r) {
    std::vector<LinkHydrodynamics> links;
    for (const BodySpec& body : r.spec.bodies) {
      Hydrodynamics dry;
      dry.displacement.volume = 1;
      dry.cylinders.push_back({{}, {1, 0, 0}, 0.1});
      links.push_back({body.name, dry});
    }
    WaterLoads water_loads(r.model, links);
    Water nothing = streaming();
    nothing.density = 0;
    const Loads<double> loads = loads_of(r, water_loads, nothing);
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads)),
                     matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), 1e-13));
  });
}

TEST(WaterLoads, DoNotAllocateAndAddToOthers) {
  Robot r(random_spec(4), 4);
  WaterLoads water_loads(r.model, all_links(r.spec, 3));
  const Water water = streaming();
  std::vector<Force<double>> push(r.model.inertia.size());
  Random random(12);
  for (Force<double>& f : push) f = random.force();
  Loads<double> others;
  others.body_forces = push;
  const Velocities& bodies = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
  const Loads<double> alone = water_loads.update(r.model, bodies, water, when);
  const std::vector<Force<double>> before(alone.body_forces.begin(), alone.body_forces.end());
  const Loads<double> both = water_loads.update(r.model, bodies, water, when, others);
  for (std::size_t i = 0; i < push.size(); ++i)
    EXPECT_LT(norm(both.body_forces[i].linear - before[i].linear - push[i].linear), 1e-12);
  EXPECT_EQ(allocations_in([&] { water_loads.update(r.model, bodies, water, when, others); }), 0);
  const FluidLoad<double> fluid = submerged(r.model, links_with_all_drag(r.spec, 3));
  Loads<double> submerged_loads;
  submerged_loads.fluid = &fluid;
  EXPECT_EQ(allocations_in([&] {
              forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws, submerged_loads);
            }),
            0);
  MatrixWorkspace mw(r.model);
  const auto differentiate = [&] {
    forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw,
                                         submerged_loads);
  };
  differentiate();  // makes room
  EXPECT_EQ(allocations_in(differentiate), 0);
}

TEST(WaterLoads, RefuseWhatDoesNotFit) {
  Robot r(one_body(5, {0.1, 0.1, 0.1, 0, 0, 0}), 6);
  EXPECT_TRUE(mentions(message_of([&] { WaterLoads(r.model, {{"hul", {}}}); }), {"hul", "hull"}));
  WaterLoads water_loads(r.model, {{"hull", {}}});
  Loads<double> moving;
  moving.base_velocity.linear.x = 1;
  EXPECT_TRUE(mentions(message_of([&] { loads_of(r, water_loads, Water{}, moving); }),
                       {"world frame", "at rest"}));
  const std::vector<Force<double>> three(3);
  Loads<double> wrong;
  wrong.body_forces = three;
  EXPECT_TRUE(mentions(message_of([&] { loads_of(r, water_loads, Water{}, wrong); }),
                       {"body_forces has 3", "needs 2"}));
  Robot other(random_spec(3), 3);
  EXPECT_TRUE(mentions(message_of([&] { loads_of(other, water_loads, Water{}); }),
                       {"made for robot 'body'"}));
  Hydrodynamics odd;
  odd.added_mass.M.xx = -1;
  EXPECT_TRUE(mentions(WaterLoads(r.model, {{"hull", odd}}).warnings(), {"'hull'", "negative"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
