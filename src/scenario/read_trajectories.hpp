#pragma once
// Trajectories of a scenario by name.
#include <map>

#include <limber/control/joint_trajectory.hpp>
#include <limber/control/task_trajectory.hpp>

#include "scenario/read.hpp"

namespace limber {

struct Trajectories {
  std::map<std::string, JointTrajectoryPointer> joint;
  std::map<std::string, TaskTrajectoryPointer> task;
};

std::vector<Section> trajectory_sections();
Trajectories read_trajectories(const YamlMap& root, const Reading& reading);

/// The trajectory that a key names. Throws Error with the nearest name.
JointTrajectoryPointer joint_trajectory(const YamlMap& map, const std::string& key,
                                        const Trajectories& all);
TaskTrajectoryPointer task_trajectory(const YamlMap& map, const std::string& key,
                                      const Trajectories& all);

}  // namespace limber
