#pragma once
// The model that a controller computes with. It may differ from the robot, for example by a
// payload.
#include <memory>

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

  /// The model at time t, a constant. The rotors' inertia (armature) is the robot's, to which
  /// drives may have added theirs. Allocates only at the first call for each set of payloads.
  const Model& of(const Model& robot, double t);

 private:
  struct Carried {
    PayloadSettings payload;
    CarriedInertia inertia;
  };
  std::shared_ptr<const Model> made(double t) const;

  std::shared_ptr<const Model> known_;  // null: the robot's own
  std::vector<Carried> carried_;
  std::vector<double> changes_;  // when payloads are gripped or released, ascending [s]
  // made from known_:
  std::vector<std::shared_ptr<const Model>> models_;  // before, between and after the changes
  std::vector<double> armature_;                      // of all of them
};

}  // namespace limber
