// Arms that hold one object, simulated in blocks on threads: the same numbers however the work is
// shared, and the meetings of [McM] table 3.
#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/team_run.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// four chains of six joints that begin at rest and are driven as functions of time
struct Lifters {
  explicit Lifters(int count = 4) {
    models.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      const auto seed = static_cast<std::uint64_t>(k + 1);
      models.push_back(build(generate_chain(6, JointKind::revolute, seed)));
      const Model& m = models.back();
      arms.push_back({&m, {m.frame(m.body_name.back())}});
      q.push_back(generate_state(m, seed).q);
      v.emplace_back(6, 0.0);
    }
  }
  ArmTeam team() const {
    return {arms, Inertia<double>::from_com(4, {0.1, 0, 0}, Sym3<double>::diagonal(0.2, 0.3, 0.4))};
  }
  static void drive(int arm, double t, std::span<double> tau) {
    for (std::size_t j = 0; j < tau.size(); ++j)
      tau[j] = std::sin(3 * t + static_cast<double>(j)) * (1 + 0.2 * arm);
  }
  std::vector<Model> models;
  std::vector<BasicArm<double>> arms;
  std::vector<std::vector<double>> q, v;
  ObjectState<double> object{{Mat3<double>::identity(), {0.3, -0.2, 0.5}}, {}};
};

std::vector<double> state_of(const TeamRun& run, int arms) {
  std::vector<double> x;
  for (int k = 0; k < arms; ++k) {
    x.insert(x.end(), run.q(k).begin(), run.q(k).end());
    x.insert(x.end(), run.v(k).begin(), run.v(k).end());
  }
  const ObjectState<double> o = run.object();
  for (int i = 0; i < 3; ++i)
    for (const double number : {o.pose.p[i], o.velocity.angular[i], o.velocity.linear[i]})
      x.push_back(number);
  return x;
}

std::vector<double> carried(const Lifters& l, const TeamRunSettings& settings, long blocks) {
  TeamRun run(l.team(), settings, &Lifters::drive);
  run.start(l.q, l.v, l.object);
  run.advance(blocks);
  return state_of(run, static_cast<int>(l.arms.size()));
}

struct Row {
  int arm_parts, time_parts, block;
  long meetings, objects;  // of a round
};
// [McM] table 3, and smaller teams of threads
constexpr Row rows[] = {{1, 1, 4, 0, 8}, {2, 1, 2, 2, 4}, {1, 2, 4, 3, 4}, {1, 4, 4, 3, 2},
                        {2, 2, 4, 5, 4}, {2, 2, 2, 5, 2}, {4, 1, 4, 2, 8}, {4, 1, 2, 2, 4},
                        {4, 1, 1, 2, 2}, {2, 4, 4, 5, 2}, {4, 2, 4, 5, 4}, {4, 2, 2, 5, 2}};

TEST(TeamRun, EveryPartitionGivesTheSameNumbers) {
  const Lifters lifters;
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.arm_parts << row.time_parts << row.block);
    const std::vector<double> alone = carried(lifters, {1e-3, row.block}, 8);
    EXPECT_EQ(carried(lifters, {1e-3, row.block, row.arm_parts, row.time_parts}, 8), alone);
    EXPECT_EQ(
        carried(lifters,
                {1e-3, row.block, row.arm_parts, row.time_parts, TeamRunSettings::Object::serial},
                8),
        alone);
  }
}

TEST(TeamRun, MeetingsAreThoseOfTheThesis) {
  const Lifters lifters;
  for (const Row& row : rows)
    for (const auto object :
         {TeamRunSettings::Object::redundant, TeamRunSettings::Object::serial}) {
      SCOPED_TRACE(testing::Message() << row.arm_parts << row.time_parts << row.block);
      TeamRun run(lifters.team(), {1e-3, row.block, row.arm_parts, row.time_parts, object},
                  &Lifters::drive);
      run.start(lifters.q, lifters.v, lifters.object);
      run.advance(3);
      const bool is_serial = object == TeamRunSettings::Object::serial;
      const long more = is_serial && row.arm_parts > 1 ? 2 : 0;
      for (std::size_t k = 0; k < run.counts().size(); ++k) {
        const bool computes = !is_serial || k % static_cast<std::size_t>(row.arm_parts) == 0;
        EXPECT_EQ(run.counts()[k].meetings, 3 * (row.meetings + more));
        EXPECT_EQ(run.counts()[k].objects, computes ? 3 * row.objects : 0);
      }
    }
}

// halved steps bring a 32nd of the error at least; against steps that are much shorter
TEST(TeamRun, FifthOrder) {
  const Lifters lifters(2);
  const double end = 0.064;
  auto at_end = [&](int block, int steps) {
    return carried(lifters, {end / steps, block}, (steps - 4) / block);
  };
  const std::vector<double> exact = at_end(1, 1028);
  for (const int block : {1, 2, 4}) {
    auto error = [&](int steps) {
      const std::vector<double> x = at_end(block, steps);
      double most = 0;
      for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - exact[i]));
      return most;
    };
    EXPECT_LT(error(64), error(32) / 16) << block;
  }
}

