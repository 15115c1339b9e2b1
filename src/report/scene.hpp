#pragma once
// What the replay draws: bodies with shapes, payloads, frames, markers, forces, poses, ghosts.
#include <nlohmann/json.hpp>

#include <limber/report/report.hpp>

namespace limber {

using Json = nlohmann::ordered_json;

/// Base64 of 32-bit floats, little endian, behind "f32:".
std::string packed(std::span<const double> values);

/// Instants of a replay: more are neither seen nor needed.
constexpr std::size_t most_poses = 3000;

/// Adds what the replay needs, from the chosen rows of the recording, or most_poses of them:
///   scene            {bodies, meshes, links, frames, trails, markers, payloads, forces, lines,
///                    ground, water, drawn};
///                    bodies are those of the model without rotors, the world first, then payloads
///   pose_time        instants of the replay [s]
///   poses            position and quaternion of each body at each instant
///   center_of_mass   at each instant, if there is any mass
///   ghosts           [{title, poses[, bodies]}]: compared runs; bodies where they differ
///   phases           [{name, from, to}]: named steps of trajectories
void add_scene(const Scenario& scenario, const Report& report, std::span<const std::size_t> rows,
               Json& data);

}  // namespace limber
