// Operations of teams of arms beside [McM] tables 2, 8 and 9.
#include "study_arms/measure.hpp"
#include "study_arms/teams.hpp"

namespace limber::app::study_arms {

namespace {

using Values = std::vector<Counted>;

template <class List>
void append(Values& all, const List& more) {
  all.insert(all.end(), more.begin(), more.end());
}
void append(Values& all, const Small6<Counted>& more) { append(all, more.entries); }
template <class Vector6>
void append_spatial(Values& all, const Vector6& x) {
  for (int i = 0; i < 3; ++i) all.push_back(x.angular[i]), all.push_back(x.linear[i]);
}

Cost cost_of(const Values& results) {
  const OperationCount count = Counted::needed_for(results);
  return {count.multiplications, count.additions};
}
Cost operator-(const Cost& a, const Cost& b) {
  return {a.multiplications - b.multiplications, a.additions - b.additions};
}

Cost times(long m, Cost c) { return {m * c.multiplications, m * c.additions}; }

// what each row of table 2 needs beyond the rows before it
std::vector<Part> count_parts() {
  Counted::start();
  ChainTeam<Counted> t(table_joints);
  t.compute(Way::operational_space);
  std::vector<Part> parts;
  Values results;
  Cost before;
  auto add = [&](const char* title, Cost thesis, auto&& collect) {
    for (const auto& arm : t.motion->arms) collect(arm);
    const Cost now = cost_of(results);
    parts.push_back({title, now - before, thesis});
    before = now;
  };
  using Arm = BasicArmMotion<Counted>;
  add("H, J", times(arms, {465, 430}),
      [&](const Arm& arm) { append(results, arm.tree.M.values), append(results, arm.J); });
  add("H^-1 J^T; here L^-T J^T", times(arms, {266, 215}),
      [&](const Arm& arm) { append(results, arm.Y); });
  add("inverse of Lambda", times(arms, {126, 105}),
      [&](const Arm& arm) { append(results, arm.mobility); });
  add("Lambda", times(arms, {141, 90}), [&](const Arm& arm) { append(results, arm.A_inverse); });
  add("open-chain accelerations", times(arms, {522, 453}),
      [&](const Arm& arm) { append(results, arm.u), append(results, arm.x_open); });
  add("X^T Lambda X: not needed here", times(arms, {84, 86}),
      [&](const Arm& arm) { append(results, arm.Lambda); });
  add("Lambda times accelerations", times(arms, {76, 55}),
      [&](const Arm& arm) { append(results, arm.g); });
  append_spatial(results, t.motion->object.acceleration);
  add("acceleration of the object", {99, 27 * arms + 62}, [](const Arm&) {});
  add("forces of the hands", times(arms, {56, 48}),
      [&](const Arm& arm) { append_spatial(results, arm.force); });
  add("joint accelerations", times(arms, {36, 36}),
      [&](const Arm& arm) { append(results, arm.acceleration); });
  return parts;
}

Cost count_way(int joints, Way way) {
  Counted::start();
  ChainTeam<Counted> t(joints);
  t.compute(way);
  Values results;
  for (const auto& arm : t.motion->arms) {
    append(results, arm.acceleration);
    append_spatial(results, arm.force);
  }
  append_spatial(results, t.motion->object.acceleration);
  return cost_of(results);
}

// the totals of table 2, and of Lilly and Orin's method as §2.5 quotes it (for N = 6 the thesis
// prints a sum that takes 555, not 546)
Cost thesis_operational(long n) {
  const long m = arms;
  return {m * (n * n * n + 120 * n * n + 791 * n + 1350) / 6 + 99,
          m * (n * n * n + 90 * n * n + 827 * n + 852) / 6 + 62};
}
Cost thesis_articulated(long n) {
  const long m = arms;
  return {656 * m * n - 171 * m + 128, 555 * m * n - 208 * m + 101};
}

DualArm<Counted> dual_arm() {
  DualArm<Counted> two;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      two.mobility_1(i, j) = Counted::variable(i == j ? 4 + i : 0.1 * (i + j));
      two.mobility_2(i, j) = Counted::variable(i == j ? 3 + 2 * i : 0.2 * (i - j));
    }
    const auto k = static_cast<std::size_t>(i);
    two.x_1[k] = Counted::variable(i), two.x_2[k] = Counted::variable(1 - i);
    two.force[k] = Counted::variable(0.5);
    two.inertia[k] = Counted(i < 3 ? 0.02 * (i + 1) : 4);
  }
  return two;
}
template <class Method>
Cost count_dual(Method method) {
  Counted::start();
  DualArm<Counted> two = dual_arm();
  method(two);
  Values results;
  for (const auto* x : {&two.a, &two.f_1, &two.f_2}) append(results, *x);
  return cost_of(results);
}

}  // namespace

void count_operations(Study& study, const std::function<void(double)>& progress) {
  study.parts = count_parts();
  for (int n = fewest_joints; n <= most_joints; ++n) {
    Size size;
    size.joints = n;
    for (const WayFacts& facts : all_ways())
      if (facts.is_counted) size.counted[static_cast<int>(facts.way)] = count_way(n, facts.way);
    size.thesis_operational = thesis_operational(n);
    size.thesis_articulated = thesis_articulated(n);
    study.sizes.push_back(size);
    progress(static_cast<double>(n - fewest_joints + 1) / (most_joints - fewest_joints + 1));
  }
  study.method_1 = count_dual([](DualArm<Counted>& two) { dual_arm_method_1(two); });
  study.method_2 = count_dual([](DualArm<Counted>& two) { dual_arm_method_2(two); });
}

}  // namespace limber::app::study_arms