TEST(TeamRun, Refusals) {
  const Lifters l;
  const ArmTeam team = l.team();
  auto made = [&](const TeamRunSettings& s) {
    return message_of([&] { TeamRun run(team, s, &Lifters::drive); });
  };
  EXPECT_TRUE(mentions(made({1e-3, 1, 3}), {"4 arms", "3 equal parts"}));
  EXPECT_TRUE(mentions(made({1e-3, 4, 1, 3}), {"4 points", "3 equal parts"}));
  EXPECT_TRUE(mentions(made({1e-3, 5}), {"1 to 4"}));
  EXPECT_TRUE(mentions(made({0.0, 1}), {"step"}));
  TeamRun run(team, {1e-3, 1}, &Lifters::drive);
  EXPECT_TRUE(mentions(message_of([&] { run.start({}, l.v, l.object); }), {"every joint"}));
}

// an arm with balls for shoulder and wrist, or with three hinges without mass between them instead
Model human_arm(double side, bool with_balls) {
  Spec spec;
  spec.name = "arm";
  spec.gravity = {0, 0, -9.81};
  const auto link = [&](const std::string& name, double mass) {
    spec.add_body(name, mass, {0.15, 0.01, 0}, Sym3<double>::diagonal(0.01, 0.02, 0.025) * mass);
  };
  const auto ball = [&](const std::string& name, const std::string& parent,
                        const std::string& child, const Vec3<double>& place) {
    if (with_balls) {
      spec.add_joint(name, JointKind::spherical, parent, child).placement.p = place;
      return;
    }
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    std::string last = parent;
    for (int k = 0; k < 3; ++k) {
      const std::string next = k < 2 ? name + std::to_string(k) : child;
      if (k < 2) spec.add_body(next, 0, {}, {});
      spec.add_joint(name + "_" + std::to_string(k), JointKind::revolute, last, next, axes[k])
          .placement.p = k == 0 ? place : Vec3<double>{};
      last = next;
    }
  };
  link("upper", 2), link("lower", 1.5), link("hand", 0.5);
  ball("shoulder", "", "upper", {0, side, 1});
  JointSpec& elbow = spec.add_joint("elbow", JointKind::revolute, "upper", "lower", {0, 1, 0});
  elbow.placement.p = {0.3, 0, 0};
  elbow.placement.R = rotation(Vec3<double>{0, 1, 0}, 0.9);
  ball("wrist", "lower", "hand", {0.3, 0, 0});
  return build(spec);
}

TEST(TeamRun, BallsMoveAsHingesDo) {
  std::vector<std::vector<double>> ends;
  for (const bool with_balls : {true, false}) {
    const Model left = human_arm(0.3, with_balls), right = human_arm(-0.3, with_balls);
    const ArmTeam team({{&left, {left.frame("hand")}}, {&right, {right.frame("hand")}}},
                       Inertia<double>::from_com(1, {}, Sym3<double>::diagonal(0.02, 0.03, 0.04)));
    const std::vector<std::vector<double>> q{neutral_position(left), neutral_position(right)},
        v(2, std::vector<double>(7, 0.0));
    const ObjectState<double> object{{Mat3<double>::identity(), {0.6, 0, 0.7}}, {}};
    const auto relax = [](int, double, std::span<double> tau) {
      std::fill(tau.begin(), tau.end(), 0.0);
    };
    const auto moved = [&](int parts, long blocks) {
      TeamRun run(team, {1e-3, 2, parts, parts}, relax);
      run.start(q, v, object);
      run.advance(blocks);
      if (with_balls) {
        const std::span<const double> turn = run.q(0).first(4);
        EXPECT_NEAR(std::hypot(std::hypot(turn[0], turn[1]), std::hypot(turn[2], turn[3])), 1,
                    1e-15);
      }
      return state_of(run, 2);
    };
    EXPECT_EQ(moved(2, 3), moved(1, 3));
    const std::vector<double> end = moved(1, 98);
    ends.emplace_back(end.end() - 9, end.end());  // of the object
  }
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(ends[0][k], ends[1][k], 1e-9) << k;
  EXPECT_LT(ends[0][6], 0.65);  // it has fallen
}

// an exception of one thread reaches the caller, and the run can go on
TEST(TeamRun, ExceptionsComeThrough) {
  const Lifters l;
  std::atomic<bool> is_broken = false;
  TeamRun run(l.team(), {1e-3, 4, 2, 2}, [&](int arm, double t, std::span<double> tau) {
    if (is_broken && arm == 3) throw Error("no power");
    Lifters::drive(arm, t, tau);
  });
  run.start(l.q, l.v, l.object);
  run.advance(1);
  is_broken = true;
  EXPECT_EQ(message_of([&] { run.advance(5); }), "no power");
  is_broken = false;
  run.start(l.q, l.v, l.object);
  run.advance(1);
  EXPECT_NEAR(run.t(), 8e-3, 1e-15);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
