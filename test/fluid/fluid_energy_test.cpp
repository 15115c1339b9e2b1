// Energy and momentum of a robot and the fluid that it moves.
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/mass_matrix.hpp>

#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double density = 1000;

// in still water ½ vᵀ M v; in a current the robot's own, and that of the fluid relative to it,
// which WaterLoads has from other velocities
TEST(FluidEnergy, OfRobotAndFluid) {
  for_random_robots(share_of(60), [](Robot& r) {
    auto links = links_with_cylinders(r.spec, 5);
    std::erase_if(links, [&](const LinkHydrodynamics& link) {  // those that rest in the world
      return r.model.frames[r.model.frame(link.link)].body == 0;
    });
    FluidLoad<double> fluid = submerged(r.model, links, density);
    Loads<double> loads;
    loads.fluid = &fluid;
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws, loads));
    EXPECT_TRUE(near(kinetic_energy(r.model, in(r.q), in(r.v), r.ws, loads), 0.5 * r.v.dot(M * r.v),
                     1e-10));
    WaterLoads water(r.model, links);
    loads_of(r, water, uniform_stream());
    fluid = in_stream(r, links);
    const double own = kinetic_energy(r.model, in(r.q), in(r.v), r.ws);
    EXPECT_TRUE(near(kinetic_energy(r.model, in(r.q), in(r.v), r.ws, loads),
                     own + water.fluid_energy(), 1e-10));
  });
}

// of a lone body: its own, and the impulse B v_r of the fluid
TEST(FluidEnergy, MomentumOfRobotAndFluid) {
  Random random(15);
  const Vec3<double> u{0.3, -0.2, 0.1};
  for (int k = 0; k < 20; ++k) {
    Robot r(one_body(3, Sym3<double>::diagonal(1, 2, 3)), static_cast<std::uint64_t>(k));
    const Hydrodynamics body = random_hydrodynamics(random);
    FluidLoad<double> fluid = submerged(r.model, std::vector<LinkHydrodynamics>{{"hull", body}});
    fluid.velocity = u;
    Loads<double> loads;
    loads.fluid = &fluid;
    const Force<double> own = momentum(r.model, in(r.q), in(r.v), r.ws),
                        both = momentum(r.model, in(r.q), in(r.v), r.ws, loads);
    const Velocities& at = forward_kinematics(r.model, in(r.q), in(r.v), r.ws);
    const Mat3<double> R = frame_pose(r.model, at, r.model.frame("hull")).R;
    Vector6 v_r;
    v_r << r.v.head<3>(), r.v.tail<3>() - plain(R).transpose() * plain(u);
    const Vector6 impulse = dense(body.added_mass) * v_r;
    const Vector3d p = plain(R) * tail(impulse);
    EXPECT_TRUE(near(plain(both.linear - own.linear), p, 1e-12));
    const Vector3d x = plain(frame_pose(r.model, at, r.model.frame("hull")).p);
    EXPECT_TRUE(
        near(plain(both.angular - own.angular), plain(R) * head(impulse) + x.cross(p), 1e-12));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
