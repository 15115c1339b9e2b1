// Add a tool frame to a robot, then compute its pose, its velocity and its Jacobian.
#include <cstdio>

#include <limber/limber.hpp>

namespace {
void print(const char* what, const limber::Vec3<double>& v, const char* unit) {
  std::printf("%-22s %8.4f %8.4f %8.4f %s\n", what, v.x, v.y, v.z, unit);
}
}  // namespace

int main() {
  limber::Spec spec = limber::load_spec("arm7");
  limber::FrameSpec tip;
  tip.name = "tip";
  tip.body = spec.bodies.back().name;
  tip.placement =
      limber::Transform<double>::translation({0, 0, 0.1});  // 0.1 m along the last link's z
  spec.frames.push_back(tip);
  const limber::Model arm = limber::build(spec);
  limber::Workspace ws(arm);

  const std::vector<double> q{0.1, 0.5, -0.2, 1.1, 0.3, -0.4, 0.2};
  const std::vector<double> v{0.3, -0.2, 0.5, 0.1, -0.4, 0.6, 0.2};
  const int frame = arm.frame("tip");

  const limber::Velocities& bodies = limber::forward_kinematics(arm, q, v, ws);
  print("position", limber::frame_pose(arm, bodies, frame).p, "m");
  using enum limber::Reference;
  print("velocity, world axes", limber::frame_velocity(arm, bodies, frame, world_aligned).linear,
        "m/s");
  print("velocity, own axes", limber::frame_velocity(arm, bodies, frame, body).linear, "m/s");

  // the same velocity as J v; rows 0-2 of J are angular, rows 3-5 linear
  const limber::MatrixView<double> J = limber::jacobian(arm, q, frame, world_aligned, ws);
  limber::Vec3<double> Jv;
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < arm.nv; ++k) Jv[row] += J(3 + row, k) * v[static_cast<std::size_t>(k)];
  print("J v", Jv, "m/s");

  // acceleration of the tip while the joints keep their speeds
  const auto Jdot_v = limber::jacobian_dot_times_v(arm, q, v, frame, world_aligned, ws);
  print("acceleration for a = 0", Jdot_v.linear, "m/s²");
}
