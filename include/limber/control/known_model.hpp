#pragma once
// The model that a controller computes with. It may differ from the robot, for example by a
// payload.
#include <memory>
#include <optional>

#include <limber/sim/payload.hpp>

namespace limber {

/// The model that a controller computes with: the robot's own, or another one.
class KnownModel {
 public:
  KnownModel() = default;
  /// known: none for the robot's own model, with all payloads. carried: the payloads that are added
  /// to `known`, and when. Throws Error unless both models have the same variables
  /// of the same joints.
  KnownModel(const Model& robot, const std::shared_ptr<const Model>& known,
             std::vector<PayloadSettings> carried);

  /// The model at time t. The rotors' inertia (armature) is the robot's, to
  /// which drives may have added theirs. No allocation.
  const Model& of(const Model& robot, double t);

 private:
  struct Carried {
    PayloadSettings payload;
    CarriedInertia inertia;
  };
  std::optional<Model> known_;
  std::vector<Inertia<double>> own_inertia_;  // of known_, without payloads of limited time
  std::vector<Carried> carried_;
};

}  // namespace limber
