// Thrusters, fins, ballast and tethers of a scenario.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/vehicle/ballast.hpp>
#include <limber/vehicle/tether.hpp>

#include "scenario/read_vehicles.hpp"
#include "scenario/read_water_checks.hpp"

namespace limber {

namespace {

std::vector<Section> vehicle_part_sections() {
  return {
      {"actuator",
       "Keys of thrusters, fins and ballasts.",
       {{"frame", "text or list of texts", "", "",
         "at whose origin it acts; a list makes one for each frame, with the frames' names"},
        {"name", "text", "", "the frame's", "in messages, names of columns and in `actuators`"},
        {"command", "signal", "see there", "0",
         "in addition to what controllers command, see *signal*"},
        {"limits", "list of 2 numbers", "as the command", "none",
         "the command is cut off at these"},
        {"lag", "number", "s", "see there", "time constant with which it follows the command"}},
       {}},
      {"thrusters",
       "Propellers, see docs/vehicles.md. The command is a speed [rad/s], a ratio (a plain number "
       "in place of the speed, usually −1 to 1) or a force [N]; the lag is 0.",
       {{"axis", "list of 3 numbers", "", "[1, 0, 0]",
         "unit vector in the frame: positive speeds push the vehicle this way"},
        {"input", "one of speed, ratio, force", "", "speed", "what the command is"},
        {"forward", "number", "N s²/rad², or N for a ratio", "see there",
         "force per squared positive speed; without this, a table and a propeller the command is "
         "the force, and `input` must be force"},
        {"backward", "number", "N s²/rad², or N", "as forward", "the same of negative speeds"},
        {"dead_band", "number", "rad/s, or plain", "0", "speeds that push nothing"},
        {"speeds", "list of numbers", "rad/s, or plain", "none", "of a table, rising"},
        {"forces", "list of numbers", "N", "none",
         "one for each speed; straight lines between, the last beyond"},
        {"propeller", "mapping", "", "none",
         "coefficients of a handbook instead of these numbers, see *propeller*"},
        {"advance", "number", "m/rad, or m/s for a ratio", "0: inflow does nothing",
         "the force falls with the vehicle's speed along the axis, and is zero at this times the "
         "propeller's speed"},
        {"wake", "number", "", "0", "part of the vehicle's speed that the water has there"},
        {"deduction", "number", "", "0", "part of the force that the hull takes away"},
        {"torque", "number", "N m s²/rad²", "0", "moment of the shaft per squared speed"},
        {"torque_advance", "number", "m/rad", "0", "as advance, of the moment"},
        {"turning", "one of right, left", "", "right",
         "of the propeller where it pushes along its axis, seen from behind"},
        {"diameter", "number", "m", "0", "over which it comes out of the water"}},
       {"actuator"}},
      {"propeller",
       "Force ρ D⁴ K_T n² and moment ρ D⁵ K_Q n², n in turns per second; K falls in a straight "
       "line "
       "with J = V/(n D). ρ is that of the scenario's water.",
       {{"diameter", "number", "m", "", "D"},
        {"thrust", "number", "", "", "K_T at J = 0"},
        {"moment", "number", "", "0", "K_Q at J = 0"},
        {"advance", "number", "", "", "the J of the following"},
        {"thrust_then", "number", "", "", "K_T there"},
        {"moment_then", "number", "", "0", "K_Q there"}},
       {}},
      {"fins",
       "Rudders, stern planes and wings, see docs/vehicles.md. The command is the angle [rad], "
       "positive about the span; the lag is 0.",
       {{"area", "number", "m²", "", ""},
        {"slope", "number", "1/rad", "", "of the lift coefficient: C_L = slope sin α cos α"},
        {"chord", "list of 3 numbers", "", "[1, 0, 0]",
         "unit vector in the frame, towards the leading edge"},
        {"span", "list of 3 numbers", "", "[0, 0, 1]", "unit vector, the axis of the shaft"},
        {"drag_coefficient", "number", "", "0", "C_D0"},
        {"induced_drag", "number", "", "0", "k in C_D0 + k C_L²"},
        {"most_lift", "number", "", "none", "the lift coefficient where the fin stalls"},
        {"rate", "number", "rad/s", "none", "of the angle; needs a lag"}},
       {"actuator"}},
      {"ballasts",
       "Tanks and weights, see docs/vehicles.md. The command is the mass [kg] that is wanted; the "
       "lag is 1 s.",
       {{"initial", "number", "kg", "0", "the mass where the run begins"},
        {"rate", "number", "kg/s", "none", "of the pump"},
        {"acts", "one of mass, weight", "", "mass",
         "it is carried with the vehicle, or only pulls it down (or, negative, up)"}},
       {"actuator"}},
      {"tethers",
       "A cable from a fixed point to a vehicle as one straight line, see docs/vehicles.md.",
       {{"frame", "text", "", "", "where it is fastened to the vehicle"},
        {"name", "text", "", "tether", ""},
        {"anchor", "list of 3 numbers", "m", "[0, 0, 0]", "in the world"},
        {"length", "number", "m", "", "when it is slack"},
        {"stiffness", "number", "N/m", "0", "of the whole tether, when it is taut"},
        {"damping", "number", "N s/m", "0", "when it is taut"},
        {"diameter", "number", "m", "0: no drag", ""},
        {"drag_coefficient", "number", "", "1.2", "across, of length · diameter"},
        {"skin_coefficient", "number", "", "0.01", "along, of its surface"},
        {"weight", "number", "N/m", "0", "in water; negative: it floats"}},
       {}},
  };
}

constexpr std::size_t most_actuators = 1000;  // of a kind

// the keys that all have; `make` makes the part of each frame
template <class Settings, class Make>
void read_actuators(const YamlMap& map, Reading& reading, Settings settings, Make&& make) {
  const std::vector<std::string> frames = words(map, "frame");
  if (frames.empty()) throw Error(map.source(), "key 'frame' is missing; add `frame: …`");
  if (frames.size() > most_actuators)
    throw map.error("frame", fmt::format("{} frames are found, the most are {}", frames.size(),
                                         most_actuators));
  if (frames.size() > 1 && map.has("name"))
    throw map.error("name", "with a list of frames each part has the name of its frame");
  check_frames(map, "frame", reading.scenario.model, frames);
  if (map.has("command"))
    settings.command = read_signal(map, "command", map.node("command"), reading);
  map.range("limits", settings.lower, settings.upper);
  settings.lag = map.magnitude("lag", settings.lag);
  settings.water = reading.scenario.water;
  for (const std::string& frame : frames) {
    settings.frame = frame;
    settings.name = map.text("name", frame);
    add_part(reading, map, with_location(map, [&] { return make(settings); }));
  }
}

std::vector<double> number_list(const YamlMap& map, const std::string& key) {
  return map.numbers(key, {map.list(key).size()});
}

void read_propeller(const YamlMap& map, const Reading& reading, ThrusterSettings& settings) {
  for (const char* key : {"forward", "backward", "speeds", "forces", "advance", "torque",
                          "torque_advance", "diameter"})
    if (map.has(key)) throw map.error(key, "the propeller gives it; remove one of them");
  const YamlMap own = map.map("propeller", keys_of("propeller"));
  PropellerCoefficients propeller;
  propeller.diameter = own.number("diameter");
  propeller.thrust = own.number("thrust");
  propeller.moment = own.number("moment", 0);
  propeller.advance = own.number("advance");
  propeller.thrust_then = own.number("thrust_then");
  propeller.moment_then = own.number("moment_then", 0);
  const double density = (reading.scenario.water ? *reading.scenario.water : Water{}).density;
  with_location(own, [&] {
    set_propeller(propeller, density, settings);
    return 0;
  });
}

// what a thruster can never do, and turns per minute
void check_thruster(const YamlMap& map, const ThrusterSettings& one, Reading& reading) {
  const bool by_force = one.input == ThrusterInput::force;
  if (!by_force && one.dead_band > 0 && one.dead_band >= std::fmax(-one.lower, one.upper))
    throw map.error("dead_band",
                    fmt::format("{} is not below its limits, {} to {}: it would never push",
                                one.dead_band, one.lower, one.upper));
  constexpr double fastest = 1000;  // of propellers [rad/s]
  double speed = map.has("command") ? std::abs(one.command.at(0)) : 0;
  for (const double limit : {one.lower, one.upper})
    if (std::isfinite(limit)) speed = std::fmax(speed, std::abs(limit));
  if (one.input == ThrusterInput::speed && speed > fastest)
    reading.scenario.water_notes.push_back(
        fmt::format("thruster '{0}': {1:g} rad/s are {2:.0f} turns per minute; for {1:g} turns per "
                    "minute write "
                    "`{1:g}*2*pi/60`",
                    one.name, speed, speed * 30 / std::numbers::pi));
}

void read_thruster(const YamlNode& node, Reading& reading) {
  const YamlMap map = open_sized(node, reading.file, "thrusters", "thrusters");
  ThrusterSettings s;
  s.axis = map.vec3("axis", s.axis);
  s.input = static_cast<ThrusterInput>(choice(map, "input", {"speed", "ratio", "force"}, "speed"));
  if (map.has("propeller")) {
    read_propeller(map, reading, s);
  } else {
    s.forward = map.magnitude("forward", 0);
    s.backward = map.magnitude("backward", s.forward);
    s.speeds = number_list(map, "speeds");
    s.forces = number_list(map, "forces");
    s.advance = map.magnitude("advance", 0);
    s.torque = map.magnitude("torque", 0);
    s.torque_advance = map.magnitude("torque_advance", 0);
    s.diameter = map.magnitude("diameter", 0);
  }
  s.dead_band = map.magnitude("dead_band", 0);
  s.wake = map.number("wake", 0);
  s.deduction = map.number("deduction", 0);
  s.turning = static_cast<Turning>(choice(map, "turning", {"right", "left"}, "right"));
  read_actuators(map, reading, s, [&](const ThrusterSettings& one) {
    check_thruster(map, one, reading);
    return std::make_shared<const Thruster>(one);
  });
}

void read_fin(const YamlNode& node, Reading& reading) {
  const YamlMap map = open_sized(node, reading.file, "fins", "fins");
  FinSettings s;
  s.area = map.number("area");
  s.slope = map.number("slope");
  s.chord = map.vec3("chord", s.chord);
  s.span = map.vec3("span", s.span);
  s.drag_coefficient = map.magnitude("drag_coefficient", 0);
  s.induced_drag = map.magnitude("induced_drag", 0);
  s.most_lift = map.number("most_lift", s.most_lift);
  s.rate = map.number("rate", s.rate);
  read_actuators(map, reading, s, [&map](const FinSettings& one) {
    for (const double limit : {one.lower, one.upper})
      if (std::isfinite(limit)) refuse_degrees(map, "limits", limit, std::numbers::pi);
    if (map.has("command")) refuse_degrees(map, "command", one.command.at(0), std::numbers::pi);
    return std::make_shared<const Fin>(one);
  });
}

void read_ballast(const YamlNode& node, Reading& reading) {
  const YamlMap map = open_sized(node, reading.file, "ballasts", "ballasts");
  BallastSettings s;
  s.initial = map.number("initial", 0);
  s.rate = map.number("rate", s.rate);
  s.acts = static_cast<BallastActs>(choice(map, "acts", {"mass", "weight"}, "mass"));
  read_actuators(map, reading, s,
                 [](const BallastSettings& one) { return std::make_shared<const Ballast>(one); });
}

void read_tether(const YamlNode& node, Reading& reading) {
  const YamlMap map = open_sized(node, reading.file, "tethers", "tethers");
  TetherSettings s;
  s.name = map.text("name", s.name);
  s.frame = map.text("frame");
  check_frames(map, "frame", reading.scenario.model, {s.frame});
  s.anchor = map.vec3("anchor", s.anchor);
  s.length = map.number("length");
  s.stiffness = map.magnitude("stiffness", s.stiffness);
  s.damping = map.magnitude("damping", s.damping);
  s.diameter = map.magnitude("diameter", s.diameter);
  s.drag_coefficient = map.magnitude("drag_coefficient", s.drag_coefficient);
  s.skin_coefficient = map.magnitude("skin_coefficient", s.skin_coefficient);
  s.weight = map.number("weight", s.weight);
  s.water = reading.scenario.water;
  add_part(reading, map, with_location(map, [&] { return std::make_shared<const Tether>(s); }));
}

}  // namespace

std::vector<Section> vehicle_sections() {
  std::vector<Section> all = vehicle_part_sections();
  for (Section& section : vehicle_control_sections()) all.push_back(std::move(section));
  return all;
}

void read_vehicles(const YamlMap& root, Reading& reading) {
  for (const char* key : {"thrusters", "fins"})
    if (root.has(key) && !reading.scenario.water)
      reading.scenario.water_notes.push_back(fmt::format(
          "{}: they push as in water, which the scenario has not; add `water: {{}}`", key));
  for (const YamlNode& node : list_up_to(root, "thrusters", most_actuators))
    read_thruster(node, reading);
  for (const YamlNode& node : list_up_to(root, "fins", most_actuators)) read_fin(node, reading);
  for (const YamlNode& node : list_up_to(root, "ballasts", most_actuators))
    read_ballast(node, reading);
  for (const YamlNode& node : list_up_to(root, "tethers", most_actuators))
    read_tether(node, reading);
}

}  // namespace limber
