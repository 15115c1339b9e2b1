#include <limber/sim/grasp.hpp>

#include <cmath>

#include <fmt/format.h>

#include <limber/math/quat.hpp>

#include "index.hpp"
#include "model/loops.hpp"

namespace limber {

namespace {

// the discrete states: whether it is closed, and the pose of frame b in frame a then
enum GraspState : std::size_t { grasp_closed, grasp_origin, grasp_turn = 4, grasp_states = 8 };

enum GraspEvent : int { closes_at_time, closes_at_value, opens_at_time, opens_at_value };

Transform<double> pose_of(std::span<const double> d) {
  Quat<double> turn;
  turn.w = d[grasp_turn];
  turn.x = d[grasp_turn + 1];
  turn.y = d[grasp_turn + 2];
  turn.z = d[grasp_turn + 3];
  return {to_matrix(turn), {d[grasp_origin], d[grasp_origin + 1], d[grasp_origin + 2]}};
}

void keep_pose(const Transform<double>& pose, std::span<double> d) {
  for (int i = 0; i < 3; ++i) d[grasp_origin + at_index(i)] = pose.p[i];
  const Quat<double> turn = to_quat(pose.R);
  d[grasp_turn] = turn.w;
  d[grasp_turn + 1] = turn.x;
  d[grasp_turn + 2] = turn.y;
  d[grasp_turn + 3] = turn.z;
}

bool can_be_placed(LoopSpec::Kind kind) {
  return kind != LoopSpec::Kind::distance && kind != LoopSpec::Kind::coupling &&
         kind != LoopSpec::Kind::rolling;
}

}  // namespace

Grasp::Grasp(GraspSettings settings) : Part(settings.loop.name), settings_(std::move(settings)) {
  const std::string& name = settings_.loop.name;
  if (name.empty()) throw Error("a grasp needs a name: loop.name");
  if (!(settings_.from >= 0) || !(settings_.until > settings_.from))
    throw Error(
        fmt::format("grasp '{}': closed from {} s until {} s; give a beginning that is not "
                    "negative and a later end",
                    name, settings_.from, settings_.until));
  if (settings_.place == GraspPlace::as_they_are && !can_be_placed(settings_.loop.kind))
    throw Error(
        fmt::format("grasp '{}': a loop of kind {} is closed as described only, where its "
                    "gap is small",
                    name, limber::name(settings_.loop.kind)));
  settings_.loop.is_active = true;
}

void Grasp::attach(Model& model) { loop_ = resolve_loop(settings_.loop, model); }

int Grasp::discrete_states() const { return grasp_states; }

void Grasp::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  d[grasp_turn] = 1;
  if (settings_.from == 0 && !settings_.closes) close(at, d);
}

void Grasp::close(Evaluation& at, std::span<double> d) const {
  d[grasp_closed] = 1;
  if (settings_.place == GraspPlace::as_described) return;
  const Velocities& bodies = at.kinematics();
  keep_pose(inverse(bodies.X_W[loop_.body_a] * loop_.placement_a) *
                (bodies.X_W[loop_.body_b] * loop_.placement_b),
            d);
}

void Grasp::close_loops(const PartInstant& at, std::span<BasicLoop<double>> loops,
                        std::span<std::uint8_t> is_closed) const {
  is_closed[0] = at.d[grasp_closed] != 0 ? 1 : 0;
  if (is_closed[0] && settings_.place == GraspPlace::as_they_are)
    loops[0].placement_a = loops[0].placement_a * pose_of(at.d);
}

std::vector<EventSpec> Grasp::events() const {
  const auto crossing = [](const std::optional<GraspSettings::When>& when) {
    return when ? when->crossing : EventSpec::Crossing::rising;
  };
  const auto event = [&](const char* what, EventSpec::Crossing sign) {
    return EventSpec{fmt::format("loop '{}' {}", name(), what), sign, EventSpec::Kind::act};
  };
  return {event("closed", EventSpec::Crossing::rising), event("closed", crossing(settings_.closes)),
          event("opened", EventSpec::Crossing::rising), event("opened", crossing(settings_.opens))};
}

// what cannot happen stays below zero
void Grasp::event_values(Evaluation& at, std::span<double> values) {
  const auto value = [&](const std::optional<GraspSettings::When>& when) {
    return when ? when->value(at) - when->threshold : -1.0;
  };
  values[closes_at_time] = settings_.closes ? -1 : at.t - settings_.from;
  values[closes_at_value] = value(settings_.closes);
  values[opens_at_time] = std::isfinite(settings_.until) ? at.t - settings_.until : -1;
  values[opens_at_value] = value(settings_.opens);
}

EventOutcome Grasp::on_event(int event, Evaluation& at, EventState state) {
  const bool closes = event == closes_at_time || event == closes_at_value;
  const bool too_early = at.t < settings_.from && event == closes_at_value;
  const bool too_late = closes && at.t >= settings_.until;
  if (closes == (state.d[grasp_closed] != 0) || too_early || too_late)
    return EventOutcome::unlisted;
  if (closes) close(at, state.d);
  else state.d[grasp_closed] = 0;
  return EventOutcome::state_changed;
}

}  // namespace limber
