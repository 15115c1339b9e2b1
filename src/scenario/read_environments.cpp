// What robots work on: frames that a scenario adds to them, surfaces and holes that they meet.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/sim/environment_contact.hpp>

#include "io/yaml_parts.hpp"
#include "scenario/read.hpp"

namespace limber {

std::vector<Section> environment_sections() {
  return {
      {"frames",
       "Frames that a robot's file does not have, such as the tip of a tool.",
       {{"name", "text", "", "", ""},
        {"link", "text", "", "", "the link, or another frame of the file, that carries it"},
        {"xyz", "list of 3 numbers", "m", "[0, 0, 0]", "its origin, in the link's frame"},
        {"rpy", "list of 3 numbers", "rad", "[0, 0, 0]", "its roll, pitch and yaw"}},
       {}},
      {"environments",
       "Surfaces and holes that a frame meets: free motion, impact without restitution, motion in "
       "touch, without friction. docs/environment.md has the equations.",
       {{"name", "text", "", "", "in messages and names of columns"},
        {"kind", "one of surface, hole", "", "surface",
         "the frame's origin stays above a surface; its z axis goes into a hole"},
        {"frame", "text", "", "", "of the robot: the pen's tip, the peg's end"},
        {"on", "text", "", "the world",
         "frame that carries it: of a table, or of a base on a spring"},
        {"xyz", "list of 3 numbers", "m", "[0, 0, 0]",
         "a point of the surface, or the hole's mouth; in `on`"},
        {"normal", "list of 3 numbers", "", "z",
         "of a surface: outwards; of a hole: the axis, into it. Of any length"},
        {"stiffness", "number", "N/m", "rigid", "of a massless spring on a surface"},
        {"damping", "number", "N s/m", "0", "of a damper beside it"}},
       {}},
  };
}

void read_frames(const YamlMap& robot, const Reading& reading, Spec& spec) {
  for (const YamlNode& node : robot.list("frames")) {
    const YamlMap map = open(node, reading.file, "frames", "frames");
    FrameSpec frame;
    frame.name = map.text("name");
    frame.placement = read_pose(map);
    frame.source = map.source();
    const std::string carrier = map.text("link");
    const auto known = std::find_if(spec.frames.begin(), spec.frames.end(),
                                    [&](const FrameSpec& one) { return one.name == carrier; });
    if (known != spec.frames.end()) {
      frame.body = known->body;
      frame.placement = known->placement * frame.placement;
    } else {
      frame.body = find_link(spec, map, "link").name;
    }
    spec.frames.push_back(std::move(frame));
  }
}

namespace {

// axes whose z is along `normal`: the shortest turn from z
Mat3<double> axes_along(const YamlMap& map, const std::string& key) {
  const std::vector<double> given = map.numbers(key, {3});
  if (given.empty()) return Mat3<double>::identity();
  const Vec3<double> normal{given[0], given[1], given[2]};
  const double length = norm(normal);
  if (!(length > 0) || !std::isfinite(length))
    throw map.error(key, "a direction is needed, and this has none: its length is not positive");
  const Vec3<double> z = normal / length, up{0, 0, 1};
  const Vec3<double> axis = cross(up, z);
  const double sine = norm(axis);
  if (sine < 1e-12)
    return z.z > 0 ? Mat3<double>::identity() : rotation(Vec3<double>{1, 0, 0}, std::acos(-1.0));
  return rotation(axis / sine, std::atan2(sine, z.z));
}

}  // namespace

void read_environments(const YamlMap& root, Reading& reading) {
  for (const YamlNode& node : root.list("environments")) {
    const YamlMap map = open(node, reading.file, "environments", "environments");
    EnvironmentSettings settings;
    settings.name = map.text("name");
    settings.kind =
        static_cast<EnvironmentKind>(choice(map, "kind", {"surface", "hole"}, "surface"));
    settings.frame = map.text("frame");
    check_frames(map, "frame", reading.scenario.model, {settings.frame});
    if (map.has("on")) {
      settings.surface = map.text("on");
      check_frames(map, "on", reading.scenario.model, {settings.surface});
    }
    settings.placement.p = read_pose(map).p;
    settings.placement.R = axes_along(map, "normal");
    if (map.has("stiffness") && !(map.number("stiffness") > 0))
      throw map.error("stiffness", "must be positive; leave it out for a rigid surface");
    settings.stiffness = map.number("stiffness", 0);
    settings.damping = map.magnitude("damping", 0);
    add_part(reading, map, with_location(map, [&] {
               return std::make_shared<const EnvironmentContact>(settings);
             }));
  }
}

}  // namespace limber
