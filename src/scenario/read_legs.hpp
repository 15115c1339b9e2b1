#pragma once
// Controllers of robots on legs in a scenario: whole_body and walk.
#include <limber/control/walking_controller.hpp>
#include <limber/control/whole_body_controller.hpp>

#include "scenario/read_trajectories.hpp"

namespace limber {

std::vector<Section> leg_sections();
/// What these controllers have of their own; the common part of the settings is read already.
void read_whole_body(const YamlMap& map, const Reading& reading, const Trajectories& trajectories,
                     WholeBodySettings& settings);
void read_walk(const YamlMap& map, const Reading& reading, WalkingSettings& settings);

}  // namespace limber
