#include <limber/sim/team_run.hpp>

#include <atomic>
#include <deque>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>

#include "index.hpp"
#include "parallel/meeting.hpp"
#include "parallel/thread_team.hpp"
#include "sim/block_coefficients.hpp"
#include "sim/stepper.hpp"

namespace limber {

namespace {

constexpr int looked_back = adams_points;
constexpr int object_size = 13;  // position, quaternion, velocity in its own axes

/// What is integrated for itself: an arm, or a copy of the object.
struct Track {
  explicit Track(int size, int block)
      : n(size),
        front(at_index(n)),
        past(at_index((looked_back + block) * n)),
        points(at_index(block * n)),
        corrected(at_index(block * n)) {}

  int n;
  std::vector<double> front;      ///< the state at the block's beginning
  std::vector<double> past;       ///< five derivatives up to there, then those of the prediction
  std::vector<double> points;     ///< states of the block
  std::vector<double> corrected;  ///< their derivatives

  std::span<double> row(std::vector<double>& rows, int i) const {
    return std::span(rows).subspan(at_index(i * n), at_index(n));
  }
};

ObjectState<double> object_of(std::span<const double> x) {
  const Quat<double> turn = normalized(Quat<double>{x[3], x[4], x[5], x[6]});
  return {{to_matrix(turn), {x[0], x[1], x[2]}}, {{x[7], x[8], x[9]}, {x[10], x[11], x[12]}}};
}

void put_object_rate(std::span<const double> x, const Motion<double>& acceleration,
                     std::span<double> rate) {
  const ObjectState<double> object = object_of(x);
  const Vec3<double> v = object.pose.R * object.velocity.linear, &w = object.velocity.angular;
  const double qx = x[3], qy = x[4], qz = x[5], qw = x[6];
  const double rates[object_size] = {v.x,
                                     v.y,
                                     v.z,
                                     (qw * w.x + qy * w.z - qz * w.y) / 2,
                                     (qw * w.y + qz * w.x - qx * w.z) / 2,
                                     (qw * w.z + qx * w.y - qy * w.x) / 2,
                                     -(qx * w.x + qy * w.y + qz * w.z) / 2,
                                     acceleration.angular.x,
                                     acceleration.angular.y,
                                     acceleration.angular.z,
                                     acceleration.linear.x,
                                     acceleration.linear.y,
                                     acceleration.linear.z};
  std::copy_n(rates, object_size, rate.begin());
}

void check_run(const ArmTeam& team, const TeamRunSettings& s) {
  const int arms = team.arms.count();
  if (!(s.step > 0)) throw Error(fmt::format("TeamRun: a step of {} s", s.step));
  if (s.block < 1 || s.block > 4)
    throw Error(fmt::format("TeamRun: blocks have 1 to 4 points, not {}", s.block));
  if (s.arm_parts < 1 || arms % s.arm_parts != 0)
    throw Error(
        fmt::format("TeamRun: {} arms cannot be divided into {} equal parts", arms, s.arm_parts));
  if (s.time_parts < 1 || s.block % s.time_parts != 0)
    throw Error(fmt::format("TeamRun: {} points of a block cannot be divided into {} equal parts",
                            s.block, s.time_parts));
  for (const BasicArm<double>& arm : team.arms) {  // throws for a joint that cannot say its rates
    std::vector<double> rates(at_index(arm.model->nq));
    const std::vector<double> rest(at_index(arm.model->nv));
    position_rate<double>(*arm.model, neutral_position(*arm.model), rest, rates);
  }
}

}  // namespace

struct TeamRun::Work {
  Work(const ArmTeam& all_arms, const TeamRunSettings& how, Drives given)
      : team(all_arms),
        settings(how),
        drives(std::move(given)),
        threads(how.arm_parts * how.time_parts, [this](int member) { run_blocks(member); }) {
    const int block = settings.block;
    for (const BasicArm<double>& arm : team.arms) {
      const Model& m = *arm.model;
      arms.emplace_back(m.nq + m.nv, block);
      most_freedoms = std::max(most_freedoms, m.nv);
      most_positions = std::max(most_positions, m.nq);
      bool any = false;
      for (const JointPlace& joint : joint_places(m)) any = any || joint.quaternion >= 0;
      has_quaternions.push_back(any ? 1 : 0);
      positions.emplace_back(at_index(m.nq));
    }
    for (int g = 0; g < settings.arm_parts; ++g) objects.emplace_back(object_size, block);
    for (int phase = 0; phase < 2; ++phase)
      for (int j = 0; j < block; ++j) motions.emplace_back(team);
    for (int k = 0; k < block * settings.arm_parts; ++k) members.emplace_back(team);
    const int all = settings.arm_parts * settings.time_parts;
    for (int s = 0; s < settings.time_parts; ++s) at_point.emplace_back(settings.arm_parts, all);
    for (int g = 0; g < settings.arm_parts; ++g) in_part.emplace_back(settings.time_parts, all);
    tau.resize(at_index(block * team.arms.count() * most_freedoms));
    unit_q.resize(at_index(block * team.arms.count() * most_positions));
    counts.resize(at_index(settings.arm_parts * settings.time_parts));
    for (int target = 1; target <= block; ++target) {
      predictor.push_back(adams_weights(0, 0, target));
      corrector.push_back(adams_weights(block, 0, target));
    }
  }

