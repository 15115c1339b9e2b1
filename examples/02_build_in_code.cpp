// Describe a robot in code: a cart on a rail that carries a pole. Compared with the textbook
// equations.
#include <cmath>
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  const double cart_mass = 2.0, pole_mass = 0.5, half_length = 0.4;
  const double rod = pole_mass * half_length * half_length / 3;  // about its centre [kg m²]

  limber::Spec spec;
  spec.name = "cart_pole";
  spec.add_body("cart", cart_mass);
  spec.add_body("pole", pole_mass, {0, 0, half_length}, {rod, rod, 0, 0, 0, 0});
  spec.add_joint("rail", limber::JointKind::prismatic, "", "cart", {1, 0, 0});
  limber::JointSpec& hinge =
      spec.add_joint("hinge", limber::JointKind::revolute, "cart", "pole", {0, 1, 0});
  hinge.dof().damping = 0.01;  // [N m s/rad]
  const limber::Model model = limber::build(spec);
  limber::Workspace ws(model);

  const double angle = 0.3, speed = 1.2, push = 4.0;
  const std::vector<double> q{0.5, angle}, v{0.1, speed}, tau{push, 0.0};
  const auto M = limber::mass_matrix(model, q, ws);
  std::printf("M = [%.4f %.4f; %.4f %.4f]\n", M(0, 0), M(0, 1), M(1, 0), M(1, 1));
  const auto a = limber::forward_dynamics(model, q, v, tau, ws);
  std::printf("limber:   cart %.4f m/s², pole %.4f rad/s²\n", a[0], a[1]);

  // [m11 m12; m12 m22] (a1, a2) = (push + m l speed² sin, m g l sin)
  const double ml = pole_mass * half_length;
  const double m11 = cart_mass + pole_mass, m12 = ml * std::cos(angle),
               m22 = rod + ml * half_length;
  const double r1 = push + ml * speed * speed * std::sin(angle), r2 = ml * 9.81 * std::sin(angle);
  const double determinant = m11 * m22 - m12 * m12;
  std::printf("textbook: cart %.4f m/s², pole %.4f rad/s²\n", (m22 * r1 - m12 * r2) / determinant,
              (m11 * r2 - m12 * r1) / determinant);

  // damping is kept with the joint; passive_forces() says what it takes away
  std::vector<double> passive(2);
  limber::passive_forces(model, q, v, passive);
  std::printf("damping in the hinge: %.4f N m\n", passive[1]);
}
