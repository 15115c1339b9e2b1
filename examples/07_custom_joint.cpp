// A joint kind of one's own: a wheel that rolls along the ground without slipping. One variable,
// the angle; the wheel turns about its axle (y) and moves along x by radius · angle.
#include <cmath>
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  const double radius = 0.25, mass = 3.0, inertia = 0.5 * mass * radius * radius, slope = 0.2;

  // the function is written once for all scalar types: pose X, columns S (in the moving frame's
  // axes) and bias Ṡ v, at one (q, v); `parameters` holds the numbers it needs
  const auto roll = [](auto parameters, auto q, auto v, auto& out) {
    using T = std::remove_cvref_t<decltype(out.bias.linear.x)>;
    const T r = static_cast<T>(parameters[0]);
    T s, c;
    using limber::sincos;  // Dual brings its own
    sincos(q[0], s, c);
    out.X.R = limber::Mat3<T>{c, T(0), s, T(0), T(1), T(0), -s, T(0), c};  // turned about y
    out.X.p = {r * q[0], T(0), T(0)};
    // the wheel's axes turn, so the direction of travel turns backwards in them
    out.S[0] = {{T(0), T(1), T(0)}, {r * c, T(0), r * s}};
    out.bias = {{}, limber::Vec3<T>{-r * s, T(0), r * c} * (v[0] * v[0])};
  };

  limber::Spec spec;
  spec.name = "rolling_wheel";
  spec.gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)};  // x points down the slope
  spec.add_body("wheel", mass, {}, {inertia / 2, inertia, inertia / 2, 0, 0, 0});
  limber::JointSpec& joint = spec.add_joint("roll", limber::JointKind::custom, "", "wheel");
  joint.custom = limber::custom_joint(1, 1, {radius}, roll);
  const limber::Model model = limber::build(spec);
  limber::Workspace ws(model);

  const std::vector<double> q{0.7}, v{2.0}, free{0.0};
  const auto a = limber::forward_dynamics(model, q, v, free, ws);
  std::printf("down a slope of %.1f rad: %.5f rad/s²\n", slope, a[0]);
  // a disc rolls with 2/3 of the slope's acceleration
  std::printf("closed form:             %.5f rad/s²\n",
              2.0 / 3.0 * 9.81 * std::sin(slope) / radius);
}
