// Trajectories of a scenario: a chain of segments, each begun where the one before it ended.
#include "scenario/read_trajectories.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/control/follow.hpp>
#include <limber/dynamics/kinematics.hpp>

#include "io/yaml_parts.hpp"
#include "model/nearest.hpp"

namespace limber {

std::vector<Section> trajectory_sections() {
  return {
      {"trajectories",
       "A trajectory is a chain of segments, each begun where the one before it ended; the first "
       "begins "
       "in the initial state.",
       {{"name", "text", "", "", "by which controllers refer to it"},
        {"frame", "text", "", "none",
         "a trajectory of this frame in the world (task space); without it one of the joints"},
        {"segments", "list of mappings", "", "", "see *segments*"}},
       {}},
      {"segments",
       "",
       {{"kind", "one of move, line, arc, spline, csv, swing, hold", "", "",
         "joints go straight to a position; a frame follows a line or an arc of a circle; through "
         "way-points; from a file; to and fro; rest"},
        {"dwell", "number", "s", "0", "rest after the segment"},
        {"name", "text", "", "none",
         "the segment is a phase of the run, which the report shows over the timeline"}},
       {}},
      {"timing",
       "How a move, line or arc goes through its path: by a duration, or as fast as limits allow.",
       {{"law", "one of quintic, trapezoidal", "", "quintic",
         "velocity without corners; or a trapezoid: constant acceleration, speed, deceleration"},
        {"duration", "number", "s", "as short as the limits allow", ""},
        {"ramp", "number", "", "0.25", "part of the duration for each ramp of a trapezoid"}},
       {}},
      {"segments: move",
       "",
       {{"to", "mapping or list", "rad, m", "",
         "positions by joint name, or all in order; joints that are left out stay"},
        {"velocity_limit", "number, list or mapping", "rad/s, m/s", "the robot's",
         "of each freedom"},
        {"acceleration_limit", "number, list or mapping", "rad/s², m/s²", "none",
         "of each freedom"}},
       {"segments", "timing"}},
      {"segments: line",
       "In a trajectory of joints the line is turned into joint positions by inverse kinematics.",
       {{"frame", "text", "", "that of the trajectory", "the frame that follows the line"},
        {"to", "list of 3 numbers", "m", "this or `by`", "end point in the world"},
        {"by", "list of 3 numbers", "m", "this or `to`", "displacement in world axes"},
        {"rpy", "list of 3 numbers", "rad", "the orientation stays",
         "roll, pitch and yaw at the end, world axes"},
        {"speed", "number", "m/s", "none", "limit along the path"},
        {"acceleration", "number", "m/s²", "none", "limit along the path"},
        {"angular_speed", "number", "rad/s", "none", "limit"},
        {"angular_acceleration", "number", "rad/s²", "none", "limit"},
        {"rows", "one of pose, position", "", "pose", "whether the orientation is kept too"}},
       {"segments", "timing"}},
      {"segments: arc",
       "Further keys as for a line.",
       {{"through", "list of 3 numbers", "m", "", "a point of the arc in the world"}},
       {"segments: line"}},
      {"segments: spline",
       "",
       {{"times", "list of numbers", "s", "",
         "of the way-points, after the beginning of the segment"},
        {"points", "list of mappings or lists", "rad, m", "",
         "positions as in `to` of a move; for a frame: lists of x, y, z [, roll, pitch, yaw]"},
        {"degree", "one of cubic, quintic", "", "quintic", ""}},
       {"segments"}},
      {"segments: csv",
       "A first line with `time` and names of joints, then numbers.",
       {{"file", "text", "", "", "beside the scenario file"}},
       {"segments"}},
      {"segments: swing",
       "To and fro from rest to rest: amplitude · (1 − cos 2π f t) / 2 is added to each joint.",
       {{"amplitude", "mapping or list", "rad, m", "",
         "by joint name, joints with one freedom; others stay"},
        {"frequency", "number", "Hz", "", ""},
        {"cycles", "number", "", "1", "how often"}},
       {"segments"}},
      {"segments: hold", "", {{"duration", "number", "s", "", ""}}, {"segments"}},
  };
}

namespace {

const std::vector<std::string> segment_kinds = {"move", "line",  "arc", "spline",
                                                "csv",  "swing", "hold"};

YamlMap open_segment(const YamlNode& node, const Reading& reading, const std::string& trajectory) {
  const std::string element = fmt::format("trajectory '{}'", trajectory);
  std::string kind;
  if (node.is_mapping() && node.find("kind").is_word()) kind = node.find("kind").text();
  const bool known =
      std::find(segment_kinds.begin(), segment_kinds.end(), kind) != segment_kinds.end();
  if (!known) {
    const YamlMap map(node, reading.file, element, keys_of("segments") + keys_of("segments: arc"));
    choice(map, "kind", segment_kinds);
  }
  return open(node, reading.file, element, "segments: " + kind);
}

Law read_law(const YamlMap& map) {
  return choice(map, "law", {"quintic", "trapezoidal"}, "quintic") ? Law::trapezoidal
                                                                   : Law::quintic;
}

Vec3<double> needed_vec3(const YamlMap& map, const std::string& key) {
  map.node(key);  // must be there
  return map.vec3(key, {});
}

TaskMoveSettings read_task_timing(const YamlMap& map) {
  TaskMoveSettings timing;
  timing.law = read_law(map);
  timing.duration = map.magnitude("duration", 0);
  timing.ramp = map.number("ramp", timing.ramp);
  timing.speed = map.number("speed", timing.speed);
  timing.acceleration = map.number("acceleration", timing.acceleration);
  timing.angular_speed = map.number("angular_speed", timing.angular_speed);
  timing.angular_acceleration = map.number("angular_acceleration", timing.angular_acceleration);
  return timing;
}

// a line or an arc of a frame from where it is
TaskTrajectoryPointer read_path(const YamlMap& map, const Transform<double>& from) {
  if (map.has("to") == map.has("by"))
    throw Error(map.source(), "the end is given either as `to: [x, y, z]` or as `by: [x, y, z]`");
  Transform<double> to = from;
  to.p = map.has("to") ? needed_vec3(map, "to") : from.p + needed_vec3(map, "by");
  if (map.has("rpy")) to.R = read_rpy(map, "rpy");
  const TaskMoveSettings timing = read_task_timing(map);
  return with_location(map, [&] {
    if (map.text("kind") == "line") return line_trajectory(from, to, timing);
    const Arc arc = arc_through(from.p, needed_vec3(map, "through"), to.p);
    return arc_trajectory(from, arc, to.R, timing);
  });
}

// notes a named segment that begins at `begin`; returns when it ends
double note_phase(const YamlMap& map, const Reading& reading, double begin, double duration) {
  const double end = begin + duration + map.magnitude("dwell", 0);
  if (map.has("name")) reading.scenario.phases.push_back({map.text("name"), begin, end});
  return end;
}

class JointSteps {
 public:
  JointSteps(const Reading& reading, std::string name)
      : reading_(reading),
        model_(reading.scenario.nominal),
        name_(std::move(name)),
        joints_(slices(position_variables(model_), "")),
        q_(reading.scenario.q) {}

