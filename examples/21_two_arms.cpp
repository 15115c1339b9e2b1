// Two Pumas hold a bar together whose weight their drives do not know of: how fast it falls, and
// that stretched wrists, a singular position of both arms, are nothing special.
#include <cstdio>

#include <limber/constraint/arm_team.hpp>
#include <limber/limber.hpp>

int main() {
  // the second arm faces the first one
  const double distance = 1.6;
  limber::Spec left, right;
  limber::mount(left, limber::load_spec("puma560"), {"left"});
  limber::mount(
      right, limber::load_spec("puma560"),
      {"right", "", {limber::rotation_from_rpy(0, 0, 3.14159265358979), {distance, 0, 0}}});
  const limber::Model a = limber::build(left), b = limber::build(right);

  // a bar of 4 kg, 0.4 m long, rigidly in both hands
  const limber::Inertia<double> bar = limber::Inertia<double>::from_com(
      4, {}, limber::Sym3<double>::diagonal(0.002, 0.0543, 0.0543));
  const limber::ArmTeam team({{&a, {a.frame("left.link6")}}, {&b, {b.frame("right.link6")}}}, bar);
  limber::TeamMotion motion(team);

  const std::vector<double> rest(6);
  for (const double bend : {0.8, 0.0}) {
    const std::vector<double> q{0, 0.78, 3.14, 0, bend, 0};
    limber::Workspace ws(a);
    limber::ObjectState<double> object;
    object.pose.p = {
        distance / 2, 0,
        limber::frame_pose(a, limber::forward_kinematics<double>(a, q, ws), a.frame("left.link6"))
            .p.z};
    // the drives hold the arms, but not the bar
    const auto hold = limber::gravity_forces<double>(a, q, ws);
    const std::vector<limber::ArmState<double>> states{{q, rest, hold}, {q, rest, hold}};
    limber::team_dynamics<double>(team, states, object, motion);
    std::printf("wrists bent by %.1f rad: the bar falls with %.3f m/s^2, each hand lifts %.2f N\n",
                bend, -motion.object.acceleration.linear.z, motion.arms[0].force.linear.z);
    std::printf("  %d arms singular, %d forces that nothing decides\n",
                motion.object.singular.count(), motion.object.indeterminate());
  }
}
