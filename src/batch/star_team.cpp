#include <limber/batch/star_team.hpp>

#include <algorithm>
#include <optional>
#include <thread>

#include "dynamics/star.ipp"
#include "parallel/thread_team.hpp"

namespace limber {

namespace {

int star_threads(int wanted, int legs) {
  if (wanted < 0) throw Error(fmt::format("StarTeam: {} threads", wanted));
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::clamp(wanted == 0 ? cores : wanted, 1, std::max(1, legs));
}

}  // namespace

struct StarTeam::Work {
  Work(const Model& m, int threads)
      : model(m),
        ws(m),
        star(m),
        team(star_threads(threads, star.legs.count()), [this](int member) { share(member); }) {}

  const Model& model;
  Workspace ws;
  Star star;
  std::optional<StarCall<double>> call;  ///< the present one
  StarMethod method{};
  ThreadTeam team;

  /// Legs of a member: as many as others have, or one less.
  template <class F>
  void for_legs(int member, F&& f) {
    for (int leg = member; leg < star.legs.count(); leg += team.members()) f(leg);
  }
  void share(int member) {
    for_legs(member, [&](int leg) { open_leg(*call, method, leg); });
    team.barrier(member);
    if (member == 0) move_body(*call, method);
    team.barrier(member);
    for_legs(member, [&](int leg) { close_leg(*call, method, leg); });
  }
};

StarTeam::StarTeam(const Model& model, int threads)
    : work_(std::make_unique<Work>(model, threads)) {}
StarTeam::~StarTeam() = default;

int StarTeam::threads() const { return work_->team.members(); }

void StarTeam::forward_dynamics(In<double> q, In<double> v, In<double> tau, StarMethod method,
                                Out<double> out, const Loads<double>& loads) {
  Work& w = *work_;
  check_star_call<double>("StarTeam::forward_dynamics", w.model, q, v, tau, w.ws, w.star, out);
  w.method = method;
  w.call.emplace(StarCall<double>{w.model, q.data(), v.data(), loads, w.ws, w.star, out.data(),
                                  starts_in_fluid(loads, method)});
  start_star<double>(*w.call, q, v, tau);
  start_body(*w.call, method);
  w.team.run();
  check_star_result<double>(*w.call, method, q, v, tau, out);
}

}  // namespace limber