  JointTrajectoryPointer read(const YamlMap& trajectory) {
    std::vector<JointSegment> segments;
    double begin = 0;
    for (const YamlNode& node : trajectory.list("segments")) {
      const YamlMap map = open_segment(node, reading_, name_);
      segments.push_back({read_segment(map), map.magnitude("dwell", 0)});
      std::vector<double> v(static_cast<std::size_t>(model_.nv)), a(v);
      const double duration = segments.back().trajectory->duration();
      segments.back().trajectory->sample(duration, q_, v, a);
      begin = note_phase(map, reading_, begin, duration);
    }
    if (segments.empty()) return constant_trajectory(model_, q_);
    return with_location(trajectory,
                         [&] { return sequence_trajectory(model_, std::move(segments)); });
  }

 private:
  JointTrajectoryPointer read_segment(const YamlMap& map) {
    const std::string kind = map.text("kind");
    if (kind == "move") return move(map);
    if (kind == "spline") return spline(map);
    if (kind == "csv")
      return with_location(map, [&] {
        return csv_trajectory(model_, path_relative_to_file(reading_, map.text("file")), q_, {});
      });
    if (kind == "swing") return swing(map);
    if (kind == "hold") {
      const double duration = map.magnitude("duration", 0);
      const std::vector<double> q = q_;
      return with_location(map, [&] {
        return quintic_trajectory(model_, {q, {}, {}}, {q, {}, {}}, duration);
      });
    }
    return path(map);
  }

