#pragma once
// A scene with contacts in MuJoCo, which steps by its own defaults.
#include <memory>
#include <span>
#include <string>

namespace limber::bench {

class MujocoScene {
 public:
  virtual ~MujocoScene() = default;
  virtual std::span<double> positions() = 0;  ///< qpos
  virtual void step() = 0;
  virtual int contacts() const = 0;  ///< of the last step
};

/// From MJCF text. Null: `refusal` says why.
std::unique_ptr<MujocoScene> make_mujoco_scene(const std::string& mjcf, std::string& refusal);

}  // namespace limber::bench