  ArmTeam team;
  TeamRunSettings settings;
  Drives drives;
  long rounds = 0;  ///< of one call
  long done = 0;    ///< blocks since start()
  int most_freedoms = 0, most_positions = 0;
  std::vector<char> has_quaternions;                 ///< by arm
  std::vector<std::vector<double>> positions;        ///< by arm, quaternions of unit length
  std::deque<Track> arms, objects;                   ///< objects: one for each part of the arms
  std::deque<BasicTeamMotion<double>> motions;       ///< by phase and point: predicted, corrected
  std::deque<BasicReferenceMember<double>> members;  ///< by point and part of the arms
  std::vector<double> tau, unit_q;
  std::vector<std::array<double, adams_points>> predictor, corrector;  ///< by target
  std::deque<Meeting> at_point, in_part;
  std::vector<TeamRunCount> counts;
  std::atomic<bool> failed{false};
  std::atomic_flag throwing;
  std::exception_ptr thrown;
  ThreadTeam threads;

  enum class Phase { predicted, corrected };

  BasicTeamMotion<double>& motion(Phase phase, int j) {
    return motions[at_index(settings.block * static_cast<int>(phase) + j)];
  }
  BasicReferenceMember<double>& member(int j, int g) {
    return members[at_index(j * settings.arm_parts + g)];
  }
  template <class F>
  void for_arms(int g, F&& f) {
    const int share = team.arms.count() / settings.arm_parts;
    for (int k = g * share; k < (g + 1) * share; ++k) f(k);
  }
  template <class F>
  void for_points(int s, F&& f) {
    const int share = settings.block / settings.time_parts;
    for (int j = s * share; j < (s + 1) * share; ++j) f(j);
  }
  void meet(Meeting& meeting, int parts, TeamRunCount& count) {
    if (parts == 1) return;
    meeting.wait();
    ++count.meetings;
  }

  void open(int k, double t, int j, std::span<const double> x, const ObjectState<double>& object,
            BasicArmMotion<double>& out) {
    const Model& m = *team.arms[k].model;
    const auto nq = at_index(m.nq), nv = at_index(m.nv);
    const int place = j * team.arms.count() + k;
    const std::span<double> drive = std::span(tau).subspan(at_index(place * most_freedoms), nv);
    drives(k, t, drive);
    std::span<const double> q = x.first(nq);
    if (has_quaternions[at_index(k)]) {
      const std::span<double> unit =
          std::span(unit_q).subspan(at_index(place * most_positions), nq);
      std::copy(q.begin(), q.end(), unit.begin());
      normalize<double>(m, unit);
      q = unit;
    }
    open_chain<double>(team, k, {q, x.subspan(nq), drive, {}}, object, out);
  }
  /// Quaternions as they are: their rates keep their lengths.
  void put_arm_rate(int k, std::span<const double> x, const BasicArmMotion<double>& arm,
                    std::span<double> rate) {
    const auto nq = at_index(team.arms[k].model->nq), nv = arm.acceleration.size();
    if (has_quaternions[at_index(k)])
      position_rate<double>(*team.arms[k].model, x.first(nq), x.subspan(nq), rate.first(nq));
    else std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(nq), nv, rate.begin());
    std::copy_n(arm.acceleration.begin(), nv, rate.begin() + static_cast<std::ptrdiff_t>(nq));
  }
  /// Positions of all arms at the front, for the caller.
  void show_positions() {
    for (std::size_t k = 0; k < arms.size(); ++k) {
      std::copy_n(arms[k].front.begin(), positions[k].size(), positions[k].begin());
      if (has_quaternions[k])
        normalize<double>(*team.arms[static_cast<int>(k)].model, positions[k]);
    }
  }

