#pragma once
// The robot as a controller knows it: as it is, or otherwise, with another payload for example.
#include <memory>
#include <optional>

#include <limber/model/model.hpp>

namespace limber {

/// The robot as a controller takes it to be: the robot itself, or another model of it.
class KnownModel {
 public:
  KnownModel() = default;
  /// known: none if the robot is known as it is. Throws Error unless both models have the same
  /// variables of the same joints.
  KnownModel(const Model& robot, const std::shared_ptr<const Model>& known);

  /// What the controller computes with. The rotors' inertia (armature) is the robot's, to which
  /// drives may have added theirs. No allocation.
  const Model& of(const Model& robot);

 private:
  std::optional<Model> known_;
};

}  // namespace limber
