#pragma once
// What the replay draws: bodies with shapes, frames, poses.
#include <nlohmann/json.hpp>

#include <limber/scenario/scenario.hpp>

namespace limber {

using Json = nlohmann::ordered_json;

/// Base64 of 32-bit floats, little endian, behind "f32:".
std::string packed(std::span<const double> values);

/// {"bodies", "links", "frames", "trails", "markers"}; bodies are those of the model without
/// rotors, the world first.
Json scene_of(const Scenario& scenario);

/// Poses of these bodies (position, quaternion) for every chosen row of the recording.
std::vector<double> poses_of(const Scenario& scenario, const Recording& recording,
                             std::span<const std::size_t> rows);
/// The centre of mass for every chosen row.
std::vector<double> centers_of_mass(const Scenario& scenario, const Recording& recording,
                                    std::span<const std::size_t> rows);

}  // namespace limber
