#include <limber/sim/external_force.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

namespace limber {

namespace {

bool finite(const Force<double>& f) {
  return std::isfinite(norm(f.angular)) && std::isfinite(norm(f.linear));
}

// calls f(signal, its states) for each signal whose states lie in d one after the other
template <class States, class F>
void for_each_signal(const std::array<Signal, 6>& signals, States d, F&& f) {
  for (const Signal& signal : signals) {
    const auto count = static_cast<std::size_t>(signal.states());
    f(signal, d.first(count));
    d = d.subspan(count);
  }
}

Force<double> as_force(const std::array<double, 6>& x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace

Force<double> ForceHistory::at(double t) const {
  std::array<double, 6> values{};
  std::transform(signals.begin(), signals.end(), values.begin(),
                 [t](const Signal& signal) { return signal.at(t); });
  return without_signals(t) + as_force(values);
}

Force<double> ForceHistory::at(double t, std::span<const double> states) const {
  if (states.empty()) return at(t);
  std::array<double, 6> now{};
  double* out = now.data();
  for_each_signal(signals, states, [&](const Signal& signal, std::span<const double> d) {
    *out++ = signal.at(t, d);
  });
  return without_signals(t) + as_force(now);
}

Force<double> ForceHistory::without_signals(double t) const {
  Force<double> sum = constant + amplitude * std::sin(2 * std::numbers::pi * frequency * t + phase);
  if (times.empty() || t < times.front() || t > times.back()) return sum;
  const auto after = std::upper_bound(times.begin() + 1, times.end() - 1, t);
  const auto i = static_cast<std::size_t>(after - times.begin()) - 1;
  const double part = (t - times[i]) / (times[i + 1] - times[i]);
  return sum + values[i] * (1 - part) + values[i + 1] * part;
}

Force<double> ForceHistory::in_world(double t, const Mat3<double>& R) const {
  return in_world(at(t), R);
}

Force<double> ForceHistory::in_world(const Force<double>& f, const Mat3<double>& R) const {
  return axes == ForceAxes::world ? f : Force<double>{R * f.angular, R * f.linear};
}

void ForceHistory::check() const {
  if (!finite(constant) || !finite(amplitude) || !std::isfinite(phase))
    throw Error("constant, amplitude and phase must be finite numbers");
  if (!(frequency >= 0) || !std::isfinite(frequency))
    throw Error(fmt::format("frequency: {} Hz found, at least 0 is needed", frequency));
  if (times.size() != values.size() || times.size() == 1)
    throw Error(
        fmt::format("table: {} times and {} values found; give as many of both, two or "
                    "more",
                    times.size(), values.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
      throw Error(fmt::format("times must increase; entry {} is {} s", i + 1, times[i]));
    if (!finite(values[i]))
      throw Error(fmt::format("values: the one at {} s is not finite", times[i]));
  }
}

ExternalForce::ExternalForce(const ExternalForceSettings& settings)
    : Part(settings.name), settings_(settings) {
  try {
    settings.force.check();
  } catch (const Error& error) {
    throw Error(fmt::format("external force '{}': {}", settings.name, error.what()));
  }
}

void ExternalForce::attach(Model& m) {
  frame_ = m.frame(settings_.frame);
  const BasicFrame<double>& frame = m.frames[static_cast<std::size_t>(frame_)];
  if (frame.body == 0)
    throw Error(
        fmt::format("external force '{}': frame '{}' rests in the world, where no force "
                    "moves anything; name a frame of a moving body",
                    name(), settings_.frame));
  body_ = static_cast<std::size_t>(frame.body);
  placement_ = inverse(m.body_placement[body_]) * frame.placement;
}

int ExternalForce::discrete_states() const {
  int count = 0;
  for (const Signal& signal : settings_.force.signals) count += signal.states();
  return count;
}

void ExternalForce::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  for_each_signal(settings_.force.signals, d,
                  [&](const Signal& signal, std::span<double> own) { signal.begin(at.t, own); });
}

std::vector<EventSpec> ExternalForce::events() const {
  return {static_cast<std::size_t>(discrete_states()),
          {fmt::format("external force '{}' jumps", name()), EventSpec::Crossing::below,
           EventSpec::Kind::act}};
}

void ExternalForce::event_values(Evaluation& at, std::span<double> values) {
  double* out = values.data();
  for_each_signal(settings_.force.signals, at.d,
                  [&](const Signal& signal, std::span<const double> own) {
                    for (int k = 0; k < signal.states(); ++k) *out++ = signal.margin(k, at.t, own);
                  });
}

EventOutcome ExternalForce::on_event(int event, Evaluation&, EventState state) {
  for_each_signal(settings_.force.signals, state.d,
                  [&](const Signal& signal, std::span<double> own) {
                    if (event >= 0 && event < signal.states()) signal.act(event, own);
                    event -= signal.states();
                  });
  return EventOutcome::unlisted;
}

Force<double> ExternalForce::force_now(const Evaluation& at) const {
  const Force<double> f = settings_.force.at(at.t, at.d);
  if (!finite(f))
    throw Error(fmt::format("external force '{}': at t = {:.9g} s it is not a finite number",
                            name(), at.t));
  return f;
}

void ExternalForce::apply(Evaluation& at) {
  Force<double> f = force_now(at);
  if (settings_.force.axes == ForceAxes::world) {
    const Mat3<double> R = frame_pose(at.model, at.kinematics(), frame_).R;
    f = {transpose_times(R, f.angular), transpose_times(R, f.linear)};
  }
  at.body_forces()[body_] += placement_ * f;
}

std::vector<Column> ExternalForce::columns() const {
  std::vector<Column> all;
  for (const char* axis : {"x", "y", "z"}) all.push_back({name() + ".f" + axis, "N", name()});
  for (const char* axis : {"x", "y", "z"})
    all.push_back({name() + ".m" + axis, "N m", name() + " (moment)"});
  return all;
}

void ExternalForce::record(Evaluation& at, std::span<double> values) {
  const Force<double> f =
      settings_.force.in_world(force_now(at), frame_pose(at.model, at.kinematics(), frame_).R);
  for (int i = 0; i < 3; ++i) {
    values[static_cast<std::size_t>(i)] = f.linear[i];
    values[static_cast<std::size_t>(i) + 3] = f.angular[i];
  }
}

}  // namespace limber
