#pragma once
// The robot as a controller knows it: as it is, or otherwise, with another payload for example.
#include <memory>
#include <optional>

#include <limber/sim/payload.hpp>

namespace limber {

class KnownModel {
 public:
  KnownModel() = default;
  /// known: none if the robot is known as it is, with all it carries. carried: what the controller
  /// knows to be carried besides, and when. Throws Error unless both models have the same variables
  /// of the same joints.
  KnownModel(const Model& robot, const std::shared_ptr<const Model>& known,
             std::vector<PayloadSettings> carried);

  /// What the controller computes with at time t. The rotors' inertia (armature) is the robot's, to
  /// which drives may have added theirs. No allocation.
  const Model& of(const Model& robot, double t);

 private:
  struct Carried {
    PayloadSettings payload;
    CarriedInertia inertia;
  };
  std::optional<Model> known_;
  std::vector<Inertia<double>> own_inertia_;  // of known_, without what is carried for a while
  std::vector<Carried> carried_;
};

}  // namespace limber