  /// Work that may throw, between two meetings: an exception waits for the caller's thread.
  template <class F>
  void guarded(F&& f) {
    if (failed.load(std::memory_order_relaxed)) return;
    try {
      f();
    } catch (...) {
      if (!throwing.test_and_set()) thrown = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
  }

  void open_chains(int g, int s, Phase phase, double t0) {
    Track& object = objects[at_index(g)];
    for_points(s, [&](int j) {
      const ObjectState<double> state = object_of(object.row(object.points, j));
      for_arms(g, [&](int k) {
        Track& arm = arms[at_index(k)];
        open(k, t0 + (j + 1) * settings.step, j, arm.row(arm.points, j), state,
             motion(phase, j).arms[k]);
      });
    });
  }
  void move_object(int g, int s, Phase phase, TeamRunCount& count) {
    Track& object = objects[at_index(g)];
    for_points(s, [&](int j) {
      reference_member<double>(team, object_of(object.row(object.points, j)), motion(phase, j).arms,
                               member(j, g));
      ++count.objects;
    });
  }
  void close_chains(int g, int s, Phase phase, int computed_by) {
    auto rate_of = [&](Track& track, int j) {
      return phase == Phase::predicted ? track.row(track.past, looked_back + j)
                                       : track.row(track.corrected, j);
    };
    for_points(s, [&](int j) {
      const BasicReferenceMember<double>& own = member(j, computed_by);
      for_arms(g, [&](int k) {
        Track& arm = arms[at_index(k)];
        BasicArmMotion<double>& moved = motion(phase, j).arms[k];
        close_chain<double>(k, own, moved);
        put_arm_rate(k, arm.row(arm.points, j), moved, rate_of(arm, j));
      });
      Track& object = objects[at_index(g)];
      put_object_rate(object.row(object.points, j), own.acceleration, rate_of(object, j));
    });
  }
  /// Derivatives of part g of the arms and of its copy of the object at the points of part s, of
  /// the block that begins at t0.
  void evaluate(int g, int s, Phase phase, double t0, TeamRunCount& count) {
    guarded([&] { open_chains(g, s, phase, t0); });
    meet(at_point[at_index(s)], settings.arm_parts, count);
    const bool is_serial = settings.object == TeamRunSettings::Object::serial;
    if (!is_serial || g == 0) guarded([&] { move_object(g, s, phase, count); });
    if (is_serial) meet(at_point[at_index(s)], settings.arm_parts, count);
    guarded([&] { close_chains(g, s, phase, is_serial ? 0 : g); });
  }

  template <class F>
  void for_tracks(int g, F&& f) {
    for_arms(g, [&](int k) { f(arms[at_index(k)]); });
    f(objects[at_index(g)]);
  }
  void predict(Track& track, int j) {
    combine(track.front, settings.step, predictor[at_index(j)], track.past.data(),
            track.row(track.points, j));
  }
  void correct(Track& track, int j) {
    combine(track.front, settings.step, corrector[at_index(j)],
            track.row(track.past, settings.block).data(), track.row(track.points, j));
  }
  /// The block's end becomes the beginning of the next.
  void move_on(Track& track) const {
    const int block = settings.block;
    std::copy(track.past.begin() + block * track.n, track.past.begin() + looked_back * track.n,
              track.past.begin());
    std::copy(track.corrected.begin(), track.corrected.end(),
              track.past.begin() + (looked_back - block) * track.n);
    const std::span<double> end = track.row(track.points, block - 1);
    std::copy(end.begin(), end.end(), track.front.begin());
  }

  void run_blocks(int member) {
    const int g = member % settings.arm_parts, s = member / settings.arm_parts;
    TeamRunCount& count = counts[at_index(member)];
    Meeting& part = in_part[at_index(g)];
    for (long round = 0; round < rounds; ++round) {
      const double t0 = time_after(done + round);
      for_points(s, [&](int j) { for_tracks(g, [&](Track& track) { predict(track, j); }); });
      evaluate(g, s, Phase::predicted, t0, count);
      meet(part, settings.time_parts, count);
      for_points(s, [&](int j) { for_tracks(g, [&](Track& track) { correct(track, j); }); });
      evaluate(g, s, Phase::corrected, t0, count);
      meet(part, settings.time_parts, count);
      if (s == 0) for_tracks(g, [&](Track& track) { move_on(track); });
      meet(part, settings.time_parts, count);
    }
  }

  /// Of the beginning of a block: four steps were taken before the first.
  double time_after(long blocks) const {
    return settings.step *
           static_cast<double>(looked_back - 1 + blocks * static_cast<long>(settings.block));
  }

  /// The derivative of everything, on the caller's thread: arms one after the other, the object.
  void whole_rate(double t, std::span<const double> x, std::span<double> rate) {
    const ObjectState<double> state = object_of(x.last(object_size));
    std::size_t at = 0;
    for (int k = 0; k < team.arms.count(); ++k) {
      const auto n = at_index(arms[at_index(k)].n);
      open(k, t, 0, x.subspan(at, n), state, motion(Phase::predicted, 0).arms[k]);
      at += n;
    }
    reference_member<double>(team, state, motion(Phase::predicted, 0).arms, member(0, 0));
    at = 0;
    for (int k = 0; k < team.arms.count(); ++k) {
      const auto n = at_index(arms[at_index(k)].n);
      close_chain<double>(k, member(0, 0), motion(Phase::predicted, 0).arms[k]);
      put_arm_rate(k, x.subspan(at, n), motion(Phase::predicted, 0).arms[k], rate.subspan(at, n));
      at += n;
    }
    put_object_rate(x.last(object_size), member(0, 0).acceleration, rate.last(object_size));
  }

  /// One step of the classical Runge-Kutta method; rate: at the beginning.
  void runge_kutta(double t, double h, std::vector<double>& x, const std::vector<double>& rate) {
    const std::size_t n = x.size();
    std::vector<double> sum = rate, k = rate, y(n);
    for (const double part : {0.5, 0.5, 1.0}) {
      for (std::size_t i = 0; i < n; ++i) y[i] = x[i] + part * h * k[i];
      whole_rate(t + part * h, y, k);
      const double weight = part < 1 ? 2 : 1;
      for (std::size_t i = 0; i < n; ++i) sum[i] += weight * k[i];
    }
    for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * sum[i];
  }

  /// Rows and front of all tracks from the state and derivative of everything at point i.
  void remember(int i, std::span<const double> x, std::span<const double> rate) {
    std::size_t at = 0;
    auto keep = [&](Track& track) {
      const auto n = at_index(track.n);
      std::copy_n(rate.begin() + static_cast<std::ptrdiff_t>(at), n,
                  track.row(track.past, i).begin());
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(at), n, track.front.begin());
    };
    for (Track& arm : arms) keep(arm), at += at_index(arm.n);
    for (Track& object : objects) keep(object);
  }
};

