// The controller of a vehicle under water.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/sim/water_part.hpp>

#include "model/nearest.hpp"
#include "scenario/read_vehicles.hpp"
#include "scenario/read_water_checks.hpp"

namespace limber {

std::vector<Section> vehicle_control_sections() {
  return {
      {"controllers: vehicle",
       "A vehicle under water by its thrusters and fins, see docs/vehicles.md. Gains and weights "
       "are one number for all freedoms, six numbers, or a mapping by freedom: surge, sway, heave, "
       "roll, pitch, yaw. A freedom without gains is left alone.",
       {{"kind", "vehicle", "", "", ""},
        {"name", "text", "", "vehicle", "in messages and names of columns"},
        {"sample_time", "number", "s", "", ""},
        {"frame", "text", "", "the link on the first free joint",
         "what is controlled: x forward, y left, z up"},
        {"mode", "one of station, hold, route", "", "station",
         "keep a pose; keep depth and heading; go along way-points"},
        {"kp", "number, list or mapping", "N/m, N m/rad", "0", "of the error"},
        {"kd", "number, list or mapping", "N s/m, N m s/rad", "0", "of the error's rate"},
        {"ki", "number, list or mapping", "N/(m s), N m/(rad s)", "0",
         "of its integral; of surge with a speed N/m"},
        {"integral_limit", "number, list or mapping", "N, N m", "none", "of the integral's part"},
        {"trajectory", "text", "", "rests where it is at the start",
         "station: of the frame, by its name"},
        {"depth", "signal", "m", "as at the start",
         "hold: below the water's surface, or below z = 0"},
        {"heading", "signal", "rad", "as at the start", "hold: about z, from x towards y"},
        {"speed", "signal or number", "m/s", "0", "hold and route: ahead, over ground"},
        {"points", "list of lists of 3 numbers", "m", "none", "route: the way-points"},
        {"lookahead", "number", "m", "2", "route: how far ahead on the line the vehicle aims"},
        {"acceptance", "number", "m", "1", "route: a point is reached within this distance"},
        {"dive_gain", "number", "rad/m", "0",
         "hold and route: pitch per metre of depth, of vehicles that dive by their nose"},
        {"most_pitch", "number", "rad", "0.5", "its limit"},
        {"actuators", "list of texts", "", "all", "names of thrusters and fins"},
        {"weights", "number, list or mapping", "", "1",
         "of what is missing of each freedom's force, where limits leave less"},
        {"effort", "number", "", "0.01",
         "price of an actuator's limit, in parts of what the strongest gives"},
        {"arm", "mapping", "", "none", "the arm's reaction is made up for, see *arm*"}},
       {}},
      {"arm",
       "What the motion of an arm does to its vehicle is computed from inverse dynamics with the "
       "water's loads and given to the thrusters.",
       {{"trajectory", "text", "", "the measured motion", "of the joints"},
        {"lead", "number", "s", "0", "how far ahead the trajectory is read, for lags"}},
       {}},
  };
}

namespace {

const std::vector<std::string>& freedom_words() {
  static const std::vector<std::string> words(vehicle_freedoms.begin(), vehicle_freedoms.end());
  return words;
}

void read_six(const YamlMap& map, const std::string& key, std::array<double, 6>& six) {
  if (!map.has(key)) return;
  const std::vector<double> numbers = numbers_for(map, key, freedom_words(), six[0]);
  std::copy(numbers.begin(), numbers.end(), six.begin());
}

void read_route(const YamlMap& map, Route& route) {
  for (const YamlNode& point : map.list("points")) {
    const YamlNode wrapped = YamlNode::mapping("points", point);
    route.points.push_back(
        YamlMap(wrapped, map.file(), map.source().element, {"points"}).vec3("points", {}));
  }
  route.lookahead = map.number("lookahead", route.lookahead);
  route.acceptance = map.number("acceptance", route.acceptance);
  route.speed = map.number("speed", route.speed);
}

// a key that another mode reads would have no effect
void refuse_other_keys(const YamlMap& map, const std::string& mode) {
  struct Use {
    const char* key;
    std::string modes;
  };
  for (const Use& use : {Use{"trajectory", "station"}, Use{"depth", "hold"}, Use{"heading", "hold"},
                         Use{"speed", "hold, route"}, Use{"points", "route"},
                         Use{"lookahead", "route"}, Use{"acceptance", "route"},
                         Use{"dive_gain", "hold, route"}, Use{"most_pitch", "hold, route"}})
    if (map.has(use.key) && use.modes.find(mode) == std::string::npos)
      throw map.error(
          use.key, fmt::format("has no effect with `mode: {}`; it belongs to {}", mode, use.modes));
}

// forces are shared in proportion to what each can give
void check_has_limits(const YamlMap& map, const Part& part) {
  bool is_limited = true;
  if (const auto* thruster = dynamic_cast<const Thruster*>(&part))
    is_limited = std::isfinite(thruster->least_force()) && std::isfinite(thruster->most_force());
  else if (const auto* fin = dynamic_cast<const Fin*>(&part))
    is_limited = std::isfinite(fin->settings().lower) && std::isfinite(fin->settings().upper);
  if (!is_limited)
    throw Error(map.source(), fmt::format("the command of '{}' has no limits to share forces by; "
                                          "give it `limits: [lower, upper]`, or leave it out of "
                                          "`actuators`",
                                          part.name()));
}

// thrusters and fins, which are read before
std::vector<std::string> read_actuator_names(const YamlMap& map, const Reading& reading) {
  std::vector<std::string> all;
  for (const auto& part : reading.scenario.parts)
    if (dynamic_cast<const Thruster*>(part.get()) || dynamic_cast<const Fin*>(part.get()))
      all.push_back(part->name());
  if (all.empty())
    throw Error(map.source(), "there are no thrusters and no fins; add `thrusters` or `fins`");
  std::vector<std::string> names = words(map, "actuators");
  for (const std::string& one : names)
    if (std::find(all.begin(), all.end(), one) == all.end())
      throw map.error("actuators", fmt::format("there is no thruster or fin called '{}'{}", one,
                                               did_you_mean(one, all)));
  for (const auto& part : reading.scenario.parts)
    if (names.empty() || std::find(names.begin(), names.end(), part->name()) != names.end())
      check_has_limits(map, *part);
  return names;
}

}  // namespace

std::shared_ptr<const Part> read_vehicle_controller(const YamlMap& map, const Reading& reading,
                                                    const Trajectories& trajectories) {
  const std::vector<std::string> modes = {"station", "hold", "route"};
  VehicleControlSettings s;
  refuse_huge(map, "controllers: vehicle");
  s.name = map.text("name", s.name);
  s.sample_time = map.number("sample_time");
  if (const std::string fault = period_fault(s.sample_time, reading.scenario.simulation.duration);
      !fault.empty())
    throw map.error("sample_time", fault);
  s.frame = map.text("frame", "");
  if (!s.frame.empty()) check_frames(map, "frame", reading.scenario.model, {s.frame});
  s.mode = static_cast<VehicleMode>(choice(map, "mode", modes, "station"));
  refuse_other_keys(map, modes[static_cast<std::size_t>(s.mode)]);
  read_six(map, "kp", s.gains.kp);
  read_six(map, "kd", s.gains.kd);
  read_six(map, "ki", s.gains.ki);
  read_six(map, "integral_limit", s.gains.integral_limit);
  read_six(map, "weights", s.weights);
  if (map.has("trajectory")) s.reference = task_trajectory(map, "trajectory", trajectories);
  const auto signal = [&](const char* key, std::optional<Signal>& out) {
    if (map.has(key)) out = read_signal(map, key, map.node(key), reading);
  };
  signal("depth", s.depth);
  signal("heading", s.heading);
  if (s.heading) refuse_degrees(map, "heading", s.heading->at(0), 2 * std::numbers::pi);
  if (s.mode == VehicleMode::route) read_route(map, s.route);
  else signal("speed", s.speed);
  s.dive_gain = map.magnitude("dive_gain", s.dive_gain);
  s.most_pitch = map.number("most_pitch", s.most_pitch);
  s.actuators = read_actuator_names(map, reading);
  s.effort = map.number("effort", s.effort);
  if (reading.scenario.water && reading.scenario.water->level)
    s.surface = *reading.scenario.water->level;
  if (map.has("arm")) {
    const YamlMap own = map.map("arm", keys_of("arm"));
    ArmReactionSettings arm;
    if (own.has("trajectory")) arm.trajectory = joint_trajectory(own, "trajectory", trajectories);
    arm.lead = own.magnitude("lead", 0);
    if (arm.lead > 0 && !arm.trajectory)
      throw own.error("lead", "only a trajectory can be read ahead; name one");
    arm.links = reading.scenario.water_part ? reading.scenario.water_part->links()
                                            : std::vector<LinkHydrodynamics>{};
    arm.water = reading.scenario.water;
    s.arm = arm;
  }
  return with_location(map, [&] { return std::make_shared<const VehicleController>(s); });
}

}  // namespace limber
