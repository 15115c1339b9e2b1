#include "mujoco_scene.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>

namespace limber::bench {

namespace {

class Scene final : public MujocoScene {
 public:
  explicit Scene(mjModel* model) : model_(model), data_(mj_makeData(model)) {}
  ~Scene() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  std::span<double> positions() override {
    return {data_->qpos, static_cast<std::size_t>(model_->nq)};
  }
  void step() override { mj_step(model_, data_); }
  int contacts() const override { return data_->ncon; }

 private:
  mjModel* model_;
  mjData* data_;
};

}  // namespace

std::unique_ptr<MujocoScene> make_mujoco_scene(const std::string& mjcf, std::string& refusal) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(mjcf.size()));
  std::memcpy(files->filedata[0], mjcf.data(), mjcf.size());
  char message[500] = "";
  mjModel* const model = mj_loadXML("scene.xml", files.get(), message, sizeof message);
  mj_deleteVFS(files.get());
  refusal = message;
  std::ranges::replace(refusal, '\n', ' ');
  if (!model) return nullptr;
  return std::make_unique<Scene>(model);
}

}  // namespace limber::bench