  JointTrajectoryPointer move(const YamlMap& map) {
    std::vector<double> to = q_;
    map.node("to");
    read_joint_values(map, "to", joints_, to);
    MoveSettings settings;
    settings.law = read_law(map);
    settings.duration = map.magnitude("duration", 0);
    settings.ramp = map.number("ramp", settings.ramp);
    std::vector<std::string> freedoms;
    for (const Variable& x : velocity_variables(model_)) freedoms.push_back(x.name());
    if (map.has("velocity_limit"))
      settings.velocity_limits = numbers_for(map, "velocity_limit", freedoms, HUGE_VAL);
    if (map.has("acceleration_limit"))
      settings.acceleration_limits = numbers_for(map, "acceleration_limit", freedoms, HUGE_VAL);
    return with_location(map, [&] { return point_to_point(model_, q_, to, settings); });
  }

  JointTrajectoryPointer spline(const YamlMap& map) {
    const std::vector<YamlNode> points = map.list("points");
    std::vector<double> times = map.numbers("times", {points.size()});
    times.insert(times.begin(), 0.0);
    std::vector<std::vector<double>> way_points = {q_};
    for (const YamlNode& point : points) {
      const YamlNode wrapped = YamlNode::mapping("points", point);
      way_points.push_back(way_points.back());
      read_joint_values(YamlMap(wrapped, map.file(), map.source().element, {"points"}), "points",
                        joints_, way_points.back());
    }
    SplineSettings settings;
    settings.degree = choice(map, "degree", {"cubic", "quintic"}, "quintic") ? SplineDegree::quintic
                                                                             : SplineDegree::cubic;
    return with_location(map,
                         [&] { return spline_trajectory(model_, times, way_points, settings); });
  }

  // in each one-variable joint; positions and freedoms of such joints stand in the same order
  JointTrajectoryPointer swing(const YamlMap& map) {
    std::vector<double> amplitude(q_.size(), 0);
    map.node("amplitude");
    read_joint_values(map, "amplitude", joints_, amplitude);
    const double frequency = map.number("frequency");
    const int cycles = whole_number(map, "cycles", 1);
    if (!(frequency > 0)) throw map.error("frequency", "must be positive");
    struct Swing {
      std::size_t position, freedom;
      double amplitude;
    };
    std::vector<Swing> swings;
    for (std::size_t k = 0; k < model_.dof_q.size(); ++k)
      if (const int q = model_.dof_q[k]; q >= 0 && amplitude[static_cast<std::size_t>(q)] != 0)
        swings.push_back({static_cast<std::size_t>(q), k, amplitude[static_cast<std::size_t>(q)]});
    const JointFunction function = [swings, frequency, rest = q_](double t, std::span<double> q,
                                                                  std::span<double> v,
                                                                  std::span<double> a) {
      const double w = 2 * std::numbers::pi * frequency;
      std::copy(rest.begin(), rest.end(), q.begin());
      std::fill(v.begin(), v.end(), 0.0);
      std::fill(a.begin(), a.end(), 0.0);
      for (const Swing& one : swings) {
        const double half = one.amplitude / 2;
        q[one.position] += half * (1 - std::cos(w * t));
        v[one.freedom] = half * w * std::sin(w * t);
        a[one.freedom] = half * w * w * std::cos(w * t);
      }
    };
    return with_location(map,
                         [&] { return function_trajectory(model_, cycles / frequency, function); });
  }

  // the frame's path, by inverse kinematics
  JointTrajectoryPointer path(const YamlMap& map) {
    const std::string frame = map.text("frame");
    return with_location(map, [&] {
      Workspace ws(model_);
      const Poses& bodies = forward_kinematics<double>(model_, q_, ws);
      const TaskTrajectoryPointer task =
          read_path(map, frame_pose(model_, bodies, model_.frame(frame)));
      FollowSettings settings;
      if (choice(map, "rows", {"pose", "position"}, "pose")) settings.rows = TaskRows::position;
      return follow(model_, frame, *task, q_, settings);
    });
  }

