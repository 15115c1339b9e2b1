#pragma once
// What differs between two robots: first their structure, then their numbers.
#include <string>
#include <vector>

#include <limber/model/spec.hpp>

namespace limber {

/// A difference that is no number: a body that one of them lacks, another kind of joint.
struct StructureDifference {
  std::string element;  ///< "joint 'elbow'"
  std::string what;     ///< "kind", "parent", "order", …
  std::string a, b;     ///< of the first robot and of the second
};

/// Numbers that differ by more than the tolerance.
struct NumberDifference {
  std::string element, what;
  std::vector<double> a, b;
  double difference = 0;  ///< largest of all entries, in the unit of the numbers
};

/// All that differs between two robots.
struct RobotDifferences {
  std::vector<StructureDifference> structure;
  std::vector<NumberDifference> numbers;
  bool equal() const { return structure.empty() && numbers.empty(); }
};

/// Compares two robots part by part: bodies, frames, loops, actuators, sensors and states by their
/// names, joints by the bodies that they carry. Joints are compared by the motion that they allow,
/// however it is divided between their two placements. Numbers differ where they do by more than
/// `tolerance` times the largest of them; lengths, angles and directions are not taken as smaller
/// than 1. A body that no joint carries is the same as one on a fixed joint from the world.
/// Throws Error if one of the two is no robot.
RobotDifferences compare(const Spec& a, const Spec& b, double tolerance = 1e-9);

}  // namespace limber
