// A force of one's own as a shared library: the air's drag on a frame, c |w − v| (w − v) at its
// origin, with the wind's velocity w. A scenario (wind.yaml) or load_force() loads it.
#include <limber/dynamics/kinematics.hpp>
#include <limber/error.hpp>
#include <limber/sim/force_plugin.hpp>

class Wind final : public limber::Part {
 public:
  explicit Wind(const limber::ForcePluginSettings& settings)
      : Part(settings.name),
        frame_name_(settings.text("frame", "")),
        drag_(settings.number("drag", 0)),
        wind_{settings.number("x", 0), settings.number("y", 0), settings.number("z", 0)} {
    if (!(drag_ > 0)) throw limber::Error("wind: drag must be positive [N s²/m²]");
  }
  std::unique_ptr<Part> clone() const override { return std::make_unique<Wind>(*this); }
  limber::Role role() const override { return limber::Role::world; }

  // once, when the part joins the system: names become numbers
  void attach(limber::Model& model) override {
    frame_ = model.frame(frame_name_);
    body_ = model.frames[static_cast<std::size_t>(frame_)].body;
    if (body_ == 0) throw limber::Error("wind: the frame does not move");
  }

  // in every evaluation: a force on the body, in its own frame and about its origin
  void apply(limber::Evaluation& at) override {
    const limber::Transform<double> X = body_pose(at.model, at.kinematics(), body_);
    const limber::Vec3<double> f = transpose_times(X.R, force(at)),
                               arm = transpose_times(
                                   X.R, frame_pose(at.model, at.kinematics(), frame_).p - X.p);
    at.body_forces()[static_cast<std::size_t>(body_)] += limber::Force<double>{cross(arm, f), f};
  }

  std::vector<limber::Column> columns() const override {
    return {{name() + ".fx", "N", name()},
            {name() + ".fy", "N", name()},
            {name() + ".fz", "N", name()}};
  }
  void record(limber::Evaluation& at, std::span<double> values) override {
    const limber::Vec3<double> f = force(at);
    for (int i = 0; i < 3; ++i) values[static_cast<std::size_t>(i)] = f[i];
  }

 private:
  // in world axes
  limber::Vec3<double> force(limber::Evaluation& at) const {
    const limber::Vec3<double> w =
        wind_ -
        frame_velocity(at.model, at.kinematics(), frame_, limber::Reference::world_aligned).linear;
    return w * (drag_ * norm(w));
  }

  std::string frame_name_;
  double drag_;                // [N s²/m²]
  limber::Vec3<double> wind_;  // [m/s], world axes
  int frame_ = 0, body_ = 0;
};

LIMBER_FORCE(Wind)