  const Reading& reading_;
  const Model& model_;
  std::string name_;
  std::vector<JointSlice> joints_;
  std::vector<double> q_;  // where the last segment ended
};

TaskTrajectoryPointer read_task_spline(const YamlMap& map, const Transform<double>& from) {
  const std::vector<YamlNode> points = map.list("points");
  std::vector<double> times = map.numbers("times", {points.size()});
  times.insert(times.begin(), 0.0);
  std::vector<Transform<double>> poses = {from};
  for (const YamlNode& point : points) {
    const YamlNode wrapped = YamlNode::mapping("points", point);
    const std::vector<double> x =
        YamlMap(wrapped, map.file(), map.source().element, {"points"}).numbers("points", {3, 6});
    Transform<double> pose = poses.back();
    pose.p = {x[0], x[1], x[2]};
    if (x.size() == 6) pose.R = rotation_from_rpy(x[3], x[4], x[5]);
    poses.push_back(pose);
  }
  SplineSettings settings;
  if (choice(map, "degree", {"cubic", "quintic"}, "quintic"))
    settings.degree = SplineDegree::quintic;
  return with_location(map, [&] { return task_spline(times, poses, settings); });
}

TaskTrajectoryPointer read_task(const YamlMap& trajectory, const Reading& reading) {
  const Model& model = reading.scenario.nominal;
  const std::string name = trajectory.text("name");
  Transform<double> pose = with_location(trajectory, [&] {
    Workspace ws(model);
    const Poses& bodies = forward_kinematics<double>(model, reading.scenario.q, ws);
    return frame_pose(model, bodies, model.frame(trajectory.text("frame")));
  });
  std::vector<TaskSegment> segments;
  double begin = 0;
  for (const YamlNode& node : trajectory.list("segments")) {
    const YamlMap map = open_segment(node, reading, name);
    const std::string kind = map.text("kind");
    if (kind == "move" || kind == "csv" || kind == "swing")
      throw map.error("kind", "a frame's trajectory has segments line, arc, spline and hold");
    if (kind == "hold") segments.push_back({constant_pose(pose), map.magnitude("duration", 0)});
    else
      segments.push_back({kind == "spline" ? read_task_spline(map, pose) : read_path(map, pose),
                          map.magnitude("dwell", 0)});
    const double duration = segments.back().trajectory->duration();
    pose = segments.back().trajectory->sample(duration).pose;
    begin = note_phase(map, reading, begin, kind == "hold" ? segments.back().dwell : duration);
  }
  if (segments.empty()) return constant_pose(pose);
  return with_location(trajectory, [&] { return task_sequence(std::move(segments)); });
}

template <class Pointer>
Pointer find(const YamlMap& map, const std::string& key, const std::map<std::string, Pointer>& all,
             const char* what) {
  const std::string name = map.text(key);
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : all) names.push_back(entry.first);
  throw map.error(key, fmt::format("there is no trajectory of {} called '{}'{}", what, name,
                                   did_you_mean(name, names)));
}

}  // namespace

Trajectories read_trajectories(const YamlMap& root, const Reading& reading) {
  Trajectories all;
  for (const YamlNode& node : root.list("trajectories")) {
    const YamlMap map = open(node, reading.file, "trajectories", "trajectories");
    const std::string name = map.text("name");
    if (all.joint.contains(name) || all.task.contains(name))
      throw map.error("name", fmt::format("two trajectories are called '{}'", name));
    if (map.has("frame")) all.task[name] = read_task(map, reading);
    else all.joint[name] = JointSteps(reading, name).read(map);
  }
  return all;
}

JointTrajectoryPointer joint_trajectory(const YamlMap& map, const std::string& key,
                                        const Trajectories& all) {
  return find(map, key, all.joint, "joints");
}

TaskTrajectoryPointer task_trajectory(const YamlMap& map, const std::string& key,
                                      const Trajectories& all) {
  return find(map, key, all.task, "a frame");
}

}  // namespace limber