TeamRun::TeamRun(const ArmTeam& team, const TeamRunSettings& settings, Drives drives) {
  check_run(team, settings);
  work_ = std::make_unique<Work>(team, settings, std::move(drives));
}
TeamRun::~TeamRun() = default;

void TeamRun::start(std::span<const std::vector<double>> q, std::span<const std::vector<double>> v,
                    const ObjectState<double>& object) {
  Work& w = *work_;
  std::vector<double> x;
  for (std::size_t k = 0; k < w.arms.size(); ++k) {
    const Model& m = *w.team.arms[static_cast<int>(k)].model;
    if (q.size() != w.arms.size() || v.size() != w.arms.size() || q[k].size() != at_index(m.nq) ||
        v[k].size() != at_index(m.nv))
      throw Error("TeamRun::start: needs positions and velocities of every joint of every arm");
    x.insert(x.end(), q[k].begin(), q[k].end());
    normalize<double>(m, std::span(x).last(q[k].size()));
    x.insert(x.end(), v[k].begin(), v[k].end());
  }
  const Quat<double> turn = to_quat(object.pose.R);
  const Vec3<double>&p = object.pose.p, &a = object.velocity.angular, &l = object.velocity.linear;
  for (const double number :
       {p.x, p.y, p.z, turn.x, turn.y, turn.z, turn.w, a.x, a.y, a.z, l.x, l.y, l.z})
    x.push_back(number);
  std::vector<double> rate(x.size());
  constexpr int parts = 16;  // of a step: as accurate as the formulas that follow
  const double h = w.settings.step / parts;
  for (int i = 0; i < looked_back; ++i) {
    w.whole_rate(i * w.settings.step, x, rate);
    w.remember(i, x, rate);
    for (int k = 0; k < parts && i < looked_back - 1; ++k) {
      const double t = i * w.settings.step + k * h;
      if (k > 0) w.whole_rate(t, x, rate);
      w.runge_kutta(t, h, x, rate);
    }
  }
  w.done = 0;
  w.show_positions();
  for (TeamRunCount& count : w.counts) count = {};
}

void TeamRun::advance(long blocks) {
  Work& w = *work_;
  w.rounds = blocks;
  w.threads.run();
  w.done += blocks;
  w.show_positions();
  if (!w.failed) return;
  w.failed = false;
  w.throwing.clear();
  std::rethrow_exception(std::exchange(w.thrown, nullptr));
}

double TeamRun::t() const { return work_->time_after(work_->done); }
std::span<const double> TeamRun::q(int arm) const { return work_->positions[at_index(arm)]; }
std::span<const double> TeamRun::v(int arm) const {
  const std::vector<double>& x = work_->arms[at_index(arm)].front;
  return std::span(x).subspan(work_->positions[at_index(arm)].size());
}
ObjectState<double> TeamRun::object() const { return object_of(work_->objects.front().front); }
std::span<const TeamRunCount> TeamRun::counts() const { return work_->counts; }

}  // namespace limber
