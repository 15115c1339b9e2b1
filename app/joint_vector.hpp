#pragma once
// Vectors with one part per joint (q, v, a, tau): from JSON arrays or objects, and back.
#include <span>
#include <vector>

#include <limber/dynamics/hybrid_dynamics.hpp>

#include "output.hpp"
#include "robot.hpp"

namespace limber::app {

enum class Space { position, velocity };  ///< numbers stand as in q, or as in v

/// Reads an array of nq or nv numbers, or an object from joint names to a number or an array.
/// Joints that an object leaves out keep their entry of `initial`. Throws Error that begins with
/// `place`.
std::vector<double> read_joint_vector(const Robot& robot, Space space, const Json& value,
                                      std::vector<double> initial, const Source& place);

/// Reads "force" or "acceleration" for each velocity variable: an array of nv words, or an object
/// from joint names to a word for all its variables or an array. Joints that an object leaves out
/// keep their entry of `initial`.
std::vector<Known> read_known(const Robot& robot, const Json& value, std::vector<Known> initial,
                              const Source& place);

/// Exactly `count` finite numbers. `expected` says in words what they are.
std::vector<double> read_numbers(const Json& value, std::size_t count, const std::string& expected,
                                 const Source& place);

/// {"joint": number or array} for a result that stands as v.
Json named_by_joint(const Robot& robot, std::span<const double> values);

enum class Quantity { force, acceleration };
/// A table for people: joint, value, unit.
std::string joint_table(const Robot& robot, Quantity quantity, std::span<const double> values);

/// "elbow" or "root wx": names of the velocity variables, in order.
std::vector<std::string> velocity_labels(const Robot& robot);

}  // namespace limber::app
